"""Training: random numbers are PyTorch's, and weights that change are not packed.

The same seed gives the same losses as PyTorch without compilation, step by step.
"""

# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from xdsl_bufferization.frontends.pytorch import backend
from xdsl_bufferization.frontends.pytorch.changing_weights import UNCHANGED_CALLS

STEPS = 5


def mlp() -> nn.Module:
    return nn.Sequential(
        nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.2), nn.Linear(128, 8)
    )


def encoder() -> nn.Module:
    return nn.TransformerEncoderLayer(32, 2, 64, dropout=0.1, batch_first=True)


def cnn() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 8, 3),
        nn.ReLU(),
        nn.Dropout2d(0.3),
        nn.Flatten(),
        nn.Linear(288, 4),
    )


class Lstm(nn.Module):
    """An LSTM of cells, of whose last state a layer makes the output."""

    def __init__(self) -> None:
        super().__init__()
        self.cell, self.output = nn.LSTMCell(8, 16), nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        state: Any = None
        for step in x.unbind(1):
            state = self.cell(step, state)
        return self.output(state[0])


MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "mlp": (mlp, (16, 64)),
    "encoder": (encoder, (4, 8, 32)),
    "cnn": (cnn, (4, 3, 8, 8)),
    "lstm": (Lstm, (4, STEPS, 8)),
}


def losses(model: nn.Module, call: Any, data: list[Tensor]) -> list[float]:
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    torch.manual_seed(7)
    found: list[float] = []
    for x in data:
        loss = call(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("make", "shape"), MODELS.values(), ids=MODELS)
def test_losses_are_those_of_pytorch(
    make: Callable[[], nn.Module], shape: tuple[int, ...], dtype: torch.dtype
) -> None:
    model = make().to(dtype)
    data = [torch.randn(shape, dtype=dtype) for _ in range(20)]
    other = deepcopy(model)
    expected = losses(model, model, data)
    found = losses(other, torch.compile(other, backend="xbuf"), data)
    assert found == pytest.approx(expected, rel=1e-4)
    assert len(set(expected)) == len(expected)


DRAWING: dict[str, Callable[[Tensor], Any]] = {
    "rand_like": lambda x: x * torch.rand_like(x),
    "rand": lambda x: x + torch.rand(3, 4),
    "randn": lambda x: x + torch.randn(4),
    "randint": lambda x: x + torch.randint(0, 9, (3, 4)),
    "normal": lambda x: x + torch.empty(3, 4).normal_(2.0, 3.0),
    "uniform": lambda x: x + torch.empty(3, 4).uniform_(-1.0, 1.0),
    "exponential": lambda x: x + torch.empty(3, 4).exponential_(2.0),
    "bernoulli": lambda x: x * torch.empty_like(x).bernoulli_(0.3),
    "columns": lambda x: functional.dropout(x.t() * 2, 0.5, training=True),
    "dropout of halves": lambda x: functional.dropout(x.bfloat16(), 0.3, training=True),
    "one after the other": lambda x: torch.rand_like(x) - functional.dropout(x, 0.5),
    "channels": lambda x: functional.dropout1d(x, 0.5),
    "alpha": lambda x: functional.alpha_dropout(x, 0.4, training=True),
}


@pytest.mark.parametrize("function", DRAWING.values(), ids=DRAWING)
def test_random_numbers_are_those_of_pytorch(function: Callable[[Tensor], Any]) -> None:
    x = torch.randn(3, 4)
    fast = torch.compile(function, backend="xbuf")
    for _ in range(2):
        torch.manual_seed(3)
        expected, after = function(x), torch.rand(2)
        torch.manual_seed(3)
        torch.testing.assert_close(fast(x), expected)
        assert torch.equal(torch.rand(2), after)


def test_what_is_drawn_by_values_is_computed_by_pytorch() -> None:
    fast = torch.compile(
        lambda x: torch.rand_like(x) + torch.poisson(x.abs()), backend="xbuf"
    )
    x = torch.randn(3, 4)
    torch.manual_seed(3)
    with pytest.warns(UserWarning, match="draws random numbers"):
        found = fast(x)
    torch.manual_seed(3)
    torch.testing.assert_close(found, torch.rand_like(x) + torch.poisson(x.abs()))


@pytest.fixture
def graphs(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each graph that has been compiled, whether weights are packed beforehand."""
    made: list[bool] = []
    compile_graph = backend.compile_graph

    def record(*arguments: Any, **options: Any) -> Any:
        made.append(bool(options["weights"]))
        return compile_graph(*arguments, **options)

    monkeypatch.setattr(backend, "compile_graph", record)
    return made


def test_what_is_computed_quickly_is_computed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[int] = []
    compile_graph = backend.compile_graph

    def record(program: Any, **options: Any) -> Any:
        taken.append(len(program.inputs))
        return compile_graph(program, **options)

    monkeypatch.setattr(backend, "compile_graph", record)
    torch.compile(Lstm(), backend="xbuf")(torch.randn(4, STEPS, 8)).sum().backward()
    forward, backward = taken
    assert forward == 7, "a batch, and the weights"
    # Of a step: four gates, the two states and the input. Not the tanh of a state.
    assert backward < 7 * STEPS + 7


def test_weights_that_change_are_packed_again_when_they_do_not(
    graphs: list[bool],
) -> None:
    model = nn.Linear(64, 64)
    x = torch.randn(32, 64)
    fast = torch.compile(model, backend="xbuf")

    def call(*, changes: bool) -> None:
        with torch.no_grad():
            if changes:
                model.weight.add_(0.5)
            torch.testing.assert_close(fast(x), model(x), rtol=1e-4, atol=1e-4)

    call(changes=False)
    call(changes=True)
    assert graphs == [True]
    call(changes=True)
    assert graphs == [True, False]
    for _ in range(3):
        call(changes=True)
    for _ in range(UNCHANGED_CALLS + 2):
        call(changes=False)
    for _ in range(4):
        call(changes=True)
    assert graphs == [True, False], "each is compiled once"

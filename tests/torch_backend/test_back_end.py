"""`torch.compile(model, backend="xbuf")` computes what PyTorch computes.

A fallback is an error in these tests, unless a test expects it.
"""

# pyright: basic, reportMissingImports=false

import warnings
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from xdsl_bufferization.frontends.pytorch import backend, graphs
from xdsl_bufferization.frontends.pytorch.fallbacks import FallbackWarning
from xdsl_bufferization.frontends.pytorch.weights import CachedWeights


def compiled(model: Any, **options: Any) -> Any:
    return torch.compile(model, backend="xbuf", **options)


def check(model: Any, *inputs: Tensor, **options: Any) -> None:
    fast = compiled(model, **options)
    with torch.no_grad():
        expected = model(*(each.clone() for each in inputs))
        torch.testing.assert_close(fast(*inputs), expected, rtol=1e-4, atol=1e-5)


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What has been compiled."""
    made: list[Any] = []
    compile_graph = backend.compile_graph

    def record(*arguments: Any, **options: Any) -> Any:
        made.append(compile_graph(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(backend, "compile_graph", record)
    return made


def cnn() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(32, 10),
    )


def mlp() -> nn.Sequential:
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 32))


class NormAndLinear(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(64), nn.Linear(64, 32)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(self.norm(x))


class TwoGraphs(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x: Tensor) -> Tensor:
        x = self.first(x)
        torch._dynamo.graph_break()
        return self.second(x).relu()


def test_pytorch_finds_the_back_end() -> None:
    assert "xbuf" in torch._dynamo.list_backends()


def test_cnn(functions: list[Any]) -> None:
    check(cnn().eval(), torch.randn(2, 3, 16, 16))
    assert len(functions) == 1


@pytest.mark.parametrize("norm_first", [False, True])
def test_transformer_block(norm_first: bool) -> None:
    block = nn.TransformerEncoderLayer(
        32, 2, 64, batch_first=True, norm_first=norm_first, activation="gelu"
    )
    check(block.eval(), torch.randn(2, 6, 32))


@pytest.mark.parametrize("padding", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_masks_of_a_transformer_block(causal: bool, padding: bool) -> None:
    block = nn.TransformerEncoderLayer(32, 2, 64, batch_first=True).eval()
    mask = nn.Transformer.generate_square_subsequent_mask(6) if causal else None
    padded = torch.tensor([[False] * 6, [False] * 4 + [True] * 2]) if padding else None
    check(
        lambda x: block(x, src_mask=mask, src_key_padding_mask=padded),
        torch.randn(2, 6, 32),
    )


def test_self_attention_gives_its_weights() -> None:
    attention = nn.MultiheadAttention(32, 2, batch_first=True).eval()
    check(lambda x: attention(x, x, x), torch.randn(2, 6, 32))


@pytest.mark.parametrize("optimize", [True, False])
def test_options_reach_the_compiler(optimize: bool) -> None:
    check(mlp(), torch.randn(32, 64), options={"optimize": optimize, "threads": 1})


def test_an_option_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(Exception, match="optimise"):
        compiled(mlp(), options={"optimise": True})(torch.randn(2, 64))


def test_code_for_another_processor() -> None:
    check(mlp(), torch.randn(32, 64), options={"cpu": "x86-64-v2"})


def test_a_processor_that_does_not_exist_is_an_error() -> None:
    """And no reason for PyTorch to compute the graph."""
    with pytest.raises(Exception, match="did you mean haswell"):
        compiled(mlp(), options={"cpu": "haswel"})(torch.randn(2, 64))


def test_several_graphs(functions: list[Any]) -> None:
    check(TwoGraphs(), torch.randn(4, 8))
    assert len(functions) == 2


CASES: dict[str, tuple[Callable[..., Any], tuple[Tensor, ...]]] = {
    "bf16": (lambda x: x @ x + 1, (torch.ones(32, 32).bfloat16(),)),
    "f16": (lambda x: x * 2, (torch.ones(4).half(),)),
    "f64": (lambda x: x.sin(), (torch.ones(4).double(),)),
    "booleans": (lambda x: (x > 0) & (x < 1), (torch.tensor([-1, 0.5, 2]),)),
    "wrapping uint8": (lambda x: x + 10, (torch.tensor([250, 3]).to(torch.uint8),)),
    "from uint8": (lambda x: x.float(), (torch.tensor([250, 3]).to(torch.uint8),)),
    "a number": (lambda x: x.sum(), (torch.ones(4, 3),)),
    "no elements": (lambda x: x + 1, (torch.ones(0, 3),)),
    "a transposed argument": (lambda x: x + 1, (torch.arange(12.0).view(3, 4).t(),)),
    "a view": (lambda x: x.t(), (torch.ones(3, 4),)),
    "nested": (lambda x: (x + 1, [x * 2, {"a": x - 1}], 3), (torch.ones(2),)),
    "nothing to do": (lambda x: x, (torch.ones(2),)),
    "an argument written in place": (lambda x: x.add_(1), (torch.ones(2),)),
    "embedding": (
        torch.nn.functional.embedding,
        (torch.tensor([1, 0]), torch.arange(6.0).view(3, 2)),
    ),
    "a write to a negative index": (
        lambda x, i, v: x.index_put((i,), v),
        (torch.zeros(8), torch.tensor([-1, 2]), torch.ones(2)),
    ),
    "index_copy": (
        lambda x, i, v: x.index_copy(0, i, v),
        (torch.zeros(8, 2), torch.tensor([7, 2]), torch.ones(2, 2)),
    ),
    "large integers": (
        lambda x: (-x, x // 3, x // -3, torch.div(x, x.flip(0), rounding_mode="floor")),
        (torch.tensor([2**24 + 1, -(2**53) - 1, 7, -7]),),
    ),
    "sort": (lambda x: torch.sort(x), (torch.tensor([3.0, 1.0, 2.0]),)),
    "cumsum": (lambda x: x.cumsum(0), (torch.arange(5.0),)),
}


@pytest.mark.parametrize("name", CASES)
def test_equal_to_pytorch(name: str) -> None:
    function, inputs = CASES[name]
    check(function, *inputs)


# Sizes that are left open.


def test_one_program_for_all_sizes(functions: list[Any]) -> None:
    model = mlp()
    fast = compiled(model, dynamic=True)
    with torch.no_grad():
        for rows in (5, 7, 32):
            x = torch.randn(rows, 64)
            torch.testing.assert_close(fast(x), model(x), rtol=1e-4, atol=1e-5)
    assert len(functions) == 1


def test_one_program_for_all_sizes_of_two_dimensions(functions: list[Any]) -> None:
    model = NormAndLinear()
    fast = compiled(model, dynamic=True)
    with torch.no_grad():
        for batch, rows in ((2, 10), (2, 11), (3, 10)):
            x = torch.randn(batch, rows, 64)
            torch.testing.assert_close(fast(x), model(x), rtol=1e-4, atol=1e-5)
    assert len(functions) == 1


def test_contradicting_sizes_are_compiled_for_each_size(
    functions: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """torch-mlir's program for all sizes is noticed to be wrong, and left.

    Without our flattens, torch-mlir takes the second open size of a view to be 1.
    """
    monkeypatch.setattr(graphs, "flatten_open_views", lambda graph: None)
    model = NormAndLinear()
    fast = compiled(model, dynamic=True)
    with torch.no_grad():
        for rows in (10, 11, 10):
            x = torch.randn(2, rows, 64)
            torch.testing.assert_close(fast(x), model(x), rtol=1e-4, atol=1e-5)
    assert [each.is_dynamic for each in functions] == [True, False, False]


def enlarged(x: torch.Tensor) -> torch.Tensor:
    """What torch-mlir does not translate for all sizes."""
    return nn.functional.interpolate(x[None], 5, mode="linear", align_corners=True)


def test_reflections_have_code_for_all_sizes(functions: list[Any]) -> None:
    def reflected(x: torch.Tensor) -> torch.Tensor:
        return nn.functional.pad(x, (1, 2), mode="reflect")

    fast = compiled(reflected, dynamic=True)
    for size in (6, 9, 3, 40):
        x = torch.randn(2, size)
        assert torch.equal(fast(x), reflected(x))
    assert [each.is_dynamic for each in functions] == [True]


def test_what_has_no_code_for_all_sizes_is_compiled_for_each_size(
    functions: list[Any],
) -> None:
    fast = compiled(enlarged, dynamic=True)
    for size in (6, 9, 6, 9):
        x = torch.randn(2, size)
        torch.testing.assert_close(fast(x), enlarged(x))
    assert [each.is_dynamic for each in functions] == [False, False]


def test_sizes_that_change_in_each_call_are_compiled_a_few_times(
    functions: list[Any],
) -> None:
    fast = compiled(enlarged, dynamic=True)
    with pytest.warns(FallbackWarning, match="for its sizes in each call"):
        for size in range(6, 30):
            x = torch.randn(2, size)
            torch.testing.assert_close(fast(x), enlarged(x))
    assert len(functions) == 8


def test_gradients_of_weights_have_code_for_each_size(functions: list[Any]) -> None:
    def gradient(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        result = nn.functional.conv2d(x, weight, stride=2).square().sum()
        return torch.autograd.grad(result, weight)[0]

    fast = compiled(gradient, dynamic=True)
    weight = torch.randn(3, 3, 3, 3, requires_grad=True)
    for size in (6, 9):
        x = torch.randn(2, 3, size, size)
        torch.testing.assert_close(
            fast(x, weight), gradient(x, weight), rtol=1e-4, atol=1e-4
        )
    assert functions


# Weights.


@pytest.fixture
def preparations(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One entry for each time that weights are packed."""
    packed: list[None] = []
    make = CachedWeights.__init__

    def count(
        self: CachedWeights, sources: Any, wanted: Any, prepare: Any, *pack: Any
    ) -> None:
        def counted(weights: Any) -> Any:
            packed.append(None)
            return prepare(weights)

        make(self, sources, wanted, counted, *pack)

    monkeypatch.setattr(CachedWeights, "__init__", count)
    return packed


def write(weight: nn.Parameter) -> None:
    weight.mul_(2)


def exchange_the_memory(weight: nn.Parameter) -> None:
    weight.data = weight.data * 2


@pytest.mark.parametrize("change", [write, exchange_the_memory])
def test_weights_are_packed_again_when_they_change(
    preparations: list[None], change: Callable[[nn.Parameter], None]
) -> None:
    model, x = mlp(), torch.randn(32, 64)
    fast = compiled(model)
    with torch.no_grad():
        for _ in range(3):
            torch.testing.assert_close(fast(x), model(x))
        assert len(preparations) == 1
        change(model[0].weight)  # pyright: ignore[reportArgumentType]
        for _ in range(2):
            torch.testing.assert_close(fast(x), model(x))
    assert len(preparations) == 2


def test_weights_of_which_pytorch_counts_no_writes() -> None:
    with torch.inference_mode():
        model, x = mlp(), torch.randn(32, 64)
        fast = compiled(model)
        for _ in range(2):
            torch.testing.assert_close(fast(x), model(x))
            model[0].weight.mul_(2)  # pyright: ignore[reportCallIssue]


def test_weights_that_are_not_kept() -> None:
    model, x = mlp(), torch.randn(32, 64)
    fast = compiled(model, options={"keep_weights": False})
    with torch.no_grad():
        for _ in range(2):
            torch.testing.assert_close(fast(x), model(x))
            model[0].weight.data.mul_(2)  # pyright: ignore


# Training.


@pytest.mark.parametrize("make", [torch.optim.SGD, torch.optim.Adam])
def test_training(make: Any, functions: list[Any]) -> None:
    """Losses and weights of five steps are those of PyTorch."""
    ours, theirs = mlp(), mlp()
    theirs.load_state_dict(ours.state_dict())
    x, target = torch.randn(32, 64), torch.randn(32, 32)
    losses = []
    for model, step in ((ours, compiled(ours)), (theirs, theirs)):
        optimizer = make(model.parameters(), lr=0.01)
        for _ in range(5):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(step(x), target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    torch.testing.assert_close(losses[:5], losses[5:], rtol=1e-4, atol=1e-5)
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-4)
    # Forwards, backwards, and forwards once more with weights as they are.
    assert len(functions) == 3


def test_training_a_cnn_updates_its_statistics() -> None:
    ours = cnn().train()
    theirs = deepcopy(ours)
    x = torch.randn(4, 3, 16, 16)
    compiled(ours)(x).sum().backward()
    theirs(x).sum().backward()
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-3, atol=1e-4)
    for one, other in zip(ours.buffers(), theirs.buffers(), strict=True):
        torch.testing.assert_close(one, other)


# What PyTorch computes.


def expect_fallback(model: Any, *inputs: Tensor, reason: str) -> None:
    fast = compiled(model)
    with warnings.catch_warnings(record=True) as said, torch.no_grad():
        warnings.simplefilter("always", FallbackWarning)
        for _ in range(2):
            torch.testing.assert_close(fast(*inputs), model(*inputs), equal_nan=True)
    messages = [w for w in said if issubclass(w.category, FallbackWarning)]
    assert len(messages) == 1
    assert reason in str(messages[0].message)


def test_a_graph_that_is_not_translated_is_said_once() -> None:
    expect_fallback(torch.fft.fft, torch.randn(8), reason="_fft_r2c")


def test_unsigned_integers_that_would_be_negative_are_left_to_pytorch() -> None:
    x = torch.tensor([250, 3], dtype=torch.uint8)
    expect_fallback(lambda x: x.sum(), x, reason="integers without a sign")


@pytest.mark.parametrize(
    "function", [torch.remainder, lambda x, y: torch.div(x, y, rounding_mode="trunc")]
)
def test_a_division_of_integers_by_zero_is_pytorchs_error(function: Any) -> None:
    """Unchecked code would end the process."""
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        compiled(function)(torch.tensor([7, 8]), torch.tensor([2, 0]))


def test_random_numbers_that_hinge_on_elements_are_those_of_pytorch() -> None:
    fast = compiled(lambda x: torch.poisson(x))
    with pytest.warns(FallbackWarning, match="random numbers"):
        fast(torch.ones(3))


def test_an_index_out_of_bounds_is_pytorchs_error() -> None:
    fast = compiled(nn.Embedding(10, 8))
    with torch.no_grad(), pytest.raises(IndexError):
        fast(torch.tensor([1, 30]))


def transformed(x: Tensor) -> Tensor:
    y = x * 2
    return torch.fft.fft(y).real + 1


def test_a_fallback_names_the_line_of_the_program() -> None:
    with pytest.warns(FallbackWarning) as said:
        torch.compile(transformed, backend="xbuf")(torch.ones(8))
    (message,) = (str(w.message) for w in said if w.category is FallbackWarning)
    assert "aten._fft_r2c.default" in message
    line = transformed.__code__.co_firstlineno + 2
    assert message.endswith(
        f"test_back_end.py:{line}: return torch.fft.fft(y).real + 1)"
    )


def test_strict_refuses_to_fall_back() -> None:
    strict: Any = {"strict": True}
    compiled = torch.compile(transformed, backend="xbuf", options=strict)
    with pytest.raises(Exception, match=r"UnsupportedGraphError: .*fft_r2c"):
        compiled(torch.ones(8))
    doubled = torch.compile(lambda x: x * 2, backend="xbuf", options=strict)
    assert doubled(torch.ones(2)).tolist() == [2, 2]


def test_an_option_that_there_is_not() -> None:
    for name, message in (
        ("thread", "has no option 'thread'; do you mean 'threads'"),
        ("zzz", "has no option 'zzz'; there is optimize, threads, checked, cpu"),
    ):
        fast = torch.compile(nn.ReLU(), backend="xbuf", options={name: 1})
        with pytest.raises(Exception, match=message):
            fast(torch.ones(2))


def test_a_value_that_is_none_of_an_option() -> None:
    options: Any = {"threads": "two"}
    fast = torch.compile(nn.ReLU(), backend="xbuf", options=options)
    with pytest.raises(Exception, match="option 'threads' is 'two'; expected int"):
        fast(torch.ones(2))
    fast = torch.compile(nn.ReLU(), backend="xbuf", mode="max-autotune")
    with pytest.raises(Exception, match="no mode 'max-autotune'; its options are opt"):
        fast(torch.ones(2))

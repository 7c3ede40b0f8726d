"""Steps of training by PyTorch, compiled and not, and the losses of both.

    python benchmarks/training.py
    python benchmarks/training.py --models mlp lstm --steps 200 --threads 2
    python benchmarks/training.py --cpu x86-64-v3

Needs the extra `torch`. A step is the forward and the backward pass, and the optimizer,
which PyTorch runs. Both train the same model on the same data with the same seed, in
turns of some steps. Seconds are those of the processor on one thread, and those of the
clock on several. The least time of a turn counts, and all losses are compared.
"""

# PyTorch is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import argparse
import copy
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from lesser_processor import add_cpu, begin_again_for
from torch import Tensor, nn

STEPS_OF_A_TURN = 10


class Model(NamedTuple):
    """A model to be trained, and the shape of a batch."""

    make: Callable[[], nn.Module]
    shape: tuple[int, ...]


def mlp() -> nn.Module:
    """Three layers, with dropout between them."""
    return nn.Sequential(
        nn.Linear(256, 512),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.Linear(512, 512),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.Linear(512, 64),
    )


def cnn() -> nn.Module:
    """Two convolutions with batch norms, and a layer."""
    return nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(64, 10),
    )


def encoder() -> nn.Module:
    """A layer of a transformer's encoder, with dropout."""
    return nn.TransformerEncoderLayer(128, 4, 512, dropout=0.1, batch_first=True)


class Lstm(nn.Module):
    """An LSTM, of whose last state a layer makes the output.

    Of cells: `torch.compile` leaves `nn.LSTM` to PyTorch, whatever the back end.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cell, self.output = nn.LSTMCell(32, 64), nn.Linear(64, 8)

    def forward(self, x: Tensor) -> Tensor:
        """The output for a batch of sequences."""
        state: Any = None
        for step in x.unbind(1):
            state = self.cell(step, state)
        return self.output(state[0])


MODELS = {
    "mlp": Model(mlp, (64, 256)),
    "cnn": Model(cnn, (16, 3, 32, 32)),
    "encoder": Model(encoder, (8, 64, 128)),
    "lstm": Model(Lstm, (32, 16, 32)),
}


class Trainer:
    """Trains a model, some steps at a time."""

    def __init__(self, model: nn.Module, call: Any, clock: Callable[[], float]):
        self._call = call
        self._clock = clock
        self._optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        self._random: Tensor | None = None
        self.losses: list[float] = []
        self.seconds: list[float] = []
        """Of a step, by turn."""

    def turn(self, batches: list[Tensor]) -> None:
        """Train on some batches; random numbers go on where the last turn ended."""
        if self._random is None:
            torch.manual_seed(1)
        else:
            torch.set_rng_state(self._random)
        start = self._clock()
        for x in batches:
            loss = self._call(x).square().mean()
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            self.losses.append(loss.item())
        self.seconds.append((self._clock() - start) / len(batches))
        self._random = torch.get_rng_state()


def compare(name: str, steps: int, threads: int) -> str:
    """A row of the table."""
    torch.manual_seed(0)
    torch.compiler.reset()
    model = MODELS[name].make()
    other = copy.deepcopy(model)
    options = {"threads": threads}
    compiled = torch.compile(other, backend="xbuf", dynamic=False, options=options)
    clock = time.process_time if threads == 1 else time.perf_counter
    eager, ours = Trainer(model, model, clock), Trainer(other, compiled, clock)
    batches = [torch.randn(MODELS[name].shape) for _ in range(STEPS_OF_A_TURN)]
    for _ in range(-(-steps // STEPS_OF_A_TURN)):
        eager.turn(batches)
        ours.turn(batches)
    times = [min(each.seconds[1:]) * 1e3 for each in (eager, ours)]
    pairs = zip(eager.losses, ours.losses, strict=True)
    difference = max(abs(a - b) / abs(a) for a, b in pairs)
    return (
        f"| {name} | {times[0]:.2f} | {times[1]:.2f} | {times[0] / times[1]:.2f} "
        f"| {difference:.1e} |"
    )


def main() -> None:
    """Print a table of the models that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--models", nargs="+", choices=MODELS, default=[*MODELS])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1)
    add_cpu(parser)
    options = parser.parse_args()
    begin_again_for(options.cpu)
    torch.set_num_threads(options.threads)
    print("| model | eager, ms | compiled, ms | eager / compiled | losses differ by |")
    print("|---|---|---|---|---|")
    for name in options.models:
        print(compare(name, options.steps, options.threads), flush=True)


if __name__ == "__main__":
    main()

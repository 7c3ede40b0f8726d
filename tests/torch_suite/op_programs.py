"""Random programs of PyTorch's ops.

    module, arguments = random_program(torch.float32, "forward", seed="7")
    print(module)                       # Its steps, a line each.
    module(*arguments)

Each step is drawn with its options, and PyTorch runs it at once. One that raises an
error is drawn again. Arguments have all types, sizes of zero and one, and strides of
all kinds, and some steps write to what other values are views of.

Two ways to add numbers up give results that are nearly the same. Ops such as `floor`
and `argmax` would make other numbers of them, and take exact values only. A value is
exact if the program has the same numbers in 32 and in 64 bits. Arguments are quarters.
"""

# pyright: basic, reportMissingImports=false

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import torch
from drawing import LARGEST, MOST_OPERANDS, MOST_TRIALS, SIZES
from torch import Tensor
from torch_suite.op_samples import Entry, Sample, copied
from torch_suite.program_steps import JUMPS, KINKS, STEPS, TYPES, Draw, Step

MOST_ELEMENTS = 20_000
"""A step with more elements, or with a number that is too large, is drawn again."""

COUNTS = (1, 1, 1, 1, 1, 2, 2, 2, 3)
"""How many operands steps have."""


@dataclass(frozen=True)
class _Line:
    name: str
    step: Step
    operands: Sequence[int]
    """Places among the arguments and the results of the lines before."""


class Program(torch.nn.Module):
    """Steps that follow each other. The results of some of them come back."""

    def __init__(self, lines: Sequence[_Line], outputs: Sequence[int]) -> None:
        super().__init__()
        self._lines, self._outputs = lines, outputs

    def forward(self, *arguments: Tensor) -> list[Tensor]:
        """Run all steps."""
        values = [*arguments]
        for line in self._lines:
            values.append(line.step(*(values[place] for place in line.operands)))
        return [values[place] for place in self._outputs]

    def extra_repr(self) -> str:
        """A line for each step, with the places of its operands."""
        lines = [f"{line.name} {[*line.operands]}" for line in self._lines]
        return "\n".join([*lines, f"return {[*self._outputs]}"])


@dataclass
class _Values:
    """What a program has computed, and the same in another width."""

    here: list[Tensor]
    wider: list[Tensor]

    def are_exact(self, places: Sequence[int]) -> bool:
        return all(
            torch.equal(self.here[place].double(), self.wider[place].double())
            for place in places
        )


def random_program(
    dtype: torch.dtype, direction: str, seed: str
) -> tuple[Program, tuple[Tensor, ...]]:
    """A program and its arguments, many of which have a type."""
    draw = Draw(seed)
    sizes = [draw.choice(SIZES) for _ in range(4)]
    backward = direction == "backward"
    arguments = [
        _argument(draw, sizes, dtype, backward) for _ in range(draw.randint(1, 3))
    ]
    other = torch.float32 if dtype == torch.float64 else torch.float64
    here = copied([each.detach() for each in arguments])
    wider = copied(
        [each.to(other) if each.is_floating_point() else each for each in here]
    )
    values, lines = _Values(here, wider), list[_Line]()
    length = draw.randint(2, 12)
    for _ in range(MOST_TRIALS):
        if len(lines) == length:
            break
        if line := _line(draw, values, backward):
            lines.append(line)
    places = range(len(arguments), len(values.here))
    outputs = [place for place in places if draw.random() < 0.4 or place == places[-1]]
    return Program(lines, outputs), tuple(arguments)


def _argument(
    draw: Draw, sizes: Sequence[int], dtype: torch.dtype, backward: bool
) -> Tensor:
    dtype = draw.choice([dtype, dtype, draw.choice(TYPES)])
    rank = draw.choice([0, 1, 2, 2, 3, 3, 4])
    shape = draw.shape(sizes, rank)
    if dtype == torch.bool:
        return draw.below(2, *shape).bool()
    match draw.randrange(4):
        case 0 if rank > 1:
            shape[0], shape[-1] = shape[-1], shape[0]
            found = draw.weights(torch.empty(0), *shape).transpose(0, -1)
        case 1 if rank:
            found = draw.weights(torch.empty(0), *shape[:-1], 2 * shape[-1])[..., ::2]
        case _:
            found = draw.weights(torch.empty(0), *shape)
    if not dtype.is_signed:
        found = found.abs()
    return found.to(dtype).requires_grad_(backward and dtype.is_floating_point)


def _line(draw: Draw, values: _Values, backward: bool) -> _Line | None:
    """Another step of a program, if operands fit one that is drawn."""
    count = draw.choice(COUNTS)
    name, make = draw.choice([*STEPS[count].items()])
    needs_exact = name.removesuffix(" a number") in JUMPS or (
        backward and name in KINKS
    )
    for _ in range(MOST_OPERANDS):
        operands = [draw.randrange(len(values.here)) for _ in range(count)]
        if needs_exact and not values.are_exact(operands):
            continue
        try:
            with torch.no_grad():
                step = make(draw, *(values.here[place] for place in operands))
                here = step(*(values.here[place] for place in operands))
                wider = step(*(values.wider[place] for place in operands))
        except Exception:  # PyTorch's own: the options do not fit.
            continue
        if _is_fit(here) and _is_fit(wider) and here.shape == wider.shape:
            values.here.append(here)
            values.wider.append(wider)
            return _Line(name, step, operands)
    return None


def _is_fit(result: Any) -> bool:
    if not isinstance(result, Tensor) or result.numel() > MOST_ELEMENTS:
        return False
    numbers = result.double()
    return bool((numbers.isfinite() & (numbers.abs() <= LARGEST)).all())


@dataclass(frozen=True)
class ProgramEntry(Entry):
    """Random programs in the place of the samples of an op."""

    @property
    def name(self) -> str:
        """All of them have one."""
        return "program"

    @property
    def family(self) -> str:
        """They are counted by themselves."""
        return "program"

    def takes(self, dtype: torch.dtype, direction: str) -> bool:
        """All types but complex ones; only floats have gradients."""
        return dtype in TYPES and (direction == "forward" or dtype.is_floating_point)

    def samples(
        self, dtype: torch.dtype, direction: str, seed: int
    ) -> Iterator[tuple[int, Sample]]:
        """Programs without end."""
        for number in count():
            drawn = random_program(dtype, direction, f"{seed} {number}")
            yield number, Sample(*drawn, {})


def program_entries(filter_: str = "") -> list[Entry]:
    """The entry of random programs, unless a filter leaves it out."""
    entry = ProgramEntry(None, is_module=True)
    return [entry] if re.search(filter_, entry.name) else []

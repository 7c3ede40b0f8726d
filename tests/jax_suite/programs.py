"""Random programs of JAX's functions, as cases.

    case = CASES["program 7"]
    print(case.program)                 # Its steps, a line each.
    case.program(*case.arguments())

Each step is drawn with its options, and drawn again if JAX does not take it. Arguments
have all types, and sizes of zero and one.

Two ways to add numbers up give results that are nearly the same. Functions such as
`floor` and `argmax` would make other numbers of them. So only those results count that
are made of exact values there. A value is exact if the program has the same numbers
with wider floats. Arguments are quarters.
"""

# JAX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from drawing import LARGEST, MOST_OPERANDS, MOST_TRIALS, SIZES
from functions import lower
from program_steps import FLOATS, JUMPS, KINKS, STEPS, TYPES, Draw, Step

jax.config.update("jax_enable_x64", True)

MOST_ELEMENTS = 20_000
"""A step with more elements is drawn again."""

COUNTS = (1, 1, 1, 1, 1, 2, 2, 2, 3)
"""How many operands steps have."""

PROGRAMS = 100_000


@dataclass(frozen=True)
class Line:
    """A step, and its operands: places among the arguments and the earlier results."""

    name: str
    step: Step
    operands: Sequence[int]


@dataclass(frozen=True, eq=False)
class Program:
    """Steps that follow each other. The results of some of them come back."""

    lines: Sequence[Line]
    outputs: Sequence[int]

    def values(self, *arguments: Any) -> list[Any]:
        """The arguments and the results of all steps."""
        values = [*arguments]
        for line in self.lines:
            values.append(line.step(*(values[place] for place in line.operands)))
        return values

    def __call__(self, *arguments: Any) -> list[Any]:
        """Run all steps."""
        values = self.values(*arguments)
        return [values[place] for place in self.outputs]

    def __str__(self) -> str:
        """A line for each step, with the places of its operands."""
        lines = [f"{line.name} {[*line.operands]}" for line in self.lines]
        return "\n".join([*lines, f"return {[*self.outputs]}"])


@dataclass(frozen=True)
class ProgramCase:
    """A program, or the gradients of the sum of its results."""

    number: int

    may_give = ("bits", "close", "refused", "no program")

    @property
    def dtype(self) -> str:
        """What many of its arguments have as their type."""
        return TYPES[self.number % len(TYPES)]

    @property
    def has_gradients(self) -> bool:
        """Every other program of floats."""
        return self.dtype in FLOATS and self.number // len(TYPES) % 2 == 1

    @property
    def group(self) -> str:
        """By the type, and by the direction."""
        return f"{self.dtype} {'backward' if self.has_gradients else 'forward'}"

    def arguments(self) -> list[np.ndarray]:
        """The same ones each time."""
        return self._drawn[1]

    @property
    def program(self) -> Program:
        """The same one each time."""
        return self._drawn[0]

    @cached_property
    def _drawn(self) -> tuple[Program, list[np.ndarray]]:
        return _drawn(self.dtype, self.has_gradients, self.number)

    def lowered(self, arguments: list[np.ndarray]) -> tuple[str, list[np.ndarray]]:
        """The program as text, and the numbers that XLA computes."""
        program = self.program
        if not self.has_gradients:
            return lower(program, arguments)
        numbers = [number for number, each in enumerate(arguments) if _is_float(each)]

        def total(*arguments: Any) -> Any:
            results = (each for each in program(*arguments) if _is_float(each))
            return sum(jnp.sum(each.astype(jnp.float64)) for each in results) + 0.0

        return lower(jax.grad(total, numbers), arguments)


def _drawn(
    dtype: str, has_gradients: bool, seed: int
) -> tuple[Program, list[np.ndarray]]:
    draw = Draw(seed)
    sizes = [draw.choice(SIZES) for _ in range(4)]
    arguments = [_argument(draw, sizes, dtype) for _ in range(draw.randint(1, 3))]
    if has_gradients:
        arguments[0] = arguments[0].astype(dtype)
    lines, values = list[Line](), list[Any](arguments)
    length = draw.randint(2, 12)
    for _ in range(MOST_TRIALS):
        if len(lines) == length:
            break
        if (drawn := _line(draw, values)) is not None:
            lines.append(drawn[0])
            values.append(drawn[1])
    program = Program(lines, range(len(values)))
    places = _that_count(program, arguments, has_gradients)
    outputs = [place for place in places if draw.random() < 0.4 or place == places[-1]]
    return Program(lines, outputs), arguments


def _argument(draw: Draw, sizes: Sequence[int], dtype: str) -> np.ndarray:
    dtype = draw.choice([dtype, dtype, draw.choice(TYPES)])
    rank = draw.choice([0, 1, 2, 2, 3, 3, 4])
    shape = draw.shape(sizes, rank)
    return draw.quarters(dtype, *shape)


def _line(draw: Draw, values: Sequence[Any]) -> tuple[Line, Any] | None:
    """Another step of a program with its result, if operands fit one that is drawn."""
    count = draw.choice(COUNTS)
    name, make = draw.choice([*STEPS[count].items()])
    for _ in range(MOST_OPERANDS):
        places = [draw.randrange(len(values)) for _ in range(count)]
        operands = [values[place] for place in places]
        try:
            step = make(draw, *operands)
            result = jax.eval_shape(step, *operands)
        except Exception:  # JAX's own: the options do not fit.
            continue
        is_array = isinstance(result, jax.ShapeDtypeStruct)
        if is_array and result.size <= MOST_ELEMENTS and result.dtype.name in TYPES:
            return Line(name, step, places), result
    return None


def _that_count(
    program: Program, arguments: Sequence[np.ndarray], has_gradients: bool
) -> list[int]:
    """The results that do not depend on how inexact values are rounded."""
    wider = "float32" if arguments[0].dtype == np.float64 else "float64"
    others = [each.astype(wider) if _is_float(each) else each for each in arguments]
    run = jax.jit(program.values)
    here = [np.asarray(each) for each in run(*arguments)]
    there = [np.asarray(each) for each in run(*others)]
    is_exact = [
        np.array_equal(one.astype(np.float64), other.astype(np.float64))
        for one, other in zip(here, there, strict=True)
    ]
    counts = [True] * len(arguments)
    for line, one, other in zip(
        program.lines, here[len(arguments) :], there[len(arguments) :], strict=True
    ):
        needs_exact = line.name.removesuffix(" a number") in JUMPS or (
            has_gradients and line.name in KINKS
        )
        counts.append(
            all(counts[place] for place in line.operands)
            and (not needs_exact or all(is_exact[place] for place in line.operands))
            and _is_fit(one)
            and _is_fit(other)
        )
    return [place for place, each in enumerate(counts) if each]


def _is_float(value: Any) -> bool:
    return value.dtype.name in FLOATS


def _is_fit(result: np.ndarray) -> bool:
    numbers = result.astype(np.float64)
    return bool((np.isfinite(numbers) & (np.abs(numbers) <= LARGEST)).all())


CASES = {f"program {number}": ProgramCase(number) for number in range(PROGRAMS)}
"""By name."""

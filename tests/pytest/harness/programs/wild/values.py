"""What a program has at a point: tensors by name, and how to write lines of it.

code = Code(random.Random(7), ("f32", "i32"))
code.emit(f"{code.new('v')} = tensor.empty() : tensor<4xf32>")
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from random import Random

FLOATS = ("f32", "f64")
BITS = {"i1": 1, "i8": 8, "i32": 32, "i64": 64}
LARGEST = 6000
"""How many elements a tensor may have."""


@dataclass(frozen=True)
class Tensor:
    """A value that ops may read."""

    name: str
    shape: tuple[int, ...]
    element: str
    is_open: tuple[bool, ...] = ()
    """For each dimension, whether the type leaves its size open."""

    @property
    def type(self) -> str:
        """The type, as text."""
        return type_of(self.shape, self.element, self.is_open)

    @property
    def is_static(self) -> bool:
        """Whether the type has all sizes."""
        return not any(self.is_open)


def type_of(shape: Sequence[int], element: str, is_open: Sequence[bool] = ()) -> str:
    """`tensor<4x?xf32>`."""
    flags = is_open or [False] * len(shape)
    sizes = ["?" if flag else str(n) for n, flag in zip(shape, flags, strict=True)]
    return f"tensor<{'x'.join([*sizes, element])}>"


def typed(values: Sequence[Tensor]) -> str:
    """`%a, %b : tensor<4xf32>, tensor<4xf32>`."""
    names = ", ".join(each.name for each in values)
    return f"{names} : {', '.join(each.type for each in values)}"


@dataclass
class Code:
    """The lines of a program, and the tensors that the next one may read."""

    random: Random
    elements: tuple[str, ...]
    sizes: tuple[int, ...] = ()
    lines: list[str] = field(default_factory=list[str])
    scope: list[Tensor] = field(default_factory=list[Tensor])
    indent: int = 1
    count: int = 0

    def new(self, letter: str = "v") -> str:
        """A name that is not taken."""
        self.count += 1
        return f"%{letter}{self.count}"

    def emit(self, line: str) -> None:
        """Write a line."""
        self.lines.append("  " * self.indent + line)

    def chance(self, share: float) -> bool:
        """Whether something is done, so often."""
        return self.random.random() < share

    def define(
        self, op: str, shape: Sequence[int], element: str, letter: str = "v"
    ) -> bool:
        """Write an op with one result, which others may read."""
        name = self.new(letter)
        self.emit(f"{name} = {op}")
        return self.add(Tensor(name, tuple(shape), element))

    def add(self, value: Tensor) -> bool:
        """Let others read a tensor."""
        self.scope.append(value)
        return True

    def pick(self, fits: Callable[[Tensor], bool] = lambda _: True) -> Tensor | None:
        """A tensor with static sizes, mostly one of the last."""
        found = [v for v in self.scope if v.is_static and fits(v)]
        if not found:
            return None
        return self.random.choice(found[-4:] if self.chance(0.6) else found)

    def literal(self, element: str) -> str:
        """A number of a type, as text."""
        choose = self.random.choice
        if element in FLOATS:
            return choose(("0.0", "1.0", "-1.0", "0.5", "2.0", "-0.25"))
        if element == "i1":
            return choose(("true", "false"))
        return choose(("0", "1", "-1", "3", "7"))

    def constant(self, element: str, literal: str | None = None) -> str:
        """The name of a number."""
        name = self.new("c")
        shown = self.literal(element) if literal is None else literal
        kind = "" if element == "i1" else f" : {element}"
        self.emit(f"{name} = arith.constant {shown}{kind}")
        return name

    def init(self, shape: Sequence[int], element: str, *, is_written: bool) -> Tensor:
        """What an op writes into; `is_written`: all of it, and nothing is read."""
        shape = tuple(shape)
        same = [
            v
            for v in self.scope
            if (v.shape, v.element) == (shape, element) and v.is_static
        ]
        if same and self.chance(0.5):
            return self.random.choice(same)
        type_ = type_of(shape, element)
        way = self.random.random()
        if way > 0.8:
            name = self.new("k")
            dense = f"dense<{self.literal(element)}>"
            self.emit(f"{name} = arith.constant {dense} : {type_}")
            return Tensor(name, shape, element)
        name = self.new("e")
        self.emit(f"{name} = tensor.empty() : {type_}")
        if is_written and way < 0.6:
            return Tensor(name, shape, element)
        number, filled = self.constant(element), self.new("z")
        self.emit(
            f"{filled} = linalg.fill ins({number} : {element}) "
            f"outs({name} : {type_}) -> {type_}"
        )
        return Tensor(filled, shape, element)

    def is_small(self, shape: Sequence[int]) -> bool:
        """Whether a tensor may have these sizes."""
        return prod(shape) <= LARGEST

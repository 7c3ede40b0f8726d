"""Writes one function: its arguments, constants and lines.

writer = Writer(7)
x = writer.argument(Tensor((4,), "f32"))      # %a0
writer.line(f"{y} = arith.negf {x} : tensor<4xf32>")
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from harness.matrix.form import Numbers, Tensor, Type
from harness.matrix.numbers import draw, element_of, literal, number


@dataclass(frozen=True)
class Value:
    """The name of a value in the text, and its type."""

    name: str
    type: Type


@dataclass(frozen=True)
class Parameter:
    """An argument of the function that is called, and what numbers it gets."""

    type: Type
    numbers: Numbers


@dataclass
class Writer:
    """The text of a function, as far as it is written."""

    number: int
    """The number of the program, which is in the names of all its functions."""

    parameters: list[Parameter] = field(default_factory=list[Parameter])
    lines: list[str] = field(default_factory=list[str])
    helpers: list[str] = field(default_factory=list[str])
    empty: set[str] = field(default_factory=set[str])
    """The names of tensors whose elements nobody has written."""

    _names: int = 0
    _indices: dict[int, str] = field(default_factory=dict[int, str])

    def name(self) -> str:
        """A name that is not taken."""
        self._names += 1
        return f"%v{self._names}"

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append(text)

    def argument(self, type_: Type, numbers: Numbers = Numbers.SMALL) -> Value:
        """One more argument of the function."""
        self.parameters.append(Parameter(type_, numbers))
        return Value(f"%a{len(self.parameters) - 1}", type_)

    def op(self, text: str, type_: Type) -> Value:
        """Write an op with one result."""
        name = self.name()
        self.line(f"{name} = {text}")
        return Value(name, type_)

    def index(self, number: int) -> str:
        """A constant of type index, at the beginning of the function."""
        if number not in self._indices:
            self._indices[number] = f"%c{str(number).replace('-', 'm')}"
        return self._indices[number]

    def constant(self, type_: Type, numbers: Numbers) -> Value:
        """A constant with numbers that the name of the next value determines."""
        rng = np.random.default_rng([self.number, self._names])
        element = element_of(type_)
        if isinstance(type_, Tensor):
            static = type_.static()
            array = draw(static, numbers, rng)
            return self.op(
                f"arith.constant {literal(array, element)} : {static}", static
            )
        array = draw(type_, numbers, rng)
        if element.startswith("complex"):
            value = complex(array.item())
            real = f"[{value.real:.1f} : {_part(element)}"
            text = f"complex.constant {real}, {value.imag:.1f} : {_part(element)}]"
            return self.op(f"{text} : {element}", type_)
        typed = "" if element == "i1" else f" : {element}"
        return self.op(f"arith.constant {number(array.item(), element)}{typed}", type_)

    def cast(self, value: Value, type_: Type) -> Value:
        """The tensor with more or fewer sizes open."""
        if str(value.type) == str(type_):
            return value
        return self.op(f"tensor.cast {value.name} : {value.type} to {type_}", type_)

    def sizes(self, type_: Tensor) -> str:
        """The operands for what the type leaves open: `(%c4, %c5)`."""
        return ", ".join(self.index(type_.sizes[at]) for at in sorted(type_.dynamic))

    @contextmanager
    def inside(self, before: str, after: str = "}") -> Generator[None, None, None]:
        """Write what follows inside of an op with a region."""
        self.line(before)
        yield
        self.line(after)

    def function(self, results: Sequence[Value]) -> str:
        """The whole function, which returns `results`."""
        arguments = ", ".join(
            f"%a{at}: {each.type}" for at, each in enumerate(self.parameters)
        )
        types = ", ".join(str(each.type) for each in results)
        names = ", ".join(each.name for each in results)
        constants = [
            f"{name} = arith.constant {number} : index"
            for number, name in self._indices.items()
        ]
        last = f"func.return {names} : {types}" if results else "func.return"
        lines = "\n".join(f"  {each}" for each in (*constants, *self.lines, last))
        return f"func.func @p{self.number}({arguments}) -> ({types}) {{\n{lines}\n}}\n"


def _part(element: str) -> str:
    return element.removeprefix("complex<").removesuffix(">")

"""What a form of an op is: one way to write the op, with what it takes and gives.

    linalg.map, whose body reads its init, on 5x7 elements of f32
        -> Form("linalg.map", operands (input, init), results, "$r = linalg.map ...")

The text of a form has holes: `$0`, `$1`, ... are its operands, and `$r` its result. In
`around.py`, a program is written around each form, and its operands come from
producers of all kinds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from typing_extensions import override

ELEMENTS: Final = (
    "f32", "i32", "f64", "i64", "index", "i8", "i16", "i1", "f16", "bf16",
    "complex<f32>", "complex<f64>",
)  # fmt: skip
"""The element types that tensors are tried with."""


@dataclass(frozen=True)
class Tensor:
    """A type, and the sizes that its dimensions have when the program runs."""

    sizes: tuple[int, ...]
    element: str
    dynamic: frozenset[int] = frozenset()
    """The dimensions whose size the type leaves open."""

    @override
    def __str__(self) -> str:
        sizes = (
            "?x" if at in self.dynamic else f"{size}x"
            for at, size in enumerate(self.sizes)
        )
        return f"tensor<{''.join(sizes)}{self.element}>"

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.sizes)

    def static(self) -> "Tensor":
        """The same with all sizes known."""
        return Tensor(self.sizes, self.element)

    def of(self, element: str) -> "Tensor":
        """The same shape of another element type."""
        return Tensor(self.sizes, element, self.dynamic)


Type = Tensor | str
"""A tensor, or the name of a scalar type."""


class Numbers(Enum):
    """From where numbers are drawn, so that an op is defined for them."""

    SMALL = (-4, 4)
    POSITIVE = (1, 4)
    NATURAL = (0, 3)
    FRACTION = (-0.75, 0.75)
    """Between -1 and 1, as `acos` takes them; 0 for integers."""

    BITS = (0, 1)
    BELOW = (-7, -5)
    """As a size, or as what is added to a size of 4: no tensor has it."""


class Role(Enum):
    """What an op does with the elements of an operand."""

    READ = "read"
    INIT = "init"
    """A destination whose elements are read."""

    OVERWRITTEN = "overwritten"
    """A destination, all of whose elements are written, and none is read."""


@dataclass(frozen=True)
class Operand:
    """A hole of a form."""

    type: Type
    role: Role = Role.READ
    numbers: Numbers = Numbers.SMALL


@dataclass(frozen=True)
class Form:
    """One way to write an op."""

    op: str
    operands: tuple[Operand, ...]
    results: tuple[Type, ...]
    text: str
    """With `$0`, `$1`, ... and `$r` or, where there are several results, `$r#0`."""

    choice: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    """What distinguishes the form from others of its op: a value for each dimension."""

    module: str = ""
    """Functions and globals that the text uses; `$n` is a number of the program."""

    is_error: bool = False
    """Whether the form must end in an error: at compile time, or as it runs."""

    is_exact: bool = True
    """Whether results are the same to the bit, whatever the order of its sums."""


@dataclass(frozen=True)
class LeftOut:
    """A combination of values for which there is no form, and why."""

    reason: str

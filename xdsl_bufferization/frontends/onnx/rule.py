"""What a rule that rewrites an op is given.

def write_squares(r: Rewriting) -> Sequence[str] | None:
    x = r.operand(0)
    return [r.build.add("Mul", [x, x])]
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from .builder import Builder
from .packages import onnx
from .types import Numbers, ValueType


@dataclass(frozen=True)
class Rewriting:
    """An op that is rewritten, and what is known of its operands."""

    op: Any
    types: Mapping[str, ValueType]
    known: Mapping[str, Any]
    build: Builder

    def operand(self, number: int) -> str:
        """The name of an operand; empty if it is left out."""
        return self.op.input[number] if number < len(self.op.input) else ""

    def type(self, number: int) -> ValueType:
        """The type of an operand that is there."""
        return self.types[self.op.input[number]]

    def shape(self, number: int) -> tuple[int, ...] | None:
        """The sizes of an operand, if all are known."""
        return self.type(number).shape

    def value(self, number: int) -> Numbers | None:
        """The numbers of an operand, if they are known."""
        tensor = self.known.get(self.operand(number))
        return None if tensor is None else onnx("numpy_helper").to_array(tensor)

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute of the op."""
        return self.attributes.get(name, default)

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """All attributes that the op has, by name."""
        value_of = onnx().helper.get_attribute_value
        return {each.name: value_of(each) for each in self.op.attribute}


Rule: TypeAlias = Callable[[Rewriting], Sequence[str] | None]
"""From an op to the values that stand for its outputs."""

"""Ops of OpenXLA's dialect CHLO: functions of elements, and the largest elements.

    %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
    %values, %indices = chlo.top_k(%x, k = 2) : tensor<9xf32> -> (tensor<2xf32>, ...)

JAX writes them for functions that StableHLO lacks. Not here: their formulas
(`frontends/stablehlo`).

Source: https://openxla.org/stablehlo/generated/chlo
"""

from abc import ABC
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Self

from typing_extensions import override
from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i1, i64
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..stablehlo.syntax import (
    PrettyOp,
    StableHLOOp,
    Types,
    finish,
    parse_operands,
    print_end,
)

UNARY: Final = (
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bessel_i1e",
    "conj",
    "cosh",
    "digamma",
    "erf",
    "erf_inv",
    "erfc",
    "is_inf",
    "is_neg_inf",
    "is_pos_inf",
    "lgamma",
    "sinh",
    "square",
    "tan",
)
"""Ops with one operand."""

BINARY: Final = ("next_after", "polygamma", "zeta")
"""Ops with two operands."""


class FunctionOp(PrettyOp, ABC):
    """A function of each element."""

    TYPES: ClassVar[Types] = Types.ARROW

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operands."""
        return [self.shape()]

    @override
    def verify_types(self) -> None:
        element = i1 if ".is_" in self.name else self.element()
        for number in range(len(self.values)):
            if self.values[number].type != self.values[0].type:
                raise VerifyException("expected operands of one type")
        self.verify_result(self.shape(), element)


class _BinaryOp(FunctionOp, ABC):
    """A function of two elements."""

    ARITY: ClassVar[int | None] = 2


def _define(name: str, base: type[FunctionOp]) -> type[FunctionOp]:
    title = "".join(word.capitalize() for word in name.split("_"))
    members: dict[str, Any] = {
        "name": f"chlo.{name}",
        "__doc__": f"Element by element: {name.replace('_', ' ')}.",
        "__module__": __name__,
    }
    return irdl_op_definition(type(f"{title}Op", (base,), members))


OPERATIONS: Final = (
    *(_define(name, FunctionOp) for name in UNARY),
    *(_define(name, _BinaryOp) for name in BINARY),
)
"""The ops of the tables."""


@irdl_op_definition
class TopKOp(StableHLOOp):
    """The largest elements of the last dimension, the largest first, and where."""

    name = "chlo.top_k"

    k = prop_def(IntegerAttr)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        attributes: dict[str, Attribute] = {}
        with parser.in_parens():
            operands = parse_operands(parser)
            while parser.parse_optional_punctuation(",") is not None:
                name = parser.parse_identifier()
                parser.parse_punctuation("=")
                attributes[name] = _parse_value(parser)
        return finish(cls, parser, operands, attributes, Types.ARROW)

    @override
    def print(self, printer: Printer) -> None:
        with printer.in_parens():
            printer.print_list(self.values, printer.print_ssa_value)
            printer.print_string(f", k = {self.integer('k')}")
        print_end(printer, self, Types.ARROW, "k")

    @override
    def verify_types(self) -> None:
        """There are as many elements, and the results have places for `k` of them."""
        self.verify_counts(1, 2)
        shape = self.shape()
        if not shape or not 0 <= self.integer("k") <= shape[-1]:
            raise VerifyException(f"there are no {self.integer('k')} elements in a row")
        self.verify_inferred(self.element())

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """As many in a row as are asked for, and the place of each."""
        return [[*self.shape()[:-1], self.integer("k")]] * 2


def _parse_value(parser: Parser) -> Attribute:
    flag = parser.parse_optional_boolean()
    if flag is not None:
        return BoolAttr.from_bool(flag)
    return IntegerAttr(parser.parse_integer(), i64)

"""Ops of StableHLO that compute element by element.

    %0 = stablehlo.add %a, %b : tensor<4xf32>
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<4xf32>, ...) -> tensor<4xi1>
    %2 = stablehlo.select %1, %a, %b : tensor<4xi1>, tensor<4xf32>

Ops with nothing but operands and a result are in the table `UNARY` or `BINARY`.

Source: https://openxla.org/stablehlo/spec#ops
"""

import re
from abc import ABC
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Self, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    ComplexType,
    FixedBitwidthType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i1,
    i32,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .attributes import ComparisonType, ComparisonTypeAttr, Direction, DirectionAttr
from .syntax import (
    PrettyOp,
    StableHLOOp,
    TypeLists,
    Types,
    finish,
    parse_operands,
    print_end,
    print_operands,
    print_types,
)

UNARY: Final = (
    "abs",
    "cbrt",
    "ceil",
    "convert",
    "cosine",
    "count_leading_zeros",
    "exponential",
    "exponential_minus_one",
    "floor",
    "imag",
    "is_finite",
    "log",
    "log_plus_one",
    "logistic",
    "negate",
    "not",
    "popcnt",
    "real",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "sign",
    "sine",
    "sqrt",
    "tan",
    "tanh",
)
"""Ops with one operand."""

BINARY: Final = (
    "add",
    "and",
    "atan2",
    "divide",
    "maximum",
    "minimum",
    "multiply",
    "or",
    "power",
    "remainder",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "subtract",
    "xor",
)
"""Ops with two operands of one type, which the result has too."""

_INTEGERS: Final = {
    "and",
    "count_leading_zeros",
    "not",
    "or",
    "popcnt",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "xor",
}
"""Ops of integers only."""


class ElementwiseOp(PrettyOp, ABC):
    """An op whose operands and result have one shape."""

    TYPES: ClassVar[Types] = Types.SAME

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operands."""
        return [self.shape()]

    @override
    def verify_types(self) -> None:
        for number in range(len(self.values)):
            if self.shape(number) != self.result_shape:
                raise VerifyException(
                    "expected operands and result of one shape, but operand "
                    f"{number} is a {self.values[number].type} and the result a "
                    f"{self.outputs[0].type}"
                )
        name = self.name.partition(".")[2]
        if name in _INTEGERS and not isinstance(self.element(), IntegerType):
            raise VerifyException(f"expected integers, but got {self.element()}")
        expected = _result_elements(self, name)
        if expected is not None and self.result_element != expected:
            raise VerifyException(
                f"expected a result of {expected}, but got {self.result_element}"
            )


class _BinaryOp(ElementwiseOp, ABC):
    """Operands of one type."""

    ARITY: ClassVar[int | None] = 2

    @override
    def verify_types(self) -> None:
        if self.element(0) != self.element(1):
            raise VerifyException(
                "expected operands of one element type, but got "
                f"{self.element(0)} and {self.element(1)}"
            )
        super().verify_types()


def _result_elements(op: ElementwiseOp, name: str) -> Attribute | None:
    """The element type that the result must have; None: any."""
    element = op.element()
    if name == "convert":
        return None
    if name == "is_finite":
        return i1
    if name in ("abs", "real", "imag") and isinstance(element, ComplexType):
        return cast("ComplexType[Any]", element).element_type
    return element


def _define(name: str, base: type[ElementwiseOp]) -> type[ElementwiseOp]:
    words = name.replace("_", " ")
    title = "".join(word.capitalize() for word in name.split("_"))
    members: dict[str, Any] = {
        "name": f"stablehlo.{name}",
        "__doc__": f"Element by element: {words}.",
        "__module__": __name__,
    }
    return irdl_op_definition(type(f"{title}Op", (base,), members))


OPERATIONS: Final = (
    *(_define(name, ElementwiseOp) for name in UNARY),
    *(_define(name, _BinaryOp) for name in BINARY),
)
"""The ops of the tables."""


@irdl_op_definition
class ClampOp(ElementwiseOp):
    """An element, or the bound that it is beyond; bounds may be one for all."""

    name = "stablehlo.clamp"

    ARITY: ClassVar[int | None] = 3

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the tensor between the bounds."""
        return [self.shape(1)]

    @override
    def verify_types(self) -> None:
        self.verify_inferred(self.element(1))
        for number in (0, 2):
            if self.element(number) != self.element(1) or self.shape(number) not in (
                (),
                self.shape(1),
            ):
                raise VerifyException(
                    f"expected a bound of type {self.values[1].type} or one for all, "
                    f"but got {self.values[number].type}"
                )


@irdl_op_definition
class SelectOp(StableHLOOp):
    """Elements of one of two tensors; the condition may be one for all."""

    name = "stablehlo.select"

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        return finish(cls, parser, parse_operands(parser), {}, _parse_selected)

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        result = self.outputs[0].type
        if any(each.type != result for each in self.values[1:]):
            print_types(printer, self, Types.FUNCTION)
            return
        printer.print_attribute(self.values[0].type)
        printer.print_string(", ")
        printer.print_attribute(result)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of both tensors."""
        return [self.shape(1)]

    @override
    def verify_types(self) -> None:
        """Both tensors have the type of the result."""
        self.verify_counts(3)
        for number in (1, 2):
            self.verify_result(self.shape(number), self.element(number))
        if self.element() != i1 or self.shape() not in ((), self.shape(1)):
            raise VerifyException(
                f"expected a condition of i1 for {self.values[1].type}, but got "
                f"{self.values[0].type}"
            )


def _parse_selected(parser: Parser) -> TypeLists:
    """`tensor<4xi1>, tensor<4xf32>`: the condition, and both tensors."""
    condition = parser.parse_type()
    parser.parse_punctuation(",")
    same = parser.parse_type()
    return (condition, same, same), (same,)


@irdl_op_definition
class CompareOp(StableHLOOp):
    """Compare element by element."""

    name = "stablehlo.compare"

    comparison_direction = prop_def(DirectionAttr)
    compare_type = opt_prop_def(ComparisonTypeAttr)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        direction = DirectionAttr(parser.parse_str_enum(Direction))
        parser.parse_punctuation(",")
        attributes: dict[str, Attribute] = {"comparison_direction": direction}
        operands = parse_operands(parser)
        if parser.parse_optional_punctuation(",") is not None:
            kind = parser.parse_str_enum(ComparisonType)
            attributes["compare_type"] = ComparisonTypeAttr(kind)
        return finish(cls, parser, operands, attributes, Types.FUNCTION)

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.comparison_direction.data},")
        print_operands(printer, self.values)
        if self.compare_type is not None:
            printer.print_string(f", {self.compare_type.data}")
        hidden = "comparison_direction", "compare_type"
        print_end(printer, self, Types.FUNCTION, *hidden)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operands."""
        return [self.shape()]

    @override
    def verify_types(self) -> None:
        """The operands have one type; the result is as large."""
        self.verify_counts(2)
        if self.values[0].type != self.values[1].type:
            raise VerifyException("expected operands of one type")
        self.verify_result(self.shape(), i1)


@irdl_op_definition
class ComplexOp(StableHLOOp):
    """Complex numbers of two parts."""

    name = "stablehlo.complex"

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        return finish(cls, parser, parse_operands(parser), {}, _parse_parts)

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.outputs[0].type)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operands."""
        return [self.shape()]

    @override
    def verify_types(self) -> None:
        """Both parts have the shape and the elements of the result's."""
        self.verify_counts(2)
        if self.values[0].type != self.values[1].type:
            raise VerifyException("expected parts of one type")
        self.verify_result(self.shape(), ComplexType(cast(Any, self.element())))


def _parse_parts(parser: Parser) -> TypeLists:
    """`tensor<4xcomplex<f32>>`: the result."""
    result = parser.parse_type()
    return [_parts_of(parser, result)] * 2, [result]


def _parts_of(parser: Parser, type_: Attribute) -> Attribute:
    """The type of the parts of complex numbers."""
    if isinstance(type_, TensorType):
        tensor = cast("TensorType[Any]", type_)
        if isinstance(tensor.element_type, ComplexType):
            parts = cast(Any, tensor).element_type.element_type
            return TensorType(parts, tensor.get_shape())
    return parser.raise_error("expected a tensor of complex numbers")


@irdl_op_definition
class BitcastConvertOp(PrettyOp):
    """The same bits as elements of another type."""

    name = "stablehlo.bitcast_convert"

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operand, and a last one for narrower elements, or one less."""
        before, after = _bits(self.element()), _bits(self.result_element)
        shape = self.shape()
        if before > after:
            return [[*shape, before // after]]
        return [shape if before == after else shape[:-1]]

    @override
    def verify_types(self) -> None:
        """Wider elements take the bits of the last dimension, or give it."""
        before, after = _bits(self.element()), _bits(self.result_element)
        shape, result = self.shape(), self.result_shape
        if before > after:
            result, extra = result[:-1], result[-1:]
        else:
            shape, extra = (shape, ()) if before == after else (shape[:-1], shape[-1:])
        ratio = max(before, after) // min(before, after)
        if shape != result or (before != after and extra != (ratio,)):
            raise VerifyException(
                f"{self.values[0].type} has not the bits of {self.outputs[0].type}"
            )


def _bits(element: Attribute) -> int:
    if isinstance(element, FixedBitwidthType):
        return element.bitwidth
    if isinstance(element, ComplexType):
        return 2 * _bits(cast("ComplexType[Any]", element).element_type)
    raise VerifyException(f"the number of bits of {element} is not known")


@irdl_op_definition
class ReducePrecisionOp(StableHLOOp):
    """Elements rounded to fewer bits."""

    name = "stablehlo.reduce_precision"

    exponent_bits = prop_def(IntegerAttr)
    mantissa_bits = prop_def(IntegerAttr)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        """`%x, format = e5m10 : tensor<4xf32>`."""
        operands = parse_operands(parser)
        parser.parse_punctuation(",")
        parser.parse_keyword("format")
        parser.parse_punctuation("=")
        start = parser.pos
        format_ = re.fullmatch(r"e(\d+)m(\d+)", parser.parse_identifier())
        if format_ is None:
            parser.raise_error("expected a format such as e5m10", start, parser.pos)
        exponent, mantissa = (IntegerAttr(int(each), i32) for each in format_.groups())
        attributes: dict[str, Attribute] = {
            "exponent_bits": exponent,
            "mantissa_bits": mantissa,
        }
        return finish(cls, parser, operands, attributes, Types.SAME)

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        exponent, mantissa = map(self.integer, ("exponent_bits", "mantissa_bits"))
        printer.print_string(f", format = e{exponent}m{mantissa}")
        print_end(printer, self, Types.SAME, "exponent_bits", "mantissa_bits")

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operand."""
        return [self.shape()]

    @override
    def verify_types(self) -> None:
        """The result has the type of the operand; there is a bit of the exponent."""
        self.verify_counts(1)
        self.verify_result(self.shape(), self.element())
        if self.integer("exponent_bits") < 1 or self.integer("mantissa_bits") < 0:
            raise VerifyException("expected exponent_bits from 1, mantissa_bits from 0")

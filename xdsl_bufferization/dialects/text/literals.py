"""Dense constants: floats as bits, and splats as one number however large they are.

    dense<[0x7F800000, 1.0]> : tensor<2xf32>        # infinity, not 2139095040.0
    dense<[0.0, -0.0]> : tensor<2xf32>              # no splat
    dense<0.0> : tensor<51200x2048xbf16>            # one number, read and written
    dense<(1.0,0x7F800000)> : tensor<2xcomplex<f32>>        # the parts are read alike

MLIR writes infinities and NaN as the bits of the float. xDSL 0.74 reads these as large
integers and converts them: another number, without a word. It makes a list of all
elements to read and to write a splat, which takes minutes for the weights of a model.
It takes zeros of two signs for one value, and so writes another constant than it read.

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#denseintorfpelementsattr
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyDenseElement,
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    RankedStructure,
    Signedness,
)
from xdsl.irdl import base
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .quick import QuickParser
from .splats import element_size, from_list, length, splat, splat_of

_ONE_VALUE = re.compile(r'<\s*[^\s\[">/]')
"""How a literal starts that is no list, not empty and no text of bytes."""

_BYTES = re.compile(r'<\s*"')
"""How the bytes of a literal start."""

_OF_NUMBERS = base(RankedStructure[IntegerType | IndexType | AnyFloat | ComplexType])
"""The types of dense constants."""

_SomeType = AnyFloat | IntegerType | IndexType | ComplexType[Any]


@dataclass
class _Number:
    """An element of a dense literal that is no complex number."""

    value: int | float
    """A bool for `true` and `false`."""

    span: Span

    def to_type(self, parser: AttrParser, type_: _SomeType) -> Any:
        """The element as a number of a type; an error where the type has no such."""
        if isinstance(type_, AnyFloat):
            return float(self.value)
        if isinstance(type_, ComplexType):
            message = f"expected two parts in parentheses for '{type_}', found a number"
            parser.raise_error(message, self.span)
        may_be_bool = may_be_negative = True
        if isinstance(type_, IntegerType):
            may_be_bool = type_.width.data == 1
            may_be_negative = type_.signedness.data is not Signedness.UNSIGNED
        if self.value < 0 and not may_be_negative:
            parser.raise_error("Expected non-negative integer values", self.span)
        if isinstance(self.value, bool) and not may_be_bool:
            message = "Boolean values are only allowed for i1 types"
            parser.raise_error(message, self.span)
        if not isinstance(self.value, int):
            parser.raise_error("Expected integer value", self.span)
        return int(self.value)


@dataclass
class _Bits(_Number):
    """A hexadecimal element of a dense literal: the bits of a float, if it is one."""

    @override
    def to_type(self, parser: AttrParser, type_: _SomeType) -> Any:
        if not isinstance(type_, AnyFloat):
            return super().to_type(parser, type_)
        size = type_.compile_time_size
        if not isinstance(self.value, int) or not 0 <= self.value < 1 << 8 * size:
            message = f"the bits of a float literal do not fit '{type_}'"
            parser.raise_error(message, self.span)
        return type_.unpack(self.value.to_bytes(size, "little"), 1)[0]


@dataclass
class _Pair:
    """A complex element of a dense literal: each part is read like a number."""

    parts: tuple[_Number, _Number]
    span: Span

    def to_type(self, parser: AttrParser, type_: _SomeType) -> Any:
        """The element as a pair of numbers; an error if the type is not complex."""
        if isinstance(type_, ComplexType):
            element = type_.element_type
            return tuple(part.to_type(parser, element) for part in self.parts)
        expected = "a float" if isinstance(type_, AnyFloat) else "an integer"
        raise ParseError(self.span, f"expected {expected}, found a complex number")


Literal = tuple[list[_Number | _Pair], list[int]]
"""The elements of a literal in one list, and its shape."""


class DenseLiteralParser(QuickParser):
    """A parser that takes hexadecimal elements for bits, and splats for one number."""

    def _read_element(self) -> _Number | _Pair:
        start = self.pos
        if self.parse_optional_punctuation("(") is None:
            return self._read_number()
        real = self._read_number()
        self.parse_punctuation(",", " between the parts of a complex number")
        imaginary = self._read_number()
        end = self.pos
        self.parse_punctuation(")", " after the parts of a complex number")
        return _Pair((real, imaginary), Span(start, end, self.lexer.input))

    def _read_number(self) -> _Number:
        if (number := self.read_optional_number()) is None:
            self.raise_error("Expected either a float, integer, or complex literal")
        value, span = number
        # Decimal literals are by far the most, and are told apart without their text.
        if type(value) is int and _is_hexadecimal(span.text):
            return _Bits(value, span)
        return _Number(value, span)

    def read_literal(self) -> Literal:
        """An element, or lists of elements."""
        if self.reading.current_token.kind is not MLIRTokenKind.L_SQUARE:
            return [self._read_element()], []
        parts = self.parse_list(self.Delimiter.SQUARE, self.read_literal)
        if not parts:
            return [], [0]
        shape = parts[0][1]
        if any(part[1] != shape for part in parts):
            self.raise_error("Tensor literal has inconsistent ranks between elements")
        return [each for part in parts for each in part[0]], [len(parts), *shape]

    @override
    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None = None
    ) -> DenseIntOrFPElementsAttr:
        text = self.lexer.input.content
        if _ONE_VALUE.match(text, self.pos):
            return self._parse_splat(type)
        if _BYTES.match(text, self.pos):
            return self._parse_bytes(type)
        return self._parse_list(type)

    def _parse_list(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr[Any]:
        start = self.pos
        self.parse_punctuation("<", " in dense attribute")
        if self.parse_optional_punctuation(">") is not None:
            return self._no_elements(self._type_of_dense(type), start)
        elements, shape = self.read_literal()
        self.parse_punctuation(">", " in dense attribute")
        of = self._type_of_dense(type)
        values = [each.to_type(self, of.element_type) for each in elements]
        expected = [*of.get_shape()]
        if not shape:
            return from_list(of, values)
        element_size(of.get_element_type())
        if expected != shape:
            self.raise_error(
                f"Shape mismatch in dense literal. Expected {expected} shape from the "
                f"type, but got {shape} shape.",
                start,
            )
        return DenseIntOrFPElementsAttr.from_list(of, values)

    def _no_elements(
        self, of: RankedStructure[Any], start: Position
    ) -> DenseIntOrFPElementsAttr[Any]:
        if math.prod(of.get_shape()) != 0:
            message = "Expected at least one element in the dense literal, but got None"
            self.raise_error(message, start)
        return DenseIntOrFPElementsAttr.from_list(of, [])

    def _parse_splat(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr[Any]:
        start = self.pos
        with self.in_angle_brackets():
            element = self._read_element()
        of = self._type_of_dense(type)
        try:
            return from_list(of, [element.to_type(self, of.element_type)])
        except (NotImplementedError, ValueError, VerifyException) as error:
            self.raise_error(str(error), start)

    def _parse_bytes(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr[Any]:
        with self.in_angle_brackets():
            start = self.pos
            text = self.parse_str_literal()
        of = self._type_of_dense(type)
        try:
            data = bytes.fromhex(text[2:])
            size = element_size(of.get_element_type())
        except ValueError:
            self.raise_error("Hex string in denseAttr is invalid", start)
        except VerifyException as error:
            self.raise_error(str(error), start)
        count = math.prod(of.get_shape())
        if len(data) == size:
            return splat(of, data)
        if len(data) != count * size:
            self.raise_error(
                f"Shape mismatch in dense literal. Expected {count} elements from the "
                f"type, but got {len(data) // size} elements.",
                start,
            )
        return DenseIntOrFPElementsAttr(of, BytesAttr(data))

    def _type_of_dense(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> RankedStructure[Any]:
        if type is not None:
            return type
        self.parse_punctuation(":", " in dense attribute")
        read = self.expect(self.parse_optional_type, "Dense attribute must be typed!")
        if not _OF_NUMBERS.verifies(read):
            self.raise_error(
                "Expected memref, vector or tensor type of integer, index, float, or "
                "complex type"
            )
        if DYNAMIC_INDEX in read.get_shape():
            self.raise_error("Dense literal attribute should have a static shape.")
        return read


def _is_hexadecimal(text: str) -> bool:
    return text.lstrip("-")[:2] in ("0x", "0X")


_MOST_IN_LIST = 100
"""Constants of more elements are written as bytes, as in xDSL."""


def print_dense(constant: DenseIntOrFPElementsAttr[Any], printer: Printer) -> None:
    """Write a constant without its type; of a splat, one element."""
    type_ = constant.get_element_type()
    repeated = splat_of(constant)
    count = length(constant)
    printer.print_string("dense")
    with printer.in_angle_brackets():
        if repeated is not None:
            _print_element(type_.unpack(repeated.element, 1)[0], type_, printer)
        elif count > _MOST_IN_LIST:
            printer.print_string(f'"0x{constant.data.data.hex().upper()}"')
        elif count:
            shape = constant.get_shape() if constant.shape_is_complete else (count,)
            _print_list(constant.get_values(), shape, type_, printer)


def _print_list(
    elements: Sequence[Any], shape: Sequence[int], type_: Any, printer: Printer
) -> None:
    size = len(elements) // shape[0]
    with printer.in_square_brackets():
        if len(shape) == 1:
            printer.print_list(
                elements, lambda element: _print_element(element, type_, printer)
            )
            return
        printer.print_list(
            range(0, len(elements), size),
            lambda start: _print_list(
                elements[start : start + size], shape[1:], type_, printer
            ),
        )


def _print_element(element: Any, type_: Any, printer: Printer) -> None:
    if isinstance(type_, ComplexType):
        printer.print_complex(element, cast("ComplexType[Any]", type_))
    elif isinstance(type_, AnyFloat):
        printer.print_float(element, type_)
    else:
        printer.print_int(element, type_)

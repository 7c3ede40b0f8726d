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
from dataclasses import dataclass
from typing import Any, NoReturn

from typing_extensions import override
from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    RankedStructure,
    TensorType,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.lexer import Span

from xdsl_bufferization.mlir_text.splats import (
    element_size,
    from_list,
    splat,
    splat_of,
)

_ONE_VALUE = re.compile(r'<\s*[^\s\[">/]')
"""How a literal starts that is no list, not empty and no text of bytes."""

_BYTES = re.compile(r'<\s*"')
"""How the bytes of a literal start."""

_WRONG_COUNT = ("Shape mismatch in dense", "Expected at least one element in the dense")
"""How messages of xDSL begin that it gives at the end of a literal, or behind it."""

# The type of what a method returns that is overridden below.
_Element = AttrParser._TensorLiteralElement  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


@dataclass
class _Number(_Element):
    """An element of a dense literal that is no complex number."""

    @override
    def to_complex(self, parser: AttrParser, type: ComplexType) -> NoReturn:
        parser.raise_error(
            f"expected two parts in parentheses for '{type}', found a number",
            self.span.start,
            self.span.end,
        )


@dataclass
class _Bits(_Number):
    """A hexadecimal element of a dense literal: the bits of a float, if it is one."""

    @override
    def to_type(
        self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType
    ) -> Any:
        if not isinstance(type, AnyFloat):
            return super().to_type(parser, type)
        size = type.compile_time_size
        if not isinstance(self.value, int) or not 0 <= self.value < 1 << 8 * size:
            parser.raise_error(
                f"the bits of a float literal do not fit '{type}'",
                self.span.start,
                self.span.end,
            )
        return type.unpack(self.value.to_bytes(size, "little"), 1)[0]


@dataclass
class _Pair(_Element):
    """A complex element of a dense literal: each part is read like a number."""

    parts: tuple[_Element, _Element]

    @override
    def to_int(
        self,
        parser: AttrParser,
        allow_negative: bool = True,
        allow_booleans: bool = True,
    ) -> int:
        self._refuse(parser, "an integer")

    @override
    def to_float(self, parser: AttrParser) -> float:
        self._refuse(parser, "a float")

    @override
    def to_type(
        self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType
    ) -> Any:
        if not isa(type, ComplexType):
            return super().to_type(parser, type)
        return tuple(part.to_type(parser, type.element_type) for part in self.parts)

    def _refuse(self, parser: AttrParser, expected: str) -> NoReturn:
        parser.raise_error(
            f"expected {expected}, found a complex number",
            self.span.start,
            self.span.end,
        )


class DenseLiteralParser(Parser):
    """A parser that takes hexadecimal elements for bits, and splats for one number."""

    @override
    def _parse_tensor_literal_element(self) -> AttrParser._TensorLiteralElement:
        start = self.pos
        if self.parse_optional_punctuation("(") is None:
            return self._parse_number()
        real = self._parse_number()
        self.parse_punctuation(",", " between the parts of a complex number")
        imaginary = self._parse_number()
        end = self.pos
        self.parse_punctuation(")", " after the parts of a complex number")
        span = Span(start, end, self.lexer.input)
        return _Pair(False, (0, 0), span, (real, imaginary))

    def _parse_number(self) -> AttrParser._TensorLiteralElement:
        if (number := self._parse_optional_bool_int_or_float()) is None:
            self.raise_error("Expected either a float, integer, or complex literal")
        value, span = number
        # Decimal literals are by far the most, and are told apart without their text.
        if type(value) is int and _is_hexadecimal(span.text):
            return _Bits(value < 0, value, span)
        return _Number(value < 0, value, span)

    @override
    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None = None
    ) -> DenseIntOrFPElementsAttr:
        text = self.lexer.input.content
        if _ONE_VALUE.match(text, self.pos):
            return self._parse_splat(type)
        if _BYTES.match(text, self.pos):
            return self._parse_bytes(type)
        start = self.pos
        try:
            return super().parse_dense_int_or_fp_elements_attr(type)
        except ParseError as error:
            # xDSL would point behind the literal and its type.
            if error.msg.startswith(_WRONG_COUNT):
                self.raise_error(error.msg, start)
            raise

    def _parse_splat(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr[Any]:
        start = self.pos
        with self.in_angle_brackets():
            element = self._parse_tensor_literal_element()
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
        return self._parse_dense_literal_type()


def _is_hexadecimal(text: str) -> bool:
    return text.lstrip("-")[:2] in ("0x", "0X")


def is_splat(constant: DenseIntOrFPElementsAttr[Any]) -> bool:
    """Whether all elements are one value, to the bit; no elements are none."""
    return splat_of(constant) is not None


_print_in_xdsl = DenseIntOrFPElementsAttr.print_without_type


def print_dense(constant: DenseIntOrFPElementsAttr[Any], printer: Printer) -> None:
    """Write a constant without its type; of a splat, one element."""
    if (repeated := splat_of(constant)) is not None:
        element = TensorType(constant.get_element_type(), [1])
        constant = DenseIntOrFPElementsAttr(element, BytesAttr(repeated.element))
    _print_in_xdsl(constant, printer)

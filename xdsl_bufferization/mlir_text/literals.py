"""Dense constants: floats as bits, and splats as one number however large they are.

    dense<[0x7F800000, 1.0]> : tensor<2xf32>        # infinity, not 2139095040.0
    dense<[0.0, -0.0]> : tensor<2xf32>              # no splat
    dense<0.0> : tensor<51200x2048xbf16>            # one number, read and written

MLIR writes infinities and NaN as the bits of the float. xDSL 0.74 reads these as large
integers and converts them: another number, without a word. It makes a list of all
elements to read and to write a splat, which takes minutes for the weights of a model.
It takes zeros of two signs for one value, and so writes another constant than it read.

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#denseintorfpelementsattr
"""

import re
from dataclasses import dataclass
from typing import Any

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

_ONE_VALUE = re.compile(r'<\s*[^\s\[">/]')
"""How a literal starts that is no list, not empty and no text of bytes."""

# The type of what a method returns that is overridden below.
_Element = AttrParser._TensorLiteralElement  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


@dataclass
class _Bits(_Element):
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


class DenseLiteralParser(Parser):
    """A parser that takes hexadecimal elements for bits, and splats for one number."""

    @override
    def _parse_tensor_literal_element(self) -> AttrParser._TensorLiteralElement:
        element = super()._parse_tensor_literal_element()
        # Decimal literals are by far the most, and are told apart without their text.
        if type(element.value) is int and _is_hexadecimal(element.span.text):
            return _Bits(element.is_negative, element.value, element.span)
        return element

    @override
    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None = None
    ) -> DenseIntOrFPElementsAttr:
        if not _ONE_VALUE.match(self.lexer.input.content, self.pos):
            return super().parse_dense_int_or_fp_elements_attr(type)
        with self.in_angle_brackets():
            element = self._parse_tensor_literal_element()
        if type is None:
            self.parse_punctuation(":", " in dense attribute")
        of: RankedStructure[Any] = (
            self._parse_dense_literal_type() if type is None else type
        )
        value: Any = element.to_type(self, of.element_type)
        return DenseIntOrFPElementsAttr.from_list(of, [value])


def _is_hexadecimal(text: str) -> bool:
    return text.lstrip("-")[:2] in ("0x", "0X")


def is_splat(constant: DenseIntOrFPElementsAttr[Any]) -> bool:
    """Whether all elements are one value, to the bit; no elements are none."""
    data = constant.data.data
    size = constant.get_element_type().compile_time_size
    # Shifted by one element it is the same.
    return len(data) > 0 and data[size:] == data[:-size]


_print_in_xdsl = DenseIntOrFPElementsAttr.print_without_type


def print_dense(constant: DenseIntOrFPElementsAttr[Any], printer: Printer) -> None:
    """Write a constant without its type; of a splat, one element."""
    type_ = constant.get_element_type()
    if is_splat(constant):
        element = BytesAttr(constant.data.data[: type_.compile_time_size])
        constant = DenseIntOrFPElementsAttr(TensorType(type_, [1]), element)
    _print_in_xdsl(constant, printer)

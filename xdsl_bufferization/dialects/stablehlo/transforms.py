"""Fourier transforms of StableHLO.

    %0 = stablehlo.fft %x, type = FFT, length = [8] : (...) -> tensor<3x8xcomplex<f32>>

Source: https://openxla.org/stablehlo/spec#fft
"""

from collections.abc import Sequence
from typing import Any, Self

from typing_extensions import override
from xdsl.dialects.builtin import ComplexType, DenseArrayBase, i64
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .attributes import Transform, TransformAttr
from .syntax import (
    StableHLOOp,
    Types,
    finish,
    parse_operands,
    print_end,
    print_numbers,
    print_operands,
)


@irdl_op_definition
class FftOp(StableHLOOp):
    """The transforms along the last dimensions, one to three of them."""

    name = "stablehlo.fft"

    fft_type = prop_def(TransformAttr)
    fft_length = prop_def(DenseArrayBase)

    @classmethod
    @override
    def parse(cls, parser: Parser) -> Self:
        operands = parse_operands(parser)
        parser.parse_punctuation(",")
        parser.parse_keyword("type")
        parser.parse_punctuation("=")
        kind = TransformAttr(parser.parse_str_enum(Transform))
        parser.parse_punctuation(",")
        parser.parse_keyword("length")
        parser.parse_punctuation("=")
        lengths = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_integer
        )
        attributes: dict[str, Attribute] = {
            "fft_type": kind,
            "fft_length": DenseArrayBase.from_list(i64, lengths),
        }
        return finish(cls, parser, operands, attributes, Types.FUNCTION)

    @override
    def print(self, printer: Printer) -> None:
        print_operands(printer, self.values)
        printer.print_string(f", type = {self.fft_type.data}, length = ")
        print_numbers(printer, self.ints("fft_length"))
        print_end(printer, self, Types.FUNCTION, "fft_type", "fft_length")

    @override
    def verify_types(self) -> None:
        """The last sizes are the lengths, or half of the last length and one more."""
        self.verify_counts(1)
        shape, lengths = [*self.shape()], self.ints("fft_length")
        kind = self.fft_type.data
        if not 1 <= len(lengths) <= min(3, len(shape)):
            raise VerifyException("expected one to three lengths, of dimensions")
        half = lengths[-1] // 2 + 1
        inner = [*lengths[:-1], half if kind is Transform.IRFFT else lengths[-1]]
        if shape[-len(lengths) :] != inner:
            raise VerifyException(
                f"expected the last sizes {inner}, got {shape[-len(lengths) :]}"
            )
        element: Any = self.element()
        if kind is Transform.RFFT:
            element = ComplexType(element)
        elif element.name != "complex":
            raise VerifyException(f"expected complex numbers, got {element}")
        elif kind is Transform.IRFFT:
            element = element.element_type
        self.verify_inferred(element)

    @override
    def inferred_shapes(self) -> Sequence[Sequence[int]]:
        """Those of the operand; real numbers have half of the last, and one more."""
        shape, lengths = self.shape(), self.ints("fft_length")
        last = lengths[-1]
        if self.fft_type.data is Transform.RFFT:
            last = last // 2 + 1
        return [[*shape[: -len(lengths)], *lengths[:-1], last]]

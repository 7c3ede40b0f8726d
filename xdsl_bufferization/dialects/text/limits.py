"""How large numbers of a text may be: as large as MLIR 22 takes them.

    1 : i4294967296                # an error: a type has at most 16777215 bits
    tensor<9223372036854775808xf32>, -129 : i8, 1 : f32              # errors, too

xDSL 0.74 takes widths and sizes of any length. It computes the largest number of an
integer type to check a number of that type, which takes 6 seconds and 2 GB above.

Sources: `IntegerType::kMaxWidth`, and `mlir/lib/AsmParser/TypeParser.cpp` and
`AttributeParser.cpp`
"""

import math
import re
from typing import cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    FileLineColLoc,
    Float80Type,
    Float128Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    Signedness,
    f64,
    i64,
)
from xdsl.ir import Attribute, TypeAttribute

from xdsl_bufferization.support.xdsl_releases.rounded_floats import rounded

from .literals import DenseLiteralParser
from .locations import LocationParser
from .types import ShapeParser

MOST_BITS = (1 << 24) - 1
"""The width of the widest integer type."""

MOST = (1 << 63) - 1
"""The largest size, stride, offset and index."""

_MOST_LINES = (1 << 32) - 1
"""The largest number of a line and of a column."""


def fits(value: int, type_: IntegerType | IndexType) -> bool:
    """Whether a literal is a number of that type; no number of that width is made."""
    if isinstance(type_, IndexType):
        return -MOST - 1 <= value <= MOST
    width, signedness = type_.width.data, type_.signedness.data
    if value == 0:
        return True
    if value > 0:
        return value.bit_length() <= width - (signedness is Signedness.SIGNED)
    return signedness is not Signedness.UNSIGNED and (~value).bit_length() < width


class LimitedParser(  # pyright: ignore[reportIncompatibleMethodOverride], see LocationParser
    DenseLiteralParser, LocationParser, ShapeParser
):
    """A parser that refuses numbers that are larger than MLIR takes them."""

    @override
    def read_optional_scalar_type(self) -> TypeAttribute | None:
        token = self.reading.current_token
        type_ = super().read_optional_scalar_type()
        if isinstance(type_, IntegerType):
            integer = cast(IntegerType, type_)
            if integer.width.data > MOST_BITS:
                self.raise_error(
                    f"integer bitwidth is limited to {MOST_BITS} bits", token.span
                )
            return integer
        return type_

    @override
    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        token = self.reading.current_token
        size = super().parse_shape_dimension(allow_dynamic)
        if size > MOST:
            self.raise_error("invalid dimension", token.span)
        return size

    @override
    def size_of(self, digits: re.Match[str], start: int) -> int:
        size = super().size_of(digits, start)
        if size > MOST:
            at = start + digits.start()
            self.raise_error("invalid dimension", at, start + digits.end())
        return size

    @override
    def read_stride(self, context: str) -> int | None:
        token = self.reading.current_token
        number = super().read_stride(context)
        if number is not None and not -MOST <= number <= MOST:
            self.raise_error("expected a 64-bit signed integer or '?'", token.span)
        return number

    @override
    def parse_optional_builtin_int_or_float_attr(
        self,
    ) -> IntegerAttr | FloatAttr | None:
        if (boolean := self.try_parse_builtin_boolean_attr()) is not None:
            return boolean
        start = self.pos
        number = self.read_optional_number()
        if number is None:
            return None
        value, span = number
        type_: Attribute = f64 if isinstance(value, float) else i64
        if self.parse_optional_punctuation(":") is not None:
            type_ = self.parse_type()
        if isinstance(type_, AnyFloat):
            if isinstance(value, float):
                if math.isinf(value) and isinstance(type_, Float80Type | Float128Type):
                    message = f"a number of {type_} is kept as f64: this is too large"
                    self.raise_error(message, span)
                return FloatAttr(rounded(value, type_), type_)
            return FloatAttr(self._float_of_bits(value, span.text, start, type_), type_)
        if not isinstance(type_, IntegerType | IndexType):
            self.raise_error("Invalid type given for integer or float attribute.", span)
        of = cast("IntegerType | IndexType", type_)
        if isinstance(value, float):
            message = "Floating point value is not valid for integer type."
            self.raise_error(message, span)
        if not fits(value, of):
            self.raise_error("integer constant out of range for attribute", span)
        return IntegerAttr(value, of)

    def _float_of_bits(
        self, value: int, text: str, start: int, type_: AnyFloat
    ) -> float:
        """What an integer literal means as a float: its bits, if hexadecimal."""
        if not text.startswith("0x"):
            self.raise_error(
                "unexpected decimal integer literal for a floating point value; write "
                "a '.' behind the digits"
                if not text.startswith("-0x")
                else "hexadecimal float literal should not have a leading minus",
                start,
            )
        try:
            return type_.unpack(value.to_bytes(type_.compile_time_size, "little"), 1)[0]
        except OverflowError:
            self.raise_error("hexadecimal float constant out of range for type", start)
        except NotImplementedError:
            self.raise_error(f"floats of {type_} are not read from their bits", start)

    @override
    def read_number_of_type(self, type_: IntegerType) -> int:
        start = self.pos
        value = self.parse_integer()
        if not fits(value, type_):
            self.raise_error("integer constant out of range", start, self.pos)
        return value

    @override
    def read_dense_array(self) -> DenseArrayBase:
        start = self.pos
        array = super().read_dense_array()
        width = array.elt_type.bitwidth
        if width != 1 and width % 8:
            self.raise_error("element type bitwidth must be a multiple of 8", start)
        return array

    @override
    def read_location(self) -> LocationAttr:
        start = self.pos
        location = super().read_location()
        if isinstance(location, FileLineColLoc):
            for number, what in ((location.line, "line"), (location.column, "column")):
                if number.data > _MOST_LINES:
                    self.raise_error(
                        f"expected integer {what} number in FileLineColRange", start
                    )
        return location

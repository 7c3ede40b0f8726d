"""What xDSL should read of the builtin attributes, but does not.

In a dense literal, MLIR writes infinities and NaN as the bits of the float. xDSL 0.74
reads these as large integers, and converts them: another number, without a word.

    dense<[0x7F800000, 1.0]> : tensor<2xf32>    # infinity, not 2139095040.0

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#denseintorfpelementsattr
"""

from collections.abc import Callable
from typing import Protocol

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute
from xdsl.parser import AttrParser
from xdsl.utils.lexer import Span


class _Literal(Protocol):
    """An element of a dense literal, as xDSL's parser keeps it."""

    value: object
    span: Span
    to_type: "Callable[[_Literal, AttrParser, Attribute], object]"


_Literals: type[_Literal] = vars(AttrParser)["_TensorLiteralElement"]
_convert_in_xdsl = vars(_Literals)["to_type"]


def amend_literals() -> None:
    """Make xDSL's parser take a hexadecimal element of a dense literal for bits."""
    _Literals.to_type = _convert


def _convert(literal: _Literal, parser: AttrParser, type_: Attribute) -> object:
    value = literal.value
    if isinstance(type_, AnyFloat) and _is_hexadecimal(literal):
        size = type_.compile_time_size
        if not isinstance(value, int) or not 0 <= value < 1 << 8 * size:
            parser.raise_error(
                f"the bits of a float literal do not fit '{type_}'",
                literal.span.start,
                literal.span.end,
            )
        return type_.unpack(value.to_bytes(size, "little"), 1)[0]
    return _convert_in_xdsl(literal, parser, type_)


def _is_hexadecimal(literal: _Literal) -> bool:
    # Decimal literals are by far the most, and are told apart without their text.
    value = literal.value
    return type(value) is int and literal.span.text.lstrip("-")[:2] in ("0x", "0X")

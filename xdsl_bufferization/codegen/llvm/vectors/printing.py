"""How `vector.print` is lowered: to calls of MLIR's functions that print.

    vector.print %v : vector<2xf32>
        ->
    printOpen() printF32(%v[0]) printComma() printF32(%v[1]) printClose() printNewline()

Source: MLIR's conversion of the vector dialect, and `CRunnerUtils`, which has the
functions for code that is linked by others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    Signedness,
    VectorType,
    i16,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.common.definitions import defined
from xdsl_bufferization.dialects.vector.checks import Punctuation
from xdsl_bufferization.dialects.vector.masks import PrintOp
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at

from ..emission.function import FunctionLowering, Rules
from ..emission.vector_elements import lane, lanes_of
from ..scalars.casts import resize_integer
from .shapes import check_fixed

_WIDEST = 64

_PUNCTUATION = {
    Punctuation.NEWLINE: abi.PRINT_NEWLINE,
    Punctuation.COMMA: abi.PRINT_COMMA,
    Punctuation.OPEN: abi.PRINT_OPEN,
    Punctuation.CLOSE: abi.PRINT_CLOSE,
}

_Print = Callable[[str, Sequence[SSAValue]], None]


def _lower_print(printed: vector.PrintOp, f: FunctionLowering) -> None:
    check_fixed(printed)
    op = defined(printed)
    assert isinstance(op, PrintOp)

    def call(name: str, arguments: Sequence[SSAValue] = ()) -> None:
        f.call_external(name, arguments, None, printed)

    if op.string_literal is not None:
        # Without punctuation, as in MLIR's lowering.
        call(abi.PRINT_STRING, [f.text(op.string_literal.data)])
        return
    if (source := op.source) is not None:
        element = get_element_type_or_self(source.type)
        if not _can_print(element):
            fail_at(printed, f"values of type {element} cannot be printed")
        if isa(source.type, VectorType):
            elements = _elements(f.vector(source).rows, f)
            _print_part(source.type.get_shape() or (1,), elements, element, call, f)
        else:
            _print_element(f.scalar(source), element, call, f)
    if op.punctuation.data is not Punctuation.NO_PUNCTUATION:
        call(_PUNCTUATION[op.punctuation.data])


def _elements(rows: Sequence[SSAValue], f: FunctionLowering) -> Iterator[SSAValue]:
    for row in rows:
        for number in range(lanes_of(row)):
            yield lane(row, number, f)


def _print_part(
    shape: Sequence[int],
    elements: Iterator[SSAValue],
    type: Attribute,
    call: _Print,
    f: FunctionLowering,
) -> None:
    """Print the next elements of a vector, as many as the shape has, in parentheses."""
    if not shape:
        _print_element(next(elements), type, call, f)
        return
    size, *inner = shape
    call(abi.PRINT_OPEN, ())
    for number in range(size):
        if number:
            call(abi.PRINT_COMMA, ())
        _print_part(inner, elements, type, call, f)
    call(abi.PRINT_CLOSE, ())


def _can_print(type: Attribute) -> bool:
    if isa(type, IntegerType):
        return type.width.data <= _WIDEST
    return isinstance(
        type, IndexType | Float16Type | BFloat16Type | Float32Type | Float64Type
    )


def _print_element(
    value: SSAValue, type: Attribute, call: _Print, f: FunctionLowering
) -> None:
    match type:
        case Float32Type():
            call(abi.PRINT_F32, [value])
        case Float64Type():
            call(abi.PRINT_F64, [value])
        case Float16Type():
            call(abi.PRINT_F16, [f.cast(llvm.BitcastOp, value, i16)])
        case BFloat16Type():
            call(abi.PRINT_BF16, [value])
        case _ if isa(type, IntegerType):
            _print_integer(value, type, call, f)
        case _:
            call(abi.PRINT_U64, [resize_integer(f, value, i64, llvm.ZExtOp)])


def _print_integer(
    value: SSAValue, type: IntegerType, call: _Print, f: FunctionLowering
) -> None:
    """Print a number, of one bit as 0 or 1."""
    width, is_unsigned = type.width.data, type.signedness.data is Signedness.UNSIGNED
    if width < _WIDEST:
        has_sign = width > 1 and not is_unsigned
        value = f.cast(llvm.SExtOp if has_sign else llvm.ZExtOp, value, i64)
    call(abi.PRINT_U64 if is_unsigned else abi.PRINT_I64, [value])


RULES: Rules = {vector.PrintOp: _lower_print}

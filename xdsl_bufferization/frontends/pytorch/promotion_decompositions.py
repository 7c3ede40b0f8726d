"""Numbers of several types, as PyTorch promotes them to one.

    aten.lt(true, -1)                   ->   1 < -1 of int64, which is false
    aten.lt(int8, int16)                ->   both are int16
    aten.lt(int8, 200)                  ->   int8 < -56: 200 has more bits than a byte
    aten.eq(x, x)                       ->   false for nan; torch-mlir: always true
    aten.pow(int32, float16)            ->   both are float16: 70000 is inf

torch-mlir takes true to be -1 beside integers, compares with numbers as they are, and
takes powers of numbers of 64 bits.
"""

from collections.abc import Callable
from typing import Any, Final

from .frameworks import torch

_COMPARISONS: Final = ("eq", "ge", "gt", "le", "lt", "ne")
_LOGICAL: Final = ("logical_and", "logical_or", "logical_xor")


def promotion_decompositions() -> dict[object, Callable[..., Any]]:
    """Functions of numbers of one type, by op."""
    aten: Any = torch().ops.aten
    table: dict[object, Callable[..., Any]] = {
        getattr(aten, name).default: _of_tensors(getattr(aten, name).default)
        for name in _LOGICAL
    }
    for name in _COMPARISONS:
        op = getattr(aten, name)
        table[op.Tensor] = _of_tensors(op.Tensor)
        table[op.Scalar] = _with_number(op)
    table[aten.copysign.Tensor] = _with_sign
    table[aten.eq.Tensor] = _equal
    table[aten.pow.Tensor_Tensor] = _of_tensors(aten.pow.Tensor_Tensor)
    return table


def _of_tensors(op: Any) -> Callable[..., Any]:
    def of_one_type(x: Any, y: Any) -> Any:
        common = torch().result_type(x, y)
        if x.dtype == common == y.dtype:
            return NotImplemented
        return op(x.to(common), y.to(common))

    return of_one_type


def _equal(x: Any, y: Any) -> Any:
    """Whether numbers are equal. torch-mlir does not look, if both are one value."""
    if torch().result_type(x, y).is_floating_point:
        return torch().logical_not(x != y)
    return _of_tensors(torch().ops.aten.eq.Tensor)(x, y)


def _with_number(op: Any) -> Callable[..., Any]:
    def compare(x: Any, number: Any) -> Any:
        common = torch().result_type(x, number)
        if x.dtype != common:
            return op(x.to(common), number)
        kept = kept_number(x, number)
        if common.is_floating_point and isinstance(number, int):
            # torch-mlir turns a comparison of a constant with an integer around.
            kept = float(number)
        return NotImplemented if kept is number else op(x, kept)

    return compare


def _with_sign(x: Any, y: Any) -> Any:
    """Numbers with the signs of others, of which both are floats."""
    common = torch().result_type(x, y)
    if not common.is_floating_point:
        common = torch().get_default_dtype()
    if x.dtype == common == y.dtype:
        return NotImplemented
    return torch().copysign(x.to(common), y.to(common))


def tensor_of(x: Any, beside: Any) -> Any:
    """The first operand as a tensor: PyTorch takes `mul(2, y)` and `2 // y`, too."""
    if isinstance(x, torch().Tensor):
        return x
    dtype = torch().result_type(x, beside)
    return torch().full((), kept_number(beside, x), dtype=dtype)


def kept_number(x: Any, number: Any) -> Any:
    """What the integers `x` keep of a number beside them: its last bits.

    A tensor, and a number beside floats, stay as they are.
    """
    dtype = torch().result_type(x, number)
    has_parts = dtype.is_floating_point or dtype.is_complex
    if has_parts or dtype == torch().bool or not isinstance(number, int):
        return number
    info = torch().iinfo(dtype)
    kept = (number - info.min) % (1 << info.bits) + info.min
    return number if kept == number else kept

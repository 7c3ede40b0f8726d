"""Comparisons of numbers of several types, as PyTorch promotes them.

    aten.lt(true, -1)                   ->   1 < -1 of int64, which is false
    aten.lt(int8, int16)                ->   both are int16
    aten.lt(int8, 200)                  ->   int8 < -56: 200 has more bits than a byte
    aten.eq(x, x)                       ->   false for nan; torch-mlir: always true

torch-mlir takes true to be -1 beside integers, and compares with numbers as they are.
"""

from collections.abc import Callable
from typing import Any, Final

from .frameworks import torch

_NAMES: Final = ("eq", "ge", "gt", "le", "lt", "ne")


def comparison_decompositions() -> dict[object, Callable[..., Any]]:
    """Functions that compare tensors of one type, by op."""
    aten: Any = torch().ops.aten
    table: dict[object, Callable[..., Any]] = {}
    for name in _NAMES:
        op = getattr(aten, name)
        table[op.Tensor] = _of_tensors(op)
        table[op.Scalar] = _with_number(op)
    return table


def _of_tensors(op: Any) -> Callable[..., Any]:
    def compare(x: Any, y: Any) -> Any:
        common = torch().result_type(x, y)
        if not x.dtype == common == y.dtype:
            return op(x.to(common), y.to(common))
        if op is torch().ops.aten.eq and common.is_floating_point:
            # torch-mlir does not look, if both are one value.
            return torch().logical_not(x != y)
        return NotImplemented

    return compare


def _with_number(op: Any) -> Callable[..., Any]:
    def compare(x: Any, number: Any) -> Any:
        common = torch().result_type(x, number)
        if x.dtype != common:
            return op(x.to(common), number)
        if not isinstance(number, int) or common in (torch().bool, torch().int64):
            return NotImplemented
        if common.is_floating_point or common.is_complex:
            return NotImplemented
        kept = _kept(number, common)
        return NotImplemented if kept == number else op(x, kept)

    return compare


def _kept(number: int, dtype: Any) -> int:
    """What a type of integers keeps of a number: its last bits."""
    info = torch().iinfo(dtype)
    return (number - info.min) % (1 << info.bits) + info.min

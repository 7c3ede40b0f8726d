"""Quotients and rests that are decomposed, because torch-mlir computes others.

    aten.fmod(5.0, 0.1)                 ->   0.1: the rest of the numbers as they are
    aten.div(5.0, 0.1, "floor")         ->   49: what the rest leaves, divided

torch-mlir takes the rest of a quotient that is rounded: 5.0 / 0.1 becomes 50. Integers
go by way of 32-bit floats, which are right to 24 bits.
"""

from collections.abc import Callable
from typing import Any

from .frameworks import torch
from .promotion_decompositions import kept_number, tensor_of


def division_decompositions() -> dict[object, Callable[..., Any]]:
    """Functions that divide by other ops, by op."""
    aten: Any = torch().ops.aten
    return {
        aten.div.Scalar_mode: _divide,
        aten.div.Tensor_mode: _divide,
        aten.floor_divide.default: _floor_divide,
        aten.fmod.Scalar: _rest,
        aten.fmod.Tensor: _rest,
        aten.frac.default: _fraction,
        aten.neg.default: _negate,
        aten.remainder.Scalar: _remainder,
        aten.trunc.default: _whole_part,
    }


def _whole_part(x: Any) -> Any:
    """A float, rounded towards 0. That of -0.0 is -0.0, and not 0.0."""
    if not x.is_floating_point():
        return NotImplemented
    return torch().where(x < 0, torch().ceil(x), torch().floor(x))


def _fraction(x: Any) -> Any:
    """What is behind the point."""
    return x - torch().trunc(x)


def _negate(x: Any) -> Any:
    """Minus an integer; torch-mlir takes it to be a float. Others stay as they are."""
    return torch().rsub(x, 0) if _is_integer(x) else NotImplemented


def _divide(x: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    """A quotient that is rounded down, or one by a number of too many bits."""
    if rounding_mode == "floor":
        return _floor_divide(x, other)
    if not isinstance(x, torch().Tensor):
        return torch().div(tensor_of(x, other), other, rounding_mode=rounding_mode)
    if rounding_mode == "trunc" and (kept := kept_number(x, other)) is not other:
        return torch().div(x, kept, rounding_mode=rounding_mode)
    return NotImplemented


def _remainder(x: Any, number: Any) -> Any:
    """The rest of a division by a number of too many bits. Others stay as they are."""
    kept = kept_number(x, number)
    return NotImplemented if kept is number else torch().remainder(x, kept)


def _floor_divide(x: Any, other: Any) -> Any:
    """A quotient, rounded down."""
    x = tensor_of(x, other)
    other = kept_number(x, other)
    if _is_integer(x) and _is_integer(other):
        return _floor_divide_integers(x, other)
    wanted = torch().result_type(x, other)
    if not wanted.is_floating_point:
        if wanted == torch().bool or wanted.is_complex:
            return NotImplemented
        return _floor_divide_integers(x.to(wanted), _as(other, wanted))
    # As in PyTorch, quotients of two `float16` are rounded after each step, and others
    # of 16 bits at the end.
    halves = wanted == torch().float16 and isinstance(other, torch().Tensor)
    wide = wanted if halves else torch().promote_types(wanted, torch().float32)
    return _floor_divide_floats(_as(x, wide), _as(other, wide)).to(wanted)


def _floor_divide_integers(x: Any, other: Any) -> Any:
    """A quotient that is cut is too large by one if rest and divisor differ in sign.

    By -1, the smallest number has no quotient, and the processor stops the process. In
    PyTorch the result is the smallest number again, as for minus that number.
    """
    is_tensor = isinstance(other, torch().Tensor)
    is_minus_one, is_negative = other == -1, other < 0
    if is_tensor:
        other = torch().where(is_minus_one, 1, other)
    elif is_minus_one:
        return x * torch().full_like(x, -1)
    else:
        # A size that a graph leaves open is asked for its sign once.
        is_negative = bool(is_negative)
    quotient = torch().div(x, other, rounding_mode="trunc")
    rest = x - quotient * other
    is_too_large = (rest != 0) & ((rest < 0) != is_negative)
    quotient = quotient - is_too_large.to(quotient.dtype)
    if not is_tensor:
        return quotient
    return quotient * torch().where(is_minus_one, -1, 1).to(quotient.dtype)


def _floor_divide_floats(x: Any, other: Any) -> Any:
    """What is left without the rest, divided: how Python and PyTorch round down.

    The quotient is near to a whole number, the nearest one is meant.
    """
    rest = torch().fmod(x, other)
    quotient = (x - rest) / other
    is_too_large = (rest != 0) & _have_other_signs(rest, other)
    quotient = torch().where(is_too_large, quotient - 1, quotient)
    floor = quotient.floor()
    floor = torch().where(quotient - floor > 0.5, floor + 1, floor)
    plain = x / other
    floor = torch().where(quotient == 0, plain * 0.0, floor)
    if isinstance(other, torch().Tensor):
        return torch().where(other == 0, plain, floor)
    return plain if other == 0 else floor


def _have_other_signs(x: Any, y: Any) -> Any:
    if isinstance(y, torch().Tensor):
        return (x < 0) != (y < 0)
    return x > 0 if y < 0 else x < 0


def _rest(x: Any, other: Any) -> Any:
    """The rest of a division that is cut. It has the sign of `x`."""
    wanted = torch().result_type(x, other)
    if wanted.is_floating_point:
        x, other = _as(x, wanted), _as(other, wanted)
        rest = torch().remainder(x.abs(), abs(other))
        rest = torch().where(x < 0, -rest, rest)
        return torch().where(rest == 0, x * 0.0, rest)
    if isinstance(other, torch().Tensor):
        return NotImplemented
    return torch().fmod(x, torch().scalar_tensor(kept_number(x, other), dtype=wanted))


def _as(value: Any, dtype: Any) -> Any:
    """A tensor of a type; a number stays as it is."""
    return value.to(dtype) if isinstance(value, torch().Tensor) else value


def _is_integer(x: Any) -> bool:
    if not isinstance(x, torch().Tensor):
        return isinstance(x, int | torch().SymInt)
    return x.dtype is not torch().bool and not (x.is_floating_point() or x.is_complex())

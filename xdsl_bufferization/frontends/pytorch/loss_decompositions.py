"""Ops of several steps, in the steps and the types in which PyTorch computes them.

    aten.soft_margin_loss(-20.0, 1) of float16     ->   inf: e to the 20 is too large
    aten.logaddexp(nan, inf)                       ->   nan
    aten.huber_loss_backward at nan                ->   nan

The results of others are nearer to the exact ones, or are numbers where those of
PyTorch are none. A program would have other results than PyTorch.
"""

from collections.abc import Callable
from math import inf, log
from typing import Any, Final

from .frameworks import torch
from .wide_decompositions import widened

_MEAN: Final = 1
_SUM: Final = 2
"""How losses are reduced, as PyTorch numbers the ways."""


def loss_decompositions() -> dict[object, Callable[..., Any]]:
    """Functions that compute an op in PyTorch's steps, by op."""
    aten: Any = torch().ops.aten
    return {
        aten.logaddexp.default: _logaddexp,
        aten.logaddexp2.default: _logaddexp2,
        aten.huber_loss.default: _huber_loss,
        aten.huber_loss_backward.default: _huber_gradient,
        aten.smooth_l1_loss_backward.default: _smooth_gradient,
        aten.soft_margin_loss.default: _soft_margin_loss,
        aten.soft_margin_loss_backward.default: _soft_margin_gradient,
    }


def _logaddexp(x: Any, y: Any) -> Any:
    return _log_of_sum(x, y, torch().exp, 1.0)


def _logaddexp2(x: Any, y: Any) -> Any:
    return _log_of_sum(x, y, torch().exp2, 1 / log(2))


def _log_of_sum(x: Any, y: Any, power: Callable[[Any], Any], factor: float) -> Any:
    """The logarithm of a sum of powers: the larger exponent, and a bit more.

    The difference of two equal infinities is not a number, so the larger one is taken.
    PyTorch makes one number of the last product and the sum at once, hence 64 bits.
    """
    wanted = torch().result_type(x, y)
    if not wanted.is_floating_point:
        return NotImplemented
    wide = torch().promote_types(wanted, torch().float32)
    x, y = x.to(wide), y.to(wide)
    more, largest = torch().log1p(power(-(x - y).abs())), torch().maximum(x, y)
    if factor != 1:
        more, largest = more.to(torch().float64) * factor, largest.to(torch().float64)
    is_same_infinity = (x == y) & (x.abs() == inf)
    return torch().where(is_same_infinity, x, (largest + more).to(wide)).to(wanted)


def _huber_loss(x: Any, target: Any, reduction: int = _MEAN, delta: float = 1.0) -> Any:
    """Losses of the type of `x`, which may be narrower than that of the target."""
    z = (x - target).abs()
    losses = torch().where(z < delta, 0.5 * z * z, delta * (z - 0.5 * delta))
    return _reduced(losses.to(x.dtype), reduction)


def _soft_margin_loss(x: Any, target: Any, reduction: int = _MEAN) -> Any:
    return _reduced(torch().log1p(torch().exp(-x * target)), reduction)


def _reduced(losses: Any, reduction: int) -> Any:
    if reduction == _MEAN:
        return losses.mean()
    return losses.sum() if reduction == _SUM else losses


def _soft_margin_gradient(grad: Any, x: Any, target: Any, reduction: int) -> Any:
    """Where a power is infinite, the gradient is not a number."""
    norm = _norm(x, reduction)
    power = torch().exp(-target * x)
    return target * power * -norm / (power + 1) * grad


def _huber_gradient(
    grad: Any, x: Any, target: Any, reduction: int, delta: float
) -> Any:
    each, step = widened(grad) * _norm(x, reduction), widened(x - target)
    return _clipped(step, delta, each * step, each * delta).to(grad.dtype)


def _smooth_gradient(
    grad: Any, x: Any, target: Any, reduction: int, beta: float
) -> Any:
    each, step = widened(grad) * _norm(x, reduction), widened(x - target)
    inner = each * step / beta if beta else step
    return _clipped(step, beta, inner, each).to(grad.dtype)


def _clipped(step: Any, most: float, inner: Any, far: Any) -> Any:
    """A gradient that is another one behind a distance. What is no number is not."""
    outer = torch().where(step >= most, far, inner)
    return torch().where(step <= -most, -far, outer)


def _norm(x: Any, reduction: int) -> float:
    return 1 / x.numel() if reduction == _MEAN and x.numel() else 1.0

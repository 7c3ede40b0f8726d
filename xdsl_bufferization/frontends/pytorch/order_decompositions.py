"""Ops that compare numbers, and have to keep what is not a number.

    aten.maximum(nan, 0)                ->   nan; torch-mlir makes 0 of it
    aten.clamp(nan, 0, 6)               ->   nan
    aten.leaky_relu(1, nan)             ->   1; torch-mlir multiplies 0 by nan
    aten.elu(-1e-8)                     ->   -1e-8; torch-mlir makes 0 of it
    aten.reciprocal(0)                  ->   inf; torch-mlir has an assertion
    aten.pow(-inf, 0.5)                 ->   nan, as of sqrt; torch-mlir: inf, as of C

In PyTorch, what is not a number stays so in all of these. torch-mlir selects the other
operand where a comparison is false, and each comparison with such a number is false.
"""

from collections.abc import Callable
from math import isnan
from typing import Any

from .frameworks import torch
from .wide_decompositions import widened


def order_decompositions() -> dict[object, Callable[..., Any]]:
    """Functions that compute an op by comparisons, by op."""
    aten: Any = torch().ops.aten
    return {
        aten.clamp.default: _clamp,
        aten.clamp.Tensor: _clamp,
        aten.clamp_max.default: _clamp_max,
        aten.clamp_max.Tensor: _clamp_max,
        aten.clamp_min.default: _clamp_min,
        aten.clamp_min.Tensor: _clamp_min,
        aten.elu.default: _elu,
        aten.hardsigmoid.default: _hardsigmoid,
        aten.hardtanh.default: _clamp,
        aten.leaky_relu.default: _leaky_relu,
        aten.maximum.default: _maximum,
        aten.minimum.default: _minimum,
        aten.pow.Tensor_Scalar: _root,
        aten.reciprocal.default: _reciprocal,
        aten.threshold.default: _threshold,
    }


def _maximum(x: Any, y: Any) -> Any:
    """The larger one. Integers stay as they are."""
    if not torch().result_type(x, y).is_floating_point:
        return NotImplemented
    return torch().where((x > y) | (x != x), x, y)


def _minimum(x: Any, y: Any) -> Any:
    """The smaller one. Integers stay as they are."""
    if not torch().result_type(x, y).is_floating_point:
        return NotImplemented
    return torch().where((x < y) | (x != x), x, y)


def _clamp(x: Any, low: Any = None, high: Any = None) -> Any:
    """A number, or the bound that the number is behind."""
    has_tensors = any(isinstance(each, torch().Tensor) for each in (low, high))
    if not (has_tensors or x.is_floating_point()):
        return NotImplemented
    if low is not None:
        x = _clamp_min(x, low)
    return x if high is None else _clamp_max(x, high)


def _clamp_min(x: Any, low: Any) -> Any:
    """The larger one; not a number, if either is none."""
    return _bounded(x, low, torch().maximum, torch().lt)


def _clamp_max(x: Any, high: Any) -> Any:
    """The smaller one; not a number, if either is none."""
    return _bounded(x, high, torch().minimum, torch().gt)


def _bounded(
    x: Any, bound: Any, choose: Callable[..., Any], is_beyond: Callable[..., Any]
) -> Any:
    if isinstance(bound, torch().Tensor):
        # torch-mlir compares truths as numbers of one bit, of which true is -1.
        return choose(x, bound)
    if not x.is_floating_point():
        return NotImplemented
    if isinstance(bound, float) and isnan(bound):
        return torch().full_like(x, bound)
    return torch().where(is_beyond(x, bound), bound, x)


def _threshold(x: Any, threshold: Any, value: Any) -> Any:
    """Numbers above another one, or no numbers. torch-mlir makes floats of integers."""
    if not x.is_floating_point():
        threshold, value = int(threshold), int(value)
    return torch().where(x <= threshold, value, x)


def _hardsigmoid(x: Any) -> Any:
    """How PyTorch documents `nn.Hardsigmoid`."""
    wide = widened(x)
    return ((wide + 3).clamp(0, 6) / 6).to(x.dtype)


def _elu(x: Any, alpha: Any = 1, scale: Any = 1, input_scale: Any = 1) -> Any:
    """How PyTorch documents `nn.ELU`.

    torch-mlir subtracts 1 from powers of e, so that nothing is left of small numbers.
    """
    wide = widened(x)
    negative = torch().expm1(wide * input_scale) * (alpha * scale)
    return torch().where(wide > 0, wide * scale, negative).to(x.dtype)


def _leaky_relu(x: Any, slope: Any = 0.01) -> Any:
    """How PyTorch documents `nn.LeakyReLU`, whatever number the slope is."""
    wide = widened(x)
    return torch().where(wide > 0, wide, wide * slope).to(x.dtype)


def _root(x: Any, exponent: Any) -> Any:
    """A root, where PyTorch takes one; in 16 bits of IEEE 754 it takes a power."""
    if not x.is_floating_point() or x.dtype == torch().float16:
        return NotImplemented
    if exponent == 1 / 2:
        return torch().sqrt(x)
    return torch().rsqrt(x) if exponent == -1 / 2 else NotImplemented


def _reciprocal(x: Any) -> Any:
    """One, divided by numbers that may be zero. Integers are made floats."""
    if x.is_complex():
        return NotImplemented
    if not x.is_floating_point():
        x = x.to(torch().get_default_dtype())
    wide = widened(x)
    return (torch().scalar_tensor(1, dtype=wide.dtype) / wide).to(x.dtype)

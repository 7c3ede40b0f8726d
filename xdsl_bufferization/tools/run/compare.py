"""How far results are from those of the reference evaluation.

The relative error of an element is its difference, divided by the larger of two
numbers: its own magnitude, and the root mean square of its array. So a sum that nearly
cancels is compared with the values that it is made of. Complex numbers are compared as
points of a plane.
"""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

MISMATCH = sys.float_info.max
"""The error where one side is not a number, or the shapes differ."""

BF16_TOLERANCE = 0.2
"""The error to expect of bf16, with its 8 bits: rounding after each sum loses most."""

_TOLERANCES = {
    "float16": 1e-2,
    "float32": 1e-4,
    "float64": 1e-9,
    "complex64": 1e-4,
    "complex128": 1e-9,
}


def tolerance_of(results: Sequence[Array]) -> float:
    """What to expect of a correct program: the precision of its coarsest result."""
    return max((_TOLERANCES.get(r.dtype.name, 0.0) for r in results), default=0.0)


def max_relative_error(results: Sequence[Array], reference: Sequence[Array]) -> float:
    """The largest relative error of all elements of all results.

    Integers that differ at all count as at least 1. NaN agrees only with NaN.
    """
    pairs = zip(results, reference, strict=True)
    return max((_error(result, wanted) for result, wanted in pairs), default=0.0)


def _error(result: Array, wanted: Array) -> float:
    if result.shape != wanted.shape:
        return MISMATCH
    if result.dtype.kind not in "fc":
        return _integer_error(result, wanted)
    wide = np.complex128 if result.dtype.kind == "c" else np.float64
    actual, exact = result.astype(wide), wanted.astype(wide)
    same = _same(actual.real, exact.real) & _same(actual.imag, exact.imag)
    finite = np.isfinite(actual) & np.isfinite(exact)
    if not np.all(same | finite):
        return MISMATCH
    actual, exact = actual[finite], exact[finite]
    if not exact.size:
        return 0.0
    scale = float(np.sqrt(np.mean(np.square(np.abs(exact))))) or 1.0
    errors = np.abs(actual - exact) / np.maximum(np.abs(exact), scale)
    return min(float(errors.max()), MISMATCH)


def _same(actual: Array, exact: Array) -> Array:
    return (actual == exact) | (np.isnan(actual) & np.isnan(exact))


def _integer_error(result: Array, wanted: Array) -> float:
    different = result != wanted
    if not different.any():
        return 0.0
    actual, exact = (x[different].astype(np.float64) for x in (result, wanted))
    errors = np.abs(actual - exact) / np.maximum(np.abs(exact), 1.0)
    return max(float(errors.max()), 1.0)

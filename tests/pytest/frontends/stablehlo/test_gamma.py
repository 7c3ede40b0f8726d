"""Zeta and polygamma, compared with sums of many terms."""

from math import factorial, inf, nan, pi

import numpy as np
import pytest
from harness.running.stablehlo_ops import run_lines, tensor

from xdsl_bufferization import jit

TRIGAMMA = pi**2 / 2 + 4 + 4 / 9 + 4 / 25
"""At -2.5."""

APERY = 1.2020569031595942
"""The sum of 1/n^3."""

PRECISIONS = pytest.mark.parametrize(
    ("dtype", "tolerance"), [("f4", 3e-6), ("f8", 3e-14)]
)


def zeta_of(s: float, q: float) -> float:
    """The first 4000 terms, and the first three of the series for the others."""
    terms = (q + np.arange(4000)) ** -s
    a = q + 4000
    rest = a ** (1 - s) / (s - 1) + a**-s / 2 + s * a ** (-s - 1) / 12
    return float(np.sum(terms[::-1]) + rest)


def polygamma_of(n: float, x: float) -> float:
    """Derivative n of digamma."""
    sign = 1 if n % 2 else -1
    return sign * factorial(int(n)) * zeta_of(n + 1, x)


def run_binary(name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What an op of CHLO computes."""
    type_ = tensor(x)
    line = f"chlo.{name} %0, %1 : {type_}, {type_} -> {type_}"
    return run_lines([line], [type_], [x, y])[0]


@PRECISIONS
def test_zeta_is_the_sum_of_its_terms(dtype: str, tolerance: float):
    exponents, first = [1.125, 2, 3, 4.5, 9, 12], [0.125, 1, 2.5, 8, 100]
    s, q = (each.ravel().astype(dtype) for each in np.meshgrid(exponents, first))
    expected = [zeta_of(*each) for each in zip(s.tolist(), q.tolist(), strict=True)]
    np.testing.assert_allclose(run_binary("zeta", s, q), expected, tolerance)


@PRECISIONS
def test_zeta_at_its_poles_and_below(dtype: str, tolerance: float):
    cases = {
        (1, 2): inf,
        (0.5, 2): nan,
        (2, 0): inf,
        (3, 0): nan,
        (2.5, 0): nan,
        (2, -3): inf,
        (2.5, -2.5): nan,
        (2, -2.5): TRIGAMMA,
        (3, -2.5): 7 * APERY - 8 - 8 / 27 - 8 / 125,
        (nan, 1): nan,
        (2, nan): nan,
        (2, inf): 0,
        (500, 2): 2.0**-500,
        (500, 1): 1,
    }
    s, q = np.array(list(cases), dtype).T.copy()
    result = run_binary("zeta", s, q)
    expected = np.array(list(cases.values()), dtype)
    np.testing.assert_allclose(result, expected, tolerance)


@PRECISIONS
def test_zeta_far_below_zero_has_all_terms(dtype: str, tolerance: float):
    exponents, first = [2, 3, 6, 9], [-0.25, -1e-3, -0.75, -9.25, -20.75, -300.25]
    s, q = (each.ravel().astype(dtype) for each in np.meshgrid(exponents, first))
    expected = [zeta_of(*each) for each in zip(s.tolist(), q.tolist(), strict=True)]
    np.testing.assert_allclose(run_binary("zeta", s, q), expected, 10 * tolerance)


@PRECISIONS
def test_polygamma_is_a_derivative_of_digamma(dtype: str, tolerance: float):
    orders, places = [1, 2, 3, 6], [0.25, 0.5, 1, 3.75, 40]
    n, x = (each.ravel().astype(dtype) for each in np.meshgrid(orders, places))
    pairs = zip(n.tolist(), x.tolist(), strict=True)
    expected = [polygamma_of(*each) for each in pairs]
    result = run_binary("polygamma", n, x)
    np.testing.assert_allclose(result, expected, 100 * tolerance)


@PRECISIONS
def test_polygamma_of_orders_that_are_no_counts(dtype: str, tolerance: float):
    n = np.array([0, 0, 1, 2, -1, 0.5, nan, 1], dtype)
    x = np.array([1, 0, 0, 0, 1, 1, 1, -2.5], dtype)
    expected = [-0.5772156649015329, nan, inf, nan, nan, nan, nan, TRIGAMMA]
    result = run_binary("polygamma", n, x)
    np.testing.assert_allclose(result, expected, 100 * tolerance)


def test_numbers_of_16_bits_are_widened():
    text = """
    func.func @main(%s: tensor<2xf16>, %q: tensor<2xf16>) -> tensor<2xf16> {
      %0 = chlo.zeta %s, %q : tensor<2xf16>, tensor<2xf16> -> tensor<2xf16>
      return %0 : tensor<2xf16>
    }
    """
    result = jit(text)(np.array([2, 4], np.float16), np.ones(2, np.float16))
    expected = np.array([pi**2 / 6, pi**4 / 90], np.float16)
    np.testing.assert_array_equal(result, expected)

"""Numbers with fewer bits, and the next number, to the bit."""

import numpy as np
import pytest
from harness.running.stablehlo_ops import run_lines, tensor

NUMBERS = [
    *(0.0, -0.0, 1.0, -1.0, 1.06, 1.0625, 1.07, 1.1875, 2.5, -3e9, 9.75, 65504.0),
    *(65519.0, 65520.0, 1e30, -3e38, np.inf, -np.inf, np.nan, 1e-3, 6.2e-5, 1e-37),
]
SOURCES = {"f4": (8, 23), "f8": (11, 52)}


def rounded(value: float, exponent_bits: int, mantissa_bits: int) -> float:
    """A number with so many bits, by arithmetic alone; small ones are zero."""
    if not np.isfinite(value) or value == 0:
        return value
    fraction, exponent = np.frexp(value)  # From 1/2 to 1.
    scale = 2.0 ** (mantissa_bits + 1)
    result = float(np.ldexp(np.rint(fraction * scale) / scale, exponent))
    bias = 2 ** (exponent_bits - 1) - 1
    if abs(result) >= 2.0 ** (bias + 1):
        return float(np.copysign(np.inf, value))
    if abs(result) < 2.0 ** (1 - bias):
        return float(np.copysign(0, value))
    return result


@pytest.mark.parametrize("dtype", SOURCES)
@pytest.mark.parametrize(
    ("exponent", "mantissa"), [(5, 10), (4, 3), (5, 2), (8, 7), (2, 1), (3, 0)]
)
def test_fewer_bits(dtype: str, exponent: int, mantissa: int):
    x = np.array(NUMBERS, dtype)
    type_ = tensor(x)
    line = f"stablehlo.reduce_precision %0, format = e{exponent}m{mantissa} : {type_}"
    (result,) = run_lines([line], [type_], [x])
    expected = np.array([rounded(float(each), exponent, mantissa) for each in x], dtype)
    np.testing.assert_array_equal(result, expected)
    assert np.signbit(result).tolist() == np.signbit(expected).tolist()


@pytest.mark.parametrize("dtype", SOURCES)
def test_as_many_bits_change_nothing(dtype: str):
    x = np.array([*NUMBERS, 5e-324], dtype)
    exponent, mantissa = SOURCES[dtype]
    type_ = tensor(x)
    lines = [
        f"stablehlo.reduce_precision %0, format = e{e}m{m} : {type_}"
        for e, m in ((exponent, mantissa), (exponent + 1, mantissa + 9))
    ]
    for result in run_lines(lines, [type_] * 2, [x]):
        assert result.tobytes() == x.tobytes()


@pytest.mark.parametrize("dtype", SOURCES)
def test_the_next_number_is_that_of_c(dtype: str):
    limits = np.finfo(dtype)
    edges = [limits.smallest_subnormal, limits.tiny, limits.max, -limits.max, -1e-45]
    numbers = np.array([*NUMBERS, *edges], dtype)
    x, y = (each.ravel() for each in np.meshgrid(numbers, numbers))
    type_ = tensor(x)
    line = f"chlo.next_after %0, %1 : {type_}, {type_} -> {type_}"
    (result,) = run_lines([line], [type_], [x, y])
    with np.errstate(all="ignore"):
        expected = np.nextafter(x, y)
    np.testing.assert_array_equal(result, expected)
    signs = ~np.isnan(expected)
    assert np.signbit(result[signs]).tolist() == np.signbit(expected[signs]).tolist()

"""The Bessel function I1 times exp(-|x|), compared with its integral."""

import numpy as np
import pytest
from harness.running.stablehlo_ops import run_lines, tensor


def i1e_of(x: np.ndarray) -> np.ndarray:
    """The mean of exp(|x| (cos t - 1)) cos t over a period, with the sign of x."""
    cosine = np.cos(2 * np.pi * np.arange(4000) / 4000)
    size = np.abs(x.astype("f8"))[:, None]
    return np.sign(x) * np.mean(np.exp(size * (cosine - 1)) * cosine, axis=1)


@pytest.mark.parametrize(("dtype", "tolerance"), [("f4", 2e-6), ("f8", 2e-14)])
def test_the_bessel_function(dtype: str, tolerance: float):
    middle = [1e-3, 0.5, 1, 3, 7.9, 8, 8.1, 20, 500, 9000]
    x = np.array([*middle, *(-each for each in middle)], dtype)
    type_ = tensor(x)
    (result,) = run_lines([f"chlo.bessel_i1e %0 : {type_} -> {type_}"], [type_], [x])
    np.testing.assert_allclose(result, i1e_of(x), tolerance, 1e-15)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_the_bessel_function_at_its_ends(dtype: str):
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], dtype)
    type_ = tensor(x)
    (result,) = run_lines([f"chlo.bessel_i1e %0 : {type_} -> {type_}"], [type_], [x])
    np.testing.assert_array_equal(result, [0, 0, 0, 0, np.nan])
    assert np.signbit(result[:4]).tolist() == [False, True, False, True]

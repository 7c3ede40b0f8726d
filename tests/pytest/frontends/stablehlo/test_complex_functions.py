"""Functions of complex numbers, against those of Python's cmath, which are C's."""

import cmath
from itertools import product
from math import copysign, inf, isnan, nan
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from xdsl_bufferization import jit

NAMES = ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "tan")
TYPES = {"f32": np.complex64, "f64": np.complex128}


def computed(name: str, z: NDArray[Any]) -> Any:
    part = {"complex64": "f32", "complex128": "f64"}[z.dtype.name]
    type_ = f"tensor<{z.size}xcomplex<{part}>>"
    return jit(f"""
    func.func @f(%z: {type_}) -> {type_} {{
      %r = chlo.{name} %z : {type_} -> {type_}
      return %r : {type_}
    }}""")(z)


def exact(name: str, z: NDArray[Any]) -> Any:
    function = getattr(cmath, name)
    return np.array([function(complex(each)) for each in z])


def samples(rng: np.random.Generator, name: str) -> NDArray[Any]:
    """Numbers of all sizes, some of them next to the ends of the cuts."""
    sizes = 10.0 ** rng.uniform(-8, 1.5, (600, 2))
    sizes[:100, 0] = 1 + 10.0 ** rng.uniform(-12, -1, 100) * rng.choice([-1, 1], 100)
    sizes[100:200, 1] = 1 + 10.0 ** rng.uniform(-12, -1, 100)
    parts = sizes * rng.choice([-1, 1], sizes.shape)
    if name == "tan":
        parts[:, 1] %= 3
    return parts[:, 0] + 1j * parts[:, 1]


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", NAMES)
def test_parts_are_those_of_cmath(name: str, type_: str) -> None:
    z = samples(np.random.default_rng(3), name).astype(TYPES[type_])
    result, expected = computed(name, z), exact(name, z)
    tolerance = {"f32": 3e-7, "f64": 2e-14 if name == "tan" else 2e-15}[type_]
    if name == "tan" and type_ == "f32":
        tolerance = 2e-5
    for part in ("real", "imag"):
        np.testing.assert_allclose(
            getattr(result, part), getattr(expected, part), tolerance, atol=1e-30
        )


LIMITS = (0.0, -0.0, 1.0, -1.0, 1e-200, -1e200, 1e200, inf, -inf)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("a")])
def test_zeros_and_infinities_are_those_of_c(name: str) -> None:
    points = [complex(x, y) for x, y in product(LIMITS, LIMITS)]
    if name in ("atan", "atanh"):  # cmath refuses the poles.
        points = [z for z in points if abs(z) != 1]
    z = np.array(points)
    for given, result, wanted in zip(
        points, computed(name, z), exact(name, z), strict=True
    ):
        for actual, expected in (
            (result.real, wanted.real),
            (result.imag, wanted.imag),
        ):
            assert actual == pytest.approx(expected, rel=1e-15, abs=0), given
            assert copysign(1, actual) == copysign(1, expected), given


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_number_gives_none(name: str) -> None:
    result = computed(name, np.array([complex(nan, nan), complex(nan, 1.0)]))
    assert all(isnan(each.real) and isnan(each.imag) for each in result)


@pytest.mark.parametrize("name", ["sinh", "cosh"])
def test_real_numbers_stay_real(name: str) -> None:
    points = [complex(x, y) for x in (*LIMITS[:6], inf, -inf) for y in (0.0, -0.0)]
    points = [z for z in points if abs(z.real) != 1e200]
    z = np.array(points)
    expected = exact(name, z)
    np.testing.assert_array_equal(computed(name, z), expected)
    signs = np.signbit(computed(name, z).imag)
    np.testing.assert_array_equal(signs, np.signbit(expected.imag))

import math

import numpy as np
import pytest

from xdsl_bufferization.tools.run.compare import (
    MISMATCH,
    max_relative_error,
    tolerance_of,
)


def error(result: list[float], wanted: list[float]) -> float:
    return max_relative_error(
        [np.array(result, np.float32)], [np.array(wanted, np.float32)]
    )


def test_equal_results_have_no_error():
    assert error([1, -2, math.inf, math.nan], [1, -2, math.inf, math.nan]) == 0


def test_differences_are_relative_to_the_element():
    assert error([100, 202], [100, 200]) == pytest.approx(0.01)


def test_small_elements_are_measured_against_the_mean():
    # The root mean square of the reference is sqrt(2).
    assert error([2, 1e-3], [2, 0]) == pytest.approx(1e-3 / math.sqrt(2))


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_must_agree(wrong: float):
    assert error([1, wrong], [1, 2]) == MISMATCH
    assert error([1, 2], [1, wrong]) == MISMATCH


def test_shapes_must_agree():
    assert error([1, 2], [1]) == MISMATCH


def test_integers_must_be_equal():
    big = np.array([10**9], np.int64)
    assert max_relative_error([big], [big]) == 0
    assert max_relative_error([big + 1], [big]) == 1


def test_a_reference_of_zeros_gives_an_absolute_error():
    assert error([0, 0.25], [0, 0]) == 0.25


def test_the_tolerance_is_that_of_the_coarsest_result():
    single, double = np.zeros(2, np.float32), np.zeros(2)
    assert tolerance_of([double]) < tolerance_of([single, double]) == 1e-4
    assert tolerance_of([np.zeros(2, np.int32)]) == 0


def test_complex_numbers_are_points_of_a_plane():
    wanted = np.array([1e6 + 1e-3j, 2 + 2j])
    assert max_relative_error([wanted], [wanted]) == 0
    near = wanted + np.array([1e-3j, 0])
    assert max_relative_error([near], [wanted]) == pytest.approx(1e-9)
    assert tolerance_of([wanted]) == tolerance_of([np.zeros(1)])


@pytest.mark.parametrize(
    "wrong", [complex(math.nan, 1), complex(math.inf, -1), complex(1, math.nan)]
)
def test_both_parts_must_agree(wrong: complex):
    value = np.array([wrong, 1], np.complex64)
    assert max_relative_error([value], [value]) == 0
    other = np.array([wrong.conjugate(), 1], np.complex64)
    same = math.isnan(wrong.imag)
    assert max_relative_error([other], [value]) == (0 if same else MISMATCH)

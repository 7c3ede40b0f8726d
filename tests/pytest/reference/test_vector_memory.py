"""Transfers of vectors leave a tensor only where they say so."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xdsl_bufferization.support.errors import OperationError

Run = Callable[..., list[Any]]

M = np.arange(12, dtype=np.float32).reshape(3, 4)

READ = """
func.func @f(%m: tensor<3x4xf32>, %i: index, %j: index, %n: index) -> vector<2x4xf32> {{
  %pad = arith.constant -1.0 : f32
  %two = arith.constant 2 : index
  %mask = vector.create_mask %two, %n : vector<2x4xi1>
  %v = vector.transfer_read %m[%i, %j], %pad, %mask {{in_bounds = [{0}, {1}]}}
    : tensor<3x4xf32>, vector<2x4xf32>
  return %v : vector<2x4xf32>
}}
"""

WRITE = """
func.func @f(%m: tensor<3x4xf32>, %i: index, %j: index) -> tensor<3x4xf32> {{
  %v = arith.constant dense<9.0> : vector<4xf32>
  %r = vector.transfer_write %v, %m[%i, %j] {{in_bounds = [{0}]}}
    : vector<4xf32>, tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}}
"""


def test_what_is_beyond_the_end_is_padding(run: Run) -> None:
    padded = np.pad(M, 4, constant_values=-1.0)
    for i, j, lanes in ((1, 0, 4), (2, 3, 4), (7, 1, 3), (0, 2, 2)):
        expected = np.full((2, 4), -1.0, np.float32)
        rows = padded[4 + i : 6 + i] if i < 3 else expected
        expected[:, :lanes] = rows[:, 4 + j : 4 + j + lanes] if i < 3 else -1.0
        [found] = run(READ.format("false", "false"), M, i, j, lanes)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("flags", "where"),
    [
        (("true", "false"), (2, 0, 4)),
        (("false", "true"), (0, 1, 4)),
        (("false", "false"), (-1, 0, 4)),
        (("false", "false"), (0, -2, 4)),
    ],
)
def test_what_is_promised_to_be_there_is(
    run: Run, flags: tuple[str, str], where: tuple[int, int, int]
) -> None:
    with pytest.raises(OperationError, match="out of bounds"):
        run(READ.format(*flags), M, *where)


def test_a_mask_may_leave_out_what_is_not_there(run: Run) -> None:
    [found] = run(READ.format("true", "true"), M, 1, 2, 2)
    np.testing.assert_array_equal(found[:, :2], M[1:, 2:])
    assert (found[:, 2:] == -1).all()


@pytest.mark.parametrize(("flag", "i", "j"), [("true", 0, 1), ("false", 3, 0)])
def test_writes(run: Run, flag: str, i: int, j: int) -> None:
    """A dimension that a vector does not have is always in bounds."""
    with pytest.raises(OperationError, match="out of bounds"):
        run(WRITE.format(flag), M, i, j)


def test_a_write_beyond_the_end_is_left_out(run: Run) -> None:
    [found] = run(WRITE.format("false"), M, 1, 3)
    expected = M.copy()
    expected[1, 3] = 9
    np.testing.assert_array_equal(found, expected)

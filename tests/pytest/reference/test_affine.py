from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xdsl_bufferization.support.errors import OperationError

Run = Callable[..., list[Any]]


def apply(op: str, results: str) -> str:
    return f"""
    func.func @f(%i: index, %n: index) -> index {{
      %0 = affine.{op} affine_map<(d0)[s0] -> ({results})>(%i)[%n]
      return %0 : index
    }}"""


@pytest.mark.parametrize(
    ("op", "results", "expected"),
    [
        ("apply", "d0 * 3 + s0 - 1", -12),
        ("apply", "d0 mod 3", 1),
        ("apply", "d0 floordiv 3", -2),
        ("apply", "d0 ceildiv 3", -1),
        ("min", "8, s0 - d0, d0", -5),
        ("max", "1, s0 - d0", 8),
    ],
)
def test_affine(run: Run, op: str, results: str, expected: int) -> None:
    (found,) = run(apply(op, results), -5, 4 if "s0 - 1" in results else 3)
    assert found == expected


def test_division_by_zero_is_undefined(run: Run) -> None:
    with pytest.raises(OperationError, match="division by 0"):
        run(apply("apply", "d0 mod 0"), 5, 0)


def test_on_all_positions_of_a_payload(run: Run) -> None:
    text = """
    func.func @f(%o: tensor<4xindex>) -> tensor<4xindex> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]} outs(%o : tensor<4xindex>) {
      ^bb0(%e: index):
        %i = linalg.index 0 : index
        %1 = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
        linalg.yield %1 : index
      } -> tensor<4xindex>
      return %0 : tensor<4xindex>
    }"""
    (found,) = run(text, np.zeros(4, np.int64))
    assert found.tolist() == [0, 2, 4, 6]

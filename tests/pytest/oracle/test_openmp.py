"""mlir-opt 22 reads the loops of threads that we make."""

from collections.abc import Callable
from pathlib import Path

import pytest

from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

FILES = Path(__file__).parents[2] / "filecheck" / "transforms"
LOOPS = FILES / "parallel-loops-to-openmp" / "loops.mlir"

pytestmark = pytest.mark.oracle


def test_loops_are_valid(
    mlir_opt: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    shared = xdsl_opt(LOOPS.read_text(), "parallel-loops-to-openmp", generic=True)
    assert mlir_opt(shared).count("omp.wsloop") == 3


def test_a_perceptron_is_valid(
    mlir_opt: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    text = mlp(MlpOptions(batch=256, layers=(64, 128), bias=True, relu=True))
    pipeline = "default-tpp-passes,convert-xsmm-to-func,parallel-loops-to-openmp"
    assert "omp.parallel" in mlir_opt(xdsl_opt(text, pipeline, generic=True))

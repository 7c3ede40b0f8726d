"""Parallel loops do the same iterations, whatever form they are brought into."""

from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

Parse = Callable[[str], ModuleOp]

FORALL = """
func.func @f(%visits: memref<9x9xi64>, %n: index) {
  %one = arith.constant 1 : i64
  scf.forall (%i, %j) = (1, 0) to (%n, 9) step (2, 1) {
    %old = memref.load %visits[%i, %j] : memref<9x9xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %visits[%i, %j] : memref<9x9xi64>
  }
  return
}
"""
PARALLEL = """
func.func @f(%visits: memref<40x40xi64>, %a: index, %b: index, %c: index,
             %d: index, %e: index, %f: index) {
  %one = arith.constant 1 : i64
  scf.parallel (%i, %j) = (%a, %d) to (%b, %e) step (%c, %f) {
    %old = memref.load %visits[%i, %j] : memref<40x40xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %visits[%i, %j] : memref<40x40xi64>
    scf.reduce
  }
  return
}
"""


def transformed(module: ModuleOp, pipeline: str) -> ModuleOp:
    run_passes(module, parse_passes(pipeline))
    return module


@pytest.mark.parametrize(
    "tiling", ("", ",scf-parallel-loop-tiling-pass{parallel-loop-tile-sizes=3}")
)
def test_forall_as_parallel(parse: Parse, tiling: str) -> None:
    module = transformed(parse(FORALL), f"convert-forall-to-parallel{tiling}")
    loops = sum(isinstance(op, scf.ParallelOp) for op in module.walk())
    assert loops == (2 if tiling else 1)
    run = compile_module(module, opt_level=0)["f"]
    for end in (0, 2, 8, 9):
        visits = np.zeros((9, 9), np.int64)
        run(visits, end)
        expected = np.zeros((9, 9), np.int64)
        expected[1:end:2, :] = 1
        np.testing.assert_array_equal(visits, expected)


@pytest.mark.parametrize("bounds", ("", " no-min-max-bounds"))
@pytest.mark.parametrize("sizes", ("1,1", "4", "3,5", "7,2,9", "0,3", "4,0", "0,0"))
def test_tiles_visit_what_the_loop_did(parse: Parse, sizes: str, bounds: str) -> None:
    option = f"{{parallel-loop-tile-sizes={sizes}{bounds}}}"
    module = transformed(parse(PARALLEL), f"scf-parallel-loop-tiling-pass{option}")
    run = compile_module(module, opt_level=0)["f"]
    rng = np.random.default_rng(len(sizes))
    for _ in range(50):
        lower, upper = rng.integers(0, 41, 2), rng.integers(0, 41, 2)
        steps = rng.integers(1, 6, 2)
        (a, d), (b, e), (c, f) = lower.tolist(), upper.tolist(), steps.tolist()
        visits = np.zeros((40, 40), np.int64)
        run(visits, a, b, c, d, e, f)
        expected = np.zeros((40, 40), np.int64)
        expected[np.ix_(range(a, b, c), range(d, e, f))] = 1
        np.testing.assert_array_equal(visits, expected)


CONSTANT_BOUNDS = """
func.func @f(%visits: memref<40x40xi64>) {{
  %one = arith.constant 1 : i64
  %a = arith.constant {0} : index
  %b = arith.constant {1} : index
  %c = arith.constant {2} : index
  scf.parallel (%i, %j) = (%a, %a) to (%b, %b) step (%c, %c) {{
    %old = memref.load %visits[%i, %j] : memref<40x40xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %visits[%i, %j] : memref<40x40xi64>
    scf.reduce
  }}
  return
}}
"""


@pytest.mark.parametrize("bounds", ((0, 40, 1), (2, 37, 5), (3, 40, 4), (9, 9, 1)))
def test_constant_bounds(parse: Parse, bounds: tuple[int, int, int]) -> None:
    text = CONSTANT_BOUNDS.format(*bounds)
    option = "{parallel-loop-tile-sizes=4,7}"
    module = transformed(parse(text), f"scf-parallel-loop-tiling-pass{option}")
    visits, expected = (np.zeros((40, 40), np.int64) for _ in "ab")
    compile_module(module, opt_level=0)["f"](visits)
    expected[np.ix_(range(*bounds), range(*bounds))] = 1
    np.testing.assert_array_equal(visits, expected)


@pytest.mark.oracle
@pytest.mark.parametrize("bounds", ((0, 40, 1), (2, 37, 5), (0, 39, 1)))
def test_loops_as_mlir_tiles_them(
    parse: Parse,
    mlir_opt: Callable[..., str],
    bounds: tuple[int, int, int],
) -> None:
    text = CONSTANT_BOUNDS.format(*bounds)
    pipeline = "--scf-parallel-loop-tiling=parallel-loop-tile-sizes=4,7"
    theirs = parse(mlir_opt(text, pipeline, "--canonicalize"))
    ours = parse(text)
    option = "{parallel-loop-tile-sizes=4,7}"
    transformed(ours, f"scf-parallel-loop-tiling-pass{option}")
    canonical = parse(mlir_opt(str(ours), "--canonicalize"))
    assert str(canonical) == str(theirs)

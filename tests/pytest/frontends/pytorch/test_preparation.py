"""What depends on weights alone, by NumPy: the same numbers as compiled code."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import xdsl_bufferization as xbuf
from xdsl_bufferization.frontends.pytorch.preparation import can_evaluate, evaluated
from xdsl_bufferization.frontends.reading import parse
from xdsl_bufferization.runtime.errors import ProgramError

_SCALED_AND_PACKED = """
func.func @f_weights(%w: tensor<40x3xf32>, %s: tensor<40xf32>)
    -> (tensor<2x3x32xf32>, tensor<40xf32>) {
  %e = tensor.empty() : tensor<40x3xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<40x3xf32>, tensor<40xf32>) outs(%e : tensor<40x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %is_one = arith.cmpf one, %b, %zero : f32
    cf.assert %is_one, "a scale is zero"
    %r = math.sqrt %b : f32
    %q = arith.divf %a, %r : f32
    linalg.yield %q : f32
  } -> tensor<40x3xf32>
  %pad = arith.constant 0.0 : f32
  %p = tensor.empty() : tensor<2x3x32xf32>
  %1 = linalg.pack %0 padding_value(%pad : f32) outer_dims_perm = [0, 1]
      inner_dims_pos = [0] inner_tiles = [32] into %p
      : tensor<40x3xf32> -> tensor<2x3x32xf32>
  return %1, %s : tensor<2x3x32xf32>, tensor<40xf32>
}
"""

_SUM = """
func.func @f_weights(%w: tensor<4x9999xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%w : tensor<4x9999xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

_PAIRS = """
func.func @f_weights(%w: tensor<4x4xbf16>) -> tensor<2x4x2xbf16> {
  %e = tensor.empty() : tensor<2x4x2xbf16>
  %0 = linalg.pack %w inner_dims_pos = [0] inner_tiles = [2] into %e
      : tensor<4x4xbf16> -> tensor<2x4x2xbf16>
  return %0 : tensor<2x4x2xbf16>
}
"""


def _function(module: ModuleOp) -> FuncOp:
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    return function


def test_numpy_gives_the_bits_of_compiled_code():
    module = parse(_SCALED_AND_PACKED)
    rng = np.random.default_rng(0)
    weights = [
        rng.standard_normal((40, 3)).astype("f4"),
        rng.uniform(0.5, 2.0, 40).astype("f4"),
    ]
    assert can_evaluate(_function(module))
    packed = evaluated(module, "f_weights")(weights)
    expected = xbuf.jit(_SCALED_AND_PACKED)(*weights)
    for ours, compiled in zip(packed, expected, strict=True):
        np.testing.assert_array_equal(ours, compiled, strict=True)


def test_results_are_arrays_of_their_own_at_cache_lines():
    scale = np.ones(40, "f4")
    results = evaluated(parse(_SCALED_AND_PACKED), "f_weights")(
        [np.ones((40, 3), "f4"), scale]
    )
    for result in results:
        assert result.flags.c_contiguous
        assert result.flags.writeable
        assert result.__array_interface__["data"][0] % 64 == 0
    scale[:] = 0
    assert results[1].min() == 1


def test_an_assertion_about_weights_is_an_error_of_the_program():
    prepare = evaluated(parse(_SCALED_AND_PACKED), "f_weights")
    with pytest.raises(ProgramError, match=r"'cf.assert': .*a scale is zero"):
        prepare([np.ones((40, 3), "f4"), np.zeros(40, "f4")])


@pytest.mark.parametrize("program", [_SUM, _PAIRS], ids=["sum", "bf16"])
def test_what_numpy_computes_slowly_or_otherwise_is_compiled(program: str):
    assert not can_evaluate(_function(parse(program)))

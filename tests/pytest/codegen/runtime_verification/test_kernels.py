"""Kernels are called with buffers whose rows lie as the kernels expect."""

import numpy as np
import pytest

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.errors import ProgramError

STRIDED = "memref<8x8xf32, strided<[?, 1]>>"
UNARY = f"""func.func @f(%a: {STRIDED}, %c: memref<8x8xf32>) {{
  %k = xsmm.unary.dispatch relu [8, 8, 16, 8] flags = (none) data_type = f32
  xsmm.unary relu(data_type = f32, %k, %a, %c) : (i64, {STRIDED}, memref<8x8xf32>) -> ()
  return
}}
"""

BATCH = """func.func @f(
  %a: memref<2x8x8xf32>, %b: memref<2x8x8xf32>, %c: memref<8x8xf32>, %n: i64
) {
  %k = xsmm.brgemm.dispatch [8, 8, 8, 8, 8, 8, 64, 64] flags = (beta_0) data_type = f32
  xsmm.brgemm(data_type = f32, %k, %a, %b, %c, %n)
    : (i64, memref<2x8x8xf32>, memref<2x8x8xf32>, memref<8x8xf32>, i64) -> ()
  return
}
"""


def test_strides_are_those_of_the_kernel() -> None:
    module = parse_module(UNARY, "a.mlir", get_context())
    f = compile_module(module, checked=True)["f"]
    wide = np.arange(128, dtype=np.float32).reshape(8, 16)
    c = np.zeros((8, 8), np.float32)
    f(wide[:, :8], c)
    np.testing.assert_array_equal(c, wide[:, :8])
    with pytest.raises(
        ProgramError,
        match=r"a.mlir:3:3: 'xsmm.unary': the stride 8 of the input is not 16",
    ):
        f(wide[:4].reshape(8, 8), c)


def test_a_batch_has_as_many_matrices_as_the_buffers() -> None:
    module = parse_module(BATCH, "a.mlir", get_context())
    f = compile_module(module, checked=True)["f"]
    a = np.ones((2, 8, 8), np.float32)
    c = np.zeros((8, 8), np.float32)
    f(a, a, c, 2)
    np.testing.assert_array_equal(c, np.full((8, 8), 16))
    with pytest.raises(ProgramError, match="a batch of 3 is more than the 2 matrices"):
        f(a, a, c, 3)

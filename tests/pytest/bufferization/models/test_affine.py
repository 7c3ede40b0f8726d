"""Loops of the affine dialect, bufferized and run on a heap that poisons and counts."""

import gc
from collections.abc import Callable

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.lower_affine import LowerAffinePass

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CountingHeap

PROGRAM = """
func.func @sums(%t: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c1 = arith.constant 1.0 : f32
  %0 = affine.for %i = 0 to COUNT iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = tensor.extract %x[%i] : tensor<4xf32>
    %2 = arith.addf %1, %c1 : f32
    %3 = tensor.insert %2 into %x[%i] : tensor<4xf32>
    affine.yield %3 : tensor<4xf32>
  }
  return %0, %t : tensor<4xf32>, tensor<4xf32>
}
func.func @new_each_time(%t: tensor<4xf32>, %n: index)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = affine.for %i = 0 to COUNT iter_args(%x = %t, %y = %t)
      -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.extract %x[%i] : tensor<4xf32>
    %2 = tensor.extract %y[%i] : tensor<4xf32>
    %3 = arith.addf %1, %2 : f32
    %4 = tensor.splat %3 : tensor<4xf32>
    affine.yield %4, %4 : tensor<4xf32>, tensor<4xf32>
  }
  %c9 = arith.constant 9.0 : f32
  %5 = tensor.insert %c9 into %0#0[%n] : tensor<4xf32>
  return %5, %0#1 : tensor<4xf32>, tensor<4xf32>
}
"""

EXPECTED = {
    ("sums", 0): ([1, 2, 3, 4], [1, 2, 3, 4]),
    ("sums", 3): ([2, 3, 4, 4], [1, 2, 3, 4]),
    ("new_each_time", 0): ([9, 2, 3, 4], [1, 2, 3, 4]),
    ("new_each_time", 1): ([2, 9, 2, 2], [2, 2, 2, 2]),
    ("new_each_time", 2): ([4, 4, 9, 4], [4, 4, 4, 4]),
}


@pytest.mark.parametrize(("name", "count"), EXPECTED)
def test_the_numbers_are_those_of_the_tensors(
    ctx: Context, parse: Callable[[str], ModuleOp], name: str, count: int
) -> None:
    module = bufferize(
        parse(PROGRAM.replace("COUNT", str(count))),
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=True,
    )
    deallocate(module)
    LowerAffinePass().apply(ctx, module)
    compiled = compile_module(module, poison=True)
    found = compiled[name](np.array([1, 2, 3, 4], np.float32), count)
    assert tuple(np.asarray(value).tolist() for value in found) == EXPECTED[name, count]
    del found
    gc.collect()
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert report.double_frees == report.foreign_frees == report.live_bytes == 0

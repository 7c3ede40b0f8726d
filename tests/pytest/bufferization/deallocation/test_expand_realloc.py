"""Buffers that change their size keep their elements, and are freed once."""

import gc
from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import deallocate
from xdsl_bufferization.bufferization.deallocation.expand_realloc import expand_reallocs
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CountingHeap

RESIZE = """
func.func @f(%in: memref<?xf32>, %size: index) -> memref<?xf32> {
  %zero = arith.constant 0 : index
  %old_size = memref.dim %in, %zero : memref<?xf32>
  %old = memref.alloc(%old_size) : memref<?xf32>
  memref.copy %in, %old : memref<?xf32> to memref<?xf32>
  %new = memref.realloc %old(%size) : memref<?xf32> to memref<?xf32>
  return %new : memref<?xf32>
}
"""


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("size", [2, 4, 7])
@pytest.mark.parametrize("by_pipeline", [False, True])
def test_elements_are_kept(
    size: int, by_pipeline: bool, parse: Callable[[str], ModuleOp]
) -> None:
    module = parse(RESIZE)
    if by_pipeline:
        deallocate(module)
    else:
        expand_reallocs(module)
    module.verify()
    compiled = compile_module(module, poison=True)
    x = np.arange(4, dtype=np.float32)
    result = compiled["f"](x, size)
    assert result.shape == (size,)
    kept = min(size, 4)
    np.testing.assert_array_equal(result[:kept], x[:kept])
    del result
    gc.collect()
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert report.double_frees == report.foreign_frees == report.live_bytes == 0


@pytest.mark.oracle
@pytest.mark.parametrize("emit", ["true", "false"])
def test_it_is_what_mlir_builds(
    emit: str, mlir_opt: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    ours = xdsl_opt(RESIZE, f"expand-realloc{{emit-deallocs={emit}}}")
    theirs = mlir_opt(RESIZE, f"--expand-realloc=emit-deallocs={emit}")
    assert mlir_opt(ours) == theirs

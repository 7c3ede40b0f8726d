"""The runtime calls code that MLIR's own lowering made: the convention is MLIR's."""

import gc
import shutil

import numpy as np
import pytest
from harness.oracles.tool_runs import run_tool

from xdsl_bufferization.runtime import CountingHeap, compile_llvm_ir
from xdsl_bufferization.support.abi import (
    FunctionSignature,
    MemRefSignature,
    ScalarSignature,
    StridedLayout,
)

PROGRAM = """
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%x: memref<?x4xf32, strided<[?, ?], offset: ?>>, %n: index, %s: f32)
    -> (memref<?x4xf32>, f32, memref<4xf32, strided<[1], offset: 4>>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %r = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x4xf32, strided<[?, ?], offset: ?>>)
      outs(%r : memref<?x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %s : f32
      linalg.yield %c : f32
  }
  %row = memref.subview %r[1, 0] [1, 4] [1, 1]
      : memref<?x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %v = memref.load %r[%c0, %c0] : memref<?x4xf32>
  return %r, %v, %row : memref<?x4xf32>, f32, memref<4xf32, strided<[1], offset: 4>>
}
func.func @one(%x: memref<i64>) -> memref<i64> attributes {llvm.emit_c_interface} {
  return %x : memref<i64>
}
memref.global "private" constant @g : memref<2xi32> = dense<[3, 4]>
func.func @weights() -> memref<2xi32> attributes {llvm.emit_c_interface} {
  %g = memref.get_global @g : memref<2xi32>
  return %g : memref<2xi32>
}
"""
PIPELINE = (
    "builtin.module(convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,"
    "lower-affine,finalize-memref-to-llvm{use-generic-functions},convert-func-to-llvm,"
    "convert-arith-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
SIGNATURES = [
    FunctionSignature(
        "f",
        (
            MemRefSignature("f32", (None, 4), StridedLayout((None, None), None), False),
            ScalarSignature("index"),
            ScalarSignature("f32"),
        ),
        (
            MemRefSignature("f32", (None, 4)),
            ScalarSignature("f32"),
            MemRefSignature("f32", (4,), StridedLayout((1,), 4)),
        ),
    ),
    FunctionSignature(
        "one", (MemRefSignature("i64", ()),), (MemRefSignature("i64", ()),)
    ),
    FunctionSignature("weights", (), (MemRefSignature("i32", (2,)),)),
]
TOOLS = ("mlir-opt-22", "mlir-translate-22")


@pytest.mark.oracle
@pytest.mark.skipif(
    not all(map(shutil.which, TOOLS)), reason="MLIR 22's tools are not installed"
)
def test_code_from_mlir():
    lowered = run_tool([TOOLS[0], f"--pass-pipeline={PIPELINE}"], PROGRAM)
    lowered.check_returncode()
    translated = run_tool([TOOLS[1], "--mlir-to-llvmir"], lowered.stdout)
    translated.check_returncode()
    text = translated.stdout
    heap = CountingHeap()
    module = compile_llvm_ir(text, SIGNATURES, heap=heap)

    x = np.arange(24, dtype=np.float32).reshape(4, 6).T[::-2]  # 3x4, odd strides
    x.flags.writeable = False
    whole, first, row = module["f"](x, 3, 0.5)
    np.testing.assert_array_equal(whole, x * np.float32(0.5))
    assert whole.__array_interface__["data"][0] % 64 == 0
    assert first == x[0, 0] / 2
    np.testing.assert_array_equal(row, whole[1])
    assert np.shares_memory(row, whole)
    assert heap.report().allocs == 1
    del whole
    gc.collect()
    np.testing.assert_array_equal(row, x[1] / 2)
    del row
    gc.collect()
    report = heap.report()
    assert (report.frees, report.live_bytes, report.double_frees) == (1, 0, 0)

    number = np.array(42)
    assert np.shares_memory(module["one"](number), number)
    np.testing.assert_array_equal(module["weights"](), [3, 4])

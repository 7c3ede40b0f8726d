"""The lowering against LLVM's and MLIR's own tools.

The printed LLVM IR must be LLVM IR for llc, and the code must link with code that MLIR
lowered. A program is cut in two halves. Each lowers either half, and the functions stay
the same.
"""

import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness.oracles.tool_runs import run_tool
from xdsl.backend.llvm.convert import convert_module
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.llvm.module import lower_to_llvm
from xdsl_bufferization.codegen.llvm_request_c_wrappers import (
    request_c_wrappers,
)
from xdsl_bufferization.pipelines.signatures import public_functions, signature_of
from xdsl_bufferization.runtime.engine import compile_llvm_ir

pytestmark = pytest.mark.oracle

Parse = Callable[[str], ModuleOp]
MLIROpt = Callable[..., str]

MLIR_LOWERING = (
    "--llvm-request-c-wrappers",
    "--expand-strided-metadata",
    "--convert-linalg-to-loops",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--finalize-memref-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-func-to-llvm",
    "--reconcile-unrealized-casts",
)

STRIDED = "memref<?x?xf32, strided<[?, ?], offset: ?>>"
ROW = "memref<?xf32, strided<[?], offset: ?>>"

CALLEE = f"""
func.func @pick(%m: {STRIDED}, %i: index, %scale: f32) -> ({ROW}, memref<f32>, index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c1 : {STRIDED}
  %row = memref.subview %m[%i, 0] [1, %n] [1, 1] : {STRIDED} to {ROW}
  %x = memref.load %row[%c1] : {ROW}
  %y = arith.mulf %x, %scale : f32
  %cell = memref.alloc() {{alignment = 64 : i64}} : memref<f32>
  memref.store %y, %cell[] : memref<f32>
  func.return %row, %cell, %n : {ROW}, memref<f32>, index
}}
func.func @fill(%m: memref<3x2xf32>, %x: f32) -> memref<3x2xf32> {{
  linalg.fill ins(%x : f32) outs(%m : memref<3x2xf32>)
  func.return %m : memref<3x2xf32>
}}
"""

DECLARATIONS = f"""
func.func private @pick({STRIDED}, index, f32) -> ({ROW}, memref<f32>, index)
func.func private @fill(memref<3x2xf32>, f32) -> memref<3x2xf32>
"""

CALLER = f"""
func.func @main(%m: {STRIDED}, %i: index) -> (f32, f32, index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %row, %cell, %n = func.call @pick(%m, %i, %two)
    : ({STRIDED}, index, f32) -> ({ROW}, memref<f32>, index)
  %a = memref.alloc() : memref<3x2xf32>
  %b = func.call @fill(%a, %two) : (memref<3x2xf32>, f32) -> memref<3x2xf32>
  %v = memref.load %row[%c0] : {ROW}
  %w = memref.load %cell[] : memref<f32>
  %z = memref.load %b[%c1, %c1] : memref<3x2xf32>
  %s = arith.addf %v, %z : f32
  memref.dealloc %a : memref<3x2xf32>
  memref.dealloc %cell : memref<f32>
  func.return %s, %w, %n : f32, f32, index
}}
"""


def tool(name: str) -> str:
    """The path of an LLVM tool, which comes with the oracle."""
    path = shutil.which(name)
    assert path is not None, f"{name} is not installed"
    return path


def ours(module: ModuleOp) -> str:
    """The LLVM IR of `module` by our lowering."""
    lowered = module.clone()
    request_c_wrappers(lowered)
    lower_to_llvm(lowered)
    return str(convert_module(lowered, fallback_target_triple=None))


def theirs(text: str, mlir_opt: MLIROpt) -> str:
    """The LLVM IR of a program by MLIR's lowering."""
    translate = [tool("mlir-translate-22"), "--mlir-to-llvmir", "-"]
    run = run_tool(translate, mlir_opt(text, *MLIR_LOWERING))
    run.check_returncode()
    return run.stdout


@pytest.mark.parametrize("our_half", ["caller", "callee"])
def test_code_of_ours_links_with_code_of_mlir(
    parse: Parse, mlir_opt: MLIROpt, our_half: str
):
    binding: Any = import_module("llvmlite.binding")  # it has no type stubs
    callee, caller = CALLEE, DECLARATIONS + CALLER
    if our_half == "callee":
        halves = ours(parse(callee)), theirs(caller, mlir_opt)
    else:
        halves = theirs(callee, mlir_opt), ours(parse(caller))
    linked, other = map(binding.parse_assembly, halves)
    # MLIR also declares wrappers of external functions; nothing defines those here.
    linked.link_in(other)
    (main,) = public_functions(parse(DECLARATIONS + CALLER))
    program = compile_llvm_ir(str(linked), [signature_of(main)])
    m = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert tuple(program["main"](m, 2)) == (m[2, 0] + 2, 2 * m[2, 1], 4)
    assert tuple(program["main"](m.T, 1)) == (m.T[1, 0] + 2, 2 * m.T[1, 1], 3)


def test_c_interface_is_that_of_mlir(parse: Parse, mlir_opt: MLIROpt):
    """The wrappers take and return the same bytes, whoever made them."""
    signatures = [signature_of(f) for f in public_functions(parse(CALLEE))]
    for text in (ours(parse(CALLEE)), theirs(CALLEE, mlir_opt)):
        program = compile_llvm_ir(text, signatures)
        m = np.arange(12, dtype=np.float32).reshape(3, 4)
        row, cell, n = program["pick"](m, 1, 3.0)
        np.testing.assert_array_equal(row, m[1])
        assert (cell, n) == (3 * m[1, 1], 4)
        filled = program["fill"](np.zeros((3, 2), np.float32), 7.0)
        np.testing.assert_array_equal(filled, np.full((3, 2), 7))


EVERYTHING = """
memref.global "private" constant @small : memref<2x2xf16>
  = dense<[[1.0, 2.0], [0.5, 4.0]]>
memref.global "private" @bits : memref<300xi1> = dense<true>
func.func @numbers(%h: f16, %x: f32, %y: f64, %i: i64, %n: index, %b: i1)
    -> (f16, f32, f64, i64) {
  %0 = math.exp %h : f16
  %1 = math.tanh %x : f32
  %2 = math.tanh %y : f64
  %3 = arith.maximumf %x, %1 : f32
  %4 = arith.maximumf %y, %2 : f64
  %5 = arith.minnumf %0, %h : f16
  %6 = arith.fptoui %4 : f64 to i64
  %7 = arith.uitofp %i : i64 to f32
  %8 = arith.addf %7, %3 : f32
  %9 = arith.floordivsi %6, %i : i64
  %10 = math.ctlz %9 : i64
  cf.assert %b, "checked"
  func.return %5, %8, %4, %10 : f16, f32, f64, i64
}
func.func @memory(%c: i1, %n: index) -> memref<?xf16, strided<[?], offset: ?>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %small = memref.get_global @small : memref<2x2xf16>
  %bits = memref.get_global @bits : memref<300xi1>
  %a = memref.alloc(%n, %n) : memref<?x?xf16>
  %stack = memref.alloca(%n) : memref<?xf16>
  scf.for %i = %c0 to %n step %c1 {
    %bit = memref.load %bits[%i] : memref<300xi1>
    scf.if %bit {
      %tmp = memref.alloca(%n) : memref<?xf16>
      memref.copy %stack, %tmp : memref<?xf16> to memref<?xf16>
    }
  }
  %v = memref.subview %a[0, %n] [%n, 1] [1, 1]
    : memref<?x?xf16> to memref<?xf16, strided<[?], offset: ?>>
  %w = memref.cast %stack : memref<?xf16> to memref<?xf16, strided<[?], offset: ?>>
  %s = arith.select %c, %v, %w : memref<?xf16, strided<[?], offset: ?>>
  memref.copy %s, %v : memref<?xf16, strided<[?], offset: ?>>
    to memref<?xf16, strided<[?], offset: ?>>
  func.return %v : memref<?xf16, strided<[?], offset: ?>>
}
"""


@pytest.mark.parametrize("program", [CALLEE, DECLARATIONS + CALLER, EVERYTHING])
@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "riscv64-linux-gnu"])
def test_llc_accepts_the_ir(
    parse: Parse, mlir_opt: MLIROpt, tmp_path: Path, program: str, triple: str
):
    source = tmp_path / "program.ll"
    source.write_text(ours(parse(program)))
    arguments = ["-mtriple", triple, "-filetype=obj", "-o", str(tmp_path / "program.o")]
    run = run_tool([tool("llc-22"), *arguments, source])
    assert run.returncode == 0, run.stderr


def test_llvm_dialect_is_valid_for_mlir(parse: Parse, mlir_opt: MLIROpt):
    """What the pass prints is not only what xDSL's own back end takes."""
    module = parse(EVERYTHING + CALLEE)
    lower_to_llvm(module)
    assert "llvm.func @memory" in mlir_opt(str(module))


ANY_RANK = """
func.func @transposed(%m: memref<*xf32>) -> (memref<*xf32>, index) {
  %n = memref.rank %m : memref<*xf32>
  %r = memref.cast %m : memref<*xf32> to memref<3x4xf32>
  %t = memref.transpose %r (i, j) -> (j, i)
    : memref<3x4xf32> to memref<4x3xf32, strided<[1, 4]>>
  %u = memref.cast %t : memref<4x3xf32, strided<[1, 4]>> to memref<*xf32>
  func.return %u, %n : memref<*xf32>, index
}
"""

ANY_RANK_CALLER = """
func.func private @transposed(memref<*xf32>) -> (memref<*xf32>, index)
func.func @main(%m: memref<3x4xf32>, %i: index, %j: index) -> (f32, index) {
  %u = memref.cast %m : memref<3x4xf32> to memref<*xf32>
  %t, %n = func.call @transposed(%u) : (memref<*xf32>) -> (memref<*xf32>, index)
  %r = memref.cast %t : memref<*xf32> to memref<4x3xf32, strided<[?, ?], offset: ?>>
  %x = memref.load %r[%i, %j] : memref<4x3xf32, strided<[?, ?], offset: ?>>
  func.return %x, %n : f32, index
}
"""


@pytest.mark.parametrize("our_half", ["caller", "callee"])
def test_memrefs_of_any_rank_are_those_of_mlir(
    parse: Parse, mlir_opt: MLIROpt, our_half: str
):
    binding: Any = import_module("llvmlite.binding")
    if our_half == "callee":
        halves = ours(parse(ANY_RANK)), theirs(ANY_RANK_CALLER, mlir_opt)
    else:
        halves = theirs(ANY_RANK, mlir_opt), ours(parse(ANY_RANK_CALLER))
    linked, other = map(binding.parse_assembly, halves)
    linked.link_in(other)
    (main,) = public_functions(parse(ANY_RANK_CALLER))
    program = compile_llvm_ir(str(linked), [signature_of(main)])
    m = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert tuple(program["main"](m, 3, 1)) == (m[1, 3], 2)


VECTORS = """
func.func @scaled(%v: vector<2x4xf32>, %x: f32) -> vector<2x4xf32> {
  %s = vector.broadcast %x : f32 to vector<2x4xf32>
  %r = arith.mulf %v, %s : vector<2x4xf32>
  func.return %r : vector<2x4xf32>
}
"""

VECTORS_CALLER = """
func.func private @scaled(vector<2x4xf32>, f32) -> vector<2x4xf32>
func.func @main(%m: memref<2x4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = vector.load %m[%c0, %c0] : memref<2x4xf32>, vector<4xf32>
  %b = vector.load %m[%c1, %c0] : memref<2x4xf32>, vector<4xf32>
  %z = arith.constant dense<0.0> : vector<2x4xf32>
  %y = vector.insert %a, %z[0] : vector<4xf32> into vector<2x4xf32>
  %v = vector.insert %b, %y[1] : vector<4xf32> into vector<2x4xf32>
  %r = func.call @scaled(%v, %x) : (vector<2x4xf32>, f32) -> vector<2x4xf32>
  %p = vector.extract %r[0] : vector<4xf32> from vector<2x4xf32>
  %q = vector.extract %r[1] : vector<4xf32> from vector<2x4xf32>
  vector.store %p, %m[%c0, %c0] : memref<2x4xf32>, vector<4xf32>
  vector.store %q, %m[%c1, %c0] : memref<2x4xf32>, vector<4xf32>
  func.return
}
"""


@pytest.mark.parametrize("our_half", ["caller", "callee"])
def test_vectors_cross_functions_as_in_mlir(
    parse: Parse, mlir_opt: MLIROpt, our_half: str
):
    binding: Any = import_module("llvmlite.binding")

    def lowered(text: str) -> str:
        return theirs(mlir_opt(text, "--convert-vector-to-llvm"), mlir_opt)

    if our_half == "callee":
        halves = ours(parse(VECTORS)), lowered(VECTORS_CALLER)
    else:
        halves = lowered(VECTORS), ours(parse(VECTORS_CALLER))
    linked, other = map(binding.parse_assembly, halves)
    linked.link_in(other)
    (main,) = public_functions(parse(VECTORS_CALLER))
    program = compile_llvm_ir(str(linked), [signature_of(main)])
    m = np.arange(8, dtype=np.float32).reshape(2, 4)
    program["main"](m, 3.0)
    np.testing.assert_array_equal(m.ravel(), 3 * np.arange(8))


def test_where_mlir_lowers_to_something_else(parse: Parse, mlir_opt: MLIROpt):
    """It clamps to the wrong side, and returns what an atomic update has replaced.

    The documentation of the ops: clampf is between its bounds, and the result of
    generic_atomic_rmw "represents the latest value that was stored".
    """
    text = """
    func.func @f(%x: f32, %m: memref<1xi32>) -> (f32, i32) {
      %c0 = arith.constant 0 : index
      %lo = arith.constant -1.0 : f32
      %hi = arith.constant 2.0 : f32
      %c = math.clampf %x to [%lo, %hi] : f32
      %r = memref.generic_atomic_rmw %m[%c0] : memref<1xi32> {
      ^bb0(%old: i32):
        %c3 = arith.constant 3 : i32
        %new = arith.muli %old, %c3 : i32
        memref.atomic_yield %new : i32
      }
      func.return %c, %r : f32, i32
    }"""
    signatures = [signature_of(f) for f in public_functions(parse(text))]
    expanded = mlir_opt(text, "--math-expand-ops", "--convert-arith-to-llvm")
    for program, result in (
        (compile_llvm_ir(ours(parse(text)), signatures), (0.5, 15)),
        (compile_llvm_ir(theirs(expanded, mlir_opt), signatures), (2, 5)),
    ):
        m = np.array([5], np.int32)
        assert tuple(program["f"](0.5, m)) == result
        assert m[0] == 15

"""What xDSL's LLVM back end cannot print or prints wrongly, and how we get by.

The other traps have their tests with the ops that they concern:

- `test_lower_control_flow`: blocks out of order, and two edges to one block,
- `test_lower_memref`: alignment, and constants of several dimensions,
- `test_lower_bfloat16`: bf16,
- `test_every_op`: indirect calls, and conversions that xDSL has no ops for.
"""

from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.compile import compile_module, llvm_ir
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.support.errors import OperationError

Build = Callable[[str], CompiledModule]
Parse = Callable[[str], ModuleOp]


def test_one_intrinsic_at_several_types(build: Build):
    program = build("""
    func.func @f(%x: f32, %y: f64, %v: f32) -> (f32, f64, f32, f64) {
      %0 = math.sqrt %x : f32
      %1 = math.sqrt %y : f64
      %2 = "llvm.intr.sqrt"(%x) <{fastmathFlags = #llvm.fastmath<none>}> : (f32) -> f32
      %3 = "llvm.intr.sqrt"(%y) <{fastmathFlags = #llvm.fastmath<none>}> : (f64) -> f64
      func.return %0, %1, %2, %3 : f32, f64, f32, f64
    }""")
    assert tuple(program["f"](4.0, 9.0, 1.0)) == (2, 3, 2, 3)


def test_other_types_through_a_pointer_of_the_llvm_dialect(build: Build):
    program = build("""
    func.func @f(%x: f32) -> i32 {
      %one = llvm.mlir.constant(1 : i64) : i64
      %p = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
      "llvm.store"(%x, %p) <{ordering = 0 : i64}> : (f32, !llvm.ptr) -> ()
      %q = llvm.getelementptr %p[0] : (!llvm.ptr) -> !llvm.ptr, i8
      %r = "llvm.load"(%q) <{ordering = 0 : i64}> : (!llvm.ptr) -> i32
      func.return %r : i32
    }""")
    assert program["f"](1.5) == np.float32(1.5).view(np.int32)


def test_comparisons_and_choices_of_vectors(build: Build):
    program = build("""
    func.func @f(%m: memref<4xf32>, %o: memref<4xf32>) {
      %c0 = arith.constant 0 : index
      %a = vector.load %m[%c0] : memref<4xf32>, vector<4xf32>
      %z = arith.constant dense<0.0> : vector<4xf32>
      %c = arith.cmpf ogt, %a, %z : vector<4xf32>
      %r = arith.select %c, %a, %z : vector<4xi1>, vector<4xf32>
      vector.store %r, %o[%c0] : memref<4xf32>, vector<4xf32>
      func.return
    }""")
    o = np.ones(4, np.float32)
    program["f"](np.array([1, -2, 3, np.nan], np.float32), o)
    np.testing.assert_array_equal(o, [1, 0, 3, 0])


def test_flags_stay_on_arithmetic_and_leave_intrinsics(parse: Parse):
    text = llvm_ir(
        parse("""
    func.func @f(%x: f32, %y: f32, %i: i32) -> (f32, f32, i32) {
      %0 = arith.addf %x, %y fastmath<nnan,contract> : f32
      %1 = math.sqrt %0 fastmath<fast> : f32
      %2 = arith.addi %i, %i overflow<nsw, nuw> : i32
      func.return %0, %1, %2 : f32, f32, i32
    }""")
    )
    assert "fadd nnan contract float" in text or "fadd contract nnan float" in text
    assert "add nsw nuw i32" in text or "add nuw nsw i32" in text
    assert 'call float @"llvm.sqrt.f32"' in text


def test_public_globals_are_definitions(build: Build):
    """The back end prints `external`, which is for declarations only."""
    program = build("""
    memref.global @table : memref<2xi32> = dense<[3, 4]>
    func.func @f() -> i32 {
      %c1 = arith.constant 1 : index
      %t = memref.get_global @table : memref<2xi32>
      %x = memref.load %t[%c1] : memref<2xi32>
      func.return %x : i32
    }""")
    assert program["f"]() == 4


def test_a_function_from_elsewhere_cannot_be_called(parse: Parse):
    module = parse("""
    func.func private @f(%g: () -> i32) -> i32 {
      %r = func.call_indirect %g() : () -> i32
      func.return %r : i32
    }""")
    with pytest.raises(OperationError, match="only functions of the module can be"):
        compile_module(module)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            """%r = arith.truncf %x upward : f64 to f32
            func.return""",
            "rounding upward has no lowering",
        ),
        (
            """%u = memref.cast %m : memref<4xf32> to memref<*xf32>
            cf.br ^bb1(%u : memref<*xf32>)
            ^bb1(%v: memref<*xf32>):
            func.return""",
            "cannot be carried by a block argument; cast it to a ranked one",
        ),
        (
            """%u = memref.cast %m : memref<4xf32> to memref<*xf32>
            %r = scf.for %k = %i to %i step %i iter_args(%v = %u) -> memref<*xf32> {
              scf.yield %v : memref<*xf32>
            }
            func.return""",
            "cannot be carried by a block argument; cast it to a ranked one",
        ),
        (
            """%v = vector.load %m[%i] : memref<4xf32>, vector<4xf32>
            %s = arith.truncf %v : vector<4xf32> to vector<4xf8E4M3FN>
            func.return""",
            "type vector<4xf8E4M3FN> cannot be lowered to the llvm dialect",
        ),
        (
            """%v = arith.constant dense<0.0> : vector<[4]xf32>
            func.return""",
            "a vector has a fixed size here",
        ),
        (
            """%s = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 3>
            func.return""",
            "memory space 3 : i64 does not exist on a CPU",
        ),
        (
            """%v = vector.load %m[%i] : memref<4xf32>, vector<4xf32>
            %k = vector.create_mask %i, %i : vector<4x4xi1>
            %r = vector.mask %k {
              vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32>
            } : vector<4x4xi1> -> vector<4x4xf32>
            func.return""",
            "a masked 'vector.outerproduct' has no lowering",
        ),
    ],
)
def test_refusals_say_what_to_do(parse: Parse, body: str, message: str):
    module = parse(f"""
    func.func @f(%m: memref<4xf32>, %x: f64, %i: index) {{
      {body}
    }}""")
    with pytest.raises(OperationError, match=message):
        compile_module(module)

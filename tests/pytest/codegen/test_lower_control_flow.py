"""scf, cf and func, executed; control flow carries numbers and buffers."""

import ctypes
from collections.abc import Callable

import numpy as np
import pytest
from xdsl.backend.llvm.convert import convert_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.llvm.module import lower_to_llvm
from xdsl_bufferization.codegen.llvm_request_c_wrappers import (
    LLVMRequestCWrappersPass,
)
from xdsl_bufferization.pipelines.compile import compile_module, llvm_ir
from xdsl_bufferization.pipelines.signatures import signatures_of
from xdsl_bufferization.runtime.engine import CompiledModule, compile_llvm_ir
from xdsl_bufferization.runtime.errors import ProgramError
from xdsl_bufferization.support.errors import OperationError

Build = Callable[[str], CompiledModule]
Parse = Callable[[str], ModuleOp]


def test_for_carries_values(build: Build):
    program = build("""
    func.func @f(%l: index, %u: index, %s: index) -> (index, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a, %b = scf.for %i = %l to %u step %s iter_args(%x = %c0, %y = %c1)
          -> (index, index) {
        %t = arith.addi %x, %i : index
        scf.yield %y, %t : index, index
      }
      func.return %a, %b : index, index
    }""")

    def reference(lower: int, upper: int, step: int) -> tuple[int, int]:
        x, y = 0, 1
        for i in range(lower, upper, step):
            x, y = y, x + i
        return x, y

    for bounds in ((0, 10, 3), (-5, 5, 1), (5, 5, 1), (7, 3, 1)):
        assert tuple(program["f"](*bounds)) == reference(*bounds)


def test_for_over_i32(build: Build):
    program = build("""
    func.func @f(%n: i32) -> i32 {
      %c0 = arith.constant 0 : i32
      %c2 = arith.constant 2 : i32
      %r = scf.for %i = %c0 to %n step %c2 iter_args(%x = %c0) -> (i32) : i32 {
        %t = arith.addi %x, %i : i32
        scf.yield %t : i32
      }
      func.return %r : i32
    }""")
    assert program["f"](9) == 0 + 2 + 4 + 6 + 8


def test_for_carries_buffers_of_dynamic_layout(build: Build):
    type = "memref<?xf32, strided<[?], offset: ?>>"
    program = build(f"""
    func.func @f(%a: {type}, %b: {type}, %n: index) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %p, %q = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
          -> ({type}, {type}) {{
        %v = memref.load %x[%c1] : {type}
        %w = arith.addf %v, %one : f32
        memref.store %w, %x[%c1] : {type}
        scf.yield %y, %x : {type}, {type}
      }}
      memref.store %one, %p[%c0] : {type}
      func.return
    }}""")
    a, b = np.zeros(6, np.float32), np.zeros(6, np.float32)
    program["f"](a[::2], b[::-1], 3)
    np.testing.assert_array_equal(a, [0, 0, 2, 0, 0, 0])
    np.testing.assert_array_equal(b, [0, 0, 0, 0, 1, 1])


def test_if_with_and_without_else(build: Build):
    program = build("""
    func.func @f(%c: i1, %m: memref<1xf32>, %k: memref<1xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      scf.if %c {
        memref.store %one, %m[%c0] : memref<1xf32>
      }
      %x, %r = scf.if %c -> (f32, memref<1xf32>) {
        scf.yield %one, %m : f32, memref<1xf32>
      } else {
        scf.yield %two, %k : f32, memref<1xf32>
      }
      %y = memref.load %r[%c0] : memref<1xf32>
      %z = arith.addf %x, %y : f32
      func.return %z : f32
    }""")
    m, k = np.array([5], np.float32), np.array([7], np.float32)
    assert program["f"](False, m, k) == 9
    assert m == 5
    assert program["f"](True, m, k) == 2
    assert m == 1


def test_while_passes_other_types_to_the_body(build: Build):
    program = build("""
    func.func @f(%n: i32) -> (f32, index) {
      %c0 = arith.constant 0 : i32
      %s = arith.constant 0 : index
      %x, %t = scf.while (%i = %c0, %a = %s) : (i32, index) -> (f32, index) {
        %more = arith.cmpi slt, %i, %n : i32
        %f = arith.sitofp %i : i32 to f32
        scf.condition(%more) %f, %a : f32, index
      } do {
      ^bb0(%f: f32, %a: index):
        %c1 = arith.constant 1 : i32
        %c10 = arith.constant 10 : index
        %j = arith.fptosi %f : f32 to i32
        %k = arith.addi %j, %c1 : i32
        %b = arith.addi %a, %c10 : index
        scf.yield %k, %b : i32, index
      }
      func.return %x, %t : f32, index
    }""")
    assert tuple(program["f"](4)) == (4.0, 40)
    assert tuple(program["f"](-1)) == (0.0, 0)


def test_index_switch(build: Build):
    program = build("""
    func.func @f(%i: index) -> i32 {
      %r = scf.index_switch %i -> i32
      case 2 {
        %a = arith.constant 20 : i32
        scf.yield %a : i32
      }
      case 5 {
        %b = arith.constant 50 : i32
        scf.yield %b : i32
      }
      default {
        %d = arith.constant -1 : i32
        scf.yield %d : i32
      }
      func.return %r : i32
    }""")
    assert [program["f"](i) for i in (2, 5, 0)] == [20, 50, -1]


def test_execute_region_with_several_blocks(build: Build):
    program = build("""
    func.func @f(%c: i1) -> i32 {
      %r = "scf.execute_region"() ({
        %a = arith.constant 1 : i32
        "cf.cond_br"(%c, %a)[^yes, ^no]
          <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
      ^yes(%x: i32):
        "scf.yield"(%x) : (i32) -> ()
      ^no:
        %b = arith.constant 2 : i32
        "scf.yield"(%b) : (i32) -> ()
      }) : () -> i32
      func.return %r : i32
    }""")
    assert (program["f"](True), program["f"](False)) == (1, 2)


def test_parallel_with_reduction(build: Build):
    program = build("""
    func.func @f(%m: memref<?x?xf32>, %a: index, %b: index) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %r = "scf.parallel"(%c0, %c0, %a, %b, %c1, %c1, %zero) <{
          operandSegmentSizes = array<i32: 2, 2, 2, 1>}> ({
      ^bb0(%i: index, %j: index):
        %x = memref.load %m[%i, %j] : memref<?x?xf32>
        "scf.reduce"(%x) ({
        ^bb1(%l: f32, %h: f32):
          %s = arith.addf %l, %h : f32
          "scf.reduce.return"(%s) : (f32) -> ()
        }) : (f32) -> ()
      }) : (index, index, index, index, index, index, f32) -> f32
      func.return %r : f32
    }""")
    m = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert program["f"](m, 3, 4) == m.sum()
    assert program["f"](m, 0, 4) == 0


def test_forall_with_all_kinds_of_bounds(build: Build):
    program = build("""
    func.func @f(%m: memref<?x?xf32>, %a: index, %b: index, %v: f32) {
      scf.forall (%i, %j) = (%a, 1) to (3, %b) step (1, 2) {
        memref.store %v, %m[%i, %j] : memref<?x?xf32>
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      func.return
    }""")
    m = np.zeros((3, 6), np.float32)
    program["f"](m, 1, 6, 4.0)
    expected = np.zeros((3, 6), np.float32)
    expected[1:3, 1:6:2] = 4
    assert np.array_equal(m, expected)
    program["f"](m, 3, 6, 5.0)
    assert np.array_equal(m, expected)


# cf.


def test_cfg_loop_with_blocks_out_of_order(build: Build):
    program = build("""
    func.func @f(%n: index) -> index {
      %c0 = arith.constant 0 : index
      cf.br ^header(%c0, %c0 : index, index)
    ^exit(%r: index):
      func.return %r : index
    ^body(%k: index, %t: index):
      %c1 = arith.constant 1 : index
      %j = arith.addi %k, %c1 : index
      %u = arith.addi %t, %j : index
      cf.br ^header(%j, %u : index, index)
    ^header(%i: index, %s: index):
      %more = arith.cmpi slt, %i, %n : index
      cf.cond_br %more, ^body(%i, %s : index, index), ^exit(%s : index)
    ^unreachable:
      cf.br ^header(%c0, %c0 : index, index)
    }""")
    assert program["f"](4) == 1 + 2 + 3 + 4


def test_both_edges_of_a_branch_to_one_block(build: Build):
    program = build("""
    func.func @f(%c: i1, %a: memref<1xi32>, %b: memref<1xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      cf.cond_br %c, ^next(%a : memref<1xi32>), ^next(%b : memref<1xi32>)
    ^next(%m: memref<1xi32>):
      cf.cond_br %c, ^last, ^last
    ^last:
      %r = memref.load %m[%c0] : memref<1xi32>
      func.return %r : i32
    }""")
    a, b = np.array([3], np.int32), np.array([4], np.int32)
    assert (program["f"](True, a, b), program["f"](False, a, b)) == (3, 4)


def test_switch_with_cases_that_share_a_block(build: Build):
    program = build("""
    func.func @f(%i: i32, %a: i32, %b: i32) -> i32 {
      cf.switch %i : i32, [
        default: ^other(%a : i32),
        1: ^other(%b : i32),
        -7: ^other(%i : i32),
        3: ^done
      ]
    ^other(%x: i32):
      func.return %x : i32
    ^done:
      %m = arith.constant -1 : i32
      func.return %m : i32
    }""")
    assert [program["f"](i, 10, 20) for i in (0, 1, -7, 3)] == [10, 20, -7, -1]


ASSERTION = """
func.func @f(%c: i1) -> i32 {
  cf.assert %c, "must \\22hold\\22"
  cf.assert %c, "must \\22hold\\22"
  %r = arith.constant 1 : i32
  func.return %r : i32
}"""


def test_assert_that_holds(build: Build):
    assert build(ASSERTION)["f"](True) == 1


def test_assert_that_fails_ends_the_call_with_its_message(build: Build):
    program = build(ASSERTION)
    with pytest.raises(ProgramError, match=r"'cf.assert': must .hold.$"):
        program["f"](False)
    assert program["f"](True) == 1


# func.


def test_calls_pass_and_return_buffers(build: Build):
    type = "memref<?x?xf32, strided<[?, ?], offset: ?>>"
    program = build(f"""
    func.func private @shift(%m: {type}, %k: index) -> ({type}, index) {{
      %c1 = arith.constant 1 : index
      %v = memref.subview %m[1, %k] [2, 2] [1, %c1] : {type}
        to memref<2x2xf32, strided<[?, ?], offset: ?>>
      %w = memref.cast %v : memref<2x2xf32, strided<[?, ?], offset: ?>> to {type}
      %j = arith.addi %k, %c1 : index
      func.return %w, %j : {type}, index
    }}
    func.func @f(%m: {type}) -> (f32, index) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a, %i = func.call @shift(%m, %c1) : ({type}, index) -> ({type}, index)
      %x = memref.load %a[%c1, %c0] : {type}
      func.return %x, %i : f32, index
    }}
    func.func @same(%m: {type}) -> {type} {{
      func.return %m : {type}
    }}
    func.func @twice(%m: {type}) -> {type} {{
      %a = func.call @same(%m) : ({type}) -> {type}
      %b = func.call @same(%a) : ({type}) -> {type}
      func.return %b : {type}
    }}""")
    m = np.arange(24, dtype=np.float32).reshape(4, 6)[:, ::2]
    assert tuple(program["f"](m)) == (m[2, 1], 2)
    np.testing.assert_array_equal(program["twice"](m), m)


def test_recursion_and_scalar_results(build: Build):
    program = build("""
    func.func @fib(%n: i64) -> i64 {
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %small = arith.cmpi sle, %n, %c1 : i64
      %r = scf.if %small -> (i64) {
        scf.yield %n : i64
      } else {
        %a = arith.subi %n, %c1 : i64
        %b = arith.subi %n, %c2 : i64
        %x = func.call @fib(%a) : (i64) -> i64
        %y = func.call @fib(%b) : (i64) -> i64
        %z = arith.addi %x, %y : i64
        scf.yield %z : i64
      }
      func.return %r : i64
    }""")
    assert program["fib"](12) == 144


def test_external_functions_of_the_c_library(build: Build):
    program = build("""
    func.func private @hypot(f64, f64) -> f64
    func.func @f(%x: f64, %y: f64) -> f64 {
      %r = func.call @hypot(%x, %y) : (f64, f64) -> f64
      func.return %r : f64
    }""")
    assert program["f"](3.0, 4.0) == 5.0


def test_heap_functions_may_be_declared_already(build: Build):
    program = build("""
    func.func private @_mlir_memref_to_llvm_free(!llvm.ptr)
    func.func @f() {
      %m = memref.alloc() : memref<4xf32>
      memref.dealloc %m : memref<4xf32>
      func.return
    }""")
    assert program["f"]() is None


def test_symbol_of_the_runtime_with_another_type(parse: Parse):
    module = parse("""
    func.func private @malloc(f32) -> f32
    func.func @f() {
      %m = memref.alloc() : memref<4xf32>
      func.return
    }""")
    with pytest.raises(OperationError, match=r"another symbol of that name; rename it"):
        lower_to_llvm(module)


def test_c_wrappers_are_requested_for_public_functions_with_bodies(parse: Parse):
    module = parse("""
    func.func @public() { func.return }
    func.func private @private() { func.return }
    func.func private @external()
    """)
    LLVMRequestCWrappersPass().apply(Context(), module)
    lower_to_llvm(module)
    text = str(module)
    assert "@_mlir_ciface_public" in text
    assert "@_mlir_ciface_private" not in text
    assert "@_mlir_ciface_external" not in text


def test_external_function_is_called_through_its_c_interface(parse: Parse):
    """A C function that takes a descriptor by pointer and returns one in a struct."""
    module = parse("""
    func.func private @c_double(memref<?xf64>, index) -> (memref<?xf64>, f64)
      attributes {llvm.emit_c_interface}
    func.func @f(%m: memref<?xf64>) -> (memref<?xf64>, f64) {
      %c1 = arith.constant 1 : index
      %r, %x = func.call @c_double(%m, %c1) : (memref<?xf64>, index)
        -> (memref<?xf64>, f64)
      func.return %r, %x : memref<?xf64>, f64
    }""")

    @ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 2, ctypes.c_int64)
    def c_double(result: int, argument: int, index: int) -> None:
        words = (ctypes.c_int64 * 5).from_address(argument)
        aligned, offset, stride = words[1], words[2], words[4]
        element = aligned + 8 * (offset + index * stride)
        value = ctypes.c_double.from_address(element)
        value.value *= 2
        ctypes.memmove(result, argument, 40)
        ctypes.c_double.from_address(result + 40).value = value.value

    address = ctypes.cast(c_double, ctypes.c_void_p).value
    assert address is not None
    program = compile_llvm_ir(
        llvm_ir(module),
        signatures_of(module),
        symbols={"_mlir_ciface_c_double": address},
    )
    m = np.array([1.0, 5.0, 7.0])
    result, value = program["f"](m[::1])
    assert value == 10
    np.testing.assert_array_equal(m, [1, 10, 7])
    np.testing.assert_array_equal(result, m)


def test_llvm_ops_pass_through(parse: Parse):
    module = parse("""
    llvm.func @already(%x: i64) -> i64 {
      llvm.return %x : i64
    }
    func.func @f(%x: i64) -> i64 {
      %y = llvm.add %x, %x : i64
      %z = llvm.call @already(%y) : (i64) -> i64
      func.return %z : i64
    }""")
    assert compile_module(module)["f"](4) == 8


def test_blocks_stay_in_an_order_that_the_back_end_accepts(parse: Parse):
    loops = "\n".join(
        f"scf.for %i{n} = %c0 to %c1 step %c1 {{ scf.if %b {{ }} }}" for n in range(20)
    )
    module = parse(f"""
    func.func @f(%b: i1) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      {loops}
      func.return
    }}""")
    lower_to_llvm(module)
    module.verify()
    assert "define void" in str(convert_module(module, fallback_target_triple=None))


def test_long_chains_of_blocks_need_no_recursion(parse: Parse):
    count = 1500
    blocks = "\n".join(
        f"^bb{n}(%x{n}: i64):\n cf.br ^bb{n + 1}(%x{n} : i64)" for n in range(count)
    )
    module = parse(f"""
    func.func @f(%x: i64) -> i64 {{
      cf.br ^bb0(%x : i64)
    {blocks}
    ^bb{count}(%r: i64):
      func.return %r : i64
    }}""")
    assert compile_module(module)["f"](7) == 7

"""Modules on buffers to callables, and what their signatures say."""

import gc

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import (
    arith,
    bufferization,
    cf,
    func,
    linalg,
    llvm,
    memref,
    scf,
    tensor,
)
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser

from xdsl_bufferization.pipelines.compile import compile_module, llvm_ir
from xdsl_bufferization.pipelines.signatures import public_functions, signatures_of
from xdsl_bufferization.runtime import ArgumentError, CountingHeap
from xdsl_bufferization.support.abi import (
    FunctionSignature,
    MemRefSignature,
    ScalarSignature,
    StridedLayout,
)
from xdsl_bufferization.support.errors import OperationError

COPY = """
func.func @copy(%x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  "memref.copy"(%x, %r) : (memref<?xf32>, memref<?xf32>) -> ()
  return %r : memref<?xf32>
}
"""


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (
        Builtin,
        arith.Arith,
        bufferization.Bufferization,
        cf.Cf,
        func.Func,
        linalg.Linalg,
        llvm.LLVM,
        memref.MemRef,
        scf.Scf,
        tensor.Tensor,
    ):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def signature(text: str) -> FunctionSignature:
    (found,) = signatures_of(parse(text))
    return found


def written(body: str, attributes: str = "") -> bool:
    (argument,) = signature(
        "func.func private @elsewhere(memref<4x4xf32>)\n"
        f"func.func @f(%x: memref<4x4xf32>{attributes}) {{\n{body}\nreturn\n}}"
    ).arguments
    assert isinstance(argument, MemRefSignature)
    return argument.written


def test_signature():
    found = signature("""
    func.func @f(
        %x: memref<?x4xf32>, %n: index, %s: f64,
        %v: memref<4x?xi8, strided<[?, 1], offset: 2>>,
        %m: memref<4xi1, affine_map<(d0) -> (d0)>>
    ) -> (memref<f32>, i1) {
      %r = memref.alloc() : memref<f32>
      %b = arith.constant true
      return %r, %b : memref<f32>, i1
    }
    """)
    assert found == FunctionSignature(
        "f",
        (
            MemRefSignature("f32", (None, 4), None, False, "x", read=False),
            ScalarSignature("index", "n"),
            ScalarSignature("f64", "s"),
            MemRefSignature(
                "i8", (4, None), StridedLayout((None, 1), 2), False, "v", read=False
            ),
            MemRefSignature("i1", (4,), None, False, "m", read=False),
        ),
        (MemRefSignature("f32", ()), ScalarSignature("i1")),
    )
    assert str(found) == (
        "f(f32[?x4], index, f64, i8[4x?, strided<[?, 1], offset: 2>], i1[4])"
        " -> (f32[], i1)"
    )


def test_pointers_are_compared_and_stored_without_writing():
    assert not written("""
    %p = "memref.extract_aligned_pointer_as_index"(%x)
    : (memref<4x4xf32>) -> index
    %c0 = arith.constant 0 : index
    %same = arith.cmpi eq, %p, %c0 : index
    %list = memref.alloc() : memref<index>
    memref.store %p, %list[] : memref<index>
    """)
    assert written("""
    %p = "memref.extract_aligned_pointer_as_index"(%x)
    : (memref<4x4xf32>) -> index
    %q = arith.addi %p, %p : index
    """)


def test_only_public_functions_with_bodies():
    module = parse("""
    func.func private @helper(%x: memref<*xf32>) { return }
    func.func private @elsewhere(memref<4xf32>)
    func.func @f() { return }
    """)
    assert [f.sym_name.data for f in public_functions(module)] == ["f"]


def test_reads_do_not_write():
    assert not written("")
    assert not written("""
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%c0, %c0] : memref<4x4xf32>
    %n = memref.dim %x, %c0 : memref<4x4xf32>
    %r = memref.alloc() : memref<4x4xf32>
    "memref.copy"(%x, %r) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
    linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>)
                  outs(%r : memref<4x4xf32>)
    %v = memref.subview %x[0, 0] [2, 2] [1, 1]
      : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
    %b = memref.load %v[%c0, %c0] : memref<2x2xf32, strided<[4, 1]>>
    """)


@pytest.mark.parametrize(
    "body",
    [
        """
        %c0 = arith.constant 0 : index
        %a = arith.constant 1.0 : f32
        memref.store %a, %x[%c0, %c0] : memref<4x4xf32>
        """,
        """
        %r = memref.alloc() : memref<4x4xf32>
        "memref.copy"(%r, %x) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
        """,
        """
        linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>)
                      outs(%x : memref<4x4xf32>)
        """,
        """
        %a = arith.constant 1.0 : f32
        %v = memref.subview %x[0, 0] [2, 2] [1, 1]
          : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
        linalg.fill ins(%a : f32) outs(%v : memref<2x2xf32, strided<[4, 1]>>)
        """,
        """
        %r = memref.alloc() : memref<4x4xf32>
        %u = "memref.cast"(%x) : (memref<4x4xf32>) -> memref<*xf32>
        %v = "memref.cast"(%r) : (memref<4x4xf32>) -> memref<*xf32>
        "memref.copy"(%v, %u) : (memref<*xf32>, memref<*xf32>) -> ()
        """,
        "func.call @elsewhere(%x) : (memref<4x4xf32>) -> ()",
    ],
)
def test_everything_else_may_write(body: str):
    assert written(body)
    assert not written(body, ' {bufferization.access = "read"}')
    assert written(body, ' {bufferization.access = "read-write"}')


@pytest.mark.parametrize(
    ("types", "message"),
    [
        (["tensor<4xf32>"], "argument 0 of public function @f is tensor<4xf32>"),
        (["f32", "f128"], "argument 1 of public function @f is f128"),
        (["memref<4xf128>"], "is memref<4xf128>, .* a memref of one of bf16, complex"),
        (["memref<*xf32>"], "which Python cannot exchange"),
        (["memref<4x4xf32, affine_map<(i, j) -> (j, i)>>"], "use a layout of the form"),
    ],
)
def test_what_python_cannot_exchange(types: list[str], message: str):
    arguments = ", ".join(f"%a{i} : {t}" for i, t in enumerate(types))
    text = f"func.func @f({arguments})"
    with pytest.raises(OperationError, match=message) as error:
        signature(text + " { return }")
    assert isinstance(error.value.op, func.FuncOp)
    assert "or make the function private" in str(error.value)


def test_compile_and_run():
    module = parse(COPY)
    before = str(module)
    compiled = compile_module(module)
    assert str(module) == before
    x = np.arange(5, dtype=np.float32)
    x.flags.writeable = False
    y = compiled["copy"](x)
    np.testing.assert_array_equal(y, x)
    assert not np.shares_memory(x, y)
    assert compiled["copy"].compile_seconds > 0


def test_errors_name_the_argument_of_the_program():
    compiled = compile_module(parse(COPY))
    with pytest.raises(ArgumentError) as error:
        compiled["copy"](np.zeros((2, 2)))
    assert str(error.value) == (
        "copy: argument 0 (%x): expected f32[?], got float64 array of shape (2, 2)"
    )


def test_counted_run():
    compiled = compile_module(parse(COPY), count_copies=True)
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    y = compiled["copy"](np.ones(5, np.float32))
    report = heap.report()
    assert (report.allocs, report.frees, report.live_bytes) == (1, 0, 20)
    assert (report.copies, report.copied_bytes) == (1, 20)
    del y
    gc.collect()
    report = heap.report()
    assert (report.frees, report.live_bytes, report.peak_bytes) == (1, 0, 20)
    assert (report.double_frees, report.foreign_frees) == (0, 0)


def test_copies_are_not_counted_unless_asked():
    compiled = compile_module(parse(COPY), counting_heap=True)
    compiled["copy"](np.ones(5, np.float32))
    assert isinstance(compiled.heap, CountingHeap)
    assert compiled.heap.report().copies == 0


def test_poison():
    text = """
    func.func @f() -> memref<8xf64> {
      %r = memref.alloc() : memref<8xf64>
      return %r : memref<8xf64>
    }
    """
    compiled = compile_module(parse(text), poison=True)
    assert np.isnan(compiled["f"]()).all()


@pytest.mark.parametrize("opt_level", [0, 3])
def test_argument_with_a_static_offset(opt_level: int):
    text = """
    func.func @f(%x: memref<4xi32, strided<[?], offset: 3>>) {
      %c1 = arith.constant 1 : index
      %v = arith.constant 9 : i32
      memref.store %v, %x[%c1] : memref<4xi32, strided<[?], offset: 3>>
      return
    }
    """
    x = np.zeros(8, np.int32)
    compile_module(parse(text), opt_level=opt_level)["f"](x[6::-2])
    np.testing.assert_array_equal(x, [0, 0, 0, 0, 9, 0, 0, 0])


def test_aliases_of_one_allocation():
    text = """
    func.func @f(%x: memref<4x4xf32>)
        -> (memref<4x4xf32>, memref<2xf32, strided<[1], offset: 5>>, index) {
      %v = memref.subview %x[1, 1] [1, 2] [1, 1]
        : memref<4x4xf32> to memref<2xf32, strided<[1], offset: 5>>
      %n = arith.constant 7 : index
      return %x, %v, %n
        : memref<4x4xf32>, memref<2xf32, strided<[1], offset: 5>>, index
    }
    """
    x = np.arange(16, dtype=np.float32).reshape(4, 4)
    same, part, number = compile_module(parse(text), counting_heap=True)["f"](x)
    assert np.shares_memory(same, x) and number == 7
    np.testing.assert_array_equal(part, x[1, 1:3])
    part[0] = -1
    assert x[1, 1] == -1


def test_returned_global_is_read_only():
    text = """
    "memref.global"() {sym_name = "g", sym_visibility = "private", constant,
      type = memref<2xi32>, initial_value = dense<[3, 4]> : tensor<2xi32>} : () -> ()
    func.func @f() -> memref<2xi32> {
      %g = memref.get_global @g : memref<2xi32>
      return %g : memref<2xi32>
    }
    """
    result = compile_module(parse(text))["f"]()
    gc.collect()
    np.testing.assert_array_equal(result, [3, 4])
    assert not result.flags.writeable


@pytest.mark.parametrize("size", [4, 100_000])
def test_constants_of_any_size(size: int):
    """Large ones do not travel through LLVM, and are as read-only and as aligned."""
    data = np.random.default_rng(1).standard_normal(size).astype(np.float32)
    text = f"""
    "memref.global"() {{sym_name = "g", sym_visibility = "private", constant,
      alignment = 64 : i64, type = memref<{size}xf32>,
      initial_value = dense<"0x{data.tobytes().hex()}"> : tensor<{size}xf32>
    }} : () -> ()
    func.func @f() -> memref<{size}xf32> {{
      %g = memref.get_global @g : memref<{size}xf32>
      return %g : memref<{size}xf32>
    }}
    """
    module = parse(text)
    result = compile_module(module)["f"]()
    gc.collect()
    np.testing.assert_array_equal(result, data)
    assert not result.flags.writeable
    assert len(llvm_ir(module)) > size  # The text form is complete.


def test_llvm_ir_has_c_interfaces_of_public_functions_only():
    text = llvm_ir(parse(COPY + "func.func private @g() { return }"))
    assert "_mlir_ciface_copy" in text
    assert "_mlir_ciface_g" not in text


def test_what_cannot_be_lowered_is_located():
    module = parse("""
    func.func @f() {
      %t = tensor.empty() : tensor<4xf32>
      return
    }
    """)
    with pytest.raises(OperationError, match=r"tensor\.empty") as error:
        compile_module(module)
    assert error.value.op.name == "tensor.empty"

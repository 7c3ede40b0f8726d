"""Buffers, views and copies, executed and compared with NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.expand_strided_metadata import (
    ExpandStridedMetadataPass,
)
from xdsl_bufferization.codegen.llvm.module import lower_to_llvm
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.to_llvm import ToLLVMPass
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.heap import CountingHeap, HeapReport
from xdsl_bufferization.support.errors import OperationError

Build = Callable[[str], CompiledModule]
Parse = Callable[[str], ModuleOp]


def matrix(
    rows: int, columns: int
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


def report(program: CompiledModule) -> HeapReport:
    heap = program.heap
    assert isinstance(heap, CountingHeap)
    return heap.report()


def test_the_function_that_allocates_has_a_name_of_its_own(build: Build):
    program = build("""
    func.func private @_xbuf_allocate_64() {
      func.return
    }
    func.func @f(%x: f32) -> f32 {
      %m = memref.alloc() {alignment = 64 : i64} : memref<f32>
      func.call @_xbuf_allocate_64() : () -> ()
      memref.store %x, %m[] : memref<f32>
      %y = memref.load %m[] : memref<f32>
      memref.dealloc %m : memref<f32>
      func.return %y : f32
    }""")
    assert program["f"](2.5) == 2.5


@pytest.mark.unguarded(reason="guarded buffers are not aligned")
def test_alloc_load_store_dealloc(build: Build):
    program = build("""
    func.func @f(%n: index, %x: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?x3xf32>
      memref.store %x, %m[%c0, %c2] : memref<?x3xf32>
      %y = memref.load %m[%c0, %c2] : memref<?x3xf32>
      memref.dealloc %m : memref<?x3xf32>
      func.return %y : f32
    }""")
    assert program["f"](5, 2.5) == 2.5
    heap = report(program)
    assert (heap.allocs, heap.frees, heap.live_bytes) == (1, 1, 0)
    assert heap.peak_bytes == 5 * 3 * 4 + 64


@pytest.mark.unguarded(reason="guarded buffers are not aligned")
@pytest.mark.parametrize("alignment", [16, 64, 4096])
def test_alignment_is_kept_and_the_allocated_pointer_freed(
    build: Build, alignment: int
):
    program = build(f"""
    func.func @f() -> index {{
      %m = memref.alloc() {{alignment = {alignment} : i64}} : memref<3xf64>
      %p = memref.extract_aligned_pointer_as_index %m : memref<3xf64> -> index
      memref.dealloc %m : memref<3xf64>
      func.return %p : index
    }}""")
    for _ in range(5):
        assert int(program["f"]()) % alignment == 0
    heap = report(program)
    assert heap.foreign_frees == 0
    assert heap.frees == 5


@pytest.mark.parametrize("type", ["memref<0xf32>", "memref<4x0x?xf32>"])
def test_empty_buffers(build: Build, type: str):
    sizes = "%n" if "?" in type else ""
    program = build(f"""
    func.func @f(%n: index) -> {type} {{
      %m = memref.alloc({sizes}) : {type}
      %k = memref.alloc({sizes}) : {type}
      memref.copy %m, %k : {type} to {type}
      memref.dealloc %m : {type}
      func.return %k : {type}
    }}""")
    assert program["f"](3).size == 0


def test_rank_0(build: Build):
    program = build("""
    func.func @f(%x: memref<f32>) -> memref<f32> {
      %v = memref.load %x[] : memref<f32>
      %w = arith.addf %v, %v : f32
      %m = memref.alloc() : memref<f32>
      memref.store %w, %m[] : memref<f32>
      memref.copy %m, %x : memref<f32> to memref<f32>
      func.return %m : memref<f32>
    }""")
    x = np.array(1.5, np.float32)
    result = program["f"](x)
    assert result.shape == ()
    assert (result, x) == (3.0, 3.0)


@pytest.mark.parametrize(
    ("type", "dtype"), [("i1", np.bool_), ("i8", np.int8), ("index", np.int64)]
)
def test_element_types_in_memory(build: Build, type: str, dtype: Any):
    program = build(f"""
    func.func @f(%x: memref<5x{type}>) -> memref<5x{type}> {{
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %m = memref.alloc() : memref<5x{type}>
      memref.copy %x, %m : memref<5x{type}> to memref<5x{type}>
      %v = memref.load %m[%c0] : memref<5x{type}>
      memref.store %v, %m[%c3] : memref<5x{type}>
      func.return %m : memref<5x{type}>
    }}""")
    x = np.array([1, 0, 1, 0, 1], dtype)
    np.testing.assert_array_equal(program["f"](x), np.array([1, 0, 1, 1, 1], dtype))


# Views: the elements of a view are those that NumPy's slice has.

DYNAMIC = "memref<?x?xf32, strided<[?, ?], offset: ?>>"


def copy_of(view: str, type: str, result: str, parameters: str = "") -> str:
    """A function that returns the elements of a view of its argument."""
    return f"""
    func.func @f(%m: memref<6x8xf32>{parameters}) -> {result} {{
      {view}
      %r = memref.alloc() : {result}
      memref.copy %v, %r : {type} to {result}
      func.return %r : {result}
    }}"""


@pytest.mark.parametrize(
    ("view", "layout", "shape", "expected"),
    [
        ("[1, 2] [4, 8] [1, 1]", "[8, 1], offset: 10", "4x6", np.s_[1:5, 2:8]),
        ("[0, 0] [3, 4] [2, 2]", "[16, 2]", "3x4", np.s_[::2, ::2]),
        ("[2, 0] [1, 8] [1, 1]", "[1], offset: 16", "8", np.s_[2, :]),
        ("[0, 3] [6, 1] [1, 1]", "[8], offset: 3", "6", np.s_[:, 3]),
        ("[4, 5] [1, 1] [1, 1]", "[], offset: 37", "", np.s_[4, 5]),
        ("[4, 5] [1, 1] [1, 1]", "[1], offset: 37", "1", np.s_[4, 5:6]),
    ],
)
def test_static_subview(
    build: Build, view: str, layout: str, shape: str, expected: tuple[slice, slice]
):
    element = "xf32" if shape else "f32"
    type = f"memref<{shape}{element}, strided<{layout}>>"
    view = view.replace("[4, 8]", "[4, 6]")
    subview = f"%v = memref.subview %m{view} : memref<6x8xf32> to {type}"
    program = build(copy_of(subview, type, f"memref<{shape}{element}>"))
    m = matrix(6, 8)
    np.testing.assert_array_equal(program["f"](m), m[expected])


def test_dynamic_subview_of_a_subview(build: Build):
    program = build(f"""
    func.func @f(%m: {DYNAMIC}, %i: index, %n: index) -> memref<?x?xf32> {{
      %c2 = arith.constant 2 : index
      %a = memref.subview %m[%i, 1] [%n, %n] [1, %c2] : {DYNAMIC} to {DYNAMIC}
      %v = memref.subview %a[1, %i] [2, 2] [1, 1]
        : {DYNAMIC} to memref<2x2xf32, strided<[?, ?], offset: ?>>
      %c = memref.cast %v
        : memref<2x2xf32, strided<[?, ?], offset: ?>> to {DYNAMIC}
      %r = memref.alloc(%c2, %c2) : memref<?x?xf32>
      memref.copy %c, %r : {DYNAMIC} to memref<?x?xf32>
      func.return %r : memref<?x?xf32>
    }}""")
    m = matrix(6, 8)
    for source in (m, np.asfortranarray(m), m[::-1, ::-1]):
        outer = source[1 : 1 + 3, 1 : 1 + 2 * 3 : 2]
        np.testing.assert_array_equal(program["f"](source, 1, 3), outer[1:3, 1:3])


def test_rank_reduction_keeps_the_dimension_whose_stride_the_type_names(build: Build):
    type = "memref<1xf32, strided<[1], offset: 9>>"
    view = f"%v = memref.subview %m[1, 1] [1, 1] [1, 1] : memref<6x8xf32> to {type}"
    program = build(copy_of(view, type, "memref<1xf32>"))
    assert program["f"](matrix(6, 8)) == [9.0]


def test_dim_of_static_and_dynamic_dimensions(build: Build):
    program = build("""
    func.func @f(%m: memref<3x?xf32>, %i: index) -> (index, index, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = memref.dim %m, %c0 : memref<3x?xf32>
      %b = memref.dim %m, %c1 : memref<3x?xf32>
      %c = memref.dim %m, %i : memref<3x?xf32>
      func.return %a, %b, %c : index, index, index
    }""")
    assert tuple(program["f"](matrix(3, 7), 0)) == (3, 7, 3)
    assert tuple(program["f"](matrix(3, 7), 1)) == (3, 7, 7)


def test_rank_and_metadata(build: Build):
    program = build(f"""
    func.func @f(%m: {DYNAMIC}) -> (index, index, index, index, index, index, f32) {{
      %r = "memref.rank"(%m) : ({DYNAMIC}) -> index
      %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m
        : {DYNAMIC} -> memref<f32>, index, index, index, index, index
      %v = memref.reinterpret_cast %b to offset: [%o], sizes: [1], strides: [1]
        : memref<f32> to memref<1xf32, strided<[1], offset: ?>>
      %c0 = arith.constant 0 : index
      %x = memref.load %v[%c0] : memref<1xf32, strided<[1], offset: ?>>
      func.return %r, %o, %s#0, %s#1, %t#0, %t#1, %x
        : index, index, index, index, index, index, f32
    }}""")
    m = matrix(6, 8)[1:, 2::3]
    rank, offset, *rest, first = program["f"](m)
    assert (rank, *rest) == (2, 5, 2, 8, 3)
    assert offset == 0
    assert first == m[0, 0]


def test_expand_and_collapse_shape(build: Build):
    program = build("""
    func.func @f(%m: memref<6x8xf32>, %n: index)
        -> (memref<48xf32>, memref<?x3x8xf32>) {
      %c = memref.collapse_shape %m [[0, 1]] : memref<6x8xf32> into memref<48xf32>
      %d = memref.cast %m : memref<6x8xf32> to memref<?x8xf32>
      %e = memref.expand_shape %d [[0, 1], [2]] output_shape [%n, 3, 8]
        : memref<?x8xf32> into memref<?x3x8xf32>
      %r = memref.alloc() : memref<48xf32>
      memref.copy %c, %r : memref<48xf32> to memref<48xf32>
      %s = memref.alloc(%n) : memref<?x3x8xf32>
      memref.copy %e, %s : memref<?x3x8xf32> to memref<?x3x8xf32>
      func.return %r, %s : memref<48xf32>, memref<?x3x8xf32>
    }""")
    m = matrix(6, 8)
    flat, deep = program["f"](m, 2)
    np.testing.assert_array_equal(flat, m.reshape(48))
    np.testing.assert_array_equal(deep, m.reshape(2, 3, 8))


def test_shape_changes_of_strided_views(build: Build):
    program = build("""
    func.func @f(%m: memref<6x8xf32>) -> (memref<2x3x4xf32>, memref<12xf32>) {
      %v = memref.subview %m[0, 4] [6, 4] [1, 1]
        : memref<6x8xf32> to memref<6x4xf32, strided<[8, 1], offset: 4>>
      %e = memref.expand_shape %v [[0, 1], [2]] output_shape [2, 3, 4]
        : memref<6x4xf32, strided<[8, 1], offset: 4>>
        into memref<2x3x4xf32, strided<[24, 8, 1], offset: 4>>
      %r = memref.alloc() : memref<2x3x4xf32>
      memref.copy %e, %r
        : memref<2x3x4xf32, strided<[24, 8, 1], offset: 4>> to memref<2x3x4xf32>
      %w = memref.subview %m[0, 0] [6, 2] [1, 4]
        : memref<6x8xf32> to memref<6x2xf32, strided<[8, 4]>>
      %c = memref.collapse_shape %w [[0, 1]]
        : memref<6x2xf32, strided<[8, 4]>> into memref<12xf32, strided<[4]>>
      %s = memref.alloc() : memref<12xf32>
      memref.copy %c, %s : memref<12xf32, strided<[4]>> to memref<12xf32>
      func.return %r, %s : memref<2x3x4xf32>, memref<12xf32>
    }""")
    m = matrix(6, 8)
    deep, flat = program["f"](m)
    np.testing.assert_array_equal(deep, m[:, 4:].reshape(2, 3, 4))
    np.testing.assert_array_equal(flat, m[:, ::4].reshape(12))


def test_view_of_bytes(build: Build):
    program = build("""
    func.func @f(%x: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c2 = arith.constant 2 : index
      %m = memref.alloc() : memref<16xi8>
      %v = "memref.view"(%m, %c8, %c2) : (memref<16xi8>, index, index) -> memref<?xf32>
      memref.store %x, %v[%c0] : memref<?xf32>
      %w = "memref.view"(%m, %c0, %c2)
        : (memref<16xi8>, index, index) -> memref<?x2xf32>
      %c1 = arith.constant 1 : index
      %y = memref.load %w[%c1, %c0] : memref<?x2xf32>
      memref.dealloc %m : memref<16xi8>
      func.return %y : f32
    }""")
    assert program["f"](4.25) == 4.25


# Copies.


@pytest.mark.parametrize("source", ["m", "m.T", "m[::-1]", "m[:, ::-1]"])
@pytest.mark.parametrize("target", ["C", "F"])
def test_copy_between_layouts(build: Build, source: str, target: str):
    program = build(f"""
    func.func @f(%a: {DYNAMIC}, %b: {DYNAMIC}) {{
      memref.copy %a, %b : {DYNAMIC} to {DYNAMIC}
      func.return
    }}""")
    m = matrix(5, 5)
    a = eval(source, {"m": m})
    b = np.zeros((5, 5), np.float32, order="C" if target == "C" else "F")
    program["f"](a, b)
    np.testing.assert_array_equal(b, a)


def test_copy_of_rows_and_of_everything(build: Build):
    row = "memref<?x4xf32, strided<[8, 1], offset: 2>>"
    program = build(f"""
    func.func @rows(%m: memref<?x8xf32>, %n: index, %to: memref<?x4xf32>) {{
      %v = memref.subview %m[0, 2] [%n, 4] [1, 1] : memref<?x8xf32> to {row}
      memref.copy %v, %to : {row} to memref<?x4xf32>
      func.return
    }}
    func.func @all(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {{
      memref.copy %a, %b : memref<?x?xf32> to memref<?x?xf32>
      func.return
    }}""")
    m = matrix(6, 8)
    rows = np.zeros((3, 4), np.float32)
    program["rows"](m, 3, rows)
    np.testing.assert_array_equal(rows, m[:3, 2:6])
    whole = np.zeros_like(m)
    program["all"](m, whole)
    np.testing.assert_array_equal(whole, m)
    program["all"](m, m, donate=("a", "b"))
    heap = report(program)
    assert (heap.copies, heap.copied_bytes) == (3, 48 + 2 * 192)


@pytest.mark.parametrize("type", ["memref<?x8xf32>", DYNAMIC])
def test_clone(build: Build, type: str):
    program = build(f"""
    func.func @f(%m: {type}) -> {type} {{
      %r = bufferization.clone %m : {type} to {type}
      func.return %r : {type}
    }}""")
    m = matrix(6, 8)
    result = program["f"](m)
    np.testing.assert_array_equal(result, m)
    assert not np.shares_memory(result, m)


# Globals.


@pytest.mark.parametrize(
    ("type", "value", "expected"),
    [
        ("2x3xf32", "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]", [[1, 2, 3], [4, 5, 6]]),
        ("2x2xf64", "0.1", [[0.1, 0.1], [0.1, 0.1]]),
        ("3xi8", "[-1, 2, 127]", [-1, 2, 127]),
        ("4xi1", "[true, false, true, true]", [True, False, True, True]),
        ("2xindex", "[5, -7]", [5, -7]),
        ("2xf16", "[1.5, -0.25]", [1.5, -0.25]),
        ("f32", "3.5", 3.5),
    ],
)
def test_global(build: Build, type: str, value: str, expected: object):
    program = build(f"""
    memref.global "private" constant @g : memref<{type}> = dense<{value}>
    func.func @f() -> memref<{type}> {{
      %g = memref.get_global @g : memref<{type}>
      %r = memref.alloc() : memref<{type}>
      memref.copy %g, %r : memref<{type}> to memref<{type}>
      func.return %r : memref<{type}>
    }}""")
    result = program["f"]()
    np.testing.assert_array_equal(result, np.array(expected, result.dtype))


def test_large_globals_keep_every_byte(build: Build):
    values = np.random.default_rng(3).standard_normal(1001).astype(np.float32)
    data = values.tobytes().hex().upper()
    program = build(f"""
    memref.global "private" constant @g : memref<7x143xf32> = dense<"0x{data}">
    memref.global "private" constant @s : memref<3x333xf32> = dense<0.1>
    func.func @f(%i: index, %j: index) -> f32 {{
      %g = memref.get_global @g : memref<7x143xf32>
      %x = memref.load %g[%i, %j] : memref<7x143xf32>
      func.return %x : f32
    }}
    func.func @splat(%i: index, %j: index) -> f32 {{
      %s = memref.get_global @s : memref<3x333xf32>
      %y = memref.load %s[%i, %j] : memref<3x333xf32>
      func.return %y : f32
    }}""")
    for i, j in ((0, 0), (1, 142), (2, 17), (6, 142)):
        assert program["f"](i, j) == values.reshape(7, 143)[i, j]
    for i, j in ((0, 0), (1, 142), (2, 332)):
        assert program["splat"](i, j) == np.float32(0.1)


def test_uninitialized_globals_are_memory_of_their_own(build: Build):
    program = build("""
    memref.global "private" @g : memref<4xf32> = uninitialized
    func.func @f(%x: f32) -> f32 {
      %c1 = arith.constant 1 : index
      %g = memref.get_global @g : memref<4xf32>
      memref.store %x, %g[%c1] : memref<4xf32>
      %h = memref.get_global @g : memref<4xf32>
      %y = memref.load %h[%c1] : memref<4xf32>
      func.return %y : f32
    }""")
    assert program["f"](1.25) == 1.25


# Stack memory.


def test_alloca_in_loops_takes_no_more_stack_than_one_iteration(build: Build):
    program = build("""
    func.func @f(%n: index, %m: index) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
        %a = memref.alloca() : memref<1000xindex>
        %b = memref.alloca(%m) : memref<?xindex>
        memref.store %i, %a[%c1] : memref<1000xindex>
        memref.store %i, %b[%c1] : memref<?xindex>
        %x = memref.load %a[%c1] : memref<1000xindex>
        %y = memref.load %b[%c1] : memref<?xindex>
        %t = arith.addi %s, %x : index
        %u = arith.addi %t, %y : index
        scf.yield %u : index
      }
      func.return %r : index
    }""")
    assert program["f"](100_000, 1000) == 2 * sum(range(100_000))


def test_alloca_in_a_while_loop_is_new_in_every_iteration(build: Build):
    program = build("""
    func.func @f() -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %first = memref.alloca() : memref<1xindex>
      memref.store %c0, %first[%c0] : memref<1xindex>
      %i, %last = scf.while (%i = %c0, %m = %first)
          : (index, memref<1xindex>) -> (index, memref<1xindex>) {
        %more = arith.cmpi ult, %i, %c3 : index
        scf.condition(%more) %i, %m : index, memref<1xindex>
      } do {
      ^bb0(%i: index, %m: memref<1xindex>):
        %new = memref.alloca() : memref<1xindex>
        %old = memref.load %m[%c0] : memref<1xindex>
        %j = arith.addi %i, %c1 : index
        memref.store %j, %new[%c0] : memref<1xindex>
        %again = memref.load %m[%c0] : memref<1xindex>
        %sum = arith.addi %old, %again : index
        %t = arith.addi %sum, %j : index
        memref.store %t, %new[%c0] : memref<1xindex>
        scf.yield %j, %new : index, memref<1xindex>
      }
      %r = memref.load %last[%c0] : memref<1xindex>
      func.return %r : index
    }""")
    assert program["f"]() == 2 * (2 * 1 + 2) + 3


def test_alloca_scope(build: Build):
    program = build("""
    func.func @f(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %r = "memref.alloca_scope"() ({
        %m = memref.alloca(%n) : memref<?xindex>
        memref.store %n, %m[%c0] : memref<?xindex>
        %x = memref.load %m[%c0] : memref<?xindex>
        "memref.alloca_scope.return"(%x) : (index) -> ()
      }) : () -> index
      func.return %r : index
    }""")
    assert program["f"](8) == 8


# Options and errors.


def test_names_of_the_heap_functions(parse: Parse):
    text = """
    func.func @f(%a: memref<?xf32>) {
      %c1 = arith.constant 1 : index
      %m = memref.alloc(%c1) : memref<?xf32>
      memref.copy %a, %m : memref<?xf32> to memref<?xf32>
      memref.dealloc %m : memref<?xf32>
      func.return
    }"""
    plain = parse(text)
    lower_to_llvm(plain)
    assert "@malloc" in str(plain)
    assert "@free" in str(plain)
    assert "_xbuf_count_copy" not in str(plain)
    generic = parse(text)
    options = ToLLVMPass(use_generic_functions=True, count_copies=True)
    options.apply(None, generic)  # pyright: ignore[reportArgumentType] # not used
    assert "@_mlir_memref_to_llvm_alloc" in str(generic)
    assert "@_mlir_memref_to_llvm_free" in str(generic)
    assert "@_xbuf_count_copy" in str(generic)
    assert "@malloc" not in str(generic)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%m = memref.alloc() : memref<4xf128>",
            "memory of f128 elements cannot be lowered",
        ),
        (
            "%m = memref.alloc() : memref<4xf32, 3 : i64>",
            "memory space 3 : i64 does not exist on a CPU",
        ),
        (
            "%m = memref.alloc() : memref<4xf32, strided<[2]>>",
            "cannot allocate the layout",
        ),
        (
            "%m = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>",
            "has no strides and no lowering",
        ),
        (
            "%m = memref.alloca() : memref<4x4xf32>\n"
            "%v = memref.subview %m[0, 0] [2, 2] [1, 1]"
            "  : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>\n"
            "%c = bufferization.clone %v : memref<2x2xf32, strided<[4, 1]>>"
            "  to memref<2x2xf32, strided<[4, 1]>>",
            "cannot allocate the layout",
        ),
        (
            "%t = tensor.empty() : tensor<4xf32>",
            "'tensor.empty' has no lowering to the llvm dialect: bufferize it first",
        ),
        (
            "%t = arith.constant dense<1.0> : tensor<4xf32>",
            "type tensor<4xf32> cannot be lowered",
        ),
        (
            '"test.op"() : () -> ()',
            "'test.op' has no lowering to the llvm dialect: rewrite it",
        ),
    ],
)
def test_error_at_the_op(parse: Parse, body: str, message: str):
    module = parse(f"func.func @f() {{\n {body}\n func.return\n}}")
    before = str(module)
    with pytest.raises(OperationError) as error:
        lower_to_llvm(module)
    assert message in error.value.message
    assert error.value.op.name in body
    assert str(module) == before


def test_copy_at_once_where_strides_leave_no_gaps(build: Build, parse: Parse):
    """Strides that are known at run time: both ways copy the same elements."""
    text = f"""
    func.func @f(%a: {DYNAMIC}, %b: {DYNAMIC}) {{
      memref.copy %a, %b : {DYNAMIC} to {DYNAMIC}
      func.return
    }}"""
    program = build(text)
    m = np.arange(24, dtype=np.float32).reshape(4, 6)
    for source in (m, m[:, ::-1], m[::2], m[:, :3], m.T, m[:0], m[:1]):
        for order in ("C", "F"):
            target = np.zeros(source.shape, np.float32, order=order)
            program["f"](source, target)
            np.testing.assert_array_equal(target, source)
    module = parse(text)
    lower_to_llvm(module)
    copies = [op for op in module.walk() if "memcpy" in str(op.properties)]
    assert len(copies) == 1


def test_strides_that_are_products_of_sizes(parse: Parse):
    module = parse("""
    func.func @f(%m: memref<?x?x?xf32>, %a: index, %b: index, %i: index) -> f32 {
      %c0 = arith.constant 0 : index
      %d1 = memref.dim %m, %i : memref<?x?x?xf32>
      %copy = memref.alloc(%a, %d1, %b) : memref<?x?x?xf32>
      memref.copy %m, %copy : memref<?x?x?xf32> to memref<?x?x?xf32>
      %flat = memref.collapse_shape %copy [[0, 1], [2]]
        : memref<?x?x?xf32> into memref<?x?xf32>
      %half = arith.divui %a, %d1 : index
      %e = memref.expand_shape %flat [[0, 1, 2], [3]] output_shape [%half, %d1, %d1, %b]
        : memref<?x?xf32> into memref<?x?x?x?xf32>
      %v = memref.subview %e[%i, %i, 0, %i] [1, 1, 1, 1] [1, 1, 1, 1]
        : memref<?x?x?x?xf32> to memref<f32, strided<[], offset: ?>>
      %x = memref.load %v[] : memref<f32, strided<[], offset: ?>>
      memref.dealloc %copy : memref<?x?x?xf32>
      func.return %x : f32
    }""")
    ExpandStridedMetadataPass().apply(get_context(), module)
    m = np.arange(4 * 2 * 3, dtype=np.float32).reshape(4, 2, 3)
    result = compile_module(module)["f"](m, 4, 3, 1)
    assert result == m.reshape(2, 2, 2, 3)[1, 1, 0, 1]

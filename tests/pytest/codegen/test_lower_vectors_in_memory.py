"""Buffers whose elements are vectors, executed and compared with NumPy."""

import re
from collections.abc import Callable
from math import prod

import numpy as np
import pytest
from xdsl.dialects.builtin import MemRefType, ModuleOp, VectorType, f32

from xdsl_bufferization.codegen.llvm.module import lower_to_llvm
from xdsl_bufferization.dialects.memref.sizes import count_buffer_bytes
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.heap import CountingHeap
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

Build = Callable[[str], CompiledModule]
Parse = Callable[[str], ModuleOp]

ELEMENTS = ("4xf32", "3xf32", "2x2xf32", "2x3xf32", "1xf32", "2x1x3xf32")


def count_of(element: str) -> int:
    """How many numbers a vector holds."""
    return prod(int(size) for size in element.split("x")[:-1])


def program_of(element: str, body: str) -> str:
    """Three vectors from %x, twice as much in a buffer, and `body`, to %out.

    `body` makes %from, of the type of %to, which has vectors of `element`.
    """
    count = count_of(element)
    vector, row = f"vector<{element}>", f"vector<{count}xf32>"
    memory, flat = f"memref<3x{vector}>", f"memref<{3 * count}xf32>"
    return f"""
    memref.global "private" @memory : {memory} = uninitialized
    func.func @f(%x: {flat}, %out: {flat}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %count = arith.constant {count} : index
      %to = memref.alloc() : {memory}
      scf.for %i = %c0 to %c3 step %c1 {{
        %start = arith.muli %i, %count : index
        %row = vector.load %x[%start] : {flat}, {row}
        %v = vector.shape_cast %row : {row} to {vector}
        %twice = arith.addf %v, %v : {vector}
        memref.store %twice, %to[%i] : {memory}
      }}
      {body.format(m=memory, v=vector)}
      scf.for %i = %c0 to %c3 step %c1 {{
        %start = arith.muli %i, %count : index
        %v = memref.load %from[%i] : {memory}
        %row = vector.shape_cast %v : {vector} to {row}
        vector.store %row, %out[%start] : {flat}, {row}
      }}
      memref.dealloc %to : {memory}
      func.return
    }}"""


BODIES = {
    "copy": """
      %from = memref.alloca() : {m}
      memref.copy %to, %from : {m} to {m}""",
    "dynamic and unranked": """
      %from = memref.alloca() : {m}
      %a = memref.cast %to : {m} to memref<*x{v}>
      %b = memref.cast %from : {m} to memref<*x{v}>
      memref.copy %a, %b : memref<*x{v}> to memref<*x{v}>""",
    "parts with gaps": """
      %wide = memref.alloca() : memref<3x2x{v}>
      %part = memref.subview %wide[0, 1] [3, 1] [1, 1]
        : memref<3x2x{v}> to memref<3x{v}, strided<[2], offset: 1>>
      memref.copy %to, %part : {m} to memref<3x{v}, strided<[2], offset: 1>>
      %from = memref.alloca() : {m}
      memref.copy %part, %from : memref<3x{v}, strided<[2], offset: 1>> to {m}""",
    "affine": """
      %from = memref.alloca() : {m}
      affine.for %i = 0 to 3 {{
        %e = affine.load %to[%i] : {m}
        affine.store %e, %from[%i] : {m}
      }}""",
    "vector.load": """
      %from = memref.alloca() : {m}
      affine.for %i = 0 to 3 {{
        %e = vector.load %to[%i] : {m}, {v}
        vector.store %e, %from[%i] : {m}, {v}
      }}""",
    "linalg": """
      %from = memref.alloca() : {m}
      linalg.generic {{
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]
      }} ins(%to : {m}) outs(%from : {m}) {{
      ^bb0(%a: {v}, %b: {v}):
        linalg.yield %a : {v}
      }}""",
    "larger": """
      %bytes = memref.alloca() : memref<512xi8>
      %larger = memref.view %bytes[%c0][] : memref<512xi8> to memref<4x{v}>
      %from = memref.subview %larger[0] [3] [1] : memref<4x{v}> to {m}
      memref.copy %to, %from : {m} to {m}""",
    "global": """
      %from = memref.get_global @memory : {m}
      memref.copy %to, %from : {m} to {m}""",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("element", ELEMENTS)
def test_vectors_go_to_memory_and_back(build: Build, element: str, body: str) -> None:
    program = build(program_of(element, BODIES[body]))
    count = 3 * count_of(element)
    # Not at the start of a vector's alignment.
    x = np.arange(count + 1, dtype=np.float32)[1:]
    out = np.zeros_like(x)
    program["f"](x, out)
    np.testing.assert_array_equal(out, 2 * x)
    assert isinstance(program.heap, CountingHeap)
    report = program.heap.report()
    vector = VectorType(f32, [int(size) for size in element.split("x")[:-1]])
    assert report.peak_bytes == count_buffer_bytes(MemRefType(vector, [3]))
    assert report.live_bytes == 0


@pytest.mark.parametrize(
    ("type", "numbers"),
    (
        ("i1", np.array([1, 0, 0, 1, 1], np.bool_)),
        ("i64", np.array([1, -2, 3, 2**40, 5], np.int64)),
        ("f64", np.array([1.5, -2.5, 0, 4, 5])),
        ("i8", np.array([1, -2, 3, 4, 5], np.int8)),
    ),
)
def test_elements_of_all_kinds(
    build: Build, type: str, numbers: np.ndarray[tuple[int], np.dtype[np.generic]]
) -> None:
    program = build(f"""
    func.func @f(%x: memref<5x{type}>, %out: memref<5x{type}>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %m = memref.alloc() : memref<3xvector<5x{type}>>
      %v = vector.load %x[%c0] : memref<5x{type}>, vector<5x{type}>
      memref.store %v, %m[%c1] : memref<3xvector<5x{type}>>
      %w = memref.load %m[%c1] : memref<3xvector<5x{type}>>
      memref.store %w, %m[%c0] : memref<3xvector<5x{type}>>
      memref.store %w, %m[%c2] : memref<3xvector<5x{type}>>
      %u = memref.load %m[%c0] : memref<3xvector<5x{type}>>
      vector.store %u, %out[%c0] : memref<5x{type}>, vector<5x{type}>
      memref.dealloc %m : memref<3xvector<5x{type}>>
      func.return
    }}""")
    out = np.zeros_like(numbers)
    program["f"](numbers, out)
    np.testing.assert_array_equal(out, numbers)


@pytest.mark.parametrize(
    ("source", "target", "last"),
    (
        ("memref<2x4xf32>", "memref<vector<2x4xf32>>", ""),
        ("memref<2x4xf32>", "memref<2xvector<4xf32>>", "%c1"),
        ("memref<2x2x2xf32>", "memref<2xvector<2x2xf32>>", "%c1"),
    ),
)
def test_type_cast(build: Build, source: str, target: str, last: str) -> None:
    vector = target.removeprefix("memref<").removeprefix("2x").removesuffix(">")
    program = build(f"""
    func.func @f(%x: {source}) {{
      %c1 = arith.constant 1 : index
      %v = vector.type_cast %x : {source} to {target}
      %e = memref.load %v[{last}] : {target}
      %twice = arith.addf %e, %e : {vector}
      memref.store %twice, %v[{last}] : {target}
      func.return
    }}""")
    shape = [int(size) for size in source.removeprefix("memref<").split("x")[:-1]]
    x = np.arange(8, dtype=np.float32).reshape(shape)
    expected = x * np.where(np.arange(8) < (4 if last else 0), 1, 2).reshape(shape)
    program["f"](x)
    np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize(
    ("body", "message"),
    (
        (
            "%v = vector.type_cast %x : memref<2x3xf32> to memref<vector<2x3xf32>>",
            "memref<vector<2x3xf32>> have gaps",
        ),
        (
            "%v = memref.alloc() : memref<2xvector<2xf128>>",
            "memory of vector<2xf128> elements cannot be lowered",
        ),
        (
            "%v = memref.alloc() : memref<2xvector<[2]xf32>>",
            "elements cannot be lowered",
        ),
    ),
)
def test_what_has_no_lowering_says_so(parse: Parse, body: str, message: str) -> None:
    module = parse(f"func.func private @f(%x: memref<2x3xf32>) {{ {body}\n return }}")
    with pytest.raises(OperationError, match=re.escape(message)):
        lower_to_llvm(module)


def test_the_memory_of_a_type_cast_is_freed_after_its_last_use(parse: Parse) -> None:
    module = parse("""
    func.func @f(%x: memref<2x4xf32>) -> f32 {
      %m = memref.alloc() : memref<2x4xf32>
      memref.copy %x, %m : memref<2x4xf32> to memref<2x4xf32>
      %v = vector.type_cast %m : memref<2x4xf32> to memref<vector<2x4xf32>>
      %e = memref.load %v[] : memref<vector<2x4xf32>>
      %f = vector.shape_cast %e : vector<2x4xf32> to vector<8xf32>
      %r = vector.reduction <add>, %f : vector<8xf32> into f32
      return %r : f32
    }""")
    passes = "buffer-deallocation-pipeline,optimize-allocation-liveness"
    run_passes(module, parse_passes(passes))
    program = compile_module(module, counting_heap=True, poison=True)
    assert program["f"](np.ones((2, 4), np.float32)) == 8
    assert isinstance(program.heap, CountingHeap)
    report = program.heap.report()
    assert (report.allocs, report.live_bytes) == (1, 0)

"""What ends a call: an exception with the place, and memory that is freed."""

import gc
import subprocess
import sys
import threading

import numpy as np
import pytest
from harness.running.checked_pipelines import compiled
from xdsl.dialects.builtin import ModuleOp, UnknownLoc

from xdsl_bufferization import bufferize, compile, deallocate
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.errors import ProgramError, ProgramMemoryError
from xdsl_bufferization.runtime.heap import CountingHeap, HeapReport
from xdsl_bufferization.support.errors import OperationError

SQUARE = """func.func @f(%n: index) -> tensor<?x?xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = linalg.fill ins(%one : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def parse(text: str) -> ModuleOp:
    return parse_module(text, "a.mlir", get_context())


def on_buffers(text: str) -> ModuleOp:
    return deallocate(bufferize(parse(text), bufferize_function_boundaries=True))


def report_of(compiled: CompiledModule) -> HeapReport:
    gc.collect()
    assert isinstance(compiled.heap, CountingHeap)
    return compiled.heap.report()


def live_bytes(compiled: CompiledModule) -> int:
    return report_of(compiled).live_bytes


# Memory.


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("counting_heap", [False, True])
def test_memory_that_is_not_there_is_a_memory_error(
    checked: bool, counting_heap: bool
) -> None:
    module = on_buffers(SQUARE)
    f = compile(module, checked=checked, counting_heap=counting_heap)["f"]
    with pytest.raises(MemoryError) as raised:
        f(10_000_000)
    assert str(raised.value) == (
        "a.mlir:3:8: 'memref.alloc': there is no memory for 400000000000064 bytes"
    )
    np.testing.assert_array_equal(f(2), np.ones((2, 2), np.float32))


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("size", [1 << 31, 1 << 40, 1 << 62, (1 << 63) - 1])
def test_sizes_that_overflow_are_a_memory_error(size: int, checked: bool) -> None:
    f = compile(on_buffers(SQUARE), checked=checked)["f"]
    with pytest.raises(ProgramMemoryError) as raised:
        f(size)
    assert str(raised.value) == (
        "a.mlir:3:8: 'memref.alloc': no memory has the size of memref<?x?xf32> with "
        f"{size}, {size} for '?'"
    )


def test_a_negative_size_is_a_memory_error_without_checks() -> None:
    with pytest.raises(ProgramMemoryError, match="memref<\\?x\\?xf32> with -3, -3"):
        compile(on_buffers(SQUARE))["f"](-3)


SMALLEST = -(1 << 63)
NEGATIVE_SIZES = [(-1,), (SMALLEST,), (-3, -3), (0, -3), (-3, 4), (-4, 1 << 62)]
FILL = "  %r = linalg.fill ins(%x : f32) outs(%e : {0}) -> {0}\n"
NEW_BUFFERS = {
    "empty": ("tensor", "  %e = tensor.empty({1}) : {0}  // here\n" + FILL),
    "splat": ("tensor", "  %r = tensor.splat %x[{1}] : {0}  // here\n"),
    "generate": (
        "tensor",
        "  %r = tensor.generate {1} {{  // here\n  ^bb0({2}):\n"
        "    tensor.yield %x : f32\n  }} : {0}\n",
    ),
    "alloc_tensor": (
        "tensor",
        "  %e = bufferization.alloc_tensor({1}) : {0}  // here\n" + FILL,
    ),
    "alloc": ("memref", "  %r = memref.alloc({1}) : {0}  // here\n"),
    "realloc": (
        "memref",
        "  %m = memref.alloc() : memref<2xf32>\n"
        "  %r = memref.realloc %m({1}) : memref<2xf32> to {0}  // here\n",
    ),
    "alloca": (
        "memref",
        "  %m = memref.alloca({1}) : {0}  // here\n"
        "  linalg.fill ins(%x : f32) outs(%m : {0})\n"
        "  %r = memref.alloc({1}) : {0}\n",
    ),
}
"""Ops that are given sizes, and results of these sizes."""


def new_buffer(kind: str, sizes: tuple[int, ...], *, known: bool) -> str:
    """A program that makes a buffer of some sizes, which it knows or is passed."""
    holder, body = NEW_BUFFERS[kind]
    type_ = f"{holder}<{'?x' * len(sizes)}f32>"
    names = [f"%n{number}" for number in range(len(sizes))]
    constants = "".join(
        f"  {name} = arith.constant {size} : index\n"
        for name, size in zip(names, sizes, strict=True)
        if known
    )
    arguments = "".join(f", {name}: index" for name in names if not known)
    places = ", ".join(f"%i{number}: index" for number in range(len(sizes)))
    ops = body.format(type_, ", ".join(names), places)
    return (
        f"func.func @f(%x: f32{arguments}) -> {type_} {{\n"
        f"{constants}{ops}  return %r : {type_}\n}}\n"
    )


NEGATIVE = [
    (kind, sizes)
    for kind in NEW_BUFFERS
    for sizes in NEGATIVE_SIZES
    if kind != "realloc" or len(sizes) == 1
]


@pytest.mark.volume(sample=32)
@pytest.mark.parametrize(("kind", "sizes"), NEGATIVE)
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("optimize", [True, False])
def test_each_negative_size_is_a_memory_error(
    kind: str, sizes: tuple[int, ...], known: bool, optimize: bool
) -> None:
    text = new_buffer(kind, sizes, known=known)
    (line,) = (n for n, row in enumerate(text.splitlines(), 1) if "// here" in row)
    function = compiled(text, optimize=optimize, checked=False)["f"]
    with pytest.raises(ProgramMemoryError, match=rf"a\.mlir:{line}:\d+: .*no memory"):
        function(1.0, *(() if known else sizes))


def test_no_elements_need_no_memory() -> None:
    assert compile(on_buffers(SQUARE))["f"](0).shape == (0, 0)


def test_a_static_size_that_overflows_is_not_compiled() -> None:
    module = parse("""func.func @f() {
      %m = memref.alloc() : memref<4611686018427387904xf32>
      memref.dealloc %m : memref<4611686018427387904xf32>
      return
    }""")
    with pytest.raises(OperationError, match="no memory has the 18446744073709551616"):
        compile(module)


def test_a_clone_and_a_realloc_are_allocations_too() -> None:
    module = parse("""func.func @f(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
      %c = bufferization.clone %m : memref<?xf32> to memref<?xf32>
      %r = memref.realloc %c(%n) : memref<?xf32> to memref<?xf32>
      return %r : memref<?xf32>
    }""")
    compiled = compile(module, checked=True, counting_heap=True)
    with pytest.raises(ProgramMemoryError, match=r"a.mlir:3:12: 'memref.realloc': no"):
        compiled["f"](np.ones(4, np.float32), 1 << 62)
    assert live_bytes(compiled) == 0


# What was live.

KEEPS_SOME = """func.func @f(%n: index, %c: i1) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %z = arith.constant 1 : index
  %d = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %z to %n step %z {
    %e = memref.alloc(%n) : memref<?xf32>
    cf.assert %c, "stops"
    memref.dealloc %e : memref<?xf32>
  }
  memref.dealloc %d : memref<?xf32>
  return %b : memref<?xf32>
}
"""


def test_a_call_that_fails_frees_what_it_allocated() -> None:
    compiled = compile(parse(KEEPS_SOME), checked=True, counting_heap=True)
    for _ in range(100):
        with pytest.raises(ProgramError, match=r"a.mlir:9:5: 'cf.assert': stops"):
            compiled["f"](1000, False)
    assert live_bytes(compiled) == 0
    result = compiled["f"](1000, True)
    assert live_bytes(compiled) == 4000
    del result
    assert live_bytes(compiled) == 0
    report = report_of(compiled)
    assert report.double_frees == report.foreign_frees == 0


def test_without_checks_what_was_live_stays_allocated() -> None:
    compiled = compile(parse(KEEPS_SOME), counting_heap=True)
    with pytest.raises(ProgramError, match="stops"):
        compiled["f"](1000, False)
    assert live_bytes(compiled) == 12_000


def test_many_allocations_are_found_again() -> None:
    """More than the first table of them has room for, freed in another order."""
    module = parse("""
    func.func private @keep(%n: index, %c: i1) {
      %z = arith.constant 0 : index
      %one = arith.constant 1 : index
      %is_last = arith.cmpi eq, %n, %z : index
      %a = memref.alloc(%n) : memref<?xi8>
      scf.if %is_last {
        cf.assert %c, "stops"
      } else {
        %less = arith.subi %n, %one : index
        func.call @keep(%less, %c) : (index, i1) -> ()
      }
      memref.dealloc %a : memref<?xi8>
      return
    }
    func.func @f(%n: index, %c: i1) {
      func.call @keep(%n, %c) : (index, i1) -> ()
      return
    }""")
    compiled = compile(module, checked=True, counting_heap=True)
    compiled["f"](1000, True)
    assert live_bytes(compiled) == 0
    with pytest.raises(ProgramError, match="stops"):
        compiled["f"](1000, False)
    report = report_of(compiled)
    assert report.live_bytes == report.double_frees == report.foreign_frees == 0
    assert report.allocs == report.frees == 2002


def test_memory_of_the_caller_is_not_freed() -> None:
    module = parse("""func.func @f(%m: memref<4xf32>) {
      memref.dealloc %m : memref<4xf32>
      return
    }""")
    f = compile(module, checked=True)["f"]
    array = np.ones(4, np.float32)
    with pytest.raises(ProgramError, match="this call did not allocate the buffer"):
        f(array)
    np.testing.assert_array_equal(array, np.ones(4))


# Loops that threads share.

SHARED = """func.func @f(%m: memref<?xi32>, %n: index) {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.parallel (%i) = (%z) to (%n) step (%one) {
    %a = memref.alloc(%n) : memref<?xi32>
    %x = memref.load %m[%i] : memref<?xi32>
    %holds = arith.cmpi sge, %x, %zero : i32
    cf.assert %holds, "negative"
    memref.store %x, %a[%z] : memref<?xi32>
    %y = memref.load %a[%z] : memref<?xi32>
    %w = arith.addi %y, %y : i32
    memref.store %w, %m[%i] : memref<?xi32>
    memref.dealloc %a : memref<?xi32>
    scf.reduce
  }
  return
}
"""


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("checked", [False, True])
def test_an_iteration_that_fails_ends_the_call(threads: int, checked: bool) -> None:
    f = compile(parse(SHARED), checked=checked, threads=threads)["f"]
    for at in (0, 1, 500, 999):
        array = np.ones(1000, np.int32)
        array[at] = -1
        with pytest.raises(ProgramError, match=r"a.mlir:9:5: 'cf.assert': negative"):
            f(array, 1000)
        assert array[at] == -1
    array = np.ones(1000, np.int32)
    f(array, 1000)
    np.testing.assert_array_equal(array, np.full(1000, 2))


@pytest.mark.parametrize("threads", [1, 3])
def test_what_other_threads_allocated_is_freed(threads: int) -> None:
    compiled = compile(parse(SHARED), checked=True, counting_heap=True, threads=threads)
    array = np.full(100, -1, np.int32)
    with pytest.raises(ProgramError, match="negative"):
        compiled["f"](array, 100)
    assert live_bytes(compiled) == 0
    with pytest.raises(ProgramError, match="index 100 is out of bounds"):
        compiled["f"](np.ones(100, np.int32), 101)
    assert live_bytes(compiled) == 0


def test_threads_of_python_fail_on_their_own() -> None:
    f = compile(parse(SHARED), checked=True, threads=2)["f"]
    found: dict[int, object] = {}

    def call(number: int) -> None:
        for _ in range(20):
            array = np.full(50, number % 2 * -2 + 1, np.int32)
            try:
                f(array, 50)
            except ProgramError as error:
                found[number] = error
            else:
                found[number] = int(array.sum())

    threads = [threading.Thread(target=call, args=(n,)) for n in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found[0] == found[2] == 100
    assert isinstance(found[1], ProgramError)
    assert isinstance(found[3], ProgramError)


# What calls return.


def test_numbers_come_back_through_the_guard() -> None:
    module = parse("""func.func @f(%x: f64, %c: i1) -> f64 {
      cf.assert %c, "stops"
      return %x : f64
    }
    func.func @g(%x: f32, %c: i1) -> (f32, i32, i1) {
      cf.assert %c, "stops"
      %n = arith.constant 7 : i32
      return %x, %n, %c : f32, i32, i1
    }""")
    compiled = compile(module)
    assert compiled["f"](1.5, True) == 1.5
    assert compiled["g"](1.5, True) == (1.5, 7, True)
    for name in "fg":
        with pytest.raises(ProgramError, match=r"'cf.assert': stops"):
            compiled[name](1.5, False)


@pytest.mark.parametrize(
    "element", ["i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64"]
)
def test_each_type_goes_through_the_guard(element: str) -> None:
    text = """func.func private @pair(%x: T, %y: T) -> (T, T) {
      return %y, %x : T, T
    }
    func.func @one(%x: T, %c: i1) -> T {
      cf.assert %c, "stops"
      return %x : T
    }
    func.func @two(%x: T, %y: T, %c: i1) -> (T, T) {
      cf.assert %c, "stops"
      %a, %b = call @pair(%x, %y) : (T, T) -> (T, T)
      return %a, %b : T, T
    }
    func.func @twice(%x: T) -> tensor<2x1xT> {
      %t = tensor.from_elements %x, %x : tensor<2x1xT>
      return %t : tensor<2x1xT>
    }
    func.func @vector(%x: T, %y: T) -> tensor<4xT> {
      %i = arith.constant 0 : index
      %v = vector.from_elements %x, %y, %y, %x : vector<4xT>
      %e = tensor.empty() : tensor<4xT>
      %t = vector.transfer_write %v, %e[%i] : vector<4xT>, tensor<4xT>
      return %t : tensor<4xT>
    }
    """
    compiled = compile(on_buffers(text.replace("T", element)))
    x, y = (1, 0) if element[0] == "i" else (1.5, -2.0)
    assert float(compiled["one"](x, True)) == x
    assert [float(each) for each in compiled["two"](x, y, True)] == [y, x]
    assert compiled["twice"](x).astype(float).tolist() == [[x], [x]]
    assert compiled["vector"](x, y).astype(float).tolist() == [x, y, y, x]
    with pytest.raises(ProgramError, match=r"'cf.assert': stops"):
        compiled["one"](x, False)


def test_complex_numbers_do_so_too() -> None:
    module = parse("""func.func @f(%x: complex<f32>, %c: i1) -> complex<f32> {
      cf.assert %c, "stops"
      return %x : complex<f32>
    }""")
    f = compile(module)["f"]
    assert f(1.5 + 2j, True) == 1.5 + 2j
    with pytest.raises(ProgramError, match=r"'cf.assert': stops"):
        f(1.5 + 2j, False)


def test_a_program_without_places_says_the_op() -> None:
    module = parse('func.func @f(%c: i1) { cf.assert %c, "stops"\n return }')
    for op in module.walk():
        op.location = UnknownLoc()
    with pytest.raises(ProgramError, match=r"^'cf.assert': stops$"):
        compile(module)["f"](False)


# What is defined, and not checked.


def test_indices_are_cut_to_the_bits_of_their_type() -> None:
    module = parse("""func.func @f(%i: index) -> i32 {
      %n = arith.index_cast %i : index to i32
      return %n : i32
    }""")
    assert compile(module, checked=True)["f"]((1 << 32) + 5) == 5


def test_sums_wrap() -> None:
    module = parse("""func.func @f(%a: i8) -> i8 {
      %b = arith.addi %a, %a : i8
      return %b : i8
    }""")
    assert compile(module, checked=True)["f"](127) == -2


def test_no_iterations_access_nothing() -> None:
    module = parse("""func.func @f(%m: memref<?xf32>, %n: index) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %x = memref.load %m[%i] : memref<?xf32>
        memref.store %x, %m[%c0] : memref<?xf32>
      }
      return %n : index
    }""")
    f = compile(module, checked=True)["f"]
    assert f(np.zeros(0, np.float32), 0) == 0
    assert f(np.zeros(0, np.float32), -7) == -7


# The stack.


def test_a_frame_larger_than_the_stack_is_not_compiled() -> None:
    script = """
import resource
resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, resource.getrlimit(3)[1]))
from xdsl_bufferization import compile, parse
from xdsl_bufferization.support.errors import OperationError
try:
    compile(parse('''func.func @f() {
      %m = memref.alloca() : memref<1048577xi8>
      return
    }'''))
except OperationError as error:
    print(error.message)
"""
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert run.stdout == (
        "the function takes 1048577 bytes of the stack, which has 1048576: use "
        "memref.alloc for the largest buffers\n"
    )

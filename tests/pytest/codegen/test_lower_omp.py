"""Loops of the omp dialect, executed by one thread and by several.

Every iteration must run once, whatever the bounds and the number of threads.
"""

import ctypes
import threading
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.pipelines.compile import compile_module, llvm_ir
from xdsl_bufferization.runtime import CountingHeap, compile_llvm_ir
from xdsl_bufferization.support.abi import FunctionSignature

Parse = Callable[[str], ModuleOp]

TEAMS = (1, 2, 3, 7)


def shared(bounds: str, counted: str, rank: int, properties: str = "") -> str:
    """A loop that adds 1 to an element, whose index is `counted`, in each iteration."""
    names = ", ".join(f"%i{number}" for number in range(rank))
    arguments = ", ".join(f"%i{number}: index" for number in range(rank))
    return f"""
    func.func @f(%m: memref<?xi32>, %n: index, %k: index, %threads: i32) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %one = arith.constant 1 : i32
      "omp.parallel"(%threads) <{{operandSegmentSizes =
          array<i32: 0, 0, 0, 1, 0, 0>}}> ({{
        "omp.wsloop"() <{{operandSegmentSizes =
            array<i32: 0, 0, 0, 0, 0, 0, 0>{properties}}}> ({{
          "omp.loop_nest"({bounds}) ({{
          ^bb0({arguments}):
            %at = {counted.format(names)}
            %old = memref.load %m[%at] : memref<?xi32>
            %new = arith.addi %old, %one : i32
            memref.store %new, %m[%at] : memref<?xi32>
            omp.yield
          }}) : ({", ".join(["index"] * 3 * rank)}) -> ()
        }}) : () -> ()
        omp.terminator
      }}) : (i32) -> ()
      return
    }}"""


LINE = "arith.muli %i0, %c1 : index"
GRID = "affine.apply affine_map<(i, j) -> (i * 10 + j)>(%i0, %i1)"
CUBE = "affine.apply affine_map<(i, j, k) -> (i * 100 + j * 10 + k)>(%i0, %i1, %i2)"

LOOPS: dict[str, tuple[str, str, int, Callable[[int, int], list[int]]]] = {
    "one dimension": (
        "%c0, %n, %c1",
        LINE,
        1,
        lambda n, _: [*range(n)],
    ),
    "from 3 in steps of 2": (
        "%c3, %n, %c2",
        LINE,
        1,
        lambda n, _: [*range(3, n, 2)],
    ),
    "two dimensions": (
        "%c0, %c0, %n, %k, %c1, %c1",
        GRID,
        2,
        lambda n, k: [i * 10 + j for i in range(n) for j in range(k)],
    ),
    "two dimensions in steps": (
        "%c1, %c0, %n, %c5, %c2, %c3",
        GRID,
        2,
        lambda n, _: [i * 10 + j for i in range(1, n, 2) for j in range(0, 5, 3)],
    ),
    "three dimensions": (
        "%c0, %c1, %c0, %c3, %n, %k, %c1, %c1, %c2",
        CUBE,
        3,
        lambda n, k: [
            i * 100 + j * 10 + h
            for i in range(3)
            for j in range(1, n)
            for h in range(0, k, 2)
        ],
    ),
}


SCHEDULES = {
    kind: f", schedule_kind = #omp<schedulekind {kind}>"
    for kind in ("static", "dynamic", "auto")
}


@pytest.mark.parametrize("schedule", ["", *SCHEDULES.values()])
@pytest.mark.parametrize("name", LOOPS)
def test_every_round_runs_once(parse: Parse, name: str, schedule: str):
    bounds, counted, rank, expected = LOOPS[name]
    function = compile_module(parse(shared(bounds, counted, rank, schedule)))["f"]
    for n, k in ((0, 0), (1, 0), (0, 4), (1, 1), (4, 7), (9, 1), (7, 9)):
        for threads in TEAMS:
            found = np.zeros(1000, np.int32)
            function(found, n, k, threads)
            numbers = expected(n, k)
            assert found.nonzero()[0].tolist() == sorted(numbers)
            assert found.sum() == len(numbers)


def test_bounds_may_be_inclusive(parse: Parse):
    text = shared("%c0, %n, %c3", LINE, 1).replace(
        '"omp.loop_nest"(%c0, %n, %c3) (',
        '"omp.loop_nest"(%c0, %n, %c3) <{loop_inclusive}> (',
    )
    assert "loop_inclusive" in text
    function = compile_module(parse(text))["f"]
    for n, expected in ((0, [0]), (5, [0, 3]), (6, [0, 3, 6])):
        found = np.zeros(10, np.int32)
        function(found, n, 0, 2)
        assert found.nonzero()[0].tolist() == expected


@pytest.mark.parametrize("schedule", ["", SCHEDULES["static"], SCHEDULES["dynamic"]])
def test_a_thread_may_take_chunks(parse: Parse, schedule: str):
    text = shared("%c0, %n, %c1", "arith.addi %i0, %c0 : index", 1, schedule)
    text = text.replace('"omp.wsloop"()', '"omp.wsloop"(%k)')
    text = text.replace("0, 0, 0, 0, 0, 0, 0>", "0, 0, 0, 0, 0, 0, 1>")
    text = text.replace(
        "}) : () -> ()\n        omp.term", "}) : (index) -> ()\n        omp.term"
    )
    function = compile_module(parse(text))["f"]
    for n, chunk in ((0, 1), (10, 3), (12, 3), (7, 100), (1, 1)):
        for threads in TEAMS:
            found = np.zeros(20, np.int32)
            function(found, n, chunk, threads)
            assert found.tolist() == [1] * n + [0] * (20 - n)


TEAM = f"""
    func.func @f(%shares: memref<?xi32>, %threads: i32, %is_parallel: i1) {{
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %n = arith.constant 10 : i32
      "omp.parallel"(%is_parallel, %threads) <{{operandSegmentSizes =
          array<i32: 0, 0, 1, 1, 0, 0>}}> ({{
        %id = llvm.call @omp_get_thread_num() : () -> i32
        "omp.wsloop"() <{{operandSegmentSizes =
            array<i32: 0, 0, 0, 0, 0, 0, 0>{SCHEDULES["static"]}}}> ({{
          omp.loop_nest (%i) : i32 = (%c0) to (%n) step (%c1) {{
            %at = arith.index_cast %i : i32 to index
            memref.store %id, %shares[%at] : memref<?xi32>
            omp.yield
          }}
        }}) : () -> ()
        omp.terminator
      }}) : (i1, i32) -> ()
      return
    }}
    llvm.func @omp_get_thread_num() -> i32
"""


@pytest.mark.usefixtures("openmp")
def test_static_shares_are_contiguous_and_equal_up_to_one_iteration(parse: Parse):
    function = compile_module(parse(TEAM))["f"]
    for threads, expected in (
        (1, [0] * 10),
        (2, [0] * 5 + [1] * 5),
        (3, [0] * 4 + [1] * 3 + [2] * 3),
        (16, list(range(10))),
    ):
        shares = np.full(10, -1, np.int32)
        function(shares, threads, True)
        assert shares.tolist() == expected


def test_if_its_condition_is_false_a_team_is_one_thread(parse: Parse):
    function = compile_module(parse(TEAM))["f"]
    shares = np.full(10, -1, np.int32)
    function(shares, 5, False)
    assert shares.tolist() == [0] * 10


@pytest.mark.usefixtures("openmp")
@pytest.mark.parametrize(
    ("threads", "own", "left"), [(2, range(24), 40), (3, range(15), 49)]
)
def test_who_is_done_takes_what_is_left(
    parse: Parse, threads: int, own: range, left: int
):
    """The thread of iteration 0 waits until the others have run all they can."""
    module = parse("""
    func.func @f() {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 64 : index
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        func.call @visit(%i) : (index) -> ()
        scf.reduce
      }
      return
    }
    func.func private @visit(index)""")
    iterations: dict[int, list[int]] = defaultdict(list)
    others_are_done = threading.Event()

    def visit(number: int) -> None:
        if number == 0:
            others_are_done.wait(timeout=60)
        iterations[threading.get_ident()].append(number)
        if sum(map(len, iterations.values())) == left:
            others_are_done.set()

    visit_in_c = ctypes.CFUNCTYPE(None, ctypes.c_int64)(visit)
    address = ctypes.cast(visit_in_c, ctypes.c_void_p).value
    assert address is not None
    text = llvm_ir(module, threads=threads)
    signature = FunctionSignature("f", (), ())
    compile_llvm_ir(text, [signature], symbols={"visit": address})["f"]()

    slow, *quick = sorted(iterations.values())
    assert slow == list(own)
    assert sorted(number for each in quick for number in each) == [*range(len(own), 64)]
    if threads == 2:
        # Next to what it has first, from the end of the loop back to its start.
        assert quick == [[*range(40, 64), *range(39, 23, -1)]]


def test_all_threads_wait_behind_a_loop(parse: Parse):
    module = parse("""
    func.func @f(%m: memref<64xi32>, %out: memref<64xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      omp.parallel {
        omp.wsloop {
          omp.loop_nest (%i) : index = (%c0) to (%c64) step (%c1) {
            %x = arith.index_cast %i : index to i32
            memref.store %x, %m[%i] : memref<64xi32>
            omp.yield
          }
        }
        omp.wsloop {
          omp.loop_nest (%i) : index = (%c0) to (%c64) step (%c1) {
            %other = arith.subi %c63, %i : index
            %x = memref.load %m[%other] : memref<64xi32>
            memref.store %x, %out[%i] : memref<64xi32>
            omp.yield
          }
        }
        omp.terminator
      }
      return
    }""")
    function = compile_module(module, threads=4)["f"]
    for _ in range(20):
        found, out = np.full(64, -1, np.int32), np.zeros(64, np.int32)
        function(found, out)
        assert out.tolist() == list(range(63, -1, -1))


def test_loops_inside_of_loops_run_on_one_thread(parse: Parse):
    module = parse("""
    func.func @f(%m: memref<4x4xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        func.call @row(%m, %i) : (memref<4x4xindex>, index) -> ()
        scf.reduce
      }
      return
    }
    func.func private @row(%m: memref<4x4xindex>, %i: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
        %x = arith.muli %i, %j : index
        memref.store %x, %m[%i, %j] : memref<4x4xindex>
        scf.reduce
      }
      return
    }""")
    for threads in (1, 2, 4):
        found = np.zeros((4, 4), np.int64)
        compile_module(module, threads=threads)["f"](found)
        np.testing.assert_array_equal(found, np.outer(range(4), range(4)))


def test_memory_of_a_round_is_its_own(parse: Parse):
    module = parse("""
    func.func @f(%m: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %n = memref.dim %m, %c0 : memref<?xf32>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %heap = memref.alloc(%n) : memref<?xf32>
        %stack = memref.alloca() : memref<8xf32>
        %x = memref.load %m[%i] : memref<?xf32>
        memref.store %x, %heap[%i] : memref<?xf32>
        memref.store %x, %stack[%c7] : memref<8xf32>
        %y = memref.load %heap[%i] : memref<?xf32>
        %z = memref.load %stack[%c7] : memref<8xf32>
        %s = arith.addf %y, %z : f32
        memref.store %s, %m[%i] : memref<?xf32>
        memref.dealloc %heap : memref<?xf32>
        scf.reduce
      }
      return
    }""")
    compiled = compile_module(module, threads=4, poison=True)
    numbers = np.arange(500, dtype=np.float32)
    found = numbers.copy()
    compiled["f"](found)
    np.testing.assert_array_equal(found, 2 * numbers)
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert (report.allocs, report.frees, report.live_bytes) == (500, 500, 0)


def test_what_would_be_ignored_is_refused(parse: Parse):
    module = parse(shared("%c0, %n, %c1", LINE, 1, ", ordered = 0 : i64"))
    message = "clause 'ordered' of omp.wsloop has no lowering"
    with pytest.raises(DiagnosticException, match=message):
        compile_module(module)


@pytest.mark.parametrize(
    "options",
    ["", "{chunk=3}", "{schedule=auto}", "{collapse=1}", "{collapse=1 nested=true}"],
)
def test_all_that_convert_scf_to_openmp_makes_can_be_lowered(
    xdsl_opt: Callable[..., str], parse: Parse, options: str
):
    text = """
    func.func @f(%m: memref<?x7xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %n = memref.dim %m, %c0 : memref<?x7xindex>
      scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c7) step (%c1, %c1) {
        %x = arith.muli %i, %j : index
        memref.store %x, %m[%i, %j] : memref<?x7xindex>
        scf.reduce
      }
      return
    }"""
    module = parse(xdsl_opt(text, f"convert-scf-to-openmp{options}", generic=True))
    function = compile_module(module, threads=3)["f"]
    for n in (0, 1, 5):
        found = np.full((n, 7), -1)
        function(found)
        np.testing.assert_array_equal(found, np.outer(range(n), range(7)))


def test_values_of_every_kind_are_passed(parse: Parse):
    module = parse("""
    func.func @f(%m: memref<?x2x3xf32>, %x: f32, %flag: i1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %zero_half = arith.constant 0.5 : f32
      %n = memref.dim %m, %c0 : memref<?x2x3xf32>
      %half = arith.truncf %zero_half : f32 to bf16
      %rows = vector.broadcast %x : f32 to vector<2x3xf32>
      %ones = arith.constant dense<1.0> : vector<2x3xf32>
      %any = memref.cast %m : memref<?x2x3xf32> to memref<*xf32>
      %later = memref.subview %m[%c1, 0, 0] [1, 2, 3] [1, 1, 1] : memref<?x2x3xf32>
        to memref<2x3xf32, strided<[3, 1], offset: ?>>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %size = memref.dim %any, %c1 : memref<*xf32>
        %number = arith.index_cast %size : index to i32
        %two = arith.sitofp %number : i32 to f32
        %wide = arith.extf %half : bf16 to f32
        %sum = arith.addf %two, %wide : f32
        %more = vector.broadcast %sum : f32 to vector<2x3xf32>
        %a = arith.addf %rows, %more : vector<2x3xf32>
        %b = arith.addf %a, %ones : vector<2x3xf32>
        vector.transfer_write %b, %m[%i, %c0, %c0] {in_bounds = [true, true]}
          : vector<2x3xf32>, memref<?x2x3xf32>
        %is_later = arith.cmpi eq, %i, %c1 : index
        %chosen = arith.andi %is_later, %flag : i1
        scf.if %chosen {
          memref.store %zero, %later[%c0, %c1]
            : memref<2x3xf32, strided<[3, 1], offset: ?>>
        }
        scf.reduce
      }
      return
    }""")
    expected = np.full((5, 2, 3), 10 + 2 + 0.5 + 1, np.float32)
    expected[1, 0, 1] = 0
    for threads in (1, 3):
        found = np.zeros_like(expected)
        compile_module(module, threads=threads)["f"](found, 10.0, True)
        np.testing.assert_array_equal(found, expected)

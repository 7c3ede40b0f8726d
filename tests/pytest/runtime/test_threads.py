"""Threads of the system, and what happens where there are none."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from harness.programs.shared_loops import SQUARES, TWICE
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CountingHeap, team, threads
from xdsl_bufferization.support import abi

Parse = Callable[[str], ModuleOp]


COUNT = """
func.func @f(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %m[%i] : memref<?xindex>
    %y = arith.addi %x, %c1 : index
    memref.store %y, %m[%i] : memref<?xindex>
    scf.reduce
  }
  return
}"""


@pytest.fixture
def forget_runtime() -> Iterator[None]:
    """Look for an OpenMP runtime anew, before and after a test."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    threads.thread_functions.cache_clear()
    threads.openmp_runtime.cache_clear()


def test_all_functions_are_found():
    functions = threads.thread_functions()
    assert set(functions) == set(abi.THREAD_FUNCTIONS)
    assert all(functions.values())


@pytest.mark.parametrize("environment", ["5", "5,2", " 5"])
def test_the_environment_says_how_many_threads_there_are(
    monkeypatch: pytest.MonkeyPatch, environment: str
):
    monkeypatch.setenv("OMP_NUM_THREADS", environment)
    assert team.default_threads() == 5


@pytest.mark.parametrize("environment", ["", "0", "all"])
def test_otherwise_there_is_one_for_each_core(
    monkeypatch: pytest.MonkeyPatch, environment: str
):
    monkeypatch.setenv("OMP_NUM_THREADS", environment)
    monkeypatch.setattr(team, "_cores", lambda: [0, 2, 3])
    assert team.default_threads() == 3


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 9, 63, 64, 1000, 100_003])
@pytest.mark.parametrize("number", [2, 3, 8])
def test_each_iteration_runs_once(parse: Parse, number: int, count: int):
    function = compile_module(parse(COUNT), threads=number)["f"]
    found = np.zeros(count, np.int64)
    for _ in range(10):
        function(found)
    np.testing.assert_array_equal(found, np.full(count, 10))


def test_several_callers_share_one_team(parse: Parse):
    """One has the workers at a time, and the others run their loops alone."""
    function = compile_module(parse(COUNT), threads=3)["f"]

    def call(_: int) -> int:
        found = np.zeros(500, np.int64)
        for _ in range(50):
            function(found)
        return int(found.sum())

    with ThreadPoolExecutor(4) as callers:
        assert list(callers.map(call, range(8))) == [50 * 500] * 8


def test_loops_with_pauses_in_between(parse: Parse):
    """A worker that sleeps is woken, or its share is run by the caller."""
    function = compile_module(parse(COUNT), threads=2)["f"]
    found = np.zeros(200, np.int64)
    for _ in range(5):
        function(found)
        # A worker sleeps after about a millisecond without a loop.
        time.sleep(0.02)
    np.testing.assert_array_equal(found, np.full(200, 5))


def test_workers_stay_on_cores_if_they_are_to(parse: Parse):
    """In a process of its own, as a team begins once."""
    code = f"""
import numpy as np, os, time
os.environ["OMP_PROC_BIND"] = "true"
import xdsl_bufferization as xbuf
from xdsl_bufferization.pipelines.compile import compile_module
function = compile_module(xbuf.parse({COUNT!r}), threads=2)["f"]
for _ in range(20):
    function(np.zeros(64, np.int64))
def fewest():
    tasks = [int(each) for each in os.listdir("/proc/self/task")]
    return min(len(os.sched_getaffinity(each)) for each in tasks)
cores = len(os.sched_getaffinity(0))
for _ in range(1000):
    if fewest() < cores: break
    time.sleep(0.02)  # The worker may have to wait for a core.
print(fewest() if cores > 1 else 1)
"""
    if not Path("/proc/self/task").exists():
        pytest.skip("the system does not list threads")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("1\n", 0), done.stderr


@pytest.mark.usefixtures("forget_runtime")
def test_without_a_runtime_one_thread_does_it_all_and_says_so_once(
    parse: Parse,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(threads, "_candidates", lambda: iter(["libnothing.so.0"]))
    for _ in range(2):
        found = np.zeros(100, np.int64)
        compile_module(parse(TWICE), threads=2)["f"](found)
        np.testing.assert_array_equal(found, np.arange(100) ** 2)
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("xbuf: note: there is no OpenMP runtime")


@pytest.mark.usefixtures("forget_runtime")
def test_nobody_looks_for_a_runtime_without_need(
    parse: Parse, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(threads, "_candidates", lambda: iter(()))
    compile_module(parse(SQUARES), threads=2)
    compile_module(parse("func.func @f() { return }"), threads=2)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("poison", [False, True])
def test_the_books_of_the_heap_are_right_whoever_writes_them(
    parse: Parse, poison: bool
):
    compiled = compile_module(
        parse(SQUARES), threads=8, counting_heap=True, poison=poison
    )
    for _ in range(5):
        found = np.zeros(400, np.int64)
        compiled["f"](found)
        np.testing.assert_array_equal(found, np.arange(400) ** 2)
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    report = heap.report()
    assert (report.allocs, report.frees, report.live_bytes) == (2000, 2000, 0)
    assert 400 * 8 <= report.peak_bytes <= 8 * 400 * 8
    assert report.double_frees == report.foreign_frees == 0


def test_threads_may_request_kernels_at_the_same_time(parse: Parse):
    """Sizes that nothing else requests, so that the kernels are made here."""
    sizes = range(41, 47)
    copies = "\n".join(
        f"""
    %d{n} = xsmm.unary.dispatch relu [{n}, {n}, 64, 64] flags = (none) data_type = f32
    %a{n} = memref.subview %in[%i, 0, 0] [1, {n}, {n}] [1, 1, 1]
      : memref<8x64x64xf32> to memref<{n}x{n}xf32, strided<[64, 1], offset: ?>>
    %b{n} = memref.subview %out[%i, 0, 0] [1, {n}, {n}] [1, 1, 1]
      : memref<8x64x64xf32> to memref<{n}x{n}xf32, strided<[64, 1], offset: ?>>
    xsmm.unary relu(data_type = f32, %d{n}, %a{n}, %b{n})
      : (i64, memref<{n}x{n}xf32, strided<[64, 1], offset: ?>>,
              memref<{n}x{n}xf32, strided<[64, 1], offset: ?>>) -> ()"""
        for n in sizes
    )
    module = parse(f"""
func.func @f(%in: memref<8x64x64xf32>, %out: memref<8x64x64xf32>) {{
  scf.forall (%i) in (8) {{ {copies}
  }}
  return
}}""")
    numbers = np.random.default_rng(0).standard_normal((8, 64, 64)).astype(np.float32)
    out = np.zeros_like(numbers)
    compile_module(module, threads=8)["f"](numbers, out)
    expected = np.zeros_like(numbers)
    last = max(sizes)
    expected[:, :last, :last] = numbers[:, :last, :last].clip(0)
    np.testing.assert_array_equal(out, expected)

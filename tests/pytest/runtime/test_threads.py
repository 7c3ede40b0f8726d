"""Threads of the system, and what happens where there are none."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import abi
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CountingHeap, threads

Parse = Callable[[str], ModuleOp]

SQUARES = """
func.func @f(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %own = memref.alloc(%n) : memref<?xindex>
    %x = arith.muli %i, %i : index
    memref.store %x, %own[%i] : memref<?xindex>
    %y = memref.load %own[%i] : memref<?xindex>
    memref.store %y, %m[%i] : memref<?xindex>
    memref.dealloc %own : memref<?xindex>
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
    assert threads.default_threads() >= 1


@pytest.mark.usefixtures("openmp")
def test_the_environment_says_how_many_threads_there_are():
    code = """
from xdsl_bufferization.runtime.threads import default_threads
print(default_threads())
"""
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "OMP_NUM_THREADS": "5"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "5\n"


@pytest.mark.usefixtures("forget_runtime")
def test_without_a_runtime_one_thread_does_it_all_and_says_so_once(
    parse: Parse,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(threads, "_candidates", lambda: iter(["libnothing.so.0"]))
    for _ in range(2):
        found = np.zeros(100, np.int64)
        compile_module(parse(SQUARES), threads=2)["f"](found)
        np.testing.assert_array_equal(found, np.arange(100) ** 2)
    assert threads.default_threads() == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("xbuf: note: there is no OpenMP runtime")


@pytest.mark.usefixtures("forget_runtime")
def test_nobody_looks_for_a_runtime_without_need(
    parse: Parse, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(threads, "_candidates", lambda: iter(()))
    compile_module(parse(SQUARES), threads=1)
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

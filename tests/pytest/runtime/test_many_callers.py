"""Eight threads of Python that parse, compile and call at the same time."""

import threading
from collections.abc import Callable

import numpy as np
import pytest

import xdsl_bufferization as xbuf
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CompiledModule, CountingHeap

CALLERS = 8
CALLS = 50


def text(number: int, size: int) -> str:
    """The sum of an array and a number, in a new array."""
    return f"""
    #same = affine_map<(i) -> (i)>
    func.func @add(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{
      %c = arith.constant {number}.0 : f32
      %e = tensor.empty() : tensor<{size}xf32>
      %r = linalg.generic {{
        indexing_maps = [#same, #same], iterator_types = ["parallel"]
      }} ins(%x : tensor<{size}xf32>) outs(%e : tensor<{size}xf32>) {{
      ^bb0(%in: f32, %out: f32):
        %sum = arith.addf %in, %c : f32
        linalg.yield %sum : f32
      }} -> tensor<{size}xf32>
      return %r : tensor<{size}xf32>
    }}"""


def on_all_at_once(work: Callable[[int], None]) -> None:
    """Call `work` in all threads; raises the first error of any."""
    barrier = threading.Barrier(CALLERS)
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            barrier.wait(60)
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(each,)) for each in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def compiled(
    number: int, size: int, *, counting_heap: bool = False, poison: bool = False
) -> CompiledModule:
    module = xbuf.parse(text(number, size))
    xbuf.bufferize(module, bufferize_function_boundaries=True)
    return compile_module(
        xbuf.deallocate(module), counting_heap=counting_heap, poison=poison
    )


def test_they_compile_and_call_different_functions():
    def work(number: int) -> None:
        for repetition in range(3):
            size = 3 + number + repetition
            add = compiled(number, size)["add"]
            x = np.arange(size, dtype=np.float32)
            for _ in range(CALLS):
                np.testing.assert_array_equal(add(x), x + number)

    on_all_at_once(work)


@pytest.mark.parametrize("poison", [False, True])
def test_they_call_one_function_on_one_heap(poison: bool):
    module = compiled(1, 16, counting_heap=True, poison=poison)
    add = module["add"]

    def work(number: int) -> None:
        x = np.full(16, number, np.float32)
        for _ in range(CALLS):
            np.testing.assert_array_equal(add(x), x + 1)

    on_all_at_once(work)
    assert isinstance(module.heap, CountingHeap)
    report = module.heap.report()
    assert report.allocs == report.frees == CALLERS * CALLS
    assert report.live_bytes == report.double_frees == report.foreign_frees == 0


def test_they_share_loops_among_threads_of_their_own():
    module = xbuf.parse("""
    func.func @f(%m: memref<?xindex>, %by: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %m, %c0 : memref<?xindex>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %x = arith.muli %i, %by : index
        memref.store %x, %m[%i] : memref<?xindex>
        scf.reduce
      }
      return
    }""")
    multiply = compile_module(module, threads=2)["f"]

    def work(number: int) -> None:
        for _ in range(CALLS):
            found = np.zeros(64, np.int64)
            multiply(found, number)
            np.testing.assert_array_equal(found, np.arange(64) * number)

    on_all_at_once(work)

"""Ctrl-C while compiled code runs: the call ends, and everything is freed once.

The programs here send the signal themselves, by `raise` of the C library. So it arrives
in compiled code, and Python sees it at its next step, wherever that is.
"""

import ctypes
import gc
import signal
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CountingHeap
from xdsl_bufferization.runtime.addresses import address_of
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.finalizers import free_by, new_allocation
from xdsl_bufferization.support.interrupts import deferred_interrupts, raise_in

Parse = Callable[[str], ModuleOp]

INTERRUPTED = f"""
  %sigint = arith.constant {int(signal.SIGINT)} : i32
  %sent = func.call @raise(%sigint) : (i32) -> i32
"""
RAISE = "func.func private @raise(i32) -> i32"


@pytest.fixture(autouse=True)
def python_handles_interrupts() -> Iterator[None]:
    """As in any program; where tests run at the same time, nobody does."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def heap_of(compiled: CompiledModule) -> CountingHeap:
    assert isinstance(compiled.heap, CountingHeap)
    return compiled.heap


@pytest.mark.parametrize("poison", [False, True])
def test_the_heap_stays_as_it_should_be(parse: Parse, poison: bool):
    module = parse(f"""
    {RAISE}
    func.func @f(%n: index) -> f32 {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = arith.constant 1.0 : f32
      {INTERRUPTED}
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {{
        %m = memref.alloc(%n) : memref<?xf32>
        memref.store %a, %m[%i] : memref<?xf32>
        %y = memref.load %m[%i] : memref<?xf32>
        memref.dealloc %m : memref<?xf32>
        scf.yield %y : f32
      }}
      return %r : f32
    }}""")
    compiled = compile_module(module, counting_heap=True, poison=poison)
    with pytest.raises(KeyboardInterrupt):
        compiled["f"](100)
    report = heap_of(compiled).report()
    assert (report.allocs, report.frees, report.live_bytes) == (100, 100, 0)
    assert report.double_frees == report.foreign_frees == 0


RETURNS_TWO = f"""
{RAISE}
func.func @f(%x: memref<4xf32>, %n: index)
    -> (memref<?xf32>, memref<4xf32>, i32, memref<?xf32>) {{
  %m = memref.alloc(%n) : memref<?xf32>
  %k = memref.alloc(%n) : memref<?xf32>
  {INTERRUPTED}
  return %m, %x, %sent, %k : memref<?xf32>, memref<4xf32>, i32, memref<?xf32>
}}"""


def test_results_that_nobody_gets_are_freed(parse: Parse):
    compiled = compile_module(parse(RETURNS_TWO), counting_heap=True)
    x = np.ones(4, np.float32)
    with pytest.raises(KeyboardInterrupt):
        compiled["f"](x, 8)
    gc.collect()
    report = heap_of(compiled).report()
    assert (report.allocs, report.frees, report.live_bytes) == (2, 2, 0)
    assert report.double_frees == report.foreign_frees == 0
    assert x.tolist() == [1, 1, 1, 1]


def test_what_is_printed_is_printed(parse: Parse, capsys: pytest.CaptureFixture[str]):
    module = parse(f"""
    {RAISE}
    func.func @f() {{
      {INTERRUPTED}
      vector.print %sent : i32
      vector.print %sigint : i32
      return
    }}""")
    compiled = compile_module(module)
    with pytest.raises(KeyboardInterrupt):
        compiled["f"]()
    assert capsys.readouterr() == ("0\n2\n", "")


def test_a_kernel_that_is_requested_is_made(parse: Parse):
    module = parse(f"""
    {RAISE}
    func.func @f(%x: memref<37x3xf32>, %y: memref<37x3xf32>) {{
      {INTERRUPTED}
      %0 = xsmm.unary.dispatch relu [37, 3, 3, 3] flags = (none) data_type = f32
      xsmm.unary relu(data_type = f32, %0, %x, %y)
        : (i64, memref<37x3xf32>, memref<37x3xf32>) -> ()
      return
    }}""")
    compiled = compile_module(module)
    x = np.arange(-50, 61, dtype=np.float32).reshape(37, 3)
    y = np.zeros_like(x)
    with pytest.raises(KeyboardInterrupt):
        compiled["f"](x, y)
    np.testing.assert_array_equal(y, np.maximum(x, 0))


def test_a_result_is_freed_although_a_signal_is_pending():
    """What frees sends the signal: Python has no step between that and the other."""
    heap = CountingHeap()
    kept = new_allocation(heap.releaser, heap)
    kept.pointer = heap.alloc(8)
    sends = new_allocation((free_by(), address_of(ctypes.CDLL(None)["raise"])), None)
    sends.pointer = int(signal.SIGINT)
    objects = [kept, sends]
    del kept, sends
    with pytest.raises(KeyboardInterrupt):
        objects.clear()  # The last one first.
    assert heap.report().live_bytes == 0


# The block.


def test_handlers_are_called_in_order_when_the_block_ends():
    seen: list[int] = []

    def note(number: int, _: object) -> None:
        seen.append(number)

    before = {each: signal.signal(each, note) for each in (signal.SIGTERM,)}
    try:
        with pytest.raises(KeyboardInterrupt), deferred_interrupts():
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
            assert seen == []
        assert seen == [signal.SIGTERM]
        assert signal.getsignal(signal.SIGTERM) is note
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_the_outer_block_decides():
    reached: list[str] = []
    with pytest.raises(KeyboardInterrupt), deferred_interrupts():
        with deferred_interrupts():
            signal.raise_signal(signal.SIGINT)
        reached.append("between the ends")
    assert reached


def test_a_handler_that_is_set_inside_stays():
    def own(number: int, _: object) -> None:
        pass

    with deferred_interrupts():
        signal.signal(signal.SIGINT, own)
    assert signal.getsignal(signal.SIGINT) is own


def test_nothing_is_raised_in_a_thread_that_is_in_such_a_block():
    is_inside, may_go_on, is_outside = (threading.Event() for _ in range(3))
    outcome: list[str] = []

    def work() -> None:
        try:
            with deferred_interrupts():
                is_inside.set()
                assert may_go_on.wait(60)
            outcome.append("whole")
            is_outside.set()
            while True:
                threading.Event().wait(0.01)
        except KeyboardInterrupt:
            outcome.append("interrupted")

    thread = threading.Thread(target=work)
    thread.start()
    assert is_inside.wait(60)
    assert not raise_in(thread, KeyboardInterrupt)
    may_go_on.set()
    assert is_outside.wait(60)
    assert raise_in(thread, KeyboardInterrupt)
    thread.join(60)
    assert outcome == ["whole", "interrupted"]

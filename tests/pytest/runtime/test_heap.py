"""The books of the counting heap."""

import ctypes
import gc
import platform
import subprocess
import sys
import threading

import numpy as np
import pytest

from xdsl_bufferization.runtime import heap as process_heap
from xdsl_bufferization.runtime.errors import FreedResultError
from xdsl_bufferization.runtime.heap import CountingHeap, ProcessHeap
from xdsl_bufferization.runtime.native_heap import FREED_BYTE, FRESH_BYTE
from xdsl_bufferization.runtime.ownership import Owners
from xdsl_bufferization.support import abi


def allocate(heap: CountingHeap, size: int) -> int:
    pointer = heap.alloc(size)
    assert pointer is not None
    return pointer


def test_counts_and_peak():
    heap = CountingHeap()
    a, b = allocate(heap, 100), allocate(heap, 50)
    heap.free(a)
    c = allocate(heap, 10)
    report = heap.report()
    assert (report.allocs, report.frees) == (3, 1)
    assert (report.live_bytes, report.peak_bytes) == (60, 150)
    heap.free(b)
    heap.free(c)
    assert heap.report().live_bytes == 0
    assert heap.report().double_frees == heap.report().foreign_frees == 0


def test_zero_bytes():
    heap = CountingHeap()
    heap.free(allocate(heap, 0))
    assert (heap.report().allocs, heap.report().frees) == (1, 1)


def test_aligned():
    heap = CountingHeap()
    pointer = heap.aligned_alloc(256, 512)
    assert pointer is not None and pointer % 256 == 0
    heap.free(pointer)
    assert heap.report().frees == 1


def test_no_memory_is_a_null_pointer():
    heap = CountingHeap()
    assert heap.alloc(1 << 62) is None
    assert heap.report().allocs == 0


def test_double_and_foreign_frees_are_recorded_and_not_carried_out():
    heap = CountingHeap()
    pointer = allocate(heap, 8)
    heap.free(pointer)
    heap.free(pointer)
    heap.free(0x1000)
    report = heap.report()
    assert (report.frees, report.double_frees, report.foreign_frees) == (1, 1, 1)


def test_freeing_null_does_nothing():
    heap = CountingHeap()
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(heap.symbols[abi.FREE])(None)
    assert heap.report() == CountingHeap().report()


def test_copies():
    heap = CountingHeap()
    count = ctypes.CFUNCTYPE(None, ctypes.c_int64)(heap.symbols[abi.COUNT_COPY])
    count(100)
    count(0)
    assert (heap.report().copies, heap.report().copied_bytes) == (2, 100)


def test_reset_keeps_what_is_live():
    heap = CountingHeap()
    pointer = allocate(heap, 100)
    heap.reset()
    report = heap.report()
    assert (report.allocs, report.live_bytes, report.peak_bytes) == (0, 100, 100)
    heap.free(pointer)
    assert heap.report().live_bytes == 0


def test_poison():
    heap = CountingHeap(poison=True)
    pointer = allocate(heap, 16)
    assert ctypes.string_at(pointer, 16) == bytes([FRESH_BYTE] * 16)
    floats = np.frombuffer(ctypes.string_at(pointer, 16), np.float32)
    assert np.isnan(floats).all()
    heap.free(pointer)
    # The heap holds freed memory back, so that it can still be looked at.
    assert ctypes.string_at(pointer, 16) == bytes([FREED_BYTE] * 16)


@pytest.fixture
def given_back(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What heaps that are made from now on give back to the process, in order."""
    freed: list[int] = []
    free = process_heap._free  # pyright: ignore[reportPrivateUsage]

    def note(pointer: int) -> None:
        freed.append(pointer)
        free(pointer)

    noting = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(note)
    monkeypatch.setattr(process_heap, "_free", noting)
    return freed


def test_what_is_released_after_the_heap_is_collected_is_freed_once(
    given_back: list[int],
):
    heap = CountingHeap(poison=True)
    first, second = allocate(heap, 8), allocate(heap, 8)
    kept_alive = heap._used  # pyright: ignore[reportPrivateUsage]
    owners = Owners(heap, None, ())
    owners.owner_of(second)
    heap.free(first)
    assert given_back == []
    # A result may be garbage together with its heap, and collected after it.
    heap._owner.__del__()  # pyright: ignore
    assert given_back == [first]
    del heap, owners
    gc.collect()
    assert given_back == [first, second]
    del kept_alive


def test_poisoned_memory_is_not_held_back_for_ever(given_back: list[int]):
    heap = CountingHeap(poison=True)
    pointers: list[int] = []
    for _ in range(200):
        pointers.append(allocate(heap, 1 << 20))
        heap.free(pointers[-1])
    held_back = len(pointers) - len(given_back)
    assert given_back == pointers[:-held_back]
    assert 0 < held_back < 100
    assert heap.report().frees == 200


def test_the_books_know_many_addresses():
    heap = CountingHeap()
    pointers = [allocate(heap, size) for size in range(5000)]
    assert all(map(heap.owns, pointers))
    for pointer in pointers[::2]:
        heap.free(pointer)
    assert all(map(heap.owns, pointers[1::2]))
    assert heap.report().live_bytes == sum(range(1, 5000, 2))


def test_only_what_is_live_is_owned():
    heap = CountingHeap()
    pointer = allocate(heap, 8)
    assert heap.owns(pointer)
    assert not heap.owns(0x1000)
    heap.free(pointer)
    with pytest.raises(FreedResultError, match="had freed"):
        heap.owns(pointer)


def test_the_process_heap_owns_no_global():
    heap = ProcessHeap()
    assert not heap.owns(abi.GLOBAL_ALLOCATED_POINTER)
    assert not heap.owns(0)


def test_threads():
    heap = CountingHeap()

    def work() -> None:
        for size in range(500):
            heap.release(allocate(heap, size))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report = heap.report()
    assert (report.allocs, report.frees, report.live_bytes) == (2000, 2000, 0)


def test_one_allocation_has_one_owner():
    heap = CountingHeap()
    pointer = allocate(heap, 8)
    owners = Owners(heap, None, ())
    first, _ = owners.owner_of(pointer)
    second, _ = owners.owner_of(pointer)
    assert first is second
    del owners, first
    gc.collect()
    assert heap.report().frees == 0
    del second
    gc.collect()
    assert heap.report().frees == 1


def test_memory_that_is_freed_is_there_in_the_next_call():
    """In a process of its own, in which no large block was freed before."""
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("other heaps have other rules")
    code = """
import resource
import xdsl_bufferization as xbuf
type = "memref<65536xf32>"
buffers = [f"%b{n} = memref.alloc() : {type}" for n in range(16)]
fills = [f"linalg.fill ins(%x : f32) outs(%b{n} : {type})" for n in range(16)]
frees = [f"memref.dealloc %b{n} : {type}" for n in range(16)]
body = "\\n".join([*buffers, *fills, *frees])
text = f"func.func @f(%x: f32) {{ {body} \\n return }}"
function = xbuf.compile(xbuf.parse(text))["f"]
for _ in range(3):
    function(1.0)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    function(1.0)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    # Each call writes 1,024 pages.
    assert int(done.stdout) < 1000

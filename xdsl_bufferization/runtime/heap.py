"""The heaps that compiled code can allocate from.

A heap is a set of functions, named as in `abi.py`, that the engine links into the code.
`ProcessHeap` is malloc and free of this process. `CountingHeap` is opt-in, and keeps
the books.

    heap = CountingHeap()
    ... compile with heap=heap, call, drop the results ...
    heap.report()     HeapReport(allocs=3, frees=3, live_bytes=0, ...)

The books are kept by machine code (`native_heap.py`), and not by Python. Python would
run signal handlers in the middle of an allocation, where an exception has nowhere to
go. It would also hold a lock while another thread forks the process.
"""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from typing_extensions import override

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.locks import computed_once

from .addresses import address_of
from .errors import FreedResultError
from .finalizers import free_by
from .native_heap import IS_FOREIGN, WAS_FREED, entries_of, functions, new_heap

_process: Final = ctypes.CDLL(None)
_malloc: Final = _process.malloc
_malloc.argtypes, _malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
_aligned_alloc: Final = _process.aligned_alloc
_aligned_alloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
_aligned_alloc.restype = ctypes.c_void_p
_free: Final = _process.free
_free.argtypes, _free.restype = [ctypes.c_void_p], None

_QUARANTINE_BYTES: Final = 1 << 26


class Heap(Protocol):
    """Where compiled code allocates, and where returned buffers are given back."""

    symbols: Mapping[str, int]
    """Addresses of the functions that the engine links, by name."""

    releaser: tuple[int, int]
    """The address of `void (ptr context, ptr pointer)`, which frees, and the context.

    It is called at any time, in any thread.
    """

    def owns(self, pointer: int) -> bool:
        """Whether a returned allocated pointer is to be released. Unsure: False.

        Raises `FreedResultError` where it is known to be released already.
        """
        ...

    def release(self, pointer: int) -> None:
        """Free an allocation, as `releaser` does."""
        ...


@computed_once
def _releaser_by(address: int) -> tuple[int, int]:
    """What frees by the function at an address."""
    return free_by(), address


_LARGEST_KEPT: Final = (1 << 25) - (1 << 16)
"""A little less than the largest block whose release glibc draws conclusions from."""


@computed_once
def _keep_freed_memory() -> None:
    """Let glibc keep what compiled code frees for the next call.

    glibc gives blocks back to the system from a size on that is twice the largest block
    that was freed so far, up to 64 MB. The next call would have to get all pages again,
    which was up to a tenth of its time. A block that nobody touches takes no memory.
    """
    _free(_malloc(_LARGEST_KEPT))


class ProcessHeap(Heap):
    """`malloc` and `free` of this process."""

    def __init__(self) -> None:
        _keep_freed_memory()
        self.symbols = {
            abi.MALLOC: address_of(_malloc),
            abi.GENERIC_ALLOC: address_of(_malloc),
            abi.ALIGNED_ALLOC: address_of(_aligned_alloc),
            abi.GENERIC_ALIGNED_ALLOC: address_of(_aligned_alloc),
            abi.FREE: address_of(_free),
            abi.GENERIC_FREE: address_of(_free),
        }
        self._free = _free
        self._free_address = address_of(_free)

    @property
    @override
    def releaser(self) -> tuple[int, int]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return _releaser_by(self._free_address)

    @override
    def owns(self, pointer: int) -> bool:
        return pointer not in (0, abi.GLOBAL_ALLOCATED_POINTER)

    @override
    def release(self, pointer: int) -> None:
        self._free(pointer)


@dataclass(frozen=True)
class HeapReport:
    """The books of a `CountingHeap` at one moment."""

    allocs: int
    frees: int
    """Frees that were carried out."""

    live_bytes: int
    """Bytes allocated and not freed."""

    peak_bytes: int
    """The most that `live_bytes` has been."""

    double_frees: int
    """Frees of memory that had been freed already; not carried out."""

    foreign_frees: int
    """Frees of a pointer that this heap never gave out; not carried out."""

    copies: int
    """Copy operations executed, where the code was compiled to count them."""

    copied_bytes: int


class CountingHeap(Heap):
    """A heap that counts, and that refuses wrong frees instead of crashing.

    Sizes are those that the code asked for. With `poison`, fresh memory is filled with
    `FRESH_BYTE` of `native_heap.py`, and freed memory with `FREED_BYTE`. Freed memory
    is not reused for a while. So reads of either show up in the results.

    The books live as long as this object, and as the memory that code has allocated.
    """

    poison: bool

    def __init__(self, *, poison: bool = False):
        self.poison = poison
        self._native = functions()
        # The books know the addresses of these alone.
        self._used = _malloc, _aligned_alloc, _free
        self._owner = new_heap(
            *map(address_of, self._used), poison=poison, most_held=_QUARANTINE_BYTES
        )
        self._books = self._owner.address
        self._entries = entries_of(self._books)
        entries = self._entries
        self.symbols = {
            abi.MALLOC: entries["alloc"],
            abi.GENERIC_ALLOC: entries["alloc"],
            abi.ALIGNED_ALLOC: entries["aligned_alloc"],
            abi.GENERIC_ALIGNED_ALLOC: entries["aligned_alloc"],
            abi.FREE: entries["free"],
            abi.GENERIC_FREE: entries["free"],
            abi.COUNT_COPY: entries["count_copy"],
        }
        self.releaser = self._native.free_address, self._books

    # What compiled code does, for callers in Python.

    def alloc(self, size: int) -> int | None:
        """Allocate `size` bytes; None when there is no memory."""
        return self._native.alloc(self._books, size)

    def aligned_alloc(self, alignment: int, size: int) -> int | None:
        """Allocate `size` bytes at a multiple of `alignment`."""
        return self._native.aligned_alloc(self._books, alignment, size)

    def free(self, pointer: int) -> None:
        """Free an allocation; a wrong pointer is recorded and otherwise ignored."""
        self._native.free(self._books, pointer)

    def count_copy(self, size: int) -> None:
        """Record one executed copy of `size` bytes."""
        self._native.count_copy(self._books, size)

    @override
    def owns(self, pointer: int) -> bool:
        size = self._native.size(self._books, pointer)
        if size == WAS_FREED:
            raise FreedResultError("the function returned a buffer that it had freed")
        return size != IS_FOREIGN

    @override
    def release(self, pointer: int) -> None:
        self._native.free(self._books, pointer)

    def report(self) -> HeapReport:
        """Return the counters."""
        counters = (ctypes.c_int64 * 8)()
        self._native.report(self._books, counters)
        return HeapReport(*counters)

    def reset(self) -> None:
        """Start counting anew; live memory stays live, and is the new peak."""
        self._native.reset(self._books)

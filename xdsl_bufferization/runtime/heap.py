"""The heaps that compiled code can allocate from.

A heap is a set of functions, named as in `abi.py`, that the engine links into the code.
`ProcessHeap` is malloc and free of this process. `CountingHeap` is opt-in: each call
goes through Python (about a microsecond), which keeps the books.

    heap = CountingHeap()
    ... compile with heap=heap, call, drop the results ...
    heap.report()     HeapReport(allocs=3, frees=3, live_bytes=0, ...)
"""

import ctypes
import threading
from collections import deque
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from typing_extensions import override

from xdsl_bufferization import abi
from xdsl_bufferization.runtime.addresses import address_of
from xdsl_bufferization.runtime.errors import FreedResultError

_process: Final = ctypes.CDLL(None)
_malloc: Final = _process.malloc
_malloc.argtypes, _malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
_aligned_alloc: Final = _process.aligned_alloc
_aligned_alloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
_aligned_alloc.restype = ctypes.c_void_p
_free: Final = _process.free
_free.argtypes, _free.restype = [ctypes.c_void_p], None

_ALLOC_CALLBACK: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)
_ALIGNED_ALLOC_CALLBACK: Final = ctypes.CFUNCTYPE(
    ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
)
_FREE_CALLBACK: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_COPY_CALLBACK: Final = ctypes.CFUNCTYPE(None, ctypes.c_int64)

FRESH_BYTE: Final = 0xFF
"""What poisoned fresh memory holds: NaN in every float type, -1 in every integer."""

FREED_BYTE: Final = 0xCC
"""What poisoned freed memory holds."""

_QUARANTINE_BYTES: Final = 1 << 26


class Heap(Protocol):
    """Where compiled code allocates, and where returned buffers are given back."""

    symbols: Mapping[str, int]
    """Addresses of the functions that the engine links, by name."""

    def owns(self, pointer: int) -> bool:
        """Whether a returned allocated pointer is to be released. Unsure: False.

        Raises `FreedResultError` where it is known to be released already.
        """
        ...

    def release(self, pointer: int) -> None:
        """Free an allocation; called by finalizers, at any time, in any thread."""
        ...


class ProcessHeap(Heap):
    """`malloc` and `free` of this process."""

    def __init__(self) -> None:
        self.symbols = {
            abi.MALLOC: address_of(_malloc),
            abi.GENERIC_ALLOC: address_of(_malloc),
            abi.ALIGNED_ALLOC: address_of(_aligned_alloc),
            abi.GENERIC_ALIGNED_ALLOC: address_of(_aligned_alloc),
            abi.FREE: address_of(_free),
            abi.GENERIC_FREE: address_of(_free),
        }

    @override
    def owns(self, pointer: int) -> bool:
        return pointer not in (0, abi.GLOBAL_ALLOCATED_POINTER)

    @override
    def release(self, pointer: int) -> None:
        _free(pointer)


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
    `FRESH_BYTE` and freed memory with `FREED_BYTE`. Freed memory is not reused for a
    while. So reads of either show up in the results.
    """

    poison: bool

    def __init__(self, *, poison: bool = False):
        self.poison = poison
        self._lock = threading.Lock()
        self._sizes: dict[int, int] = {}
        self._freed: set[int] = set()
        self._quarantine: deque[tuple[int, int]] = deque()
        self._quarantined_bytes = 0
        self._quarantine_limit = _QUARANTINE_BYTES
        self._released: deque[int] = deque()
        alloc = _ALLOC_CALLBACK(self.alloc)
        aligned_alloc = _ALIGNED_ALLOC_CALLBACK(self.aligned_alloc)
        free = _FREE_CALLBACK(self._free_from_code)
        # The code knows only the addresses of these: they live as long as the heap.
        self._callbacks: dict[str, Any] = {
            abi.MALLOC: alloc,
            abi.GENERIC_ALLOC: alloc,
            abi.ALIGNED_ALLOC: aligned_alloc,
            abi.GENERIC_ALIGNED_ALLOC: aligned_alloc,
            abi.FREE: free,
            abi.GENERIC_FREE: free,
            abi.COUNT_COPY: _COPY_CALLBACK(self.count_copy),
        }
        self.symbols = {
            name: address_of(call) for name, call in self._callbacks.items()
        }
        self._clear_counters()

    def _clear_counters(self) -> None:
        self._allocs = 0
        self._frees = 0
        self._live_bytes = sum(self._sizes.values())
        self._peak_bytes = self._live_bytes
        self._double_frees = 0
        self._foreign_frees = 0
        self._copies = 0
        self._copied_bytes = 0

    # Called by compiled code. ctypes would print an exception and go on with a null
    # pointer, so these raise none.

    def alloc(self, size: int) -> int | None:
        """Allocate `size` bytes; None when there is no memory."""
        return self._record(_malloc(size), size)

    def aligned_alloc(self, alignment: int, size: int) -> int | None:
        """Allocate `size` bytes at a multiple of `alignment`."""
        return self._record(_aligned_alloc(alignment, size), size)

    def free(self, pointer: int) -> None:
        """Free an allocation; a wrong pointer is recorded and otherwise ignored."""
        with self._books():
            self._free_locked(pointer)

    def count_copy(self, size: int) -> None:
        """Record one executed copy of `size` bytes."""
        with self._books():
            self._copies += 1
            self._copied_bytes += size

    def _free_from_code(self, pointer: int | None) -> None:
        if pointer is not None:  # C: freeing a null pointer does nothing.
            self.free(pointer)

    # Called by the runtime.

    @override
    def owns(self, pointer: int) -> bool:
        with self._books():
            if pointer in self._freed:
                raise FreedResultError(
                    "the function returned a buffer that it had freed"
                )
            return pointer in self._sizes

    @override
    def release(self, pointer: int) -> None:
        # A finalizer may run inside one of the methods above, in the same thread, when
        # Python collects garbage there: waiting for the lock would then never end.
        self._released.append(pointer)
        self._drain()

    def report(self) -> HeapReport:
        """Return the counters."""
        with self._books():
            return HeapReport(
                allocs=self._allocs,
                frees=self._frees,
                live_bytes=self._live_bytes,
                peak_bytes=self._peak_bytes,
                double_frees=self._double_frees,
                foreign_frees=self._foreign_frees,
                copies=self._copies,
                copied_bytes=self._copied_bytes,
            )

    def reset(self) -> None:
        """Start counting anew; live memory stays live, and is the new peak."""
        with self._books():
            self._clear_counters()

    def _record(self, pointer: int | None, size: int) -> int | None:
        if pointer is None:
            return None
        if self.poison:
            ctypes.memset(pointer, FRESH_BYTE, size)
        with self._books():
            self._freed.discard(pointer)
            self._sizes[pointer] = size
            self._allocs += 1
            self._live_bytes += size
            self._peak_bytes = max(self._peak_bytes, self._live_bytes)
        return pointer

    @contextmanager
    def _books(self) -> Generator[None, None, None]:
        """Lock the counts; at the end, free what was released in the meantime."""
        with self._lock:
            yield
        self._drain()

    def _drain(self) -> None:
        """Carry out pending releases, unless someone is at it and will do so."""
        while self._released and self._lock.acquire(blocking=False):
            try:
                self._free_locked(self._released.popleft())
            except IndexError:
                pass  # Another thread took the last one.
            finally:
                self._lock.release()

    def _free_locked(self, pointer: int) -> None:
        size = self._sizes.pop(pointer, None)
        if size is None:
            if pointer in self._freed:
                self._double_frees += 1
            else:
                self._foreign_frees += 1
            return
        self._freed.add(pointer)
        self._frees += 1
        self._live_bytes -= size
        if self.poison:
            ctypes.memset(pointer, FREED_BYTE, size)
            self._hold_back(pointer, size)
        else:
            _free(pointer)

    def _hold_back(self, pointer: int, size: int) -> None:
        self._quarantine.append((pointer, size))
        self._quarantined_bytes += size
        self._shrink_quarantine()

    def _shrink_quarantine(self) -> None:
        while self._quarantined_bytes > self._quarantine_limit:
            oldest, oldest_size = self._quarantine.popleft()
            self._quarantined_bytes -= oldest_size
            _free(oldest)

    def __del__(self) -> None:
        # Results that are garbage together with this heap may be released afterwards.
        self._quarantine_limit = 0
        self._shrink_quarantine()

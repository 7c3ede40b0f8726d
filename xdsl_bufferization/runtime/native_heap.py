"""The machine code of the counting heap: `heap.c`, and what calls it.

    functions().alloc(books, 64)     as compiled code does, from Python
    entries_of(books)["alloc"]       the address of `ptr (i64)` for compiled code

No Python runs in these functions, so that Ctrl-C and other signals wait until compiled
code returns to Python. All heaps have one lock, for a few instructions at a time. A
fork waits for the lock (`locks.py`), so that a child finds it free.

The functions are those of `heap.ll`, which is made of `heap.c` when the package is
written. They are compiled once, and stay until the process ends. So a result may be
freed at any time, in any order with its heap.
"""

import ctypes
from pathlib import Path
from typing import Any, Final, NamedTuple

from xdsl_bufferization.support.locks import computed_once, hold_during_forks

from .finalizers import set_finalizer
from .llvm import Library, compile_image, load, runtime_function

FRESH_BYTE: Final = 0xFF
"""What poisoned fresh memory holds: NaN in every float type, -1 in every integer."""

FREED_BYTE: Final = 0xCC
"""What poisoned freed memory holds."""

WAS_FREED: Final = -1
"""What `size` says of memory that was freed."""

IS_FOREIGN: Final = -2
"""What `size` says of memory of somebody else."""

_ADDRESS: Final = ctypes.c_void_p
_NUMBER: Final = ctypes.c_int64

PROTOTYPES: Final[dict[str, tuple[Any, ...]]] = {
    "xbuf_heap_new": (_ADDRESS, *[_ADDRESS] * 3, _NUMBER, _NUMBER),
    "xbuf_heap_alloc": (_ADDRESS, _ADDRESS, _NUMBER),
    "xbuf_heap_aligned_alloc": (_ADDRESS, _ADDRESS, _NUMBER, _NUMBER),
    "xbuf_heap_free": (None, _ADDRESS, _ADDRESS),
    "xbuf_heap_count_copy": (None, _ADDRESS, _NUMBER),
    "xbuf_heap_size": (_NUMBER, _ADDRESS, _ADDRESS),
    "xbuf_heap_report": (None, _ADDRESS, _ADDRESS),
    "xbuf_heap_reset": (None, _ADDRESS),
    "xbuf_heap_lock": (None,),
    "xbuf_heap_unlock": (None,),
}
"""Of each function, the type of the result and those of the parameters."""

_ENTRIES: Final = """
@books = global ptr null
declare ptr @xbuf_heap_alloc(ptr, i64)
declare ptr @xbuf_heap_aligned_alloc(ptr, i64, i64)
declare void @xbuf_heap_free(ptr, ptr)
declare void @xbuf_heap_count_copy(ptr, i64)
define ptr @alloc(i64 %size) {
  %books = load ptr, ptr @books
  %pointer = call ptr @xbuf_heap_alloc(ptr %books, i64 %size)
  ret ptr %pointer
}
define ptr @aligned_alloc(i64 %alignment, i64 %size) {
  %books = load ptr, ptr @books
  %pointer = call ptr @xbuf_heap_aligned_alloc(ptr %books, i64 %alignment, i64 %size)
  ret ptr %pointer
}
define void @free(ptr %pointer) {
  %books = load ptr, ptr @books
  call void @xbuf_heap_free(ptr %books, ptr %pointer)
  ret void
}
define void @count_copy(i64 %size) {
  %books = load ptr, ptr @books
  call void @xbuf_heap_count_copy(ptr %books, i64 %size)
  ret void
}
"""
"""Compiled code passes no heap: each heap has functions of its own that know it."""

_ENTRY_NAMES: Final = ("books", "alloc", "aligned_alloc", "free", "count_copy")


class Functions(NamedTuple):
    """The functions of `heap.c`; all but `new` take the address of the books first."""

    new: Any
    alloc: Any
    aligned_alloc: Any
    free: Any
    count_copy: Any
    size: Any
    report: Any
    reset: Any
    lock: Any
    unlock: Any
    free_address: int
    """Where `free` is."""


@computed_once
def _library() -> Library:
    text = Path(__file__).with_name("heap.ll").read_text("utf-8")
    return runtime_function(text, *PROTOTYPES, "xbuf_heap_close", opt_level=0)


@computed_once
def functions() -> Functions:
    """What `heap.c` has, compiled at the first call."""
    library = _library()
    calls = [
        ctypes.CFUNCTYPE(*types)(library[name]) for name, types in PROTOTYPES.items()
    ]
    found = Functions._make([*calls, library["xbuf_heap_free"]])
    hold_during_forks(found.lock, found.unlock)
    return found


def entries_of(books: int) -> Library:
    """The functions of one heap for compiled code, which live as long as the result."""
    library = _library()
    imports = {name: library[name] for name in PROTOTYPES}
    entries = load(_entries_image(), imports, _ENTRY_NAMES)
    ctypes.c_void_p.from_address(entries["books"]).value = books
    return entries


@computed_once
def _entries_image() -> bytes:
    return compile_image(_ENTRIES, opt_level=0)


class Owner(ctypes.Structure):
    """The one that has a heap."""

    _fields_ = (("address", ctypes.c_void_p),)
    address: int


@computed_once
def _let_owners_close() -> None:
    set_finalizer(Owner, _library()["xbuf_heap_close"])


def new_heap(
    malloc: int, aligned_alloc: int, free: int, *, poison: bool, most_held: int
) -> Owner:
    """A heap with the given functions; `most_held` bytes are held back if poisoned."""
    _let_owners_close()
    address = functions().new(malloc, aligned_alloc, free, poison, most_held)
    if address is None:
        raise MemoryError("there is no memory for a heap")
    return Owner(address)

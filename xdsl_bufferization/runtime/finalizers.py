"""What is done in machine code when an object of Python is collected.

    allocation = new_allocation(heap.releaser, heap)
    allocation.pointer = pointer        freed with the last reference to `allocation`

A method `__del__` in Python would begin with the handlers of pending signals. Python
drops the exception of a handler there: Ctrl-C would have no effect, and the memory
would stay.
"""

import ctypes
from typing import Any, Final

from xdsl_bufferization.support.locks import computed_once

from .llvm import Library, runtime_function

_RELEASE: Final = "xbuf_release"
_FREE_BY: Final = "xbuf_free_by"

_TEXT: Final = f"""
%allocation = type {{ ptr, ptr, ptr }}

; Frees what a result held: once, however often this is called.
define void @{_RELEASE}(ptr %allocation) {{
  %pointer_at = getelementptr %allocation, ptr %allocation, i64 0, i32 2
  %pointer = load ptr, ptr %pointer_at
  %is_null = icmp eq ptr %pointer, null
  br i1 %is_null, label %done, label %free
free:
  store ptr null, ptr %pointer_at
  %context_at = getelementptr %allocation, ptr %allocation, i64 0, i32 1
  %context = load ptr, ptr %context_at
  %function = load ptr, ptr %allocation
  call void %function(ptr %context, ptr %pointer)
  br label %done
done:
  ret void
}}

define void @{_FREE_BY}(ptr %function, ptr %pointer) {{
  call void %function(ptr %pointer)
  ret void
}}
"""


@computed_once
def _library() -> Library:
    return runtime_function(_TEXT, _RELEASE, _FREE_BY, opt_level=0)


def free_by() -> int:
    """The address of `void (ptr function, ptr pointer)`, which calls the function."""
    return _library()[_FREE_BY]


def set_finalizer(type_: type[ctypes.Structure], address: int) -> None:
    """Call the function at `address` with each structure that is collected."""
    call = ctypes.CFUNCTYPE(None, ctypes.POINTER(type_))(address)
    bind: Any = ctypes.pythonapi.PyInstanceMethod_New
    bind.argtypes, bind.restype = [ctypes.py_object], ctypes.py_object
    type_.__del__ = bind(call)  # pyright: ignore[reportAttributeAccessIssue]


class Allocation(ctypes.Structure):
    """Memory that is given back to its heap when this object is collected."""

    _fields_ = (
        ("free", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("pointer", ctypes.c_void_p),
    )
    pointer: int | None
    """The memory; None if there is none yet."""

    heap: object
    """What must live as long."""


@computed_once
def _let_allocations_free() -> None:
    set_finalizer(Allocation, _library()[_RELEASE])


def new_allocation(releaser: tuple[int, int], heap: object) -> Allocation:
    """An owner of nothing yet: set its `pointer`."""
    _let_allocations_free()
    allocation = Allocation(*releaser)
    allocation.heap = heap
    return allocation

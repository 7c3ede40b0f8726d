"""Who frees a returned buffer.

A returned memref names its allocation by its allocated pointer. It is freed once, when
the last array over it is collected, if it came from the heap. If it is the memory of an
argument, the array keeps that argument alive instead; if it is a global of the program,
it keeps the loaded code alive and is read-only.

Freeing hangs on an `Allocation` object: the array's base holds the object, views hold
the base, and the object holds the heap. It is collected in whatever thread drops the
last array, which every heap allows. At interpreter exit nothing is freed: the heap may
be gone by then, and the process gives everything back.
"""

import sys
from collections.abc import Callable, Iterable

from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.heap import Heap


class Allocation:
    """An allocation that is given back to its heap when this object is collected."""

    __slots__ = ("_pointer", "_release")

    def __init__(self, heap: Heap, pointer: int):
        self._release = heap.release
        self._pointer = pointer

    def __del__(self, is_exiting: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_exiting():
            self._release(self._pointer)


class Owners:
    """Finds the owner of each buffer that one call returned."""

    def __init__(
        self, heap: Heap, code: object, arguments: Iterable[tuple[int, Array]]
    ):
        """Prepare for a call; the arguments are those it may return, with pointers."""
        self._heap = heap
        self._code = code
        self._borrowed: dict[int, list[Array]] = {}
        for pointer, array in arguments:
            self._borrowed.setdefault(pointer, []).append(array)
        self._adopted: dict[int, Allocation] = {}

    def owner_of(self, allocated: int) -> tuple[object, bool]:
        """Return what keeps an allocation alive, and whether a caller may write it."""
        borrowed = self._borrowed.get(allocated)
        if borrowed is not None:
            return borrowed, all(array.flags.writeable for array in borrowed)
        adopted = self._adopted.get(allocated)
        if adopted is None:
            if not self._heap.owns(allocated):
                return self._code, False
            adopted = self._adopted[allocated] = Allocation(self._heap, allocated)
        return adopted, True

"""Who frees a returned buffer.

A returned memref names its allocation by its allocated pointer. What the array over it
does depends on where the memory comes from:

- From the heap: the memory is freed once, when the last array over it is collected.
- From an argument: the array keeps that argument alive.
- From a global of the program: the array keeps the loaded code alive, and is read-only.

Memory is freed when an `Allocation` object is collected. The base of the array holds
the object, views hold the base, and the object holds the heap. Any thread may drop the
last array, as every heap allows. When Python exits, nothing is freed: the heap may be
gone by then, and the process gives everything back.
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

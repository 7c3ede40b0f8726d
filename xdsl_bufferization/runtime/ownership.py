"""Who frees a returned buffer.

A returned memref names its allocation by its allocated pointer. What the array over it
does depends on where the memory comes from:

- From the heap: the memory is freed once, when the last array over it is collected.
- From an argument: the array keeps that argument alive.
- From a global of the program: the array keeps the loaded code alive, and is read-only.

Memory is freed when an `Allocation` object is collected. The base of the array holds
the object, views hold the base, and the object holds the heap. Any thread may drop the
last array, as every heap allows.

Ctrl-C may come at any time after a call has returned. So a result has an owner before
anything else is done with it: see `Owners.owner_of`.
"""

from collections.abc import Iterable
from contextlib import suppress

from .descriptor import Array
from .errors import FreedResultError
from .finalizers import Allocation, new_allocation
from .heap import Heap


class Owners:
    """Finds the owner of each buffer that one call returned."""

    def __init__(
        self, heap: Heap, code: object, arguments: Iterable[tuple[int, Array]]
    ):
        """Prepare for a call; the arguments are those it may return, with pointers."""
        self._heap = heap
        self._code = code
        self._arguments = tuple(arguments)
        self._borrowed = dict(self._arguments)
        self._adopted: dict[int, Allocation] = {}

    def owner_of(self, allocated: int) -> tuple[object, bool]:
        """Return what keeps an allocation alive, and whether a caller may write it."""
        if allocated in self._borrowed:
            # Few results are arguments, and several arguments may be one.
            borrowed = [each for at, each in self._arguments if at == allocated]
            return borrowed, all(array.flags.writeable for array in borrowed)
        adopted = self._adopted.get(allocated)
        if adopted is None:
            if not self._heap.owns(allocated):
                return self._code, False
            adopted = new_allocation(self._heap.releaser, self._heap)
            # Python looks for signals at calls and jumps: not between these two.
            self._adopted[allocated] = adopted
            adopted.pointer = allocated
        return adopted, True

    def adopt(self, pointers: Iterable[int]) -> None:
        """Let the memory of results that nobody gets be freed with this object."""
        for pointer in pointers:
            with suppress(FreedResultError):
                self.owner_of(pointer)

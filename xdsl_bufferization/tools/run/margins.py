"""Arrays with memory around them that nobody may write.

margins = Margins(np.ones(4, np.float32))
margins.inside                 the same numbers, in the middle of more memory
margins.are_whole()            whether nothing around them has changed

A program that writes beyond an array would otherwise write into the memory of Python.
That ends the process at some later time, or never.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_BYTES: Final = 256
"""On each side at least. The array starts at a multiple."""

_PATTERN: Final = 0xA5


class Margins:
    """A copy of an array, and what is around it."""

    def __init__(self, array: Array):
        size = array.nbytes
        memory = np.full(size + 3 * _BYTES, _PATTERN, np.uint8)
        start = 2 * _BYTES - memory.ctypes.data % _BYTES
        self._around = memory[:start], memory[start + size :]
        self.inside: Array = np.ndarray(array.shape, array.dtype, memory, start)
        self.inside[...] = array

    def are_whole(self) -> bool:
        """Whether nothing has been written into the margins."""
        return all((each == _PATTERN).all() for each in self._around)

"""Buffers of the caller, whose bits are watched: elements, what is between, around.

    guard | element . element . element | guard

A buffer that may have any layout has gaps between its elements, and begins behind its
aligned pointer. Nothing may change guards and gaps.
"""

import ctypes
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from xdsl_bufferization.runtime.descriptor import row_major_strides

Bytes = NDArray[np.uint8]
Array = NDArray[Any]

_GUARD: Final = 64
"""Bytes before and behind, also the alignment."""

_BACKGROUND: Final = 0xA5
_OFFSET: Final = 3
"""Elements before the first, where any layout is possible."""


class Buffer:
    """The memory of one argument, which stays where it is for all runs."""

    def __init__(self, values: Array, *, is_strided: bool):
        self.shape = values.shape
        self.itemsize = values.dtype.itemsize
        self.values = _bytes_of(values)
        """What the elements are by default: a row of bytes for each."""

        strides = _wide_strides(self.shape) if is_strided else None
        self._strides = strides or row_major_strides(self.shape)
        offset = _OFFSET if is_strided else 0
        places = places_of(self.shape, self._strides) + offset
        span = (int(places.max()) + 1 if places.size else 0) * self.itemsize
        self._memory = np.empty(span + 3 * _GUARD, np.uint8)
        first = self._memory.ctypes.data
        first += -first % _GUARD
        self.begin = first
        """The address of the guard before the buffer."""

        self.end = first + span + 2 * _GUARD
        self.addresses = first + _GUARD + places * self.itemsize
        """The address of each element, in row-major order."""

        self._at = (
            self.addresses[:, None]
            - self._memory.ctypes.data
            + np.arange(self.itemsize)
        )
        self._is_element = np.zeros(self._memory.shape, np.bool_)
        self._is_element[self._at] = True
        aligned = first + _GUARD
        self.words = [aligned, aligned, offset, *self.shape, *self._strides]

    def fill(self, elements: Bytes) -> None:
        """Set all bits anew."""
        self._memory[:] = _BACKGROUND
        self._memory[self._at] = elements

    def elements(self) -> Bytes:
        """What is in the elements now."""
        return self._memory[self._at]

    def is_intact_around(self) -> bool:
        """Whether guards and gaps are as they were."""
        return bool((self._memory[~self._is_element] == _BACKGROUND).all())

    def holds(self, addresses: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which addresses are in this memory."""
        return (self.begin <= addresses) & (addresses < self.end)


class FoundBuffer:
    """A buffer that a function has returned, as it is now."""

    def __init__(self, words: Sequence[int], itemsize: int):
        rank = (len(words) - 3) // 2
        self.allocated = words[0]
        self.shape = tuple(words[3 : 3 + rank])
        places = places_of(self.shape, words[3 + rank :])
        self.addresses = words[1] + (words[2] + places) * itemsize
        self.contents = _read(self.addresses, itemsize)
        self.is_from_heap = False


def places_of(shape: Sequence[int], strides: Sequence[int]) -> NDArray[np.int64]:
    """How far each element is from the first one, in elements, in row-major order."""
    places = np.zeros((), np.int64)
    for size, stride in zip(shape, strides, strict=True):
        places = places[..., None] + np.arange(size, dtype=np.int64) * stride
    return places.reshape(-1)


def _wide_strides(shape: Sequence[int]) -> list[int]:
    """Strides with a gap in each dimension."""
    strides, step = list[int](), 2
    for size in reversed(shape):
        strides.append(step)
        step = step * max(size, 1) + 1
    return strides[::-1]


def _bytes_of(values: Array) -> Bytes:
    flat = np.ascontiguousarray(values).reshape(-1)
    return flat.view(np.uint8).reshape(flat.size, values.dtype.itemsize).copy()


def _read(addresses: NDArray[np.int64], itemsize: int) -> Bytes:
    if not addresses.size:
        return np.empty((0, itemsize), np.uint8)
    first = int(addresses.min())
    length = int(addresses.max()) + itemsize - first
    memory = np.frombuffer(ctypes.string_at(first, length), np.uint8)
    return memory[addresses[:, None] - first + np.arange(itemsize)]


def other_bits(elements: Bytes, *, is_bit: bool, seed: int) -> Bytes:
    """Elements that differ from the given ones in each element.

    The first seed gives all ones, which is NaN, where that differs. `is_bit` says that
    an element is one bit in a byte.
    """
    if is_bit:
        return elements ^ np.uint8(1)
    if seed == 0:
        ones = np.full_like(elements, 0xFF)
        same = (elements == 0xFF).all(axis=1)
        ones[same] = 0
        return ones
    rng = np.random.default_rng(seed)
    noise = rng.integers(0, 256, elements.shape, np.uint8)
    noise[:, 0] |= 1  # No element stays as it is.
    return elements ^ noise

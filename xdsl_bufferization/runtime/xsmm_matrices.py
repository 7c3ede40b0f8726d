"""Matrices in memory as NumPy arrays: of float64 if they are f64, else of float32.

NumPy has no bfloat16: such a number is the upper half of a float32.

    matrix = Matrix(BFLOAT16, rows=4, columns=8, leading=16)
    matrix.store(address, matrix.load(address) + 1)
"""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from xdsl_bufferization.support import abi

from .descriptor import distance_to_last

Floats = NDArray[np.floating[Any]]

_UPPER_HALF: Final = 16
_ALMOST_HALF: Final = 0x7FFF
"""What makes anything above half of the last place carry over."""

_NOT_A_NUMBER: Final = 0x7FC0
_PAIR: Final = 2


@dataclass(frozen=True)
class ElementType:
    """How numbers lie in memory."""

    storage: type[np.generic]
    bytes: int
    to_floats: Callable[[NDArray[Any]], Floats]
    from_floats: Callable[[Floats], NDArray[Any]]


def _widened(bits: NDArray[Any]) -> Floats:
    # The numbers of another package have the same bits.
    return (bits.view(np.uint16).astype(np.uint32) << _UPPER_HALF).view(np.float32)


def _rounded(numbers: Floats) -> NDArray[Any]:
    """The nearest bf16, ties to even."""
    bits = np.ascontiguousarray(numbers, np.float32).view(np.uint32)
    is_odd = (bits >> _UPPER_HALF) & 1
    rounded = (bits + _ALMOST_HALF + is_odd) >> _UPPER_HALF
    bits = np.where(np.isnan(numbers), _NOT_A_NUMBER, rounded).astype(np.uint16)
    return bits.reshape(np.shape(numbers))  # An array of rank 0 stays one.


def _unchanged(numbers: NDArray[Any]) -> NDArray[Any]:
    return numbers


FLOAT32: Final = ElementType(np.float32, 4, _unchanged, _unchanged)
FLOAT64: Final = ElementType(np.float64, 8, _unchanged, _unchanged)
BFLOAT16: Final = ElementType(np.uint16, 2, _widened, _rounded)

ELEMENT_TYPES: Final = {
    abi.XSMM_DATA_TYPES["f32"]: FLOAT32,
    abi.XSMM_DATA_TYPES["f64"]: FLOAT64,
    abi.XSMM_DATA_TYPES["bf16"]: BFLOAT16,
}
"""Element types, by the number of the data type."""


@dataclass(frozen=True)
class Matrix:
    """Where the elements of a matrix are, from the address of the first one."""

    element: ElementType
    rows: int
    columns: int
    leading: int
    """The distance of rows, in elements."""

    has_pairs: bool = False
    """Whether each two rows are one of pairs: VNNI layout."""

    def load(self, address: int) -> Floats:
        """The elements; of f32 and f64, and without pairs, the memory itself."""
        return self.load_batch(address, 1, 0)[0]

    def load_batch(self, address: int, count: int, distance: int) -> Floats:
        """The elements of `count` matrices that are `distance` elements apart."""
        numbers = self.element.to_floats(self._in_memory(address, count, distance))
        if not self.has_pairs:
            return numbers
        return numbers.swapaxes(2, 3).reshape(count, self.rows, self.columns)

    def store(self, address: int, numbers: Floats) -> None:
        """Write `numbers`, which may be repeated to fill the matrix."""
        memory = self._in_memory(address, 1, 0)[0]
        if self.has_pairs:
            pairs = numbers.reshape(self.rows // _PAIR, _PAIR, self.columns)
            numbers = pairs.swapaxes(1, 2)
        memory[...] = self.element.from_floats(numbers)

    def _in_memory(self, address: int, count: int, distance: int) -> NDArray[Any]:
        shape = (count, self.rows, self.columns)
        strides = (distance, self.leading, 1)
        if self.has_pairs:
            shape = (count, self.rows // _PAIR, self.columns, _PAIR)
            strides = (distance, _PAIR * self.leading, _PAIR, 1)
        last = distance_to_last(shape, strides)
        width = self.element.bytes
        return np.ndarray(
            shape,
            self.element.storage,
            _memory_of((last + 1) * width).from_address(address),
            strides=[width * stride for stride in strides],
        )


def floats_in_memory(
    address: int, shape: Sequence[int], strides: Sequence[int]
) -> Floats:
    """Numbers of f32 at an address; strides count in elements."""
    width = FLOAT32.bytes
    return np.ndarray(
        tuple(shape),
        np.float32,
        _memory_of((distance_to_last(shape, strides) + 1) * width).from_address(
            address
        ),
        strides=[width * stride for stride in strides],
    )


@lru_cache(maxsize=1024)
def _memory_of(size: int) -> Any:
    return ctypes.c_char * size

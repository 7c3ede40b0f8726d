"""What tests of kernels call them with: matrices with room around, and handles."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.running.guards import placed
from xdsl_bufferization.runtime.descriptor import distance_to_last
from xdsl_bufferization.runtime.xsmm import KERNELS, kernel_symbol
from xdsl_bufferization.runtime.xsmm_matrices import (
    BFLOAT16,
    FLOAT32,
    FLOAT64,
    ElementType,
)
from xdsl_bufferization.support import abi

Array = NDArray[Any]

TYPES = {"f32": FLOAT32, "f64": FLOAT64, "bf16": BFLOAT16}

_TOLERANCES = {FLOAT32: 1e-5, FLOAT64: 1e-13}
"""How far numbers may be away: relative, and near 0 absolute."""

GUARD = 5


UNARY = (abi.XSMM_UNARY_DISPATCH, abi.XSMM_UNARY_INVOKE)
BINARY = (abi.XSMM_BINARY_DISPATCH, abi.XSMM_BINARY_INVOKE)
GEMM = (abi.XSMM_GEMM_DISPATCH, abi.XSMM_GEMM_INVOKE)
BRGEMM = (abi.XSMM_BRGEMM_DISPATCH, abi.XSMM_BRGEMM_INVOKE)
FUSED = (abi.XSMM_FUSED_BRGEMM_DISPATCH, abi.XSMM_FUSED_BRGEMM_INVOKE)

REPEATED: Mapping[str, Callable[[int, int], tuple[int, int]]] = {
    "none": lambda m, n: (m, n),
    "bcast_row": lambda m, _n: (m, 1),
    "bcast_col": lambda _m, n: (1, n),
    "bcast_scalar": lambda _m, _n: (1, 1),
}
"""The shape of an operand that is repeated so to m x n."""


def function(name: str, back_end: str = "generated") -> Any:
    """A function of the runtime, as compiled code calls it."""
    result = ctypes.c_int64 if name.endswith("dispatch") else None
    words = next(
        kind.parameters if name == dispatch else 2 + 2 * kind.buffers + kind.has_batch
        for (dispatch, invoke), kind in KERNELS.items()
        if name in (dispatch, invoke)
    )
    prototype = ctypes.CFUNCTYPE(result, *[ctypes.c_int64] * words)
    return prototype(kernel_symbol(name, back_end))


class Operand:
    """A matrix, or a batch of them, with room around it."""

    def __init__(self, element: ElementType, shape: Sequence[int], room: int = 3):
        *outer, rows, columns = shape
        self.leading = columns + room
        self.element = element
        self.distance = rows * self.leading + 1
        count = int(np.prod(outer)) if outer else 1
        rng = np.random.default_rng(rows * 31 + columns)
        numbers = rng.integers(-8, 9, 2 * GUARD + count * self.distance)
        self.shape = tuple(shape)
        memory = element.from_floats(self._floats(numbers)).copy()
        self.memory = placed(memory, self._end_of(memory))
        self.before = self.memory.copy()

    def _floats(self, numbers: Array) -> Array:
        """Numbers with the precision that they are computed with."""
        is_f64 = self.element is FLOAT64
        return numbers.astype(np.float64 if is_f64 else np.float32)

    def _end_of(self, memory: Array) -> int:
        """The number of elements in `memory` up to the last of the matrices."""
        last = distance_to_last(self.shape, self.view(memory).strides)
        return GUARD + last // memory.itemsize + 1

    def view(self, memory: Array) -> Array:
        """The elements in `memory`."""
        size = memory.itemsize
        strides = (self.distance * size, self.leading * size, size)
        return np.lib.stride_tricks.as_strided(
            memory[GUARD:], self.shape, strides[-len(self.shape) :]
        )

    def numbers(self) -> Array:
        """What was there before."""
        return self.element.to_floats(self.view(self.before)).astype(np.float64)

    @property
    def words(self) -> tuple[int, int]:
        """Pointer and offset."""
        return self.memory.__array_interface__["data"][0], GUARD

    def check(self, expected: Array, *, ulps: int = 0) -> None:
        """The elements are `expected`, and nothing else was written.

        In bf16 they may be as many of its steps away; else see `_TOLERANCES`.
        """
        wanted = self.before.copy()
        floats = self._floats(np.broadcast_to(expected, self.shape))
        self.view(wanted)[...] = self.element.from_floats(floats)
        bound = _TOLERANCES.get(self.element)
        if bound is not None:
            np.testing.assert_allclose(self.memory, wanted, rtol=bound, atol=bound)
        elif not ulps:
            np.testing.assert_array_equal(self.memory, wanted)
        else:
            near = self.view(self.memory).astype(np.int32) - self.view(wanted)
            assert np.abs(near).max() <= ulps
            self.view(wanted)[...] = self.view(self.memory)
            np.testing.assert_array_equal(self.memory, wanted)


def call(
    names: tuple[str, str],
    description: Sequence[int],
    *words: int,
    back_end: str = "generated",
) -> None:
    """Request a kernel, and call it."""
    is_elementwise = len(description) in (7, 8) and "gemm" not in names[0]
    data_type = description[1 if is_elementwise else 0]
    handle = function(names[0], back_end)(*description)
    assert handle == function(names[0], back_end)(*description)
    function(names[1], back_end)(data_type, handle, *words)

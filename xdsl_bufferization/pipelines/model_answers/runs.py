"""Run the program of one op, with buffers in the hands of whoever asks.

trial = Runs(program, compiled, "trial", values)
found = trial.run({operand 0: other bits})
found.results[0].contents, found.elements[buffer of operand 1]
"""

import ctypes
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    MemRefType,
)
from xdsl.ir import SSAValue

from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.failure_record import RECORD_WORDS
from xdsl_bufferization.runtime.failures import (
    FREE,
    GUARDED_PREFIX,
    NUMBER,
    exception_of,
)
from xdsl_bufferization.support import abi

from .memory import Array, Buffer, Bytes, FoundBuffer
from .single_op import Given, OpProgram, Returned, Stored, dtype_of

Argument = Given | Stored

_OPEN_SIZE: Final = 4
"""The size that is chosen where a type leaves it open."""


@dataclass(frozen=True)
class Run:
    """What a run has left."""

    results: Mapping[int, FoundBuffer]
    """The results that are buffers, by number."""

    elements: Mapping[Argument, Bytes]
    """The elements of all buffers of the caller."""

    changed_around: tuple[Argument, ...]
    """Buffers of the caller around which something has been written."""


class Runs:
    """One compiled program of an op, to be run as often as one likes."""

    def __init__(
        self,
        program: OpProgram,
        compiled: CompiledModule,
        name: str,
        values: Mapping[SSAValue, Array],
    ):
        self.program = program
        self._compiled = compiled
        self.buffers: dict[Argument, Buffer] = {
            given: Buffer(
                values_of(given, values),
                is_strided=program.is_strided and is_tensor(given.value),
            )
            for given in program.given
        }
        for stored in program.stored:
            self.buffers[stored] = Buffer(chosen_values(stored.type), is_strided=False)
        self._call, self._has_record = _callable(
            compiled, name, len(self.buffers) + bool(program.returned)
        )

    def run(
        self,
        changed: Mapping[Argument, Bytes] | None = None,
        shared: Mapping[Argument, Argument] | None = None,
    ) -> Run:
        """Call the function.

        `changed` has other elements than usual, and `shared` arguments that are passed
        the buffer of another one. Raises what the program raises.
        """
        for which, buffer in self.buffers.items():
            buffer.fill((changed or {}).get(which, buffer.values))
        passed = [self.buffers[(shared or {}).get(each, each)] for each in self.buffers]
        results = self._results(self._call_with([each.words for each in passed]))
        return Run(
            results,
            {which: buffer.elements() for which, buffer in self.buffers.items()},
            tuple(
                which
                for which, buffer in self.buffers.items()
                if not buffer.is_intact_around()
            ),
        )

    def _call_with(self, words: Sequence[Sequence[int]]) -> list[int]:
        """Call the function with descriptors; the words of those that it returns."""
        returned = (ctypes.c_int64 * max(1, sum(map(_words, self.program.returned))))()
        descriptors = [(ctypes.c_int64 * len(each))(*each) for each in words]
        if self.program.returned:
            descriptors.insert(0, returned)
        record = (ctypes.c_int64 * RECORD_WORDS)()
        if self._has_record:
            record[FREE] = self._compiled.heap.symbols[abi.FREE]
            descriptors.insert(0, record)
        self._call(*map(ctypes.addressof, descriptors))
        if record[NUMBER]:
            raise exception_of(record, self._compiled.code.failures)
        return [*returned]

    def _results(self, words: Sequence[int]) -> dict[int, FoundBuffer]:
        """What is in the buffers that were returned; those of the heap are freed."""
        found: dict[int, FoundBuffer] = {}
        heap, start = self._compiled.heap, 0
        for each in self.program.returned:
            end = start + _words(each)
            found[each.result] = FoundBuffer(
                words[start:end], dtype_of(each.type.element_type).itemsize
            )
            start = end
        for buffer in found.values():
            buffer.is_from_heap = heap.owns(buffer.allocated)
        for pointer in {each.allocated for each in found.values() if each.is_from_heap}:
            heap.release(pointer)
        return found


def _callable(
    compiled: CompiledModule, name: str, count: int
) -> tuple[Callable[..., None], bool]:
    """What takes addresses of descriptors, and whether it takes a record first."""
    has_record = bool(compiled.code.failures)
    prefix = GUARDED_PREFIX if has_record else abi.C_INTERFACE_PREFIX
    types = [ctypes.c_void_p] * (count + has_record)
    return ctypes.CFUNCTYPE(None, *types)(compiled.code.library[prefix + name]), (
        has_record
    )


def _words(returned: Returned) -> int:
    return abi.descriptor_words(len(returned.type.get_shape()))


def values_of(given: Given, values: Mapping[SSAValue, Array]) -> Array:
    """The values that an argument has, unless it is told to have others."""
    array = values.get(given.source)
    if array is None:
        return chosen_values(given.type)
    return np.asarray(array, dtype_of(given.type.element_type))


def chosen_values(type_: MemRefType) -> Array:
    """Values for which most ops are defined; open sizes are 4."""
    shape = [
        _OPEN_SIZE if size == DYNAMIC_INDEX else size for size in type_.get_shape()
    ]
    dtype = dtype_of(type_.element_type)
    numbers = np.arange(math.prod(shape)).reshape(shape)
    if dtype.kind in "fc" or isinstance(type_.element_type, BFloat16Type):
        floats = (numbers % 7 - 3.0).astype(np.float32)
        if isinstance(type_.element_type, BFloat16Type):
            return np.asarray(floats.view(np.uint32) >> 16, dtype)
        return np.asarray(floats, dtype)
    # Small enough to be an index of anything.
    return np.asarray((numbers + 1) % 2, dtype)

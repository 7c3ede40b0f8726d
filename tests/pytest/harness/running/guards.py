"""Buffers of compiled code that end at protected memory, for `--guard-buffers`.

Reading or writing outside of a buffer, or after it was freed, then kills the process,
and faulthandler names the test. These buffers are guarded:

- what compiled code allocates;
- the arrays that it is called with, which are copied there and back;
- constants that the code refers to.

Memory on the stack and globals that other programs see are not guarded. Allocations
lose their `alignment`, which would leave room behind them: no access relies on it.
The rest of a page on the other side of a buffer, and fresh memory, hold `FILL`, NaN in
every float type. That rest is looked at when the buffer is freed.
"""

import ctypes
import mmap
import os
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.pipelines import compile as compiler
from xdsl_bufferization.runtime import engine, heap, object_code
from xdsl_bufferization.runtime.addresses import address_of
from xdsl_bufferization.runtime.descriptor import MemRefCodec
from xdsl_bufferization.runtime.function import CompiledFunction, LoadedCode
from xdsl_bufferization.support import abi

Side = Literal["end", "begin"]
"""Whether buffers touch the protected memory behind them, or that before them."""

FILL: Final = 0xFF
"""What fresh memory and the room around buffers hold."""

_PAGE: Final = mmap.PAGESIZE
_GUARD: Final = 1 << 20
"""Bytes of protected memory on each side of a buffer: a wrong row is far away."""

_MAX_ALIGNMENT: Final = 16
"""What malloc guarantees; smaller for sizes that are no multiple of it."""

_LARGEST: Final = 1 << 47
"""No address space has room for more bytes."""

_FREED_REGIONS: Final = 10_000
"""How many freed regions stay protected before their addresses are used again."""

_NO_ACCESS: Final = 0
_PRIVATE: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
_FIXED: Final = 0x10  # MAP_FIXED: Python does not name it.
_FAILED: Final = ctypes.c_void_p(-1).value

_process: Final = ctypes.CDLL(None)
_mmap: Final = _process.mmap
_mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_mmap.restype = ctypes.c_void_p
_munmap: Final = _process.munmap
_munmap.argtypes, _munmap.restype = [ctypes.c_void_p, ctypes.c_size_t], ctypes.c_int
_mprotect: Final = _process.mprotect
_mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_mprotect.restype = ctypes.c_int


@dataclass(frozen=True)
class Region:
    """A buffer in whole pages, with protected memory on both sides of them."""

    start: int
    """The address of the first page that may be used."""

    end: int
    """The address of the protected memory behind the buffer."""

    pointer: int
    size: int

    def change_access(self, access: int) -> bool:
        """Whether the pages could be made accessible so."""
        length = self.end - self.start
        return not length or _mprotect(self.start, length, access) == 0

    def unmap(self) -> None:
        """Let the addresses be used again."""
        _munmap(self.start - _GUARD, self.end - self.start + 2 * _GUARD)


@dataclass
class Guards:
    """Allocates and frees guarded memory; each step is one that threads can share."""

    side: Side
    error_file: int
    """Where the reason goes why the process was stopped."""

    regions: dict[int, Region] = field(default_factory=dict[int, Region])
    freed: deque[Region] = field(default_factory=deque[Region])

    def allocate(self, size: int, alignment: int) -> int | None:
        """Allocate `size` bytes between protected memory; None: there is too little."""
        if alignment > _PAGE:
            self.stop(f"buffers cannot be aligned to {alignment} bytes")
        if size > _LARGEST:
            return None
        length = -(-size // _PAGE) * _PAGE
        first = _mmap(None, length + 2 * _GUARD, _NO_ACCESS, _PRIVATE, -1, 0)
        if first == _FAILED:
            return None
        start = first + _GUARD
        end = start + length
        pointer = (end - size) // alignment * alignment if self.side == "end" else start
        region = Region(start, end, pointer, size)
        if not region.change_access(mmap.PROT_READ | mmap.PROT_WRITE):
            region.unmap()
            return None
        ctypes.memset(start, FILL, length)
        self.regions[pointer] = region
        return pointer

    def free(self, pointer: int | None) -> None:
        """Protect an allocation; freeing no pointer does nothing, as in C."""
        if not pointer:
            return
        region = self.regions.pop(pointer, None)
        if region is None:
            self.stop(f"{pointer:#x} is freed, and is no allocation")
        after = region.pointer + region.size
        is_intact = _is_filled(region.start, region.pointer)
        if not (is_intact and _is_filled(after, region.end)):
            self.stop(f"{region.size} bytes were allocated, and more written")
        if region.size:  # Mapped anew, the pages take no memory.
            length = region.end - region.start
            _mmap(region.start, length, _NO_ACCESS, _PRIVATE | _FIXED, -1, 0)
        self.freed.append(region)
        if len(self.freed) > _FREED_REGIONS:
            self.freed.popleft().unmap()

    def protect(self, pointer: int) -> None:
        """Forbid to write an allocation."""
        self.regions[pointer].change_access(mmap.PROT_READ)

    def malloc(self, size: int) -> int | None:
        """Allocate with the alignment of the largest element that fits."""
        return self.allocate(size, min(size & -size, _MAX_ALIGNMENT) or 1)

    def aligned_alloc(self, alignment: int, size: int) -> int | None:
        """Allocate as C's aligned_alloc."""
        return self.allocate(size, alignment)

    def calloc(self, count: int, size: int) -> int | None:
        """Allocate zeros: LLVM makes one call of malloc and memset."""
        pointer = self.malloc(count * size)
        if pointer is not None:
            ctypes.memset(pointer, 0, count * size)
        return pointer

    def stop(self, reason: str) -> NoReturn:
        """End the process: exceptions cannot pass through compiled code."""
        os.write(self.error_file, f"\nguarded buffers: {reason}\n".encode())
        os.abort()


def _is_filled(start: int, end: int) -> bool:
    return ctypes.string_at(start, end - start) == bytes([FILL]) * (end - start)


_installed: list[Guards] = []


def install(side: Side) -> None:
    """Guard the buffers of all code that is compiled from now on in this process."""
    guards = Guards(side, os.dup(2))
    _installed.append(guards)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    aligned_alloc = ctypes.CFUNCTYPE(pointer, size, size)(guards.aligned_alloc)
    calloc = ctypes.CFUNCTYPE(pointer, size, size)(guards.calloc)

    class GuardedHeap(heap.ProcessHeap):
        def __init__(self) -> None:
            super().__init__()
            self.symbols = {**self.symbols, "calloc": address_of(calloc)}

    replacements: list[tuple[Any, str, Any]] = [
        (heap, "_malloc", ctypes.CFUNCTYPE(pointer, size)(guards.malloc)),
        (heap, "_aligned_alloc", aligned_alloc),
        (heap, "_free", ctypes.CFUNCTYPE(None, pointer)(guards.free)),
        (engine, "ProcessHeap", GuardedHeap),
        (object_code, "_place", _place_guarded),
        (compiler, "_LARGE_CONSTANT_BYTES", 1),
        (compiler, "_copy_to_lower", _copy_without_alignment),
        (CompiledFunction, "__init__", _prepare_guarded),
    ]
    for owner, name, replacement in replacements:
        setattr(owner, name, replacement)


_copy_to_lower: Final[Callable[..., ModuleOp]] = vars(compiler)["_copy_to_lower"]


def _copy_without_alignment(
    module: ModuleOp, count_copies: bool, *, checked: bool = False
) -> ModuleOp:
    """Stands in for the function of the compiler that copies what it lowers."""
    copy = _copy_to_lower(module, count_copies, checked=checked)
    for op in copy.walk():
        if isinstance(op, memref.AllocOp | ReallocOp):
            op.alignment = None
    return copy


_prepare: Final = CompiledFunction.__init__


def _prepare_guarded(
    self: Any, signature: abi.FunctionSignature, code: LoadedCode
) -> None:
    """Stands in for `CompiledFunction.__init__`."""
    _prepare(self, signature, code)
    first = 0 if self._result_struct is None else 1
    results = zip(self._result_offsets, self._results, strict=False)
    buffers = [
        Buffer(
            number,
            descriptor_type(codec),
            codec.dtype.itemsize,
            codec.signature.written,
        )
        for number, codec in enumerate(self._arguments, first)
        if isinstance(codec, MemRefCodec)
    ]
    places = [
        (offset, descriptor_type(codec))
        for offset, codec in results
        if isinstance(codec, MemRefCodec)
    ]
    call = self._call
    if not code.failures:
        self._call = guarded(call, buffers, places)
        return

    def call_with_record(record: int, *passed: Any) -> Any:
        return guarded(partial(call, record), buffers, places)(*passed)

    self._call = call_with_record


def descriptor_type(codec: MemRefCodec) -> type[ctypes.Structure]:
    """The descriptor of a buffer, with names for its words."""
    numbers = ctypes.c_int64 * len(codec.signature.shape)
    names = ("allocated", "aligned", "offset")
    fields: list[tuple[str, Any]] = [(name, ctypes.c_int64) for name in names]
    fields += [("sizes", numbers), ("strides", numbers)]
    return type("Descriptor", (ctypes.Structure,), {"_fields_": fields})


def placed(array: NDArray[Any], end: int) -> NDArray[Any]:
    """With `--guard-buffers`: the first `end` elements, copied to guarded memory."""
    return _copy(array[:end], array.itemsize) if _installed else array


_place: Final[Callable[[Any], NDArray[Any]]] = vars(object_code)["_place"]


def _place_guarded(data: Any) -> NDArray[Any]:
    """Stands in for the function of the engine that places constants."""
    array = _place(data)
    alignment = min(array.nbytes & -array.nbytes, object_code.CONSTANT_ALIGNMENT) or 1
    return _copy(array, alignment)


def _copy(array: NDArray[Any], alignment: int) -> NDArray[Any]:
    """A copy in guarded memory, which is freed with the last view of it."""
    guards = _installed[-1]
    pointer = guards.allocate(array.nbytes, alignment)
    assert pointer is not None
    memory: Any = (ctypes.c_char * array.nbytes).from_address(pointer)
    weakref.finalize(memory, guards.free, pointer).atexit = False
    copy = np.ndarray(array.shape, array.dtype, memory)
    copy[...] = array
    return copy


@dataclass(frozen=True)
class Buffer:
    """An argument of a function: the address of the descriptor of a buffer."""

    number: int
    descriptor: type[ctypes.Structure]
    item_bytes: int
    is_written: bool = True


@dataclass
class _Span:
    """Addresses that are used by arguments, all of which are moved alike."""

    low: int
    high: int
    is_written: bool
    alignment: int
    descriptors: list[Any]


def guarded(
    call: Callable[..., Any],
    arguments: Sequence[Buffer],
    results: Sequence[tuple[int, type[ctypes.Structure]]],
) -> Callable[..., Any]:
    """`call` on copies of its arguments at protected memory.

    Arguments that share memory share the copy. `results` says where the descriptors of
    the results are in the struct that the first argument points to.
    """
    if not _installed:
        return call
    guards = _installed[-1]

    def call_guarded(*passed: Any) -> Any:
        moves: dict[int, int] = {}
        copies: list[tuple[_Span, int, bytes]] = []
        for span in _spans(arguments, passed):
            size = span.high - span.low
            before = ctypes.string_at(span.low, size)
            pointer = guards.allocate(size, span.alignment)
            assert pointer is not None
            ctypes.memmove(pointer, before, size)
            if not span.is_written:
                guards.protect(pointer)
            for descriptor in span.descriptors:
                descriptor.allocated += pointer - span.low
                descriptor.aligned += pointer - span.low
                moves[descriptor.allocated] = pointer - span.low
            copies.append((span, pointer, before))
        returned = call(*passed)
        for span, pointer, before in copies:
            if span.is_written:
                _write_back(pointer, span.low, before)
            guards.free(pointer)
        for offset, type_ in results:
            descriptor: Any = type_.from_address(passed[0] + offset)
            move = moves.get(descriptor.allocated, 0)
            descriptor.allocated -= move
            descriptor.aligned -= move
        return returned

    return call_guarded


def _spans(arguments: Sequence[Buffer], passed: Sequence[Any]) -> list[_Span]:
    """The memory of all arguments, those that overlap in one."""
    spans: list[_Span] = []
    for buffer in arguments:
        descriptor: Any = buffer.descriptor.from_address(passed[buffer.number])
        low = high = descriptor.aligned + descriptor.offset * buffer.item_bytes
        if 0 not in descriptor.sizes[:]:
            high += buffer.item_bytes
            pairs = zip(descriptor.sizes, descriptor.strides, strict=True)
            for distance in ((size - 1) * stride for size, stride in pairs):
                low += min(distance, 0) * buffer.item_bytes
                high += max(distance, 0) * buffer.item_bytes
        span = _Span(low, high, buffer.is_written, buffer.item_bytes, [descriptor])
        spans.append(span)
    spans.sort(key=lambda span: (span.low, span.high))
    merged: list[_Span] = []
    for span in spans:
        if not merged or span.low >= merged[-1].high:
            merged.append(span)
            continue
        last = merged[-1]
        last.high = max(last.high, span.high)
        last.is_written |= span.is_written
        last.alignment = max(last.alignment, span.alignment)
        last.descriptors += span.descriptors
    return merged


def _write_back(pointer: int, home: int, before: bytes) -> None:
    """Write what has changed: another thread may have written the other bytes."""
    size = len(before)
    after = ctypes.string_at(pointer, size)
    if after == before:
        return
    new, old = np.frombuffer(after, np.uint8), np.frombuffer(before, np.uint8)
    memory: Any = (ctypes.c_uint8 * size).from_address(home)
    target: NDArray[np.uint8] = np.ndarray(size, np.uint8, memory)
    changed = new != old
    target[changed] = new[changed]

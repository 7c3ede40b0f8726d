"""NumPy arrays as memref descriptors, and back, without copying.

A `MemRefCodec` is prepared once for each buffer in a signature. For an argument, it
checks that an array fits, and writes its descriptor. For a result, it wraps the memory
of a descriptor in an array, which keeps an owner of that memory alive.

    codec = MemRefCodec(MemRefSignature("f32", (256, 128)))
    array, words = codec.pack(x)     [pointer, pointer, 0, 256, 128, 128, 1]
    result = codec.unpack(words, owner)
"""

import ctypes
import numbers
import struct
from collections.abc import Sequence
from math import prod
from typing import Any, Final, TypeAlias, cast

import numpy as np

from xdsl_bufferization.support import abi

from .bfloat16 import bits_of_bfloat16, show_bfloat16
from .errors import EngineError, MismatchError
from .number_ranges import as_element, dtype_name

Array: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.generic]]

DTYPES: Final[dict[str, np.dtype[Any]]] = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "index": np.dtype(np.int64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(np.uint16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "complex<f32>": np.dtype(np.complex64),
    "complex<f64>": np.dtype(np.complex128),
}
"""How each element type looks in NumPy. Integers have no sign: unsigned is accepted.

NumPy has no bf16: its bits are exchanged, and arrays of other packages whose element
type is called `bfloat16` are accepted. Results are shown as `bfloat16.py` says.
"""


def dtype_of(element: str) -> np.dtype[Any]:
    """Return the NumPy type of an element type, or raise `EngineError`."""
    dtype = DTYPES.get(element)
    if dtype is None:
        raise EngineError(
            f"elements of type {element} cannot be exchanged with NumPy; use one of "
            + ", ".join(DTYPES)
        )
    return dtype


class MemRefCodec:
    """Translates between arrays and the descriptors of one memref type."""

    signature: abi.MemRefSignature
    dtype: np.dtype[Any]
    words: int
    """Length of the descriptor in 64-bit words."""

    is_copied: bool
    """Whether calls pass a copy."""

    def __init__(self, signature: abi.MemRefSignature):
        self.signature = signature
        self.dtype = dtype_of(signature.element)
        self.words = abi.descriptor_words(len(signature.shape))
        self.is_copied = signature.is_copied
        self._words = struct.Struct(f"{self.words}q")
        self._dtypes = _accepted(self.dtype)
        self._dynamic = None in signature.shape
        self._memory = _memory_type(signature, self.dtype)
        self._shape = tuple(size or 0 for size in signature.shape)
        layout = signature.layout
        self._offset = 0 if layout is None or layout.offset is None else layout.offset
        self._plain_shape = self._shape if self._takes_plain_arrays() else None
        self._plain_words = (
            *(self._offset, *self._shape),
            *row_major_strides(self._shape),
        )

    def pack(self, value: object) -> tuple[Array, list[int]]:
        """Return `value` as an array over the same memory, and its descriptor.

        The descriptor points into the array, which must outlive it. Raises
        `MismatchError` unless the array fits the signature.
        """
        if (
            type(value) is np.ndarray
            and value.shape == self._plain_shape
            and value.dtype is self.dtype
            and value.flags.carray  # Contiguous, aligned and writeable.
        ):
            pointer = ctypes.addressof(ctypes.c_char.from_buffer(cast(Any, value)))
            aligned = pointer - self._offset * self.dtype.itemsize
            return value, [pointer, aligned, *self._plain_words]
        array = value if type(value) is np.ndarray else self._as_array(value)
        if self.signature.element == "bf16" and array.dtype.name == "bfloat16":
            array = array.view(np.uint16)
        dtype = array.dtype
        if not (dtype is self.dtype or dtype in self._dtypes) or (
            not self._shape_fits(array.shape)
        ):
            raise MismatchError(f"expected {self.signature}, got {describe(array)}")
        flags = array.flags
        if self.signature.is_written_in_place and not flags.writeable:
            hint = ", or do not donate it" if self.signature.donated else ""
            raise MismatchError(
                "the function may write into this argument, and the array is "
                f"read-only; pass a copy{hint}"
            )
        strides = self._strides(array)
        if not flags.aligned:
            raise MismatchError(
                f"the array is not aligned to its {self.dtype.itemsize}-byte elements; "
                "pass a copy"
            )
        pointer = _pointer_to(array)
        # Sizes and strides are what matters; a static offset is added by the code.
        aligned = pointer - self._offset * self.dtype.itemsize
        return array, [pointer, aligned, self._offset, *array.shape, *strides]

    def _as_array(self, value: object) -> Array:
        """`value` as an array; a number where the buffer has rank 0."""
        if self.signature.shape or not (
            isinstance(value, numbers.Number) or dtype_name(value)
        ):
            return as_array(value)
        if not self.signature.is_value:
            raise MismatchError(
                f"expected an array of rank 0, got {type(value).__name__}: the "
                "function may write into this argument"
            )
        if dtype_name(value):
            return np.asarray(cast(Any, value))
        if isinstance(value, numbers.Complex) and self.dtype.kind == "c":
            return np.array(complex(value), self.dtype)
        number = as_element(value, self.signature.element)
        if self.signature.element == "bf16":
            number = bits_of_bfloat16(number)
        return np.array(number, self.dtype)

    def pack_copy(self, array: Array) -> tuple[Array, list[int]]:
        """Return a copy of an array that fits, and its descriptor."""
        layout = self.signature.layout
        if layout is None or _fit(layout.strides, row_major_strides(array.shape)):
            return self.pack(array.copy())
        return self.pack(_copy_with_strides(array))

    def read_words(self, memory: ctypes.Structure, offset: int) -> tuple[int, ...]:
        """Return the words of a descriptor that lies `offset` bytes into `memory`."""
        return self._words.unpack_from(memory, offset)

    def unpack(
        self, words: Sequence[int], owner: object, *, writeable: bool = True
    ) -> Array:
        """Return the memory of a descriptor as an array that keeps `owner` alive."""
        array = self._unpack(words, owner, writeable=writeable)
        return show_bfloat16(array) if self.signature.element == "bf16" else array

    def _unpack(self, words: Sequence[int], owner: object, *, writeable: bool) -> Array:
        if self._memory is not None and writeable:
            first = words[abi.ALIGNED_FIELD]
            first += words[abi.OFFSET_FIELD] * self.dtype.itemsize
            memory = self._memory.from_address(first)
            memory.owner = owner
            return np.ndarray(self._shape, self.dtype, memory)
        rank = len(self.signature.shape)
        sizes = tuple(words[abi.SIZES_FIELD : abi.SIZES_FIELD + rank])
        if 0 in sizes:  # Nothing to look at, and the pointer may be null.
            return np.empty(sizes, self.dtype)
        itemsize = self.dtype.itemsize
        strides = tuple(s * itemsize for s in words[abi.SIZES_FIELD + rank :])
        first = words[abi.ALIGNED_FIELD] + words[abi.OFFSET_FIELD] * itemsize
        return np.asarray(
            _Interface(owner, self.dtype, sizes, strides, (first, not writeable))
        )

    def _takes_plain_arrays(self) -> bool:
        """Whether each array of one shape fits that is in row-major order."""
        layout = self.signature.layout
        if self._dynamic or 0 in self._shape:
            return False
        return layout is None or _fit(layout.strides, row_major_strides(self._shape))

    def _shape_fits(self, shape: tuple[int, ...]) -> bool:
        expected = self.signature.shape
        if not self._dynamic:
            return shape == expected
        if len(shape) != len(expected):
            return False
        for want, got in zip(expected, shape, strict=True):
            if want is not None and want != got:
                return False
        return True

    def _strides(self, array: Array) -> Sequence[int]:
        """Return the strides of `array` in elements, where its layout fits."""
        layout = self.signature.layout
        if layout is None:
            if not array.flags.c_contiguous:
                raise MismatchError(
                    f"expected {self.signature} contiguous in row-major order, got "
                    f"strides of {array.strides} bytes; pass a copy "
                    "(numpy.ascontiguousarray)"
                )
            return row_major_strides(array.shape)
        itemsize = self.dtype.itemsize
        strides: list[int] = []
        for want, size, stride in zip(
            layout.strides, array.shape, array.strides, strict=True
        ):
            # A dimension with at most one element is never stepped along, and NumPy
            # leaves any number as its stride.
            if size <= 1 or array.size == 0:
                strides.append(stride // itemsize if want is None else want)
                continue
            if stride % itemsize or want not in (None, stride // itemsize):
                raise MismatchError(
                    f"expected {self.signature}, got strides of {array.strides} bytes "
                    f"over elements of {itemsize}; pass a copy in that layout"
                )
            strides.append(stride // itemsize)
        return strides


def as_array(value: object) -> Array:
    """Return a NumPy array over the memory of `value`, an array or a DLPack tensor.

    The result is of no subclass. A subclass may say anything of its shape, its strides,
    its type and its flags.
    """
    if type(value) is np.ndarray:
        return cast(Array, value)
    if isinstance(value, np.ma.MaskedArray):
        raise MismatchError("a masked array has no place for its mask; pass its .data")
    if isinstance(value, np.ndarray):
        # What NumPy itself knows: no method of the subclass is called.
        return np.ndarray.view(cast(Array, value), np.ndarray)
    if not hasattr(value, "__dlpack__"):
        raise MismatchError(
            f"expected an array (NumPy, or anything with __dlpack__), got "
            f"{type(value).__name__}"
        )
    try:
        return np.from_dlpack(cast(Any, value))
    except Exception as error:  # Whatever the exporting library raises.
        raise MismatchError(
            f"{type(value).__name__} did not export its memory through DLPack: {error}"
        ) from error


def row_major_strides(shape: Sequence[int]) -> list[int]:
    """Return the strides, in elements, of a contiguous array of `shape`."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 1, 0, -1):
        strides[axis - 1] = strides[axis] * shape[axis]
    return strides


def _fit(layout: Sequence[int | None], strides: Sequence[int]) -> bool:
    """Whether a layout has these strides, or leaves them open."""
    return all(
        want in (None, stride) for want, stride in zip(layout, strides, strict=True)
    )


def _copy_with_strides(array: Array) -> Array:
    """A copy of an array that is not empty, with elements as far from each other."""
    steps = [
        (size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)
    ]
    before = -sum(step for step in steps if step < 0)
    after = sum(step for step in steps if step > 0)
    memory = np.empty(before + after + array.itemsize, np.uint8)
    copy: Array = np.ndarray(array.shape, array.dtype, memory, before, array.strides)
    copy[...] = array
    return copy


def distance_to_last(shape: Sequence[int], strides: Sequence[int]) -> int:
    """Return how far the last element is from the first, in the unit of `strides`."""
    return sum((size - 1) * step for size, step in zip(shape, strides, strict=True))


def describe(array: Array) -> str:
    """Describe an array for an error message."""
    order = "" if array.dtype.isnative else " of non-native byte order"
    name = array.dtype.newbyteorder("=").name
    return f"{name} array{order} of shape {array.shape}"


def _pointer_to(array: Array) -> int:
    """Return the address of the first element, several times as fast as NumPy does."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(cast(Any, array)))
    except (TypeError, ValueError, BufferError):  # Read-only, strided or empty.
        return array.__array_interface__["data"][0]


def _memory_type(signature: abi.MemRefSignature, dtype: np.dtype[Any]) -> Any:
    """Return the ctypes array that a result is, or None if its layout or size varies.

    Its instances can hold an owner: NumPy keeps them alive as the base of an array.
    """
    sizes = [size for size in signature.shape if size]
    if signature.layout is not None or len(sizes) < len(signature.shape):
        return None
    array = ctypes.c_char * (prod(sizes) * dtype.itemsize)
    return type("ResultMemory", (array,), {})


class _Interface:
    """The base of a result: NumPy keeps it alive as long as any view of the array."""

    def __init__(
        self,
        owner: object,
        dtype: np.dtype[Any],
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        data: tuple[int, bool],
    ):
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "typestr": dtype.str,
            "shape": shape,
            "strides": strides,
            "data": data,
        }


def _accepted(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], ...]:
    if dtype.kind != "i":
        return (dtype,)
    return dtype, np.dtype(f"u{dtype.itemsize}")

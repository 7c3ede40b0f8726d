"""One compiled function as a Python callable.

Everything that depends on the signature alone is prepared once. A call writes the
descriptors of all buffers into one block of memory, and passes pointers into it to the
`_mlir_ciface_` wrapper.

    entry = CompiledFunction(signature, code)
    result = entry(x, weights)
"""

import ctypes
import struct
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, cast

import numpy as np
from typing_extensions import override

from xdsl_bufferization.support import abi

from .bfloat16 import show_bfloat16
from .boundary import donate as donated
from .boundary import overlap, overlapping, rivals, tuple_of
from .complex_scalar import ComplexCodec
from .descriptor import Array, MemRefCodec, dtype_of
from .errors import ArgumentError, FreedResultError, MismatchError
from .failure_kinds import Failure
from .failure_record import RECORD_WORDS
from .failures import FREE, GUARDED_PREFIX, NUMBER, exception_of
from .heap import Heap
from .llvm import Library
from .ownership import Owners
from .quick_call import (
    MISSED,
    QuickCall,
    Shape,
    is_usual,
    never_quick,
    quick_call,
)
from .scalar import ScalarCodec

_WORD_BYTES = 8

Codec = MemRefCodec | ScalarCodec | ComplexCodec


def codec_for(signature: abi.ValueSignature) -> Codec:
    """Prepare the translation of one argument or result."""
    if isinstance(signature, abi.MemRefSignature):
        return MemRefCodec(signature)
    if signature.element in abi.COMPLEX_PARTS:
        return ComplexCodec(signature)
    return ScalarCodec(signature)


class PackedArray(NamedTuple):
    """An array that fits an argument, for any number of calls; see `packed`."""

    array: Array
    descriptor: Sequence[int]


@dataclass
class LoadedCode:
    """Code in this process, with all that must live as long as it may run."""

    library: Library
    heap: Heap
    compile_seconds: float
    """Time from the compiler's input to loaded code."""

    constants: Sequence[Array] = ()
    """Memory of globals that the code refers to and does not contain."""

    calls_python: bool = False
    """Whether the code may call functions that are written in Python."""

    prints: bool = False
    """Whether the code may write to the standard output of Python."""

    failures: Sequence[Failure] = ()
    """What can fail; if anything can, functions are called by their guards."""

    kernels: Sequence[Library] = ()
    """Code that the code calls, and that nothing else keeps loaded."""


class CompiledFunction:
    """A function of a `CompiledModule`: call it with NumPy arrays and numbers.

    Arrays are passed without copying, with one exception: if the function writes to an
    argument that was a tensor in the program, it writes to a copy. So a call changes no
    array that the caller did not give away, by `donate`. An argument that was a memref
    in the program is written in place, as the program says.

    No result gives None, one gives itself, several give a tuple. A result shares no
    memory with an argument that was a tensor and is not donated. The interpreter's lock
    is not held while the code runs.
    """

    signature: abi.FunctionSignature
    code: LoadedCode

    def __init__(self, signature: abi.FunctionSignature, code: LoadedCode):
        self.signature = signature
        self.code = code
        self._arguments = [codec_for(each) for each in signature.arguments]
        self._results = [codec_for(each) for each in signature.returned]
        buffers = [c for c in self._arguments if isinstance(c, MemRefCodec)]
        self._places = _places(signature)
        self._rivals = tuple(rivals(signature))
        self._kept = [
            number
            for number, codec in enumerate(buffers)
            if codec.signature.is_kept and not codec.signature.is_copied
        ]
        self._donating: dict[tuple[str | int, ...], Self] = {}
        words = sum(codec.words for codec in buffers)
        self._failures = code.failures
        record_words = RECORD_WORDS if self._failures else 0
        self._free = code.heap.symbols[abi.FREE]
        self._record_bytes = _WORD_BYTES * record_words
        self._words = ctypes.c_int64 * (record_words + words)
        self._layout = struct.Struct(f"{words}q")
        self._returns_buffers = any(isinstance(c, MemRefCodec) for c in self._results)
        self._scalar = _single_scalar(self._results)
        self._result_struct = _result_struct(self._results)
        self._result_offsets = [
            getattr(self._result_struct, f"r{index}").offset
            for index in range(len(self._results) if self._result_struct else 0)
        ]
        prefix = GUARDED_PREFIX if self._failures else abi.C_INTERFACE_PREFIX
        address = code.library[prefix + signature.name]
        self.quick = self._quick_call(address)
        call = self._prototype()(address)
        if code.calls_python:
            call = _uninterrupted(call)
        self._call = _telling(call) if code.prints else call

    @property
    def compile_seconds(self) -> float:
        """Time that it took to compile the module of this function."""
        return self.code.compile_seconds

    def __call__(
        self, *arguments: object, donate: str | int | Iterable[str | int] = ()
    ) -> Any:
        """Run the function.

        `donate` names arguments whose contents the caller gives away, by name or by
        position: the function may write into them, and return them. What a call returns
        depends on the program, so that a type checker cannot know it. Raises
        `ArgumentError` if an argument does not fit the signature, or shares memory with
        another one that the function writes in place. Raises `ProgramError` if a check
        of the program fails, and `ProgramMemoryError` if memory is lacking.
        """
        if donate != ():
            names = tuple_of(donate)
            return (self.donating(*names) if names else self)(*arguments)
        results = self.quick(*arguments)
        if results is not MISSED:
            if type(results) is list:
                return self.finish(cast("list[Any]", results))
            return results
        words = self._words()  # Each call has its own: threads may call.
        start = ctypes.addressof(words)
        passed, descriptors, arrays = self._pack(arguments, start + self._record_bytes)
        self._layout.pack_into(words, self._record_bytes, *descriptors)
        first: tuple[int, ...] = ()
        if self._failures:
            words[FREE] = self._free
            first = (start,)
        if self._result_struct is None:
            result = self._call(*first, *passed)
            self._raise_what_failed(words)
            number = None if self._scalar is None else self._scalar.unpack(result)
            if self._places is None:
                return number
            numbers = [] if self._scalar is None else [number]
            return _one_or_all(_put_together(numbers, self._places, arrays))
        returned = self._result_struct()
        with self._owners(returned, arrays) as owners:
            self._call(*first, ctypes.addressof(returned), *passed)
            self._raise_what_failed(words)
            return self._results_in(returned, arrays, owners)

    def finish(self, raw: Sequence[object]) -> Any:
        """The results of a quick call that are not as usual, or what has failed.

        `raw` has what the code wrote, and the arrays that it was passed.
        """
        memory, *passed = cast("Sequence[Any]", raw)
        if self._failures:
            record = (ctypes.c_int64 * RECORD_WORDS).from_buffer_copy(memory)
            self._raise_what_failed(record)
        assert self._result_struct is not None, "there are unusual results"
        returned = self._result_struct.from_buffer_copy(memory, self._record_bytes)
        arrays = [(array.__array_interface__["data"][0], array) for array in passed]
        with self._owners(returned, arrays) as owners:
            return self._results_in(returned, arrays, owners)

    @contextmanager
    def _owners(
        self, returned: ctypes.Structure, arrays: list[tuple[int, Array]]
    ) -> Generator[Owners]:
        """Owners of what is returned, also if nobody gets it."""
        owners = Owners(
            self.code.heap, self.code, arrays if self._returns_buffers else ()
        )
        try:
            yield owners
        except BaseException:  # Ctrl-C, perhaps.
            owners.adopt(self._allocated(returned))
            raise

    def _results_in(
        self,
        returned: ctypes.Structure,
        arrays: list[tuple[int, Array]],
        owners: Owners,
    ) -> Any:
        results = self._unpack(returned, arrays, owners)
        if self._places is not None:
            results = _put_together(results, self._places, arrays)
        return _one_or_all(results)

    def _quick_call(self, address: int) -> QuickCall:
        """What tries a usual call, and answers `MISSED` otherwise."""
        if self.code.calls_python or self.code.prints:
            return never_quick
        places = None
        if self._places is not None:
            places = [place and place[:2] for place in self._places]
        shape = Shape(
            self.signature,
            address,
            self.code.heap,
            bool(self._failures),
            self._rivals,
            places,
        )
        return quick_call(shape) or never_quick

    def _raise_what_failed(self, record: ctypes.Array[ctypes.c_int64]) -> None:
        """Raise the exception that the record of a call has, if any."""
        if self._failures and record[NUMBER]:
            raise exception_of(record, self._failures)

    def packed(self, position: int, array: Array) -> PackedArray | Array:
        """What calls may get as an argument in place of an array, and quicker.

        Nobody may change the shape of the array. It is an array where usual calls are
        quick, which look at arrays alone. Raises `ArgumentError` unless the array fits.
        """
        codec = self._arguments[position]
        if not isinstance(codec, MemRefCodec) or codec.is_copied:
            return array
        try:
            packed = PackedArray(*codec.pack(array))
        except MismatchError as error:
            raise self._unfit(position, error) from error
        is_quick = self.quick is not never_quick and is_usual(packed.array)
        return packed.array if is_quick else packed

    def _unfit(self, position: int, error: MismatchError) -> ArgumentError:
        name = self._arguments[position].signature.name
        return ArgumentError(self.signature.name, position, name, str(error))

    def donating(self, *names: str | int) -> Self:
        """This function with arguments that all calls give away, as `donate` does."""
        found = self._donating.get(names)
        if found is None:
            found = type(self)(donated(self.signature, names), self.code)
            self._donating[names] = found
        return found

    @override
    def __repr__(self) -> str:
        return f"<compiled function {self.signature.with_accesses()}>"

    def _pack(
        self, arguments: tuple[object, ...], base: int
    ) -> tuple[list[int | float], list[int], list[tuple[int, Array]]]:
        """Return what to pass, the words of the descriptors at `base`, and the arrays.

        The arrays, each with its pointer, must live as long as the call.
        """
        if len(arguments) != len(self._arguments):
            raise ArgumentError(
                self.signature.name,
                -1,
                "",
                f"expected {len(self._arguments)} arguments, got {len(arguments)}",
            )
        passed: list[int | float] = []
        words: list[int] = []
        arrays: list[tuple[int, Array]] = []
        for index, codec in enumerate(self._arguments):
            argument = arguments[index]
            try:
                if isinstance(argument, PackedArray):
                    array, descriptor = argument
                elif isinstance(codec, ScalarCodec):
                    passed.append(codec.pack(argument))
                    continue
                elif isinstance(codec, ComplexCodec):
                    passed += codec.pack(argument)
                    continue
                else:
                    array, descriptor = codec.pack(argument)
                    if codec.is_copied:
                        array, descriptor = codec.pack_copy(array)
            except MismatchError as error:
                raise self._unfit(index, error) from error
            passed.append(base + _WORD_BYTES * len(words))
            words += descriptor
            arrays.append((descriptor[abi.ALLOCATED_FIELD], array))
        for written, other in self._rivals:
            if overlap(arrays[written][1], arrays[other][1]):
                raise overlapping(self.signature, written, other)
        return passed, words, arrays

    def _allocated(self, returned: ctypes.Structure) -> Iterator[int]:
        """The allocated pointers of all results; 0 where there is no result yet."""
        for codec, offset in zip(self._results, self._result_offsets, strict=True):
            if isinstance(codec, MemRefCodec):
                yield codec.read_words(returned, offset)[abi.ALLOCATED_FIELD]

    def _unpack(
        self,
        returned: ctypes.Structure,
        arrays: list[tuple[int, Array]],
        owners: Owners,
    ) -> list[Any]:
        kept = {arrays[number][0] for number in self._kept}
        results: list[Any] = []
        for index, codec in enumerate(self._results):
            if not isinstance(codec, MemRefCodec):
                results.append(codec.unpack(getattr(returned, f"r{index}")))
                continue
            words = codec.read_words(returned, self._result_offsets[index])
            try:
                owner, writeable = owners.owner_of(words[abi.ALLOCATED_FIELD])
            except FreedResultError as error:
                raise FreedResultError(
                    f"{self.signature.name}: result {index}: {error}"
                ) from None
            result = codec.unpack(words, owner, writeable=writeable)
            is_kept = words[abi.ALLOCATED_FIELD] in kept
            results.append(result.copy() if is_kept else result)
        return results

    def _prototype(self) -> Callable[[int], Callable[..., int | float]]:
        types: list[Any] = []
        for codec in self._arguments:
            types += _parameter_types(codec)
        if self._result_struct is not None:
            types.insert(0, ctypes.c_void_p)
        if self._failures:
            types.insert(0, ctypes.c_void_p)
        if self._result_struct is not None:
            return ctypes.CFUNCTYPE(None, *types)
        returned = None if self._scalar is None else self._scalar.ctype
        return ctypes.CFUNCTYPE(returned, *types)


class _Place(NamedTuple):
    """Where a result is that is not returned."""

    buffer: int
    """The number of an argument, where only buffers count."""

    is_copied: bool
    """Whether the caller keeps the argument, or has it as another result already."""

    dtype: np.dtype[Any]
    is_bfloat16: bool

    def take(self, arrays: Sequence[tuple[int, Array]]) -> Array:
        """The result, of the buffers that were passed."""
        array = arrays[self.buffer][1].view(self.dtype)
        if self.is_copied:
            array = array.copy()
        return show_bfloat16(array) if self.is_bfloat16 else array


def _places(signature: abi.FunctionSignature) -> list[_Place | None] | None:
    """For each result its place, or None if it is returned; None if all are."""
    if len(signature.returned) == len(signature.results):
        return None
    places: list[_Place | None] = []
    for result in signature.results:
        if not isinstance(result, abi.MemRefSignature) or result.in_argument is None:
            places.append(None)
            continue
        before = signature.arguments[: result.in_argument]
        buffer = sum(isinstance(each, abi.MemRefSignature) for each in before)
        argument = signature.arguments[result.in_argument]
        assert isinstance(argument, abi.MemRefSignature)
        is_kept = argument.is_kept and not argument.is_copied
        is_again = any(place and place.buffer == buffer for place in places)
        dtype, is_bfloat16 = dtype_of(argument.element), argument.element == "bf16"
        places.append(_Place(buffer, is_kept or is_again, dtype, is_bfloat16))
    return places


def _put_together(
    returned: list[Any],
    places: list[_Place | None],
    arrays: list[tuple[int, Array]],
) -> list[Any]:
    """All results: those that are returned, and those that are in an argument."""
    others = iter(returned)
    return [next(others) if place is None else place.take(arrays) for place in places]


def _one_or_all(results: list[Any]) -> Any:
    """What a call gives: None, the only result, or a tuple."""
    if len(results) > 1:
        return tuple(results)
    return results[0] if results else None


def _parameter_types(codec: Codec) -> list[Any]:
    """Return what the wrapper takes for one argument."""
    match codec:
        case MemRefCodec():
            return [ctypes.c_void_p]
        case ComplexCodec():
            return [codec.part, codec.part]
        case _:
            return [codec.ctype]


def _uninterrupted(call: Callable[..., Any]) -> Callable[..., Any]:
    """The same, with signals handled when the call has returned."""
    # Most code calls no Python.
    from xdsl_bufferization.support.interrupts import deferred_interrupts

    return deferred_interrupts()(call)


def _telling(call: Callable[..., Any]) -> Callable[..., Any]:
    """The same, with a warning at the end if not all could be printed."""
    # Most code prints nothing.
    from .printing import tell_what_was_lost

    def told(*arguments: Any) -> Any:
        try:
            return call(*arguments)
        finally:
            tell_what_was_lost()

    return told


def _field_type(codec: Codec) -> Any:
    """Return what one of several results is in memory."""
    match codec:
        case MemRefCodec():
            return ctypes.c_int64 * codec.words
        case ComplexCodec():
            return codec.ctype
        case _:
            return codec.field


def _single_scalar(results: list[Codec]) -> ScalarCodec | None:
    """Return the translation of a result that the wrapper returns by value."""
    if len(results) == 1 and isinstance(results[0], ScalarCodec):
        return results[0]
    return None


def _result_struct(results: list[Codec]) -> type[ctypes.Structure] | None:
    """Return the struct that the wrapper writes; None for no result or one number."""
    if not results or _single_scalar(results) is not None:
        return None
    fields: list[tuple[str, object]] = [
        (f"r{index}", _field_type(codec)) for index, codec in enumerate(results)
    ]
    return type("Results", (ctypes.Structure,), {"_fields_": fields})

"""Run a function of a built module as a program of its own, here or in an emulator.

    results, counts = run_program(built, "entry", [x], target, repeat=1)
        writes  main.c, program.o, program.h, inputs
        runs    riscv64-linux-gnu-gcc -static ...; qemu-riscv64 program inputs outputs

The file of inputs has the arguments, once for each call. A number is there as its
bytes, a buffer as offset, sizes, strides and the bytes of its elements.

The file of outputs has, for each call:

- each result: the bytes of a number, or the sizes and elements of a buffer, row by row;
- the same for each argument that is to be read back;
- the time and the counts.
"""

import shutil
import struct
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Final

import numpy as np

from xdsl_bufferization.runtime.complex_scalar import ComplexCodec
from xdsl_bufferization.runtime.descriptor import Array, MemRefCodec, distance_to_last
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.function import codec_for
from xdsl_bufferization.runtime.scalar import ScalarCodec
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.subprocesses import run_to_end

from .header import c_functions, value_type
from .linking import link
from .target import Target

_DRIVER: Final = "driver.h"
_WORD: Final = 8
_STATE: Final = struct.Struct("<d6q")


@dataclass(frozen=True)
class Counts:
    """What one call did to the heap, and how long it took."""

    seconds: float
    allocs: int
    frees: int
    """Before the call returned."""
    live_bytes: int
    """Once the results were freed."""
    peak_bytes: int
    copies: int
    wrong_frees: int


@dataclass(frozen=True)
class ProgramCall:
    """What one call returned."""

    results: list[Any]
    arguments: dict[int, Any]
    """Buffers that were to be read back, by their number, as the call left them."""
    counts: Counts


COUNTED_MEMCPY: Final = "_xbuf_counted_memcpy"
"""What the driver has for code that copies by `memcpy`."""


def run_program(
    object_: bytes,
    signature: abi.FunctionSignature,
    text: str,
    rounds: Sequence[Sequence[object]],
    target: Target,
    *,
    read_back: Collection[int] = (),
) -> list[ProgramCall]:
    """Call a function of an object, of which `text` is the header, with `rounds`.

    The object must use the heap of `abi.py`. Of the buffers among the arguments, those
    of `read_back` are returned as each call leaves them. Raises `EngineError` if it
    cannot be linked or run, and `MismatchError` if an argument does not fit.
    """
    inputs = BytesIO()
    for arguments in rounds:
        _write_arguments(inputs, signature, arguments)
    emulator = _emulator_of(target)
    with TemporaryDirectory(prefix="xbuf-") as name:
        directory = Path(name)
        (directory / "program.o").write_bytes(object_)
        (directory / "program.h").write_text(text)
        (directory / _DRIVER).write_text(
            files("xdsl_bufferization.codegen.targets").joinpath(_DRIVER).read_text()
        )
        (directory / "main.c").write_text(_main(signature, len(rounds), read_back))
        (directory / "inputs").write_bytes(inputs.getvalue())
        program = directory / "program"
        link(target, [directory / "main.c", directory / "program.o"], program)
        outputs = _run([*emulator, program], directory)
    with outputs:
        return [_read_call(outputs, signature, read_back) for _ in rounds]


def _emulator_of(target: Target) -> list[str]:
    if target.emulator is None:
        return []
    if (path := shutil.which(target.emulator)) is None:
        raise EngineError(
            f"programs for {target.name} run in {target.emulator}, which is not "
            "installed (Debian's package qemu-user)"
        )
    return [path]


def _run(command: Sequence[str | Path], directory: Path) -> BinaryIO:
    outputs = directory / "outputs"
    done = run_to_end([*command, directory / "inputs", outputs])
    if done.returncode:
        reason = f"{done.stdout} {done.stderr}".strip()
        signal = f"signal {-done.returncode}" if done.returncode < 0 else "an error"
        raise EngineError(f"the program ended by {signal}: {reason}")
    return BytesIO(outputs.read_bytes())


# Numbers in and out.


def _write_arguments(
    stream: BinaryIO, signature: abi.FunctionSignature, arguments: Sequence[object]
) -> None:
    for argument, each in zip(arguments, signature.arguments, strict=True):
        codec = codec_for(each)
        if not isinstance(codec, MemRefCodec):
            stream.write(_bytes_of(codec, argument))
            continue
        order = "C" if codec.signature.layout is None else None
        array, words = codec.pack(np.asarray(argument, order=order))
        layout = words[abi.OFFSET_FIELD :]
        memory = _memory_of(array)
        stream.write(struct.pack(f"<{len(layout) + 1}q", *layout, len(memory)))
        stream.write(memory)


def _bytes_of(codec: ScalarCodec | ComplexCodec, number: object) -> bytes:
    """What a number is in memory."""
    if isinstance(codec, ComplexCodec):
        return bytes(codec.ctype(*codec.pack(number)))
    return bytes(codec.ctype(codec.pack(number)))


def _memory_of(array: Array) -> bytes:
    """What lies from the first element of an array to its last."""
    if array.flags.c_contiguous:
        return array.tobytes()
    last = distance_to_last(array.shape, array.strides)
    words = np.lib.stride_tricks.as_strided(
        array, (last // array.itemsize + 1,), (array.itemsize,)
    )
    return words.tobytes()


def _read_call(
    stream: BinaryIO, signature: abi.FunctionSignature, read_back: Collection[int]
) -> ProgramCall:
    results = [_read_value(stream, each) for each in signature.results]
    arguments = {n: _read_value(stream, signature.arguments[n]) for n in read_back}
    counts = Counts(*_STATE.unpack(stream.read(_STATE.size)))
    return ProgramCall(results, arguments, counts)


def _read_value(stream: BinaryIO, value: abi.ValueSignature) -> Any:
    codec = codec_for(value)
    if not isinstance(codec, MemRefCodec):
        width = abi.ELEMENT_BYTES[value.element]
        number = codec.ctype.from_buffer_copy(stream.read(width))
        is_pair = isinstance(codec, ComplexCodec)
        return codec.unpack(number if is_pair else number.value)
    rank = len(codec.signature.shape)
    sizes = struct.unpack(f"<{rank}q", stream.read(_WORD * rank))
    data = stream.read(codec.dtype.itemsize * int(np.prod(sizes)))
    return np.frombuffer(data, codec.dtype).reshape(sizes)


# The program.


def _main(
    signature: abi.FunctionSignature, calls: int, read_back: Collection[int]
) -> str:
    """The C program that makes so many `calls`; all else is in the driver."""
    buffers = sum(isinstance(each, abi.MemRefSignature) for each in signature.arguments)
    owned = [
        f"{place}.allocated"
        for each, place in _results(signature)
        if isinstance(each, abi.MemRefSignature)
    ]
    lines = [
        f"for (int call = 0; call < {calls}; ++call) {{",
        *_read_statements(signature),
        "memset(&counts, 0, sizeof counts);",
        *_call_statements(signature),
        "int64_t frees = counts.frees;",
        *_write_statements(signature, read_back),
        f"void *owned[] = {{{', '.join([*owned, '0'])}}};",
        f"release(owned, {len(owned)}, buffers, {buffers});",
        "counts.frees = frees;",
        "write_bytes(&seconds, sizeof seconds);",
        "write_bytes(&counts, sizeof counts);",
        f"for (int i = 0; i < {buffers}; ++i) free(buffers[i]);",
        "}",
    ]
    start = [f'#include "{_DRIVER}"', '#include "program.h"', "void run(void) {"]
    return "\n".join([*start, *lines, "}", ""])


def _read_statements(signature: abi.FunctionSignature) -> Iterator[str]:
    """C statements that read all arguments."""
    buffers = 0
    yield f"void *buffers[{len(signature.arguments)} + 1];"
    for index, each in enumerate(signature.arguments):
        yield f"{value_type(each)} argument{index};"
        if isinstance(each, abi.MemRefSignature):
            what = f"&argument{index}, {_rank_and_width(each)}"
            yield f"buffers[{buffers}] = read_memref({what});"
            buffers += 1
        else:
            yield f"read_bytes(&argument{index}, sizeof argument{index});"


def _call_statements(signature: abi.FunctionSignature) -> Iterator[str]:
    """C statements that call the function and take the time."""
    (function,) = c_functions([signature])
    passed: list[str] = []
    for index, each in enumerate(signature.arguments):
        if isinstance(each, abi.MemRefSignature):
            passed.append(f"&argument{index}")
        elif each.element in abi.COMPLEX_PARTS:
            passed += [f"__real__ argument{index}", f"__imag__ argument{index}"]
        else:
            passed.append(f"argument{index}")
    result = ""
    if function.results is not None:
        yield f"{function.results} result;"
        passed.insert(0, "&result")
    elif function.result != "void":
        yield f"{function.result} result;"
        result = "result = "
    yield "double started = now();"
    yield f"{result}{function.name}({', '.join(passed)});"
    yield "double seconds = now() - started;"


def _write_statements(
    signature: abi.FunctionSignature, read_back: Collection[int]
) -> Iterator[str]:
    """C statements that write all results, and the arguments to be read back."""
    arguments = [(signature.arguments[n], f"argument{n}") for n in read_back]
    for each, place in (*_results(signature), *arguments):
        if isinstance(each, abi.MemRefSignature):
            yield f"write_memref(&{place}, {_rank_and_width(each)});"
        else:
            yield f"write_bytes(&{place}, sizeof {place});"


def _results(
    signature: abi.FunctionSignature,
) -> Iterator[tuple[abi.ValueSignature, str]]:
    """Each result, and how the program calls it."""
    is_one = len(signature.results) == 1
    for index, each in enumerate(signature.results):
        yield each, "result" if is_one else f"result.r{index}"


def _rank_and_width(memref: abi.MemRefSignature) -> str:
    return f"{len(memref.shape)}, {abi.ELEMENT_BYTES[memref.element]}"

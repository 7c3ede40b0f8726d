"""Files with code: how `save` writes them, and what `load` reads before it runs any.

    save_code("mlp.xbufobj", code, names, donate=())
    record, arrays = read_saved("mlp.xbufobj")      an error unless it fits this process

A file has code, what is to be known of it as JSON, and arrays, such as weights. Nothing
in it is a pickle.
"""

import os
from collections.abc import Sequence
from os import PathLike, fspath
from typing import Final

import numpy as np

from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.disk_cache.layout import (
    DamagedError,
    Json,
    Record,
    copy_file,
    open_regular,
    read_record,
    write_record,
)
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.object_code import ObjectCode
from xdsl_bufferization.runtime.processors.names import NATIVE
from xdsl_bufferization.runtime.processors.processor import processor_named
from xdsl_bufferization.runtime.saved_code import record_of
from xdsl_bufferization.support.whole_files import written_whole

from .code_cache import machine, record_with
from .names import Names

MODULE: Final = "a module of PyTorch"
MODEL: Final = "a model of ONNX"
"""What a file may have, beside a program."""


def save_code(
    path: str | PathLike[str],
    code: ObjectCode,
    names: Names,
    donate: tuple[str | int, ...],
) -> None:
    """Write code into a file; the old file stays if that fails."""
    record = record_with(code, names)
    _write(path, code, Record({**record.about, "donate": donate}, record.pieces))


def save_with_arrays(
    path: str | PathLike[str], code: ObjectCode, facts: Json, arrays: Sequence[Array]
) -> None:
    """Write code, what is to be known of it, and arrays; as `save_code`."""
    arrays = [*map(_with_plain_type, arrays)]
    kinds = [[each.dtype.str, each.shape] for each in arrays]
    record = record_of(code, facts)
    pieces = [
        *record.pieces,
        *(each.reshape(-1).view(np.uint8).data for each in arrays),
    ]
    _write(path, code, Record({**record.about, "arrays": kinds}, pieces))


def _with_plain_type(array: Array) -> Array:
    """An array without gaps, with bits for elements that NumPy itself has not."""
    plain = np.ascontiguousarray(array).reshape(array.shape)
    return plain.view(np.uint16) if plain.dtype.kind == "V" else plain


def _write(path: str | PathLike[str], code: ObjectCode, record: Record) -> None:
    here = machine(processor_named(code.cpu))
    about = {**record.about, "machine": here, "cpu": code.cpu}
    with written_whole(path) as stream:
        write_record(stream, Record(about, record.pieces))


def read_saved(path: str | PathLike[str]) -> tuple[Record, list[Array]]:
    """A file that fits this process, and the arrays in it; raises what `load` does."""
    name = fspath(path)
    try:
        descriptor = open_regular(path)
        try:
            record = read_record(copy_file(descriptor))
        finally:
            os.close(descriptor)
    except DamagedError as error:
        raise EngineError(f"{name}: {error}; save the function again") from error
    try:
        differences = _differences(record)
    except EngineError as error:
        raise EngineError(f"{name}: {error}") from None
    for what, (saved, here) in differences.items():
        if saved != here:
            raise EngineError(
                f"{name}: {what} of this code is {saved}, and here it is {here}; save "
                "the function again"
            )
    return record, _arrays(record)


def _arrays(record: Record) -> list[Array]:
    """The arrays of a record, where it is in memory."""
    kinds = record.about.get("arrays", ())
    pieces = record.pieces[len(record.pieces) - len(kinds) :]
    return [
        np.ndarray(tuple(shape), dtype, piece)
        for (dtype, shape), piece in zip(kinds, pieces, strict=True)
    ]


def _differences(record: Record) -> dict[str, tuple[str, str]]:
    """What code is for, and what is here, where it may be used as a lesser processor.

    Raises `EngineError` if the code is for a processor whose code cannot run here.
    """
    processor = processor_named(str(record.about.get("cpu", NATIVE)))
    saved, here = record.about.get("machine", {}), machine(processor)
    return {what: (saved.get(what, "nothing"), here[what]) for what in here}

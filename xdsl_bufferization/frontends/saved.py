"""Compiled functions in files of their own: `JitFunction.save`, and `load`.

    jit("mlp.mlir").save("mlp.xbufobj")
    mlp = load("mlp.xbufobj")
    mlp(x)

The file has machine code for the processor that it was made on, or for the one that
`jit(cpu=...)` names. It fits the version of this package that has made it, and is as
trustworthy as whoever wrote it: what it holds is run. Nothing in it is a pickle.
"""

import os
from os import PathLike, fspath

from xdsl_bufferization.runtime.disk_cache.layout import (
    DamagedError,
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
from xdsl_bufferization.support.whole_files import written_whole

from .code_cache import cached_code_of, machine, record_with
from .loaded import LoadedFunction, load_function
from .names import Names


def save_code(
    path: str | PathLike[str],
    code: ObjectCode,
    names: Names,
    donate: tuple[str | int, ...],
) -> None:
    """Write code into a file; the old file stays if that fails."""
    record = record_with(code, names)
    here = machine(processor_named(code.cpu))
    about = {**record.about, "machine": here, "cpu": code.cpu, "donate": donate}
    with written_whole(path) as stream:
        write_record(stream, Record(about, record.pieces))


def load(path: str | PathLike[str]) -> LoadedFunction:
    """A function that `JitFunction.save` has written, ready to be called.

    Load files that you trust: what they hold is run. Raises `OSError` if there is no
    such file. Raises `EngineError` if it is damaged, or for another processor or
    another version of this package.
    """
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
    code, names = cached_code_of(record)
    return load_function(code, names, tuple(record.about["donate"]))


def _differences(record: Record) -> dict[str, tuple[str, str]]:
    """What code is for, and what is here, where it may be used as a lesser processor.

    Raises `EngineError` if the code is for a processor whose code cannot run here.
    """
    processor = processor_named(str(record.about.get("cpu", NATIVE)))
    saved, here = record.about.get("machine", {}), machine(processor)
    return {what: (saved.get(what, "nothing"), here[what]) for what in here}

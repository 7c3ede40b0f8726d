"""A process of its own, in which torch-mlir lowers programs.

    request     {"pipelines": ["builtin.module(...)"], "seconds": 30}, and bytecode
    answer      {"text": "func.func @main ...", "errors": []}
    answer      {"text": null, "errors": [["loc(...)", "failed to legalize ..."]]}

torch-mlir ends the process that runs it at some programs, such as products of 8-bit
integers. So it runs here, and `lowering.py` asks. The file is run by its path: it
imports neither PyTorch nor this package, so that it starts in a quarter of a second.

A request has two parts, an answer one. Before each stands its length, in 8 bytes. The
process ends when there are no more requests, or when none has come for a while. The
system ends the process if a request takes more seconds of processor time than it says.
"""

import json
import os
import resource
import select
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO, Final

_IDLE_SECONDS: Final = 300
"""After so long without a request, the memory is given back."""

_LENGTH_BYTES: Final = 8


def main() -> None:
    """Answer requests from the standard input on the standard output."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # What torch-mlir prints is no answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    requests = os.fdopen(0, "rb", buffering=0)
    ir = import_module("torch_mlir.ir")
    import_module("torch_mlir.passmanager")
    while select.select([requests], [], [], _IDLE_SECONDS)[0]:
        options, program = _read(requests), _read(requests)
        if options is None or program is None:
            return
        request = json.loads(options)
        _limit(request["seconds"])
        answer = _lowered(ir, program, request["pipelines"])
        data = json.dumps(answer).encode()
        with suppress(BrokenPipeError):
            answers.write(len(data).to_bytes(_LENGTH_BYTES) + data)
            answers.flush()


def _limit(seconds: int) -> None:
    """Let this process have so many seconds of processor time from now on."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    most = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _read(source: BinaryIO) -> bytes | None:
    """The next part of a request; None at the end."""
    length = _read_bytes(source, _LENGTH_BYTES)
    return None if length is None else _read_bytes(source, int.from_bytes(length))


def _read_bytes(source: BinaryIO, count: int) -> bytes | None:
    data = bytearray()
    while len(data) < count:
        part = source.read(count - len(data))
        if not part:
            return None
        data += part
    return bytes(data)


def _lowered(ir: Any, program: bytes, pipelines: list[str]) -> dict[str, object]:
    """The text of a program after some pipelines, or the errors of one."""
    context = ir.Context()
    context.enable_multithreading(False)
    import_module("torch_mlir.dialects.torch").register_dialect(context)
    errors: list[tuple[str, str]] = []

    def note(diagnostic: Any) -> bool:
        errors.append((str(diagnostic.location), str(diagnostic.message)))
        return True

    context.attach_diagnostic_handler(note)
    context.emit_error_diagnostics = True
    manager = import_module("torch_mlir.passmanager").PassManager
    try:
        with context:
            module = ir.Module.parse(program)
            for pipeline in pipelines:
                manager.parse(pipeline).run(module.operation)
            return {"text": str(module), "errors": []}
    except Exception as error:
        # torch-mlir raises many kinds, some of them plain `Exception`.
        return {"text": None, "errors": errors or [("", str(error))]}


if __name__ == "__main__":
    sys.exit(main())

"""Objects to libraries and programs, by the compiler driver of the system.

    link(target, ["mlp.o"], "mlp.so", shared=True)   ->   cc -shared -o mlp.so mlp.o -lm

Nothing else in this package needs a compiler driver.
"""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.support.subprocesses import run_to_end

from .target import Target

_UNDEFINED = re.compile(r"undefined reference to `([^']+)'")


def compiler_of(target: Target) -> str:
    """The path of a compiler driver, or an `EngineError` that says how to get one."""
    for name in target.compilers:
        if path := shutil.which(name):
            return path
    names = " or ".join(target.compilers)
    raise EngineError(
        f"linking for {target.name} needs a C compiler driver, and there is no "
        f"{names}; install one (Debian's package {target.package}), or build an "
        "object (.o)"
    )


def link(
    target: Target,
    files: Sequence[Path],
    output: Path,
    *,
    shared: bool = False,
    libraries: Sequence[str] = (),
) -> None:
    """Link objects, and compile C sources among `files`, to a library or a program.

    A program contains all of the C library, so that emulators need no other files.
    `libraries` are names of further ones, such as `gomp`.
    Raises `EngineError` with what the compiler driver says.
    """
    kind = ["-shared"] if shared else ["-static"]
    needed = [f"-l{name}" for name in (*libraries, "m")]
    _call([compiler_of(target), "-O1", *kind, "-o", output, *files, *needed])


def assemble(target: Target, source: Path, output: Path) -> None:
    """Make an object of assembly text.

    Raises `EngineError` with what the compiler driver says.
    """
    _call([compiler_of(target), "-c", "-o", output, source])


def _call(command: Sequence[str | Path]) -> None:
    done = run_to_end(command, {**os.environ, "LC_ALL": "C"})
    if done.returncode:
        raise EngineError(_reason(done.stderr))


def _reason(messages: str) -> str:
    if undefined := sorted(set(_UNDEFINED.findall(messages))):
        return (
            f"undefined symbol: {', '.join(undefined)}; the program calls it and "
            "nothing defines it"
        )
    lines = [line for line in messages.splitlines() if "error" in line]
    return f"the code could not be linked: {(lines or [messages.strip()])[0]}"

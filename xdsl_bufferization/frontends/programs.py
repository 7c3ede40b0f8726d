"""What a program may be: text, a file, a module, JAX's, or a function that builds one.

text_of("mlp.mlir")                     Text(b"func.func ...", "mlp.mlir")
text_of("func.func @f(...) { ... }")    Text("func.func ...", "<string>")

Nothing of xDSL is imported here: a program that is in the cache needs nothing of it.
"""

import re
import sys
from collections.abc import Callable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    NamedTuple,
    Protocol,
    TypeAlias,
    Union,
    runtime_checkable,
)

from typing_extensions import TypeIs

from xdsl_bufferization.support.program_files import pieces_of, read_bytes

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

_NO_FILE: Final = "<string>"

_LIKE_A_FILE: Final = re.compile(r"[\w./\\:~-]{1,1000}")
"""What no program is: each has brackets, or a space behind the name of its first op."""


@runtime_checkable
class Lowered(Protocol):
    """What `jax.jit(f).lower(...)` gives."""

    def as_text(self) -> str:
        """The program in StableHLO's text."""
        ...


@runtime_checkable
class Exported(Protocol):
    """What `jax.export.export(jax.jit(f))(...)` gives."""

    def mlir_module(self) -> str:
        """The program in StableHLO's text."""
        ...


# What is imported for type checkers alone has no `|`.
PlainProgram: TypeAlias = Union[str, PathLike[str], "ModuleOp"]
"""MLIR's text, a file with it, or a module."""

Program: TypeAlias = PlainProgram | Lowered | Exported
"""A plain program, or a function that JAX has lowered or exported."""

Builder: TypeAlias = Callable[..., Program]
"""A Python function that returns a program, given the types of the arguments."""


class Text(NamedTuple):
    """The text of a program."""

    data: str | bytes
    """Bytes are the contents of a file."""

    place: str
    """What errors call it."""

    def pieces(self) -> Iterator[bytes | memoryview]:
        """What tells this text from others."""
        yield repr((type(self.data), self.place)).encode()
        data = self.data
        yield data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data


def is_program(value: object) -> TypeIs[Program]:
    """Whether a value is a program, and no function that builds one."""
    return isinstance(value, str | PathLike | Lowered | Exported) or is_module(value)


def as_plain(program: Program) -> PlainProgram:
    """The program itself, or its text if it is one of JAX."""
    if isinstance(program, Exported):
        return program.mlir_module()
    return program.as_text() if isinstance(program, Lowered) else program


def is_module(value: object) -> "TypeIs[ModuleOp]":
    """Whether a value is a module: then somebody has imported the class."""
    builtin: Any = sys.modules.get("xdsl.dialects.builtin")
    return builtin is not None and isinstance(value, builtin.ModuleOp)


def can_be_read_again(program: str | PathLike[str]) -> bool:
    """Whether a program is no pipe, which would be empty the second time."""
    return not is_file(program) or Path(program).is_file()


def is_file(program: object) -> TypeIs[str | PathLike[str]]:
    """Whether a program is the name of a file."""
    if isinstance(program, str):
        return program.endswith(".mlir")
    return isinstance(program, PathLike)


def text_pieces(source: str | PathLike[str]) -> Iterator[bytes | memoryview]:
    """What tells a text from others, as `Text.pieces`; of a file not all at once.

    A file may be written to meanwhile: what is compiled has pieces of its own.
    """
    name = fspath(source)
    if not is_file(source):
        yield from Text(name, _NO_FILE).pieces()
        return
    yield from Text(b"", name).pieces()
    yield from pieces_of(name)


def text_of(source: str | PathLike[str]) -> Text:
    """The text of a program, or of the file that it names.

    Raises `OSError`, and `ValueError` for a string that only a file can be called.
    """
    name = fspath(source)
    if is_file(source):
        return Text(read_bytes(name), name)
    if _LIKE_A_FILE.fullmatch(name):
        raise ValueError(
            f"{name!r} is no program, and a file by that name ends in .mlir or .onnx; "
            f"pass pathlib.Path({name!r}) if it is a file with MLIR's text"
        )
    return Text(name, _NO_FILE)

"""What a program may be: text, a file, a module, or a function that builds one.

text_of("mlp.mlir")                     Text(b"func.func ...", "mlp.mlir")
text_of("func.func @f(...) { ... }")    Text("func.func ...", "<string>")

Nothing of xDSL is imported here: a program that is in the cache needs nothing of it.
"""

import sys
from collections.abc import Callable
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from typing_extensions import TypeIs

from xdsl_bufferization.program_files import read_bytes

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

Program: TypeAlias = "str | PathLike[str] | ModuleOp"
"""MLIR's text, a file with it, or a module."""

Builder: TypeAlias = "Callable[..., Program]"
"""A Python function that returns a program, given the types of the arguments."""


class Text(NamedTuple):
    """The text of a program."""

    data: str | bytes
    """Bytes are the contents of a file."""

    place: str
    """What errors call it."""


def is_program(value: object) -> "TypeIs[Program]":
    """Whether a value is a program, and no function that builds one."""
    return isinstance(value, str | PathLike) or is_module(value)


def is_module(value: object) -> "TypeIs[ModuleOp]":
    """Whether a value is a module: then somebody has imported the class."""
    builtin: Any = sys.modules.get("xdsl.dialects.builtin")
    return builtin is not None and isinstance(value, builtin.ModuleOp)


def is_file(program: object) -> "TypeIs[str | PathLike[str]]":
    """Whether a program is the name of a file."""
    if isinstance(program, str):
        return program.endswith(".mlir")
    return isinstance(program, PathLike)


def text_of(source: str | PathLike[str]) -> Text:
    """The text of a program, or of the file that it names; raises `OSError`."""
    name = fspath(source)
    if is_file(source):
        return Text(read_bytes(name), name)
    return Text(name, "<string>")

"""What a program may be: text, a file, a module, or a function that builds one.

parse("mlp.mlir")                        a verified module
read("func.func @f(...) { ... }")        the same, from text
read(module)                             a copy of the module, verified
"""

from collections.abc import Callable
from os import PathLike, fspath
from typing import TypeAlias

from typing_extensions import TypeIs
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.context import get_context
from xdsl_bufferization.models import attach_all
from xdsl_bufferization.parsing import parse_module
from xdsl_bufferization.program_files import read_program
from xdsl_bufferization.short_errors import short_errors
from xdsl_bufferization.upstream.verify import verify_as_mlir

Program: TypeAlias = str | PathLike[str] | ModuleOp
"""MLIR's text, a file with it, or a module."""

Builder: TypeAlias = Callable[..., Program]
"""A Python function that returns a program, given the types of the arguments."""


def is_program(value: object) -> TypeIs[Program]:
    """Whether a value is a program, and no function that builds one."""
    return isinstance(value, str | PathLike | ModuleOp)


def is_file(program: Program) -> TypeIs[str | PathLike[str]]:
    """Whether a program is the name of a file."""
    if isinstance(program, str):
        return program.endswith(".mlir")
    return isinstance(program, PathLike)


@short_errors()
def parse(source: str | PathLike[str]) -> ModuleOp:
    """Parse and verify a program.

    A path, or a string that ends in `.mlir`, names a file; any other string is the
    program itself. Raises `OSError`, xDSL's `ParseError`, or `VerifyException`.
    """
    name = fspath(source)
    text = read_program(name) if is_file(source) else name
    place = name if is_file(source) else "<string>"
    module = parse_module(text, place, get_context())
    verify_as_mlir(module)
    return module


def read(program: Program) -> ModuleOp:
    """A verified module that the caller may rewrite; a given module stays as it is."""
    if not isinstance(program, ModuleOp):
        return parse(program)
    attach_all()
    copy = program.clone()
    verify_as_mlir(copy)
    return copy

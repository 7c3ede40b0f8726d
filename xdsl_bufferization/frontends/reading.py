"""A program as a verified module: from text, from a file, or a copy of a module.

parse("mlp.mlir")                        a verified module
read("func.func @f(...) { ... }")        the same, from text
read(module)                             a copy of the module, verified
"""

from os import PathLike

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.short_errors import short_errors
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.support.program_files import decode_program

from .programs import Text, text_of


@short_errors()
def parse(source: str | PathLike[str]) -> ModuleOp:
    """Parse and verify a program.

    A path, or a string that ends in `.mlir`, names a file; any other string is the
    program itself. Raises `OSError`, xDSL's `ParseError`, `VerifyException`, or
    `ValueError` for a string that is the name of another file.
    """
    return _parse(text_of(source))


def read(program: Text | ModuleOp) -> ModuleOp:
    """A verified module that the caller may rewrite; a given module stays as it is."""
    if isinstance(program, Text):
        return _parse(program)
    attach_all()
    copy = program.clone()
    verify_as_mlir(copy)
    return copy


def _parse(text: Text) -> ModuleOp:
    module = parse_module(characters_of(text), text.place, get_context())
    verify_as_mlir(module)
    return module


def characters_of(text: Text) -> str:
    """The text; raises xDSL's `ParseError` if it is a file with something else."""
    data = text.data
    return data if isinstance(data, str) else decode_program(data, text.place)

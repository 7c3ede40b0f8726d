"""The options of `compile_module`, for functions that pass them on as keywords.

    def compile(module: ModuleOp, **options: Unpack[CompileOptions]) -> CompiledModule:

A type checker finds a misspelt option, or one of the wrong type.
"""

from typing import TypedDict


class CompileOptions(TypedDict, total=False):
    """The keywords of `compile_module`, any of which may be left out."""

    counting_heap: bool
    count_copies: bool
    poison: bool
    opt_level: int
    xsmm: str
    cpu: str | None
    threads: int
    checked: bool

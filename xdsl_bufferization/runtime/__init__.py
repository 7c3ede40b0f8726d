"""Run compiled code on NumPy arrays; knows no part of the compiler.

    module = compile_llvm_ir(text, signatures)
    y = module["entry"](x)

The names below are loaded when they are first used, so that importing one file of this
package does not load llvmlite.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .engine import CompiledModule, compile_llvm_ir
    from .errors import (
        ArgumentError,
        EngineError,
        FreedResultError,
        LostOutputWarning,
        ProgramError,
        ProgramMemoryError,
    )
    from .function import CompiledFunction
    from .heap import CountingHeap, HeapReport, ProcessHeap

__all__ = [
    "ArgumentError",
    "CompiledFunction",
    "CompiledModule",
    "CountingHeap",
    "EngineError",
    "FreedResultError",
    "HeapReport",
    "LostOutputWarning",
    "ProcessHeap",
    "ProgramError",
    "ProgramMemoryError",
    "compile_llvm_ir",
]

_FILES = {
    "ArgumentError": "errors",
    "CompiledFunction": "function",
    "CompiledModule": "engine",
    "CountingHeap": "heap",
    "EngineError": "errors",
    "FreedResultError": "errors",
    "HeapReport": "heap",
    "LostOutputWarning": "errors",
    "ProcessHeap": "heap",
    "ProgramError": "errors",
    "ProgramMemoryError": "errors",
    "compile_llvm_ir": "engine",
}


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_FILES[name]}"), name)

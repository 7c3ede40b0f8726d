"""The stages of this package as functions.

module = parse("mlp.mlir")                                   # tensors
explain(module).functions[0].copies                          # how many, and why
bufferize(module, bufferize_function_boundaries=True)        # buffers
deallocate(module)                                           # buffers that are freed
entry = compile(module)["entry"]                             # call it with arrays
"""

from typing import Unpack

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.context import get_context
from xdsl_bufferization.explanation.explain import explain_module as explain
from xdsl_bufferization.explanation.report import Explanation
from xdsl_bufferization.just_in_time.jit import JitFunction, jit
from xdsl_bufferization.just_in_time.programs import parse
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.compile import compile_module as compile
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.errors import ProgramError, ProgramMemoryError
from xdsl_bufferization.short_errors import short_errors
from xdsl_bufferization.transforms.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.transforms.bufferize.one_shot_options import OneShotOptions
from xdsl_bufferization.transforms.bufferize.value_arguments import (
    mark_value_arguments,
)

__all__ = [
    "CompiledModule",
    "Explanation",
    "JitFunction",
    "ProgramError",
    "ProgramMemoryError",
    "bufferize",
    "compile",
    "deallocate",
    "explain",
    "jit",
    "parse",
]


@short_errors()
def bufferize(module: ModuleOp, **options: Unpack[OneShotOptions]) -> ModuleOp:
    """Replace tensors by buffers, in place; returns `module`.

    `options` are those of the pass `one-shot-bufferize`, with underscores. Raises
    `OperationError` at an op that cannot be bufferized, and `TypeError` for an option
    that does not exist.
    """
    mark_value_arguments(module)
    OneShotBufferizePass(**options).apply(get_context(), module)
    return module


@short_errors()
def deallocate(module: ModuleOp) -> ModuleOp:
    """Free every buffer that the program allocates and keeps, in place.

    Returns `module`. Runs the pass `buffer-deallocation-pipeline`.
    """
    BufferDeallocationPipelinePass().apply(get_context(), module)
    return module

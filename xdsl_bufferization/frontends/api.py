"""The stages of this package as functions.

module = parse("mlp.mlir")                                   # tensors
explain(module).functions[0].copies                          # how many, and why
bufferize(module)                                            # buffers
deallocate(module)                                           # buffers that are freed
entry = compile(module)["entry"]                             # call it with arrays

entry = jit("mlp.mlir")                                      # all of that, and kernels
"""

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Unpack

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.bufferization.bufferize.one_shot_options import OneShotOptions
from xdsl_bufferization.bufferization.bufferize.value_arguments import (
    mark_value_arguments,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.check_model import (
    check_model as _check_model,
)
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.short_errors import short_errors
from xdsl_bufferization.explanation.explain import explain_module as explain
from xdsl_bufferization.optimization.simplify.convert_elementwise_to_linalg import (
    ConvertElementwiseToLinalgPass,
)
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.forgotten_steps import find_leak
from xdsl_bufferization.support.errors import expect_module

from .reading import parse
from .stablehlo.stablehlo_legalize_to_linalg import StablehloLegalizeToLinalgPass

if TYPE_CHECKING:
    from xdsl_bufferization.pipelines.compile_options import CompileOptions
    from xdsl_bufferization.runtime.engine import CompiledModule

__all__ = [
    "bufferize",
    "check_model",
    "check_model_by_execution",
    "compile",
    "deallocate",
    "explain",
    "parse",
]


@short_errors()
def bufferize(module: ModuleOp, **options: Unpack[OneShotOptions]) -> ModuleOp:
    """Replace tensors by buffers, in place; returns `module`.

    Arithmetic on tensors and ops of StableHLO become linalg ops first. `options` are
    those of the pass `one-shot-bufferize`, with underscores. Three of them have other
    defaults here, as in `xbuf run --no-optimize`: functions are bufferized as a whole,
    with identity layouts, and loops may return what they allocate. Raises
    `OperationError` at an op that cannot be bufferized, and `TypeError` for an option
    that does not exist.
    """
    expect_module(module, "bufferize")
    mark_value_arguments(module)
    context = get_context()
    one_shot = one_shot_of_programs(**options)
    StablehloLegalizeToLinalgPass().apply(context, module)
    ConvertElementwiseToLinalgPass().apply(context, module)
    one_shot.apply(context, module)
    return module


@short_errors()
def deallocate(
    module: ModuleOp, *, private_function_dynamic_ownership: bool = False
) -> ModuleOp:
    """Free every buffer that the program allocates and keeps, in place.

    Returns `module`. Runs the pass `buffer-deallocation-pipeline` with its option
    `private_function_dynamic_ownership`. Raises `OperationError` at an op that it does
    not know how to free for.
    """
    expect_module(module, "deallocate")
    BufferDeallocationPipelinePass(
        private_function_dynamic_ownership=private_function_dynamic_ownership
    ).apply(get_context(), module)
    return module


def check_model(op: Operation) -> list[str]:
    """What is inconsistent in the models of `op`, one sentence each.

    See `bufferization/interfaces/check_model.py`. Here the models of this package are
    there, whoever built the op.
    """
    attach_all()
    return _check_model(op)


def check_model_by_execution(
    op: Operation, values: Mapping[SSAValue, object] | None = None
) -> list[str]:
    """What runs of `op` show to be wrong in its models, one sentence each.

    The op alone is compiled, and runs on buffers whose bits are watched. `values` has
    arrays for its operands, and for what its regions use from outside. Others are
    chosen: small numbers, and sizes of 4 where the type leaves them open. If the op
    cannot be run, the one sentence says why.
    """
    # What compiles needs llvmlite, without which the other functions work.
    from xdsl_bufferization.pipelines.model_answers.check_model_by_execution import (
        check_model_by_execution as by_execution,
    )

    return by_execution(op, values)


@short_errors()
def compile(module: ModuleOp, **options: "Unpack[CompileOptions]") -> "CompiledModule":
    """Compile a module on buffers, after deallocation; `module` stays as it is.

    The result maps the names of the public functions to callables on NumPy arrays.

    - `counting_heap`: all buffers come from a `CountingHeap`, the `heap` of the result.
    - `count_copies`: the heap also counts the copies that are executed.
    - `poison`: reads of unwritten or freed memory show in the results. `poison` and
      `count_copies` imply `counting_heap`.
    - `opt_level`: LLVM's level of optimization, from 0 to 3; 3 by default.
    - `xsmm`: where kernels come from. `generated`, the default: made here for this
      processor. `vectors`: the same, but never with AMX. `libxsmm`: an installed
      LIBXSMM, where it has the kernel.
    - `cpu`: the name of the processor that the code is for, such as `x86-64-v3`. None,
      the default: the one that the environment variable `XBUF_CPU` names, or the one
      here.
    - `threads`: how many threads share each parallel loop; 1 by default. 0: as many as
      the environment says, by `OMP_NUM_THREADS` or one for each core. The results are
      the same to the bit.
    - `checked`: what `docs/contract.md` leaves undefined is checked, as the pass
      `generate-runtime-verification` says. A check that fails ends the call with a
      `ProgramError`, and all that the call allocated is freed.

    Warns if a buffer is certainly never freed. Raises `OperationError` at an op that
    cannot be lowered or called, or that is still on tensors. Raises `EngineError` if
    the code cannot be linked, LIBXSMM is not there, or code for that processor cannot
    run here.
    """
    expect_module(module, "compile")
    # What compiles needs llvmlite, without which the other functions work.
    from xdsl_bufferization.pipelines.compile import compile_module

    leak = find_leak(module)
    if leak is not None:
        warnings.warn(f"{leak}; call deallocate before compile", stacklevel=2)
    return compile_module(module, **options)

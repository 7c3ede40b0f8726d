"""The memory of a program, freed late, freed early, and with buffers used again.

What the pipeline does to free buffers early is left out at first and done at the end,
so that the three can be compared.

    bufferize    ->   freed late    bufferize{early-deallocation=false}
                      freed early   ..., optimize-allocation-liveness
                      reused        ..., buffer-reuse
"""

from collections.abc import Iterable, Iterator

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    OptimizeAllocationLivenessPass,
)
from xdsl_bufferization.bufferization.placement.buffer_reuse import BufferReusePass
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.pass_bundle import unbundle
from xdsl_bufferization.support.traversal import ops_inside

from .memory import MemoryStage, MemoryTimeline
from .memory_lanes import trace_memory

_EARLY = (OptimizeAllocationLivenessPass, BufferReusePass)

_LATE_STAGE = "freed late", "Buffers are freed where their block ends."
_EARLY_STAGES = (
    ("freed early", "Buffers are freed after their last use."),
    ("reused", "Buffers that are freed are taken over by later ones of their size."),
)


def trace_stages(
    module: ModuleOp, passes: Iterable[ModulePass], ctx: Context
) -> tuple[MemoryStage, ...]:
    """The memory of `module` after `passes`, in three stages; `module` is rewritten.

    Where the passes leave buffers that nobody frees, and free none themselves,
    `buffer-deallocation-pipeline` comes first. Raises what the passes raise.
    """
    return tuple(follow_stages(module, passes, ctx))


def follow_stages(
    module: ModuleOp, passes: Iterable[ModulePass], ctx: Context
) -> Iterator[MemoryStage]:
    """The stages of `trace_stages` one by one: `module` is always as far as they."""
    for each in unbundle(passes):
        if not isinstance(each, _EARLY):
            each.apply(ctx, module)
    functions = trace_memory(module)
    if any(map(_leaks, functions)) and not _frees(module):
        BufferDeallocationPipelinePass().apply(ctx, module)
        functions = trace_memory(module)
    yield MemoryStage(*_LATE_STAGE, functions)
    for stage, next_pass in zip(_EARLY_STAGES, _EARLY, strict=True):
        next_pass().apply(ctx, module)
        yield MemoryStage(*stage, trace_memory(module))


def _leaks(function: MemoryTimeline) -> bool:
    return not all(lane.is_freed for lane in function.lanes)


def _frees(module: ModuleOp) -> bool:
    return any(isinstance(op, memref.DeallocOp) for op in ops_inside(module))

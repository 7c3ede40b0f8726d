"""The pass `bufferize`: everything from tensors to buffers that are freed in time.

A bundle of tpp-mlir, between what is done on tensors and what is done on buffers. Reads
move before writes, and cheap tensors are computed where they are used, as far as that
saves copies. Copies that are only read are left out. Buffers are freed after their last
use.

    %0 = linalg.matmul ...       %0 = memref.alloc() ...
    return %0                    linalg.matmul ... outs(%0 ...)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Unpack

from typing_extensions import override
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.bufferize.drop_equivalent_buffer_results import (
    DropEquivalentBufferResultsPass,
)
from xdsl_bufferization.bufferization.bufferize.eliminate_empty_tensors import (
    EliminateEmptyTensorsPass,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_options import OneShotOptions
from xdsl_bufferization.bufferization.deallocation.drop_deallocations import (
    DropDeallocationsPass,
)
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    OptimizeAllocationLivenessPass,
)
from xdsl_bufferization.bufferization.fewer_copies.move_reads_before_writes import (
    MoveReadsBeforeWritesPass,
)
from xdsl_bufferization.bufferization.fewer_copies.rematerialize_cheap_tensors import (
    RematerializeCheapTensorsPass,
)
from xdsl_bufferization.bufferization.fewer_copies.remove_read_only_copies import (
    RemoveReadOnlyCopiesPass,
)
from xdsl_bufferization.bufferization.mlir_pass import has_tensor
from xdsl_bufferization.bufferization.placement.buffer_sinking import (
    BufferSinkingPass,
)
from xdsl_bufferization.bufferization.simplification.canonicalize import (
    CanonicalizePass,
)
from xdsl_bufferization.bufferization.simplification.common_subexpressions import (
    CommonSubexpressionElimination,
)
from xdsl_bufferization.codegen.convert_perf_to_loops import (
    ConvertPerfToLoopsPass,
)
from xdsl_bufferization.optimization.simplify.duplicate_fill import DuplicateFillPass

from .buffer_deallocation_pipeline import BufferDeallocationPipelinePass
from .pass_bundle import PassBundle


def one_shot_of_programs(**options: Unpack[OneShotOptions]) -> OneShotBufferizePass:
    """one-shot-bufferize for whole programs: functions and all loops are bufferized.

    `options` are those of the pass, instead of these or beside them.
    """
    whole: OneShotOptions = {
        "bufferize_function_boundaries": True,
        "function_boundary_type_conversion": "identity-layout-map",
        "allow_return_allocs_from_loops": True,
    }
    whole.update(options)
    return OneShotBufferizePass(**whole)


@dataclass(frozen=True)
class BufferizePass(PassBundle):
    """From tensors to buffers that are freed in time; identity layouts at functions."""

    name = "bufferize"
    is_about = staticmethod(has_tensor)

    early_deallocation: bool = True
    """Free buffers after their last use, not at the end of the block."""

    duplicate_fill: bool = True
    """Fill a tensor anew for each op that starts from it, in place of a copy. So are
    other cheap tensors computed anew."""

    modify_public_functions: bool = True
    """Whether public functions no longer return a buffer that their caller handed over.

    Otherwise such a result is a copy, as the caller frees what is returned."""

    known_strides: bool = False
    """Keep a copy that is only read if its source has strides of run time.

    Kernels demand strides that are known before."""

    test_analysis_only: bool = False
    """Only decide, and write the decisions as attributes into the program."""

    print_conflicts: bool = False
    """With the decisions, write which operands conflict; implies test-analysis-only."""

    dealloc: bool = True
    """Whether buffers are freed."""

    @override
    def passes(self) -> Iterator[ModulePass]:
        yield ConvertPerfToLoopsPass()
        if self.duplicate_fill:
            yield DuplicateFillPass()
        yield MoveReadsBeforeWritesPass()
        if self.duplicate_fill:
            yield RematerializeCheapTensorsPass()
        yield EliminateEmptyTensorsPass()
        if self.test_analysis_only or self.print_conflicts:
            yield one_shot_of_programs(
                test_analysis_only=True, print_conflicts=self.print_conflicts
            )
            return
        yield one_shot_of_programs()
        yield CanonicalizePass()
        yield CommonSubexpressionElimination()
        yield DropEquivalentBufferResultsPass(
            modify_public_functions=self.modify_public_functions
        )
        yield RemoveReadOnlyCopiesPass(known_strides=self.known_strides)
        if not self.dealloc:
            return
        yield DropDeallocationsPass()
        yield BufferDeallocationPipelinePass()
        if self.early_deallocation:
            yield OptimizeAllocationLivenessPass()
            yield BufferSinkingPass()

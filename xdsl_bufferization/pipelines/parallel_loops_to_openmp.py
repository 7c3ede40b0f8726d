"""The bundle `parallel-loops-to-openmp`: parallel loops on all cores.

Runs after deallocation, when all loops are on buffers; `lower-to-llvm` follows. Of
nested parallel loops the outermost is shared out; those inside run sequentially.

    scf.forall (%i, %j) in (8, 16)     omp.parallel { omp.wsloop { omp.loop_nest
                                         (%i, %j) : index = ... { ... } } }
"""

from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import override
from xdsl.passes import ModulePass
from xdsl.transforms.convert_scf_to_openmp import ConvertScfToOpenMPPass

from xdsl_bufferization.codegen.split_parallel_reductions import (
    SplitParallelReductionsPass,
)
from xdsl_bufferization.codegen.tm_tensor_to_loops import (
    TMTensorToLoopsPass,
)
from xdsl_bufferization.optimization.tiling.convert_forall_to_parallel import (
    ConvertForallToParallelPass,
)

from .pass_bundle import PassBundle


@dataclass(frozen=True)
class ParallelLoopsToOpenMPPass(PassBundle):
    """From `scf.forall`, `scf.parallel` and tm_tensor to loops that threads share."""

    name = "parallel-loops-to-openmp"

    @override
    def passes(self) -> Iterator[ModulePass]:
        yield TMTensorToLoopsPass()
        yield ConvertForallToParallelPass()
        yield SplitParallelReductionsPass()
        yield ConvertScfToOpenMPPass()

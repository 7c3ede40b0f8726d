"""The bundle `parallel-loops-to-openmp`: parallel loops on all cores.

Runs after deallocation, when all loops are on buffers; `lower-to-llvm` follows. Of
nested parallel loops the outermost is shared out; those inside run sequentially.

    scf.forall (%i, %j) in (8, 16)     omp.parallel { omp.wsloop { omp.loop_nest
                                         (%i, %j) : index = ... { ... } } }
"""

from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import override

from .pass_bundle import PassBundle
from .steps import Step, step


@dataclass(frozen=True)
class ParallelLoopsToOpenMPPass(PassBundle):
    """From `scf.forall`, `scf.parallel` and tm_tensor to loops that threads share."""

    name = "parallel-loops-to-openmp"

    @override
    def steps(self) -> Iterator[Step]:
        yield step("tm-tensor-to-loops", "their loops are shared as well")
        yield step("convert-forall-to-parallel", "xDSL's pass knows scf.parallel")
        yield step("split-parallel-reductions", "a thread sums up its own part")
        yield step("convert-scf-to-openmp", "loops are shared out")

"""The pipelines for whole programs, from tensors to buffers that are freed.

    default_passes()                  what `jit` and `xbuf run` do: kernels where they
                                      fit, and loops elsewhere
    default_passes(optimize=False)    the plain pipeline: each op becomes loops

Both lower StableHLO first, leave functions with identity layouts, and free every
buffer. The command line and
the Python API have their pipelines from here, so that the two do the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.bufferize.drop_equivalent_buffer_results import (
    DropEquivalentBufferResultsPass,
)
from xdsl_bufferization.bufferization.deallocation.drop_deallocations import (
    DropDeallocationsPass,
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
from xdsl_bufferization.bufferization.simplification.canonicalize import (
    CanonicalizePass,
)
from xdsl_bufferization.codegen.allow_approximations import (
    AllowApproximationsPass,
)
from xdsl_bufferization.codegen.allow_reordered_sums import (
    AllowReorderedSumsPass,
)
from xdsl_bufferization.codegen.convert_perf_to_loops import (
    ConvertPerfToLoopsPass,
)
from xdsl_bufferization.optimization.packing.prepare_weights import (
    PrepareWeightsPass,
)
from xdsl_bufferization.optimization.simplify.convert_elementwise_to_linalg import (
    ConvertElementwiseToLinalgPass,
)
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.pipelines.pass_bundle import spell_pass, unbundle

from .stablehlo.stablehlo_legalize_to_linalg import StablehloLegalizeToLinalgPass


def default_passes(*, optimize: bool = True) -> tuple[ModulePass, ...]:
    """The passes from a program on tensors to buffers that are freed."""
    if optimize:
        return (
            StablehloLegalizeToLinalgPass(),
            DefaultTppPassesPass(explain=False, modify_public_functions=False),
            AllowApproximationsPass(),
            AllowReorderedSumsPass(),
        )
    return (
        StablehloLegalizeToLinalgPass(),
        ConvertPerfToLoopsPass(),
        ConvertElementwiseToLinalgPass(),
        MoveReadsBeforeWritesPass(),
        RematerializeCheapTensorsPass(),
        one_shot_of_programs(),
        CanonicalizePass(),
        DropEquivalentBufferResultsPass(),
        RemoveReadOnlyCopiesPass(),
        DropDeallocationsPass(),
        BufferDeallocationPipelinePass(),
    )


@dataclass(frozen=True)
class CheckWrittenProgramPass(ModulePass):
    """Have a program check what it does as it was written; for `compile_module`."""

    name = "check-written-program"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Programs that are not checked need not import what knows all ops.
        from xdsl_bufferization.codegen.runtime_verification import (
            generate_runtime_verification as verification,
        )

        verification.check_as_written(op)


def with_checks(passes: Iterable[ModulePass]) -> tuple[ModulePass, ...]:
    """The passes, after one that checks the program before they change it.

    Ops of StableHLO are checked as the ops that they stand for.
    """
    passes = tuple(passes)
    begins = bool(passes) and isinstance(passes[0], StablehloLegalizeToLinalgPass)
    return (*passes[:begins], CheckWrittenProgramPass(), *passes[begins:])


def passes_by_weights(
    *, optimize: bool = True
) -> tuple[tuple[ModulePass, ...], tuple[ModulePass, ...]]:
    """The passes up to `prepare-weights`, and those after it.

    The plain pipeline has no such pass, which then comes first.
    """
    passes = default_passes(optimize=optimize)
    if not optimize:
        return (PrepareWeightsPass(),), passes
    single = tuple(unbundle(passes))
    after = 1 + next(
        number
        for number, each in enumerate(single)
        if isinstance(each, PrepareWeightsPass)
    )
    return single[:after], single[after:]


DEFAULT_PIPELINE: Final = ",".join(map(spell_pass, default_passes()))
"""The default pipeline, as xdsl-opt's `-p` takes it."""

PLAIN_PIPELINE: Final = ",".join(map(spell_pass, default_passes(optimize=False)))
"""The plain pipeline, as xdsl-opt's `-p` takes it."""

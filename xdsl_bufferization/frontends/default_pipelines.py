"""The pipelines for whole programs, from tensors to buffers that are freed.

    default_passes()                  what `jit` and `xbuf run` do: kernels where they
                                      fit, and loops elsewhere
    default_passes(optimize=False)    the plain pipeline: each op becomes loops

Both lower StableHLO first, leave functions with identity layouts, and free every
buffer. The command line and
the Python API have their pipelines from here, so that the two do the same.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.optimization.packing.prepare_weights import (
    PrepareWeightsPass,
)
from xdsl_bufferization.pipelines.bufferize import WHOLE_PROGRAMS
from xdsl_bufferization.pipelines.pass_bundle import spell_pass, unbundle
from xdsl_bufferization.pipelines.steps import Step, passes_of, step

from .stablehlo.stablehlo_legalize_to_linalg import StablehloLegalizeToLinalgPass


def default_passes(
    *, optimize: bool = True, one_thread: bool = False
) -> tuple[ModulePass, ...]:
    """The passes from a program on tensors to buffers that are freed.

    For `one_thread`, no tiles are made to be shared.
    """
    return tuple(passes_of(_optimized(one_thread=one_thread) if optimize else _PLAIN))


def _optimized(*, one_thread: bool) -> Iterator[Step]:
    yield step("stablehlo-legalize-to-linalg", "the other passes know linalg")
    yield step(
        "default-tpp-passes",
        "from tensors to kernels",
        explain=False,
        modify_public_functions=False,
        one_thread=one_thread,
    )
    yield step(
        "allow-approximations", "whoever wants exact numbers takes other pipelines"
    )
    yield step("allow-reordered-sums", "for the same reason")


_PLAIN: Final[tuple[Step, ...]] = (
    step("stablehlo-legalize-to-linalg", "the other passes know linalg"),
    step("convert-perf-to-loops", "what is timed is a loop"),
    step("convert-elementwise-to-linalg", "one form of element-wise ops"),
    step("move-reads-before-writes", "a read that is over forces no copy"),
    step("rematerialize-cheap-tensors", "nor does a tensor of its own"),
    step("one-shot-bufferize", "from tensors to buffers", **WHOLE_PROGRAMS),
    step("canonicalize", "casts between buffers go"),
    step("drop-equivalent-buffer-results", "callers have these buffers"),
    step("remove-read-only-copies", "before anybody frees the copies"),
    step("drop-deallocations", "one rule decides for all buffers"),
    step("buffer-deallocation-pipeline", "every buffer is freed"),
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
    *, optimize: bool = True, one_thread: bool = False
) -> tuple[tuple[ModulePass, ...], tuple[ModulePass, ...]]:
    """The passes up to `prepare-weights`, and those after it.

    The plain pipeline has no such pass, which then comes first.
    """
    passes = default_passes(optimize=optimize, one_thread=one_thread)
    if not optimize:
        return (PrepareWeightsPass(),), passes
    single = tuple(unbundle(passes))
    after = 1 + next(
        number
        for number, each in enumerate(single)
        if isinstance(each, PrepareWeightsPass)
    )
    return single[:after], single[after:]


def spell_default(*, optimize: bool = True, one_thread: bool = False) -> str:
    """`default_passes`, as xdsl-opt's `-p` takes them."""
    passes = default_passes(optimize=optimize, one_thread=one_thread)
    return ",".join(map(spell_pass, passes))


DEFAULT_PIPELINE: Final = spell_default()
"""The default pipeline, as xdsl-opt's `-p` takes it."""

PLAIN_PIPELINE: Final = spell_default(optimize=False)
"""The plain pipeline, as xdsl-opt's `-p` takes it."""

"""The pass `bufferize`: everything from tensors to buffers that are freed in time.

A bundle of tpp-mlir, between what is done on tensors and what is done on buffers. Reads
move before writes, and cheap tensors are computed where they are used, as far as that
saves copies. Copies that are only read are left out. Buffers are freed after their last
use.

    %0 = linalg.matmul ...       %0 = memref.alloc() ...
    return %0                    linalg.matmul ... outs(%0 ...)
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final, Unpack

from typing_extensions import override

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_options import OneShotOptions
from xdsl_bufferization.bufferization.mlir_pass import has_tensor
from xdsl_bufferization.support.suggestions import hint

from .pass_bundle import PassBundle
from .steps import Step, step

WHOLE_PROGRAMS: Final[OneShotOptions] = {
    "bufferize_function_boundaries": True,
    "function_boundary_type_conversion": "identity-layout-map",
    "allow_return_allocs_from_loops": True,
}
"""Options of one-shot-bufferize with which functions and all loops are bufferized."""


def one_shot_of_programs(**options: Unpack[OneShotOptions]) -> OneShotBufferizePass:
    """one-shot-bufferize for whole programs: functions and all loops are bufferized.

    `options` are those of the pass, instead of these or beside them. Raises `TypeError`
    for another one.
    """
    known = [each.name for each in fields(OneShotBufferizePass)]
    for name in options:
        if name not in known:
            raise TypeError(
                f"one-shot-bufferize has no option {name!r}{hint(name, known)}"
            )
    whole = WHOLE_PROGRAMS.copy()
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
    def steps(self) -> Iterator[Step]:
        yield step("convert-perf-to-loops", "what is timed is a loop")
        if self.duplicate_fill:
            yield step("duplicate-fill", "a fill is cheaper than a copy of it")
        yield step("move-reads-before-writes", "a read that is over forces no copy")
        if self.duplicate_fill:
            yield step("rematerialize-cheap-tensors", "nor does a tensor of its own")
        yield step("eliminate-empty-tensors", "results are computed where they belong")
        if self.test_analysis_only or self.print_conflicts:
            options = WHOLE_PROGRAMS.copy()
            options["test_analysis_only"] = True
            options["print_conflicts"] = self.print_conflicts
            yield step("one-shot-bufferize", "decisions alone are wanted", **options)
            return
        yield step("one-shot-bufferize", "from tensors to buffers", **WHOLE_PROGRAMS)
        yield step("canonicalize", "casts between buffers go")
        yield step("cse", "equal views are one, which the next passes compare")
        yield step(
            "drop-equivalent-buffer-results",
            "callers have these buffers",
            modify_public_functions=self.modify_public_functions,
        )
        yield step(
            "remove-read-only-copies",
            "before anybody frees the copies",
            known_strides=self.known_strides,
        )
        if not self.dealloc:
            return
        yield step("drop-deallocations", "one rule decides for all buffers")
        yield step("buffer-deallocation-pipeline", "every buffer is freed")
        if self.early_deallocation:
            yield step("optimize-allocation-liveness", "freed after the last use")
            yield step("buffer-sinking", "allocated before the first use")

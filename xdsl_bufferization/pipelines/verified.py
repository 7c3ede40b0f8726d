"""A pipeline that proves what it does: decisions about copies, and deallocations.

    one-shot-bufferize{...}          ->   one-shot-bufferize{... verify}
    buffer-deallocation-pipeline     ->   the same, and then verify-deallocation

`xbuf opt --verify`, `xbuf run --verified` and `jit(..., verified=True)` run such
pipelines. An error ends them. What is not decided is collected with the costs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    TensorCopyInsertionPass,
)
from xdsl_bufferization.bufferization.deallocation.buffer_deallocation import (
    BufferDeallocationPass,
)
from xdsl_bufferization.bufferization.deallocation.lower_deallocations import (
    LowerDeallocationsPass,
)
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    OptimizeAllocationLivenessPass,
)
from xdsl_bufferization.bufferization.deallocation.ownership_based_buffer_deallocation import (  # noqa: E501 (the file has the name of its pass)
    OwnershipBasedBufferDeallocationPass,
)
from xdsl_bufferization.bufferization.verification.verify_bufferization import (
    VerifyBufferizationPass,
)
from xdsl_bufferization.bufferization.verification.verify_deallocation import (
    VerifyDeallocationPass,
)

from .buffer_deallocation_pipeline import BufferDeallocationPipelinePass
from .pass_bundle import unbundle

_DEALLOCATING: Final = (
    BufferDeallocationPass,
    BufferDeallocationPipelinePass,
    LowerDeallocationsPass,
    OptimizeAllocationLivenessPass,
    OwnershipBasedBufferDeallocationPass,
)
"""Passes after which every buffer has somebody who frees it."""


def with_proofs(passes: Iterable[ModulePass]) -> tuple[ModulePass, ...]:
    """The passes, with a proof after each that decides about copies, or frees buffers.

    What is compiled in the end is looked at too, if a pass has freed buffers.
    """
    found = [each for one in unbundle(passes) for each in with_proof(one)]
    frees = any(isinstance(each, VerifyDeallocationPass) for each in found)
    if frees and not isinstance(found[-1], VerifyDeallocationPass):
        found.append(VerifyDeallocationPass())
    return tuple(found)


def with_proof(one: ModulePass) -> Iterator[ModulePass]:
    """One pass, and what proves that it is right."""
    if isinstance(one, OneShotBufferizePass):
        yield one if one.test_analysis_only else replace(one, verify=True)
    else:
        yield one
    if isinstance(one, TensorCopyInsertionPass) or (
        isinstance(one, OneShotBufferizePass) and one.test_analysis_only
    ):
        yield VerifyBufferizationPass()
    elif isinstance(one, _DEALLOCATING):
        yield VerifyDeallocationPass()

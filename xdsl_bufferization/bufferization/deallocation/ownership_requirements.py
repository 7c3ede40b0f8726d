"""Refusing programs that ownership-based deallocation cannot handle, at the op."""

from collections.abc import Iterator

from xdsl.ir import Block, Operation
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.errors import fail_at, op_name

from ..analyses.buffers.buffer_aliases import BufferAliases
from ..analyses.buffers.buffer_flow import (
    BufferFlow,
    FlowKind,
    block_of,
    region_terminators,
)
from ..interfaces.deallocation import is_isolated, is_memref
from ..interfaces.operands import OpOperand
from .free_requirements import check_frees
from .reduction_requirements import check_reductions


def check_requirements(aliases: BufferAliases) -> None:
    """Raise an `OperationError` at the first op that ownership cannot be found for."""
    flow = aliases.flow
    if not (flow.origins or flow.unknown or flow.flows or flow.view_of):
        return  # No buffers at all.
    for op in flow.opaque_branches:
        fail_at(
            op,
            f"'{op_name(op)}' leads to other blocks and does not say what it passes to "
            "them; attach a model of BranchOpInterface to it",
        )
    check_frees(flow)
    check_reductions(flow)
    _check_ends(aliases)
    for value in flow.unknown:
        owner = value.owner
        if not isinstance(owner, Block):
            fail_at(
                owner,
                f"'{op_name(owner)}' returns a buffer and does not say where its "
                "memory comes from; attach a model of BufferDeallocationOpInterface to "
                "it, or of RegionBranchOpInterface if its regions yield it",
            )
        elif (op := owner.parent_op()) is not None:
            fail_at(
                op,
                f"'{op_name(op)}' passes a buffer to its region and does not say "
                "which; attach a model of RegionBranchOpInterface to it",
            )


def _check_ends(aliases: BufferAliases) -> None:
    """Refuse what ends a region with a buffer of it, for a purpose that is not known.

    The buffer would be freed before that, as it is at the end of any region.
    """
    flow = aliases.flow
    forwarded = {entry.use for entry in flow.flows if entry.kind is FlowKind.END}
    for use in _ends(flow):
        region = use.owner.parent_region()
        is_local = block_of(aliases.root(use.value)).parent is region
        if is_local and use not in forwarded:
            fail_at(
                use.owner,
                f"operand {use.number} is a buffer of the region that ends here, and "
                "what becomes of it is not known; attach a model of "
                "RegionBranchOpInterface to the op around it",
            )


def _ends(flow: BufferFlow) -> Iterator[OpOperand]:
    """The buffers that are operands of terminators, those of the function excepted."""
    for op in flow.region_ops:
        for region in () if is_isolated(op) else op.regions:
            for last in filter(_is_terminator, region_terminators(region)):
                for index, value in enumerate(last.operands):
                    if is_memref(value):
                        yield OpOperand(last, index)


def _is_terminator(op: Operation) -> bool:
    return op.has_trait(IsTerminator)

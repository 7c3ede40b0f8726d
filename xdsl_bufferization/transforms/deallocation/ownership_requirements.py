"""What ownership-based deallocation cannot handle, refused where it stands."""

from xdsl.ir import Block

from xdsl_bufferization.analyses.buffer_aliases import BufferAliases
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.errors import fail_at


def check_requirements(aliases: BufferAliases) -> None:
    """Raise an `OperationError` at the first op that ownership cannot be found for."""
    flow = aliases.flow
    if not (flow.origins or flow.unknown or flow.flows or flow.view_of):
        return  # No buffers at all.
    for op in flow.opaque_branches:
        fail_at(
            op,
            f"'{op.name}' leads to other blocks and does not say what it passes to "
            "them; attach a model of BranchOpInterface to it",
        )
    for use in flow.freed:
        if isinstance(use.owner, ReallocOp):
            fail_at(
                use.owner,
                "'memref.realloc' frees its operand only if it moves it, which cannot "
                "be known; run expand-realloc{emit-deallocs=false} before",
            )
        fail_at(
            use.owner,
            f"'{use.owner.name}' frees memory already, and that memory would be "
            "freed twice; remove it, deallocation inserts what is needed",
        )
    for value in flow.unknown:
        owner = value.owner
        if not isinstance(owner, Block):
            fail_at(
                owner,
                f"'{owner.name}' returns a buffer and does not say where its memory "
                "comes from; attach a model of BufferDeallocationOpInterface to it, or "
                "of RegionBranchOpInterface if its regions yield it",
            )
        elif (op := owner.parent_op()) is not None:
            fail_at(
                op,
                f"'{op.name}' passes a buffer to its region and does not say which; "
                "attach a model of RegionBranchOpInterface to it",
            )

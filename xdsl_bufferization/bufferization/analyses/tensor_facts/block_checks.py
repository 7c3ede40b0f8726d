"""Which regions with several blocks One-Shot Analysis refuses.

      cf.cond_br %c, ^bb1(%t), ^bb2(%t)     // accepted
      cf.br ^bb0(%t)                        // refused: ^bb0 is the first block

Blocks without tensors are never refused. The others must fulfill three conditions:

- The op around several blocks says that it supports unstructured control flow.
- Every block with tensors can be reached.
- No branch leads to the first block of a region.

Cost: linear in the ops. Source of the first rule: MLIR's One-Shot Analysis.
"""

from collections.abc import Callable, Iterable

from xdsl.ir import Block, Operation, Region

from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.branch import get_branch
from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.operands import is_tensor

GetModel = Callable[[Operation], BufferizableOpInterface | None]


def check_blocks(
    regions: Iterable[Region], unreachable: Iterable[Block], get_model: GetModel
) -> None:
    """Stop at the first of the regions with several blocks that cannot be analysed.

    Blocks without tensors may be as they like.
    """
    for region in regions:
        op = region.parent_op()
        assert op is not None
        _check_region(op, region, get_model)
    for block in unreachable:
        if any(map(is_tensor, block.args)) or any(map(has_tensors, block.ops)):
            op = block.parent_op()
            assert op is not None
            fail_at(
                block.first_op or op,
                "is in a block that cannot be reached; remove unreachable blocks "
                "before bufferization, with canonicalize",
            )


def has_tensors(op: Operation) -> bool:
    """Whether there are tensors at `op` or in it."""
    return any(
        any(map(is_tensor, inner.operands))
        or any(map(is_tensor, inner.results))
        or any(
            is_tensor(argument)
            for region in inner.regions
            for block in region.blocks
            for argument in block.args
        )
        for inner in ops_inside(op)
    )


def _check_region(op: Operation, region: Region, get_model: GetModel) -> None:
    """Check a region of several blocks."""
    if not any(
        any(map(is_tensor, block.args)) or any(map(has_tensors, block.ops))
        for block in region.blocks
    ):
        return
    model = get_model(op)
    if model is not None and not model.supports_unstructured_control_flow(op):
        fail_at(
            op,
            "op or BufferizableOpInterface implementation does not support "
            "unstructured control flow, but at least one region has multiple blocks; "
            "use the scf dialect for control flow in it",
        )
    if region.blocks[0].first_use is not None:
        fail_at(op, "has a branch to the first block of a region; add a block before")
    for block in region.blocks:
        end = block.last_op
        if end is not None and end.successors and get_branch(end) is None:
            fail_at(
                end,
                f"no model says what '{op_name(end)}' passes to which block; attach a "
                "BranchOpInterface to it, or use the branches of the cf dialect",
            )

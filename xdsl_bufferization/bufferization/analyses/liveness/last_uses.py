"""Where a buffer is used last in one block, on every path through its branches.

    scf.if %c {
      "use"(%a)
      // here, if other ops follow
    } else {
      // and here
    }
    // not here

The last use is the last op of the block that uses the buffer. If that op runs exactly
one of several regions, the last use is looked for inside each of them. The body of a
loop is never looked into: its next iteration may use the buffer again.

Cost: a bisection for each region that is looked into, at most 16 regions deep. For a
buffer that is freed in a later block, `last_uses_across_blocks.py` finds the blocks to
look at. Source of the question: MLIR's pass `optimize-allocation-liveness`, which looks
at the block of the allocation alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from ...interfaces.region_branch import get_region_branch
from .buffer_uses import BufferUses

_MAX_LAST_USES = 16
"""How many last uses one buffer may have, and how deep they may be inside branches."""


@dataclass(frozen=True)
class LastUse:
    """A point after which a buffer is not used any more."""

    region: Region
    block: Block | None
    """None for the region of an `scf.if` that has no `else` yet."""

    after: Operation | None
    """The op of `block` that uses it last; None if it is not live when that starts."""


def find_last_uses(
    uses: BufferUses,
    root: SSAValue,
    block: Block,
    end: int,
    *,
    floor: int = -1,
    inside_branches: bool = True,
) -> list[LastUse]:
    """The last uses of the memory of `root` in `block`, before position `end`.

    The op of the block at position `floor` counts as a use, and is not looked into.
    Others are looked into only with `inside_branches`.
    """
    start = uses.points.of_block(block).start
    last = uses.positions.last_before(root, end)
    region = block.parent
    assert region is not None
    if max(last, floor) < start:
        return [LastUse(region, block, None)]
    if last <= floor:
        return [LastUse(region, block, uses.ops[floor])]
    after = uses.in_block(last, block)
    assert after is not None
    if inside_branches and uses.points.of_op(after).start != floor:
        inside = _find_inside(uses, root, after, 0)
        if inside is not None:
            return inside
    return [LastUse(region, block, after)]


def _find_inside(
    uses: BufferUses, root: SSAValue, op: Operation, depth: int
) -> list[LastUse] | None:
    """The last uses of the memory of `root` inside `op`; None if no op follows them."""
    regions = exclusive_regions(op)
    if depth == _MAX_LAST_USES or not 0 < len(regions) <= _MAX_LAST_USES:
        return None
    found: list[LastUse] = []
    is_earlier = False
    for region in regions:
        if not region.blocks:
            found.append(LastUse(region, None, None))
            continue
        block = region.blocks[0]
        point = uses.points.of_block(block)
        last = uses.positions.last_before(root, point.end + 1)
        after = uses.in_block(last, block) if last >= point.start else None
        if after is block.last_op:
            return None
        inside = None if after is None else _find_inside(uses, root, after, depth + 1)
        is_earlier = is_earlier or inside is not None or _goes_on(block, after)
        found += inside or [LastUse(region, block, after)]
    return found if is_earlier and len(found) <= _MAX_LAST_USES else None


def exclusive_regions(op: Operation) -> Sequence[Region]:
    """The regions of `op`, if each of its runs runs exactly one of them, once."""
    branch = get_region_branch(op)
    if branch is None or any(len(region.blocks) > 1 for region in op.regions):
        return ()
    entered = [each.region for each in branch.get_successor_regions(op, None)]
    if isinstance(op, scf.IfOp) and not op.results and not op.false_region.blocks:
        entered.remove(None)
        entered.append(op.false_region)
    regions = [region for region in entered if region is not None]
    if len(regions) < len(entered) or len(regions) != len(op.regions):
        return ()
    for region in regions:
        if region.blocks and any(
            each.region is not None for each in branch.get_successor_regions(op, region)
        ):
            return ()
    return regions


def _goes_on(block: Block, after: Operation | None) -> bool:
    """Whether ops other than deallocations come after `after`, or the block's start."""
    op = block.first_op if after is None else after.next_op
    while isinstance(op, memref.DeallocOp):
        op = op.next_op
    return op is not block.last_op

"""The points right after the last use of a buffer, one on every path.

A buffer dies after the last op of a block that uses it. Where that op runs one of
several regions, it dies inside of each of them; a loop is never looked into, as its
next round may use the buffer again.

    scf.if %c {
      "use"(%a)
      // %a dies here, if more follows
    } else {
      // and here
    }
    // not here
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analyses.liveness.buffer_uses import BufferUses
from xdsl_bufferization.interfaces.region_branch import get_region_branch

_MAX_LAST_USES = 16
"""At how many places one buffer may die, and how deep inside branches."""


@dataclass(frozen=True)
class LastUse:
    """A point after which a buffer is not used any more."""

    region: Region
    block: Block | None
    """None for the region of an `scf.if` that has no `else` yet."""

    after: Operation | None
    """The op of `block` that uses it last; None if it is dead when the block starts."""


def find_last_uses(
    uses: BufferUses,
    root: SSAValue,
    block: Block,
    end: int,
    *,
    floor: int = -1,
    inside_branches: bool = True,
) -> list[LastUse]:
    """Where the memory of `root` dies in `block`, before the op at position `end`.

    It does not die before the op of the block at position `floor` has ended, nor inside
    of that op; inside of others only with `inside_branches`.
    """
    start = uses.places.of_block(block).start
    last = uses.positions.last_before(root, end)
    region = block.parent
    assert region is not None
    if max(last, floor) < start:
        return [LastUse(region, block, None)]
    if last <= floor:
        return [LastUse(region, block, uses.ops[floor])]
    after = uses.in_block(last, block)
    assert after is not None
    if inside_branches and uses.places.of_op(after).start != floor:
        inside = _find_inside(uses, root, after, 0)
        if inside is not None:
            return inside
    return [LastUse(region, block, after)]


def _find_inside(
    uses: BufferUses, root: SSAValue, op: Operation, depth: int
) -> list[LastUse] | None:
    """Where the memory of `root` dies inside of `op`; None if that is no earlier."""
    regions = exclusive_regions(op)
    if depth == _MAX_LAST_USES or not 0 < len(regions) <= _MAX_LAST_USES:
        return None
    deaths: list[LastUse] = []
    is_earlier = False
    for region in regions:
        if not region.blocks:
            deaths.append(LastUse(region, None, None))
            continue
        block = region.blocks[0]
        place = uses.places.of_block(block)
        last = uses.positions.last_before(root, place.end + 1)
        after = uses.in_block(last, block) if last >= place.start else None
        if after is block.last_op:
            return None
        inside = None if after is None else _find_inside(uses, root, after, depth + 1)
        is_earlier = is_earlier or inside is not None or _goes_on(block, after)
        deaths += inside or [LastUse(region, block, after)]
    return deaths if is_earlier and len(deaths) <= _MAX_LAST_USES else None


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

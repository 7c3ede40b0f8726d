"""From where to where a buffer is allocated, if it is freed on every path.

    ^a: %x = memref.alloc()        %x is allocated in a part of ^a,
        cf.cond_br %c, ^b, ^c      in a part of ^b,
    ^b: memref.dealloc %x          and in a part of ^c
    ^c: memref.dealloc %x

The walk starts at the allocation, and follows the branches up to the deallocations. It
fails where the function ends, or the allocation runs again, and the buffer is not freed
yet. It also fails in a block that the one of the allocation does not dominate: there,
no op can free the buffer.

An op frees a buffer if each of its branches does. Cost: the number of deallocations and
the levels around them, and at most `_MAX_BLOCKS` blocks.
"""

from collections.abc import Iterable

from xdsl.dialects import memref
from xdsl.ir import Block, Operation

from xdsl_bufferization.support.algorithms.block_graph import successors_of
from xdsl_bufferization.support.algorithms.program_points import ProgramPoints

from ..analyses.liveness.last_uses import exclusive_regions

_MAX_BLOCKS = 64

Parts = list[tuple[int, int]]
"""Positions from the first of a pair up to, but not including, the second."""


def find_lifetime(
    points: ProgramPoints, alloc: memref.AllocOp, deallocs: Iterable[memref.DeallocOp]
) -> Parts | None:
    """The positions at which a buffer is allocated, one part for each block.

    None if it is not certain that the buffer is freed.
    """
    home = alloc.parent
    assert home is not None
    frees = _free_points(home, deallocs)
    start = points.of_op(alloc).start
    if home in frees:
        return [(start, points.of_op(frees[home]).end + 1)]
    if not frees:
        return None
    parts = [(start, points.of_block(home).end + 1)]
    blocks = _blocks_until_freed(points, home, frees)
    if blocks is None:
        return None
    for block in blocks:
        point = points.of_block(block)
        end = points.of_op(frees[block]).end if block in frees else point.end
        parts.append((point.start, end + 1))
    return parts


def _free_points(
    home: Block, deallocs: Iterable[memref.DeallocOp]
) -> dict[Block, Operation]:
    """The blocks beside `home` that free a buffer, each with the op that does."""
    found: dict[Block, Operation] = {}
    freeing: set[Block] = set()
    todo: list[Operation] = list(deallocs)
    while todo:
        op = todo.pop()
        block = op.parent
        if block is None or block in freeing:
            continue
        freeing.add(block)
        around = block.parent_op()
        if block.parent is home.parent:
            found[block] = op
        elif around is not None and _ends_in(around, freeing):
            todo.append(around)
    return found


def _ends_in(op: Operation, freeing: set[Block]) -> bool:
    """Whether each run of `op` runs one of the blocks `freeing`."""
    regions = exclusive_regions(op)
    return bool(regions) and all(
        bool(region.blocks) and region.blocks[0] in freeing for region in regions
    )


def _blocks_until_freed(
    points: ProgramPoints, home: Block, frees: dict[Block, Operation]
) -> Iterable[Block] | None:
    """The blocks after `home` up to those that free; None if a path has none."""
    dominator = points.of_block(home)
    seen: dict[Block, None] = {}
    todo = [home]
    while todo:
        following = successors_of(todo.pop())
        if not following or len(seen) > _MAX_BLOCKS:
            return None
        for block in following:
            if block is home or not dominator.dominates_block(points.of_block(block)):
                return None
            if block not in seen:
                seen[block] = None
                if block not in frees:
                    todo.append(block)
    return seen

"""From where to where a buffer is allocated, if it is freed on every path.

    ^a: %x = memref.alloc()        %x is allocated in a part of ^a,
        cf.cond_br %c, ^b, ^c      in a part of ^b,
    ^b: memref.dealloc %x          and in a part of ^c
    ^c: memref.dealloc %x

The walk starts at the allocation, and follows the branches up to the deallocations. It
fails where the function ends, or the allocation runs again, and the buffer is not freed
yet. It also fails in a block that the one of the allocation does not dominate: there,
no op can free the buffer.

An op frees a buffer if each of its branches does. Then the buffer is allocated in a
part of each branch. Cost: the number of deallocations and the levels around them, and
at most `_MAX_BLOCKS` blocks.
"""

from collections.abc import Container, Iterable, Iterator, Mapping

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
    """The positions at which a buffer is allocated, in the order of their starts.

    None if it is not certain that the buffer is freed.
    """
    home = alloc.parent
    assert home is not None
    frees = _frees(home, deallocs)
    start = points.of_op(alloc).start
    if home in frees:
        return [*_parts_until_freed(points, start, home, frees)]
    blocks = _blocks_until_freed(points, home, frees) if frees else None
    if blocks is None:
        return None
    parts = [(start, points.of_block(home).end + 1)]
    for block in blocks:
        point = points.of_block(block)
        if block in frees:
            parts += _parts_until_freed(points, point.start, block, frees)
        else:
            parts.append((point.start, point.end + 1))
    return sorted(parts)


def _parts_until_freed(
    points: ProgramPoints, start: int, block: Block, frees: Mapping[Block, Operation]
) -> Iterator[tuple[int, int]]:
    """The parts from a start up to where `block`, or each branch of an op, frees."""
    todo = [(start, block)]
    while todo:
        start, block = todo.pop()
        op = frees[block]
        if isinstance(op, memref.DeallocOp):
            yield start, points.of_op(op).end + 1
            continue
        yield start, points.of_op(op).start + 1
        for region in reversed(exclusive_regions(op)):
            inner = region.blocks[0]
            todo.append((points.of_block(inner).start, inner))


def _frees(
    home: Block, deallocs: Iterable[memref.DeallocOp]
) -> Mapping[Block, Operation]:
    """The blocks that free a buffer, each with the op that does.

    They are beside `home`, or in branches of these ops.
    """
    found: dict[Block, Operation] = {}
    todo: list[Operation] = list(deallocs)
    while todo:
        op = todo.pop()
        block = op.parent
        if block is None or block in found:
            continue
        found[block] = op
        around = block.parent_op()
        if block.parent is home.parent:
            continue
        if around is not None and _ends_in(around, found):
            todo.append(around)
    return found


def _ends_in(op: Operation, freeing: Container[Block]) -> bool:
    """Whether each run of `op` runs one of the blocks `freeing`."""
    regions = exclusive_regions(op)
    return bool(regions) and all(
        bool(region.blocks) and region.blocks[0] in freeing for region in regions
    )


def _blocks_until_freed(
    points: ProgramPoints, home: Block, frees: Mapping[Block, Operation]
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

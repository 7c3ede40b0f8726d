"""Where a buffer dies that is freed in a later block than that of its last use.

A block in which every way on leads to the deallocation, with no use on the way, has no
need of the buffer. It dies where such blocks are entered: at the end of what comes
before, at the start of the block, or on the way, if others lead there for whom the
buffer died earlier.

    ^a: "use"(%x)          ^a: "use"(%x)
        cond_br ^b, ^c         cond_br ^b, ^c
    ^b: br ^d              ^b: memref.dealloc %x    // no need of it
    ^c: "use"(%x)          ^c: "use"(%x)
        br ^d                  memref.dealloc %x    // no need of it from here on
    ^d: memref.dealloc %x  ^d:

Cost: the blocks that lie between the last uses and the deallocations.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analyses.block_dominance import BlockDominance
from xdsl_bufferization.analyses.block_graph import successors_of
from xdsl_bufferization.analyses.buffer_uses import BufferUses


@dataclass
class DeathsBetweenBlocks:
    """The points at which a buffer dies, one on every path to its deallocations."""

    freed: list[Operation] = field(default_factory=list[Operation])
    """The deallocations that these points replace."""

    ends: list[Block] = field(default_factory=list[Block])
    """It dies in these blocks, after its last use there."""

    starts: list[Block] = field(default_factory=list[Block])
    """It is dead when these blocks start."""

    edges: list[tuple[Operation, int]] = field(
        default_factory=list[tuple[Operation, int]]
    )
    """It is dead on these ways out of a terminator, but not on all to their blocks."""


def find_deaths_between_blocks(
    uses: BufferUses,
    root: SSAValue,
    homes: Container[Block],
    releases: Sequence[Operation],
) -> DeathsBetweenBlocks:
    """Where the memory of `root` dies that `releases`, ops of one region, free.

    It does not die before one of the blocks `homes`, which define what is freed.
    """
    region = releases[0].parent_region()
    graph = uses.aliases.flow.graphs.of(region)
    if graph is None:
        return DeathsBetweenBlocks()
    search = _Search(uses, root, homes, graph)
    freed = [op for op in releases if search.is_freed_first(op)]
    search.find_idle(op.parent for op in freed)
    return search.deaths(freed)


class _Search:
    """One buffer in the blocks of one region."""

    def __init__(
        self,
        uses: BufferUses,
        root: SSAValue,
        homes: Container[Block],
        graph: BlockDominance,
    ):
        self.uses = uses
        self.root = root
        self.homes = homes
        self.predecessors = graph.predecessors
        self.idle: dict[Block, None] = {}
        """The blocks that start without need of the buffer, which they free later."""

    def is_freed_first(self, op: Operation) -> bool:
        """Whether the buffer is not used before `op` in its block."""
        block = op.parent
        return (
            block is not None
            and block in self.predecessors
            and block not in self.homes
            and not self._is_used(block, self.uses.places.of_op(op).start)
        )

    def find_idle(self, freeing: Iterable[Block | None]) -> None:
        """Find what leads to blocks that free the buffer, and to nothing else.

        That a loop which nothing leaves is idle does no harm.
        """
        ends = {block: None for block in freeing if block is not None}
        self.idle = dict(ends)
        todo = list(ends)
        while todo:
            for block in self.predecessors[todo.pop()]:
                if block not in self.idle and self._is_passed(block):
                    self.idle[block] = None
                    todo.append(block)
        todo = [block for block in self.idle if block not in ends]
        while todo:
            block = todo.pop()
            if block in self.idle and not self._leads_to_idle(block):
                del self.idle[block]
                todo += [p for p in self.predecessors[block] if p not in ends]

    def deaths(self, freed: list[Operation]) -> DeathsBetweenBlocks:
        """Where the idle blocks are entered."""
        found = DeathsBetweenBlocks(freed)
        ends: dict[Block, None] = {}
        for block in self.idle:
            before = dict.fromkeys(self.predecessors[block])
            busy = [each for each in before if not self._dies_in(each)]
            if len(busy) == len(before):
                found.starts.append(block)
            else:
                found.edges += (edge for each in busy for edge in _edges(each, block))
                inside = (p for p in before if p not in self.idle and p not in busy)
                ends.update(dict.fromkeys(inside))
        found.ends += ends
        return found

    def _dies_in(self, block: Block) -> bool:
        """Whether no way out of `block` needs the buffer, nor what chooses it."""
        if not self._leads_to_idle(block):
            return False
        last = block.last_op
        assert last is not None
        start = self.uses.places.of_op(last).start
        return block in self.idle or self._last_use(block) < start

    def _leads_to_idle(self, block: Block) -> bool:
        return all(successor in self.idle for successor in successors_of(block))

    def _is_passed(self, block: Block) -> bool:
        return block not in self.homes and not self._is_used(
            block, self.uses.places.of_block(block).end + 1
        )

    def _is_used(self, block: Block, end: int) -> bool:
        last = self.uses.positions.last_before(self.root, end)
        return last >= self.uses.places.of_block(block).start

    def _last_use(self, block: Block) -> int:
        end = self.uses.places.of_block(block).end
        return self.uses.positions.last_before(self.root, end + 1)


def _edges(block: Block, target: Block) -> list[tuple[Operation, int]]:
    last = block.last_op
    assert last is not None
    return [(last, way) for way, each in enumerate(last.successors) if each is target]

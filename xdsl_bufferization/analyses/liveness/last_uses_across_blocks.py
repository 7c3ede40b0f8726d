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

The blocks between the last uses and the deallocations are listed if there are few. For
many buffers that wait for long it would take too long; if each of them is freed on all
ways, the blocks in question are those from which a deallocation is ahead, and no use,
which is asked of `LiveBlocks`. Cost: the blocks with uses, times a logarithm; and the
blocks in between where the buffer is not freed on some way, which is a leak.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.algorithms.block_dominance import BlockDominance
from xdsl_bufferization.algorithms.block_graph import successors_of
from xdsl_bufferization.algorithms.live_blocks import LiveBlocks
from xdsl_bufferization.analyses.liveness.buffer_uses import BufferUses

MANY_BLOCKS = 64
"""How many idle blocks are listed before `LiveBlocks` is asked."""


@dataclass
class LastUsesAcrossBlocks:
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


def find_last_uses_across_blocks(
    uses: BufferUses,
    root: SSAValue,
    homes: Collection[Block],
    releases: Sequence[Operation],
) -> LastUsesAcrossBlocks:
    """Where the memory of `root` dies that `releases`, ops of one region, free.

    It does not die before one of the blocks `homes`, which define what is freed.
    """
    region = releases[0].parent_region()
    graph = uses.aliases.flow.graphs.of(region)
    if graph is None:
        return LastUsesAcrossBlocks()
    search = _Search(uses, root, homes, graph)
    freed = [op for op in releases if search.is_freed_first(op)]
    ends = {op.parent: None for op in freed if op.parent is not None}
    idle = search.list_idle(ends, MANY_BLOCKS)
    if idle is None:
        long = _LongLife.find(uses, root, homes, releases, ends)
        if long is not None:
            return search.deaths(freed, long.first_idle(), long.is_idle)
        idle = search.list_idle(ends)
        assert idle is not None
    return search.deaths(freed, idle, idle.__contains__)


class _Search:
    """One buffer in the blocks of one region.

    Idle blocks start without need of the buffer, which they free later.
    """

    def __init__(
        self,
        uses: BufferUses,
        root: SSAValue,
        homes: Collection[Block],
        graph: BlockDominance,
    ):
        self.uses = uses
        self.root = root
        self.homes = homes
        self.predecessors = graph.predecessors

    def is_freed_first(self, op: Operation) -> bool:
        """Whether the buffer is not used before `op` in its block."""
        block = op.parent
        return (
            block is not None
            and block in self.predecessors
            and block not in self.homes
            and not self._is_used(block, self.uses.places.of_op(op).start)
        )

    def list_idle(
        self, ends: dict[Block, None], limit: int | None = None
    ) -> dict[Block, None] | None:
        """What leads to `ends`, which free the buffer, and to nothing else.

        None if more than `limit` blocks may. That a loop which nothing leaves is idle
        does no harm.
        """
        idle = dict(ends)
        todo = list(ends)
        while todo:
            if limit is not None and len(idle) > limit:
                return None
            for block in self.predecessors[todo.pop()]:
                if block not in idle and self._is_passed(block):
                    idle[block] = None
                    todo.append(block)
        todo = [block for block in idle if block not in ends]
        while todo:
            block = todo.pop()
            if block in idle and not _leads_to(block, idle.__contains__):
                del idle[block]
                todo += [p for p in self.predecessors[block] if p not in ends]
        return idle

    def deaths(
        self,
        freed: list[Operation],
        blocks: Iterable[Block],
        is_idle: Callable[[Block], bool],
    ) -> LastUsesAcrossBlocks:
        """Where idle blocks are entered, all of which are in `blocks` then."""
        found = LastUsesAcrossBlocks(freed)
        ends: dict[Block, None] = {}
        for block in blocks:
            before = dict.fromkeys(self.predecessors[block])
            busy = [each for each in before if not self._dies_in(each, is_idle)]
            if len(busy) == len(before):
                found.starts.append(block)
            else:
                found.edges += (edge for each in busy for edge in _edges(each, block))
                inside = (p for p in before if not is_idle(p) and p not in busy)
                ends.update(dict.fromkeys(inside))
        found.ends += ends
        return found

    def _dies_in(self, block: Block, is_idle: Callable[[Block], bool]) -> bool:
        """Whether no way out of `block` needs the buffer, nor what chooses it."""
        if not _leads_to(block, is_idle):
            return False
        last = block.last_op
        assert last is not None
        start = self.uses.places.of_op(last).start
        return is_idle(block) or self._last_use(block) < start

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


@dataclass
class _LongLife:
    """A buffer that is freed on all ways from the block `home`, in others."""

    live: LiveBlocks
    home: Block
    used: list[int]
    """The numbers of the blocks below `home` with uses before it is freed."""

    freeing: list[int]
    """The numbers of those that free it."""

    @staticmethod
    def find(
        uses: BufferUses,
        root: SSAValue,
        homes: Collection[Block],
        releases: Sequence[Operation],
        freed_first: Collection[Block],
    ) -> "_LongLife | None":
        """The life of `root`, or None if it is not freed like that.

        What happens in blocks after they have freed it happens to other memory.
        """
        region = releases[0].parent_region()
        graphs = uses.aliases.flow.graphs
        graph, live = graphs.of(region), graphs.live_blocks(region)
        assert graph is not None and live is not None
        assert region is not None and region.first_block is not None
        reachable = graph.predecessors
        parents = (op.parent for op in releases if op.parent is not None)
        blocks = dict.fromkeys(block for block in parents if block in reachable)
        inside = [block for block in homes if block.parent is region]
        home = max(inside, key=live.number, default=region.first_block)
        if any(each is home or not live.is_below(home, each) for each in blocks):
            return None
        used = (
            live.number(block)
            for block in _used_below(uses, root, home)
            if block in reachable and block not in freed_first
        )
        found = _LongLife(live, home, sorted(used), sorted(map(live.number, blocks)))
        if found._is_freed_on_all_ways() and all(map(found.is_idle, freed_first)):
            return found
        return None

    def is_idle(self, block: Block) -> bool:
        """Whether, from the start of `block`, it is freed and not used before that."""
        return (
            block is not self.home
            and self.live.is_below(self.home, block)
            and self.live.is_live(self.home, self.freeing, block)
            and not self.live.is_live(self.home, self.used, block)
        )

    def first_idle(self) -> Iterable[Block]:
        """The idle blocks that others lead to."""
        ends = self.live.ends(self.home, self.used)
        after = (block for end in ends for block in successors_of(end))
        return dict.fromkeys(block for block in after if self.is_idle(block))

    def _is_freed_on_all_ways(self) -> bool:
        """Whether nothing needs it, and no way leads on, but where it is freed."""
        needed = sorted({*self.used, *self.freeing})
        freeing = set(self.freeing)
        return all(
            self.live.number(end) in freeing
            or _leads_to(end, lambda b: self.live.is_live(self.home, needed, b))
            for end in self.live.ends(self.home, needed)
        )


def _used_below(uses: BufferUses, root: SSAValue, home: Block) -> Iterator[Block]:
    """The blocks of the region of `home`, below it, with uses of the memory."""
    place = uses.places.of_block(home)
    position = uses.positions.first_from(root, place.end + 1)
    while position is not None and position <= place.dominated_end:
        used = place.lift(uses.places.of_op(uses.ops[position])).block
        assert used.block is not None
        yield used.block
        position = uses.positions.first_from(root, used.end + 1)


def _leads_to(block: Block, is_goal: Callable[[Block], bool]) -> bool:
    """Whether there are ways out of `block`, all of them to goals."""
    successors = successors_of(block)
    return bool(successors) and all(map(is_goal, successors))


def _edges(block: Block, target: Block) -> list[tuple[Operation, int]]:
    last = block.last_op
    assert last is not None
    return [(last, way) for way, each in enumerate(last.successors) if each is target]

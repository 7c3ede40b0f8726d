"""Where a live range ends, if the buffer is freed in a later block than its last use.

    ^a: "use"(%x)          ^a: "use"(%x)
        cond_br ^b, ^c         cond_br ^b, ^c
    ^b: br ^d              ^b: memref.dealloc %x    // not live here
    ^c: "use"(%x)          ^c: "use"(%x)
        br ^d                  memref.dealloc %x    // not live from here on
    ^d: memref.dealloc %x  ^d:

A block is *idle* for a buffer if all paths from its start lead to a deallocation of the
buffer, with no use before. The live range ends where control enters the idle blocks:

- at the end of the block before, if all branches of that block lead to idle blocks,
- at the start of the idle block, if the buffer is live at the end of all blocks before,
- on the branch in between, if other blocks lead there at whose end it is not live.

In such a block, `last_uses.py` finds the op. A few idle blocks are listed, from the
deallocations backwards. A list would take too long for many buffers with long live
ranges. If there are many blocks, `LiveBlocks` is asked instead: a deallocation is ahead
of an idle block, and no use is. `LiveBlocks` can answer only if the buffer is freed on
all paths.

Cost: the number of blocks with uses, times a logarithm. For a buffer that is not freed
on some path, which is a leak, also the number of idle blocks.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.support.algorithms.block_dominance import BlockDominance
from xdsl_bufferization.support.algorithms.block_graph import successors_of
from xdsl_bufferization.support.algorithms.live_blocks import Exit, LiveBlocks

from .buffer_uses import BufferUses

MANY_BLOCKS = 64
"""How many idle blocks are listed before `LiveBlocks` is asked."""


@dataclass
class LastUsesAcrossBlocks:
    """The ends of a live range, one on every path to the deallocations."""

    freed: list[Operation] = field(default_factory=list[Operation])
    """The deallocations that these points replace."""

    ends: list[Block] = field(default_factory=list[Block])
    """The live range ends in these blocks, after the last use there."""

    starts: list[Block] = field(default_factory=list[Block])
    """The buffer is not live when these blocks start."""

    edges: list[Exit] = field(default_factory=list[Exit])
    """Branches on which the buffer is not live.

    Other branches lead to the same block, on which the live range has ended before.
    """


def find_last_uses_across_blocks(
    uses: BufferUses,
    root: SSAValue,
    homes: Collection[Block],
    releases: Sequence[Operation],
) -> LastUsesAcrossBlocks:
    """Where the live range of `root` ends, which `releases` of one region free.

    The blocks `homes` define what is freed: the live range does not end before them.
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
        long = _LongRange.find(uses, root, homes, releases, ends)
        if long is not None:
            return search.find_ends(freed, long.first_idle(), long.is_idle)
        idle = search.list_idle(ends)
        assert idle is not None
    return search.find_ends(freed, idle, idle.__contains__)


class _Search:
    """One buffer in the blocks of one region.

    When an idle block starts, the buffer is not live, and it is freed on all paths.
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
        """Whether nothing in the block of `op` uses the buffer before `op`."""
        block = op.parent
        return (
            block is not None
            and block in self.predecessors
            and block not in self.homes
            and not self._is_used(block, self.uses.points.of_op(op).start)
        )

    def list_idle(
        self, ends: dict[Block, None], limit: int | None = None
    ) -> dict[Block, None] | None:
        """The blocks that lead to `ends`, which free the buffer, and to no others.

        None if there may be more than `limit` of them. A loop that no path leaves
        counts as idle, which does no harm.
        """
        # The greatest set of blocks of which each is an end, or has no use and only
        # successors of the set. First all blocks are taken that lead to an end without
        # a use; then blocks are dropped that lead out of the set, until none does. As
        # it is the greatest set, a loop that nothing leaves stays in it.
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

    def find_ends(
        self,
        freed: list[Operation],
        blocks: Iterable[Block],
        is_idle: Callable[[Block], bool],
    ) -> LastUsesAcrossBlocks:
        """Where control enters idle blocks, all of which are in `blocks`."""
        # Invariant: on each path from the definition to a deallocation, control enters
        # the idle blocks exactly once: an idle block leads to idle blocks only, up to
        # the one that frees. The live range ends where control enters, once on each
        # path, and each such place is a start, an edge or the end of a block before.
        found = LastUsesAcrossBlocks(freed)
        ends: dict[Block, None] = {}
        for block in blocks:
            before = dict.fromkeys(self.predecessors[block])
            busy = [each for each in before if not self._ends_in(each, is_idle)]
            if len(busy) == len(before):
                found.starts.append(block)
            else:
                found.edges += (edge for each in busy for edge in _edges(each, block))
                inside = (p for p in before if not is_idle(p) and p not in busy)
                ends.update(dict.fromkeys(inside))
        found.ends += ends
        return found

    def _ends_in(self, block: Block, is_idle: Callable[[Block], bool]) -> bool:
        """Whether the buffer is not live when the terminator of `block` starts."""
        if not _leads_to(block, is_idle):
            return False
        last = block.last_op
        assert last is not None
        start = self.uses.points.of_op(last).start
        return is_idle(block) or self._last_use(block) < start

    def _is_passed(self, block: Block) -> bool:
        return block not in self.homes and not self._is_used(
            block, self.uses.points.of_block(block).end + 1
        )

    def _is_used(self, block: Block, end: int) -> bool:
        last = self.uses.positions.last_before(self.root, end)
        return last >= self.uses.points.of_block(block).start

    def _last_use(self, block: Block) -> int:
        end = self.uses.points.of_block(block).end
        return self.uses.positions.last_before(self.root, end + 1)


@dataclass
class _LongRange:
    """The live range of a buffer that is freed on all paths from `home`, in others."""

    live: LiveBlocks
    home: Block
    used: list[int]
    """The numbers of the blocks below `home` with uses before it is freed."""

    freeing: list[int]
    """The numbers of the blocks that free it."""

    @staticmethod
    def find(
        uses: BufferUses,
        root: SSAValue,
        homes: Collection[Block],
        releases: Sequence[Operation],
        freed_first: Collection[Block],
    ) -> "_LongRange | None":
        """The live range of `root`, or None if it is not freed like that.

        A use that comes after the deallocation in its block is a use of other memory.
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
        found = _LongRange(live, home, sorted(used), sorted(map(live.number, blocks)))
        if found._is_freed_on_all_paths() and all(map(found.is_idle, freed_first)):
            return found
        return None

    def is_idle(self, block: Block) -> bool:
        """Whether the buffer is freed once `block` starts, and not used before that."""
        return (
            block is not self.home
            and self.live.is_below(self.home, block)
            and self.live.is_live(self.home, self.freeing, block)
            and not self.live.is_live(self.home, self.used, block)
        )

    def first_idle(self) -> Iterable[Block]:
        """The idle blocks that control can enter from a block that is not idle."""
        ends = self.live.ends(self.home, self.used)
        after = (block for end in ends for block in successors_of(end))
        return dict.fromkeys(block for block in after if self.is_idle(block))

    def _is_freed_on_all_paths(self) -> bool:
        """Whether no path leads past the blocks that free the buffer."""
        ahead = sorted({*self.used, *self.freeing})
        freeing = set(self.freeing)
        return all(
            self.live.number(end) in freeing
            or _leads_to(end, lambda b: self.live.is_live(self.home, ahead, b))
            for end in self.live.ends(self.home, ahead)
        )


def _used_below(uses: BufferUses, root: SSAValue, home: Block) -> Iterator[Block]:
    """The blocks of the region of `home`, below it, with uses of the memory."""
    point = uses.points.of_block(home)
    position = uses.positions.first_from(root, point.end + 1)
    while position is not None and position <= point.dominated_end:
        used = point.lift(uses.points.of_op(uses.ops[position])).block
        assert used.block is not None
        yield used.block
        position = uses.positions.first_from(root, used.end + 1)


def _leads_to(block: Block, is_goal: Callable[[Block], bool]) -> bool:
    """Whether `block` has successors, and all of them are goals."""
    successors = successors_of(block)
    return bool(successors) and all(map(is_goal, successors))


def _edges(block: Block, target: Block) -> list[Exit]:
    """The branches of `block` that lead to `target`."""
    numbers = enumerate(successors_of(block))
    return [Exit(block, number) for number, each in numbers if each is target]

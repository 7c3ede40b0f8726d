"""Buffers that nobody may free, because a tensor or another buffer may reach them.

    %a = memref.alloc()
    %s = arith.select %c, %a, %b
    %t = bufferization.to_tensor %s   // certain: %a and %b are freed unless they are %s
    scf.if %d {
      %u = bufferization.to_tensor %a // uncertain: nobody knows %d where %a is freed
    }

A buffer is *captured* by an op that makes it a tensor (`bufferization.to_tensor`) or
stores it in a buffer. Nobody frees a buffer that is captured, since the tensor is used
without the compiler's knowledge of when.

So wherever the live range of a buffer ends, it has to be certain whether the buffer has
been captured. If that is not certain, the capture is uncertain: the op that captures
has to get a clone. In a region of several blocks, a capture is certain if each end of
the live range comes after the capture on all paths, or on none.

Cost: for each capture, the ends of the live ranges that it belongs to, times a
logarithm.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, SSAValue

from xdsl_bufferization.support.algorithms.live_blocks import LiveBlocks

from ...interfaces.operands import OpOperand
from ..buffers.buffer_aliases import BufferAliases
from ..buffers.buffer_flow import block_of
from .buffer_liveness import BufferLiveness

_Places = dict[Block, None]
"""The blocks at whose ends something has been captured."""


@dataclass(frozen=True)
class Escapes:
    """Which roots are captured for certain, and which captures are uncertain."""

    captured: dict[SSAValue, dict[SSAValue, _Places]] = field(
        default_factory=dict[SSAValue, dict[SSAValue, _Places]]
    )
    """By root: the captured roots whose memory it may have, and where they are."""

    uncertain: list[OpOperand] = field(default_factory=list[OpOperand])
    """The operands of captures of which it is uncertain whether they have happened."""


def find_escapes(aliases: BufferAliases, liveness: BufferLiveness) -> Escapes:
    """Find the roots that are captured where live ranges end; uncertain captures."""
    return _EscapeSearch(aliases, liveness).run()


class _EscapeSearch:
    """The search, from captured roots to all roots that may have their memory."""

    def __init__(self, aliases: BufferAliases, liveness: BufferLiveness):
        self.aliases = aliases
        self.liveness = liveness
        self.found = Escapes()
        self.sources: dict[SSAValue, list[SSAValue]] = {}
        self.targets: dict[SSAValue, list[SSAValue]] = {}
        for flow in aliases.flow.flows:
            source = aliases.root(flow.source)
            if aliases.root(flow.target) is flow.target and source is not flow.target:
                self.sources.setdefault(flow.target, []).append(source)
                self.targets.setdefault(source, []).append(flow.target)

    def run(self) -> Escapes:
        captures: dict[SSAValue, list[OpOperand]] = {}
        for use in self.aliases.flow.captured:
            root = self.aliases.root(use.value)
            if self.aliases.may_be_allocated(root):
                captures.setdefault(root, []).append(use)
        if captures:
            borrowed = self._borrowed_from_outside()
            for root, uses in captures.items():
                if root in borrowed:
                    self.found.uncertain.extend(uses)
                else:
                    self._decide(root, uses)
        return self.found

    # --- what regions borrow ---------------------------------------------------------

    def _borrowed_from_outside(self) -> set[SSAValue]:
        """The roots that may have the memory of a value outside of their region.

        The value was passed into the region, or into one around it.
        """
        levels = {
            root: self._level(root)
            for root in self.aliases.sites
            if self.aliases.may_be_allocated(root)
        }
        own = dict(levels)
        todo = sorted(levels, key=lambda root: -levels[root])
        while todo:
            source = todo.pop()
            for target in self.targets.get(source, ()):
                if levels[source] < levels.get(target, -1):
                    levels[target] = levels[source]
                    todo.append(target)
        return {root for root, level in levels.items() if level < own[root]}

    def _level(self, root: SSAValue) -> int:
        """How many ops are around the block of a root."""
        flow = self.aliases.flow
        parent = flow.points.of_block(block_of(root)).parent
        level = 0
        while parent is not None and parent.op is not flow.root:
            parent = parent.block.parent
            level += 1
        return level

    # --- what is certain -------------------------------------------------------------

    def _decide(self, root: SSAValue, uses: Sequence[OpOperand]) -> None:
        """Find the captures of `root` that are certain wherever a live range ends.

        Any buffer counts that may have the memory of `root`.

        What is captured for certain may be captured elsewhere as well.
        """
        graph = self.aliases.flow.graphs.live_blocks(block_of(root).parent)
        owners = [_Owner(root, (), None)]
        if graph is not None:
            owners = [self._owner(each, graph) for each in self._lenders(root, graph)]
        certain: _Places = {}
        rest: list[OpOperand] = []
        for use in uses:
            block = self._place(root, use)
            is_certain = use.owner.parent is block and all(
                owner.is_certain(block, block_of(root)) for owner in owners
            )
            if is_certain:
                certain[block] = None
            else:
                rest.append(use)
        for owner in owners:
            self.found.captured.setdefault(owner.root, {})[root] = certain
        # Two buffers that one operand may be are found out by others than `root`.
        self.found.uncertain.extend(
            use
            for use in rest
            if not all(
                owner.is_settled(self._place(root, use), certain) for owner in owners
            )
        )

    def _place(self, root: SSAValue, use: OpOperand) -> Block:
        """The block of the region of `root` in which something is captured."""
        block = use.owner.parent
        assert block is not None
        place = self.aliases.flow.ancestor_in(block_of(root).parent, block)
        assert place is not None
        return place

    def _lenders(self, root: SSAValue, graph: LiveBlocks) -> list[SSAValue]:
        """The roots of a region of several blocks that may keep the memory of `root`.

        `root` itself is the first.
        """
        region = block_of(root).parent
        seen = {root: None}
        todo = [root]
        while todo:
            value = todo.pop()
            for source in (
                *self.sources.get(value, ()),
                *self.liveness.lenders(value),
            ):
                if source not in seen and self.aliases.may_be_allocated(source):
                    seen[source] = None
                    todo.append(source)
        return [
            each
            for each in seen
            if block_of(each).parent is region
            and graph.is_below(block_of(each), block_of(root))
        ]

    def _owner(self, root: SSAValue, graph: LiveBlocks) -> "_Owner":
        ends = {graph.number(block) for block, _ in self.liveness.ends(root)}
        return _Owner(root, sorted(ends), graph)


@dataclass(frozen=True)
class _Owner:
    """A root that may be captured, and where its live range ends."""

    root: SSAValue
    ends: Sequence[int]
    """The numbers of the blocks after which the live range ends."""

    graph: LiveBlocks | None
    """None for a region of one block, at the end of which all live ranges end."""

    def is_certain(self, block: Block, home: Block) -> bool:
        """Whether it is certain at each end that a capture in `block` has happened.

        Certain that it has not is as good. `home` defines the buffer that is captured:
        another iteration must not change that buffer.
        """
        if self.graph is None:
            return True
        first, last = self.graph.span(block)
        before = bisect_left(self.ends, first)
        after = bisect_left(self.ends, last + 1)
        others = (*self.ends[:before], *self.ends[after:])
        return not (
            self._leads_to(block, others)
            or self._leads_to(block, (self.graph.number(home),))
        )

    def is_settled(self, block: Block, certain: _Places) -> bool:
        """Whether all ends that a capture in `block` may lead to have another one."""
        if self.graph is None:
            return bool(certain)
        spans = [self.graph.span(each) for each in certain]
        others = [
            end
            for end in self.ends
            if not any(first <= end <= last for first, last in spans)
        ]
        return self.graph.number(block) not in others and not self._leads_to(
            block, others
        )

    def _leads_to(self, block: Block, goals: Sequence[int]) -> bool:
        assert self.graph is not None
        return self.graph.leads_to(block_of(self.root), goals, block)

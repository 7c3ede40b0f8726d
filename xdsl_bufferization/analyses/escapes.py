"""Buffers that outlive every memref, because something else may reach their memory.

A buffer that becomes a tensor (`bufferization.to_tensor`) or is stored in a buffer must
not be freed behind its back. Such a root is kept alive at the end of its own block, and
nobody owns it from there on. What it may alias is kept alive together with it if it is
owned in the same block; memory that is lent from an enclosing block escapes there.

    %a = memref.alloc()               // escapes: lent to the loop
    scf.for ... iter_args(%x = %a) {  // escapes
      %t = bufferization.to_tensor %x
      %n = memref.alloc()             // does not: it becomes %x before it is captured
      scf.yield %n
    }

What another block of the same region lends does not escape if the captured root is
known wherever the lender is freed after that: it is freed unless it is that root.
"""

from dataclasses import dataclass, field

from xdsl.ir import Block, SSAValue

from xdsl_bufferization.analyses.block_dominance import BlockDominance
from xdsl_bufferization.analyses.block_graph import successors_of
from xdsl_bufferization.analyses.buffer_aliases import BufferAliases
from xdsl_bufferization.analyses.buffer_flow import block_of
from xdsl_bufferization.analyses.buffer_lifetimes import BufferLifetimes
from xdsl_bufferization.interfaces.operands import OpOperand


@dataclass(frozen=True)
class Escapes:
    """What becomes of memory that is captured."""

    uses: dict[SSAValue, OpOperand] = field(default_factory=dict[SSAValue, OpOperand])
    """The roots that nobody may free, and the operand that captures their memory."""

    captured: dict[SSAValue, dict[SSAValue, None]] = field(
        default_factory=dict[SSAValue, dict[SSAValue, None]]
    )
    """Roots that are freed unless they are one of the captured roots given."""


def find_escapes(aliases: BufferAliases, lifetimes: BufferLifetimes) -> Escapes:
    """Find the roots that nobody may free, and those that may be one of them."""
    sources: dict[SSAValue, list[SSAValue]] = {}
    for flow in aliases.flow.flows:
        source = aliases.root(flow.source)
        if aliases.root(flow.target) is flow.target and source is not flow.target:
            sources.setdefault(flow.target, []).append(source)

    search = _EscapeSearch(aliases, lifetimes, sources)
    captured: dict[SSAValue, OpOperand] = {}
    for use in aliases.flow.captured:
        captured.setdefault(aliases.root(use.value), use)
    for root, use in captured.items():
        search.follow(root, use)
    return search.found


class _EscapeSearch:
    """From captured roots to what may be the same memory."""

    def __init__(
        self,
        aliases: BufferAliases,
        lifetimes: BufferLifetimes,
        sources: dict[SSAValue, list[SSAValue]],
    ):
        self.aliases = aliases
        self.lifetimes = lifetimes
        self.sources = sources
        self.found = Escapes()
        self._reached: dict[Block, set[Block]] = {}

    def follow(self, captured: SSAValue, use: OpOperand) -> None:
        """Add a root and what is lent to it from blocks around its own, and so on."""
        uses = self.found.uses
        uses.setdefault(captured, use)
        todo = [(captured, block_of(captured))]
        seen: dict[SSAValue, Block] = {}
        while todo:
            value, keeper = todo.pop()
            if value in seen and self.aliases.flow.runs_before(keeper, seen[value]):
                continue
            seen[value] = keeper
            for source in self.sources.get(value, ()):
                home = block_of(source)
                if not self._is_outer(source, value, keeper):
                    todo.append((source, keeper))
                    continue
                todo.append((source, home))
                if self._is_told_apart(source, captured):
                    self.found.captured.setdefault(source, {})[captured] = None
                else:
                    uses.setdefault(source, use)

    def _is_outer(self, source: SSAValue, value: SSAValue, keeper: Block) -> bool:
        """Whether `source` may live on when `value`, kept for `keeper`, is gone."""
        home = block_of(source)
        if home.parent is keeper.parent:
            # Who lends from one block to another may live on after the borrower.
            return self.lifetimes.is_lent(source, value)
        return self.aliases.flow.ancestor_in(home.parent, keeper) is not None

    def _is_told_apart(self, lender: SSAValue, captured: SSAValue) -> bool:
        """Whether `captured` is known wherever `lender` dies after it was captured."""
        block = block_of(captured)
        graph = self.aliases.flow.graphs.of(block.parent)
        if graph is None or block_of(lender).parent is not block.parent:
            return False
        reached = self._reached_from(block)
        # The captured root of an earlier round would not be known any more.
        return block not in reached and all(
            is_known_at(graph, captured, death) or death not in reached
            for death, _ in self.lifetimes.deaths(lender)
        )

    def _reached_from(self, block: Block) -> set[Block]:
        """The blocks that may run after `block`."""
        if block not in self._reached:
            reached: set[Block] = set()
            todo = [block]
            while todo:
                for successor in successors_of(todo.pop()):
                    if successor not in reached:
                        reached.add(successor)
                        todo.append(successor)
            self._reached[block] = reached
        return self._reached[block]


def is_known_at(graph: BlockDominance, root: SSAValue, block: Block) -> bool:
    """Whether `root` can be used at the end of another block of its region."""
    return block_of(root) is block or graph.strictly_dominates(block_of(root), block)

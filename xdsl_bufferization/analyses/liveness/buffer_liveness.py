"""In which blocks of a region the memory of a buffer is still needed.

Asked for regions of several blocks: in a single block everything lives until its end.
A buffer is needed where it, or anything that may be the same memory, is used later:

      %a = memref.alloc()
      cf.br ^bb1(%a)               // %a is used in ^bb1: it stays the owner, and ...
    ^bb1(%x):
      memref.store %v, %a[%i]
      cf.br ^bb2
    ^bb2:                          // ... is needed here, as %x may be %a
      memref.load %x[%i]

Without the store %a would die where it is passed to ^bb1, and %x would take it over.
What borrows from what, and what is needed where, are found together, since each says
something about the other. A lifetime is kept as the blocks that use the memory, and
`live_blocks.py` says what these mean for the others, however long it is.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.algorithms.live_blocks import LiveBlocks
from xdsl_bufferization.analyses.buffers.buffer_aliases import AliasIndex, BufferAliases
from xdsl_bufferization.analyses.buffers.buffer_flow import (
    BufferFlow,
    Flow,
    FlowKind,
    block_of,
)
from xdsl_bufferization.interfaces.deallocation import Borrowed, is_memref


class _Need(NamedTuple):
    """Something from block `home` is used in another block of the same region."""

    home: Block
    block: Block


class _Needs:
    """The blocks that use the memory of a root, and what that means for others."""

    def __init__(self, flow: BufferFlow):
        self._flow = flow
        self._uses: dict[SSAValue, dict[Block, list[int]]] = {}
        """By root, and the block that what is used is from: the blocks that use it."""

    def add(self, root: SSAValue, need: _Need) -> bool:
        """Note that `root`, or what borrows it, is needed; whether that is new."""
        if need.block is need.home:
            return False
        number = self.graph_of(need.block).number(need.block)
        uses = self._uses.setdefault(root, {}).setdefault(need.home, [])
        index = bisect_left(uses, number)
        if index < len(uses) and uses[index] == number:
            return False
        insort(uses, number)
        return True

    def is_needed(self, root: SSAValue, block: Block) -> bool:
        """Whether `root`, or what borrows it outside of its region, is needed later.

        That is, when `block` starts, which is not the one that `root` is from.
        """
        home = block_of(root)
        is_inside = home.parent is block.parent
        return any(
            other.parent is block.parent
            and (other is home or not is_inside)
            and self.graph_of(block).is_live(other, uses, block)
            for other, uses in self._uses.get(root, {}).items()
        )

    def is_in_scope(self, root: SSAValue, block: Block) -> bool:
        """Whether `root` is from a block that always runs before `block` does."""
        home = block_of(root)
        return home.parent is block.parent and self.graph_of(block).is_below(
            home, block
        )

    def ends(self, root: SSAValue) -> Iterator[Block]:
        """The blocks of its region after which `root` may not be needed any more."""
        home = block_of(root)
        uses = self._uses.get(root, {}).get(home)
        return self.graph_of(home).ends(home, uses) if uses else iter((home,))

    def graph_of(self, block: Block) -> LiveBlocks:
        """The graph of the region, which has several blocks, of `block`."""
        found = self._flow.graphs.live_blocks(block.parent)
        assert found is not None
        return found


class BufferLiveness:
    """The blocks in which roots are needed."""

    def __init__(
        self,
        aliases: BufferAliases,
        needs: _Needs,
        lenders: dict[SSAValue, dict[SSAValue, None]],
    ):
        self._aliases = aliases
        self._needs = needs
        self._lenders = lenders

    def graph_of(self, block: Block) -> LiveBlocks | None:
        """The graph of the region of `block`; None if it has a single block."""
        is_single = self._aliases.flow.graphs.of(block.parent) is None
        return None if is_single else self._needs.graph_of(block)

    def is_needed_in(self, root: SSAValue, block: Block) -> bool:
        """Whether `root` is still needed when another block of its region starts."""
        return self._needs.is_needed(root, block)

    def lenders(self, root: SSAValue) -> Sequence[SSAValue]:
        """The roots that keep memory which `root` may have."""
        return tuple(self._lenders.get(root, ()))

    def is_handed_over(self, root: SSAValue, block: Block, target: Block) -> bool:
        """Whether `root` is no longer needed when `block` leads to `target`."""
        return (
            block_of(root).parent is block.parent
            and not isinstance(self._aliases.flow.origins.get(root), Borrowed)
            and not self.is_needed_in(root, target)
        )

    def stays_lent(self, argument: SSAValue) -> bool:
        """Whether values that live on may keep the memory of a block argument."""
        block = block_of(argument)
        return any(self.is_needed_in(root, block) for root in self.lenders(argument))

    def deaths(self, root: SSAValue) -> Iterator[tuple[Block, int | None]]:
        """The ends of blocks, and which way out, where `root` is no longer needed.

        None stands for all ways out, or for the end of the region.
        """
        graph = self._aliases.flow.graphs.of(block_of(root).parent)
        if graph is None:
            yield block_of(root), None
            return
        for block in self._needs.ends(root):
            last = block.last_op
            successors = () if last is None else last.successors
            ways = [
                way
                for way, successor in enumerate(successors)
                if not self.is_needed_in(root, successor)
            ]
            if len(ways) == len(successors):
                yield block, None
            else:
                yield from ((block, way) for way in ways)


def find_liveness(aliases: BufferAliases) -> BufferLiveness:
    """Find where all roots in regions of several blocks are needed."""
    return _LifetimeSearch(aliases).run()


class _LifetimeSearch:
    """The work-list: what was found and what follows from it."""

    def __init__(self, aliases: BufferAliases):
        self.aliases = aliases
        self.flow = aliases.flow
        self.needs = _Needs(self.flow)
        self.lenders: dict[SSAValue, dict[SSAValue, None]] = {}
        self.passed: dict[SSAValue, list[SSAValue]] = {}
        """The block arguments that a value may become because it is needed no more."""

        self.offers: dict[SSAValue, list[SSAValue]] = {}
        """The block arguments that borrow from a root, if it is needed in their block.
        """

        self.found: dict[SSAValue, list[_Need]] = {}
        """The needs of a root that are known."""

        self.undecided: dict[SSAValue, None] = {}
        """The roots whose offers are to be looked at again."""

        self.seen_offers: set[tuple[SSAValue, SSAValue]] = set()
        self.new_needs: list[tuple[SSAValue, _Need]] = []
        self.new_loans: list[tuple[SSAValue, SSAValue]] = []
        self.new_offers: list[tuple[SSAValue, SSAValue]] = []

    def run(self) -> BufferLiveness:
        regions = self._regions()
        if regions:
            for root in self._roots():
                self._use(root)
            for flow in self.flow.flows:
                self._follow(flow)
            self._connect_peers(regions)
            self._propagate()
        return BufferLiveness(self.aliases, self.needs, self.lenders)

    def _regions(self) -> list[Region]:
        """The regions of several blocks."""
        owners: dict[Operation, None] = {self.flow.root: None}
        owners.update((op, None) for op in self.flow.region_ops)
        graphs = self.flow.graphs
        return [r for op in owners for r in op.regions if r.blocks and graphs.of(r)]

    def _roots(self) -> dict[SSAValue, None]:
        return dict.fromkeys(
            root
            for root in self.aliases.sites
            if not isinstance(self.flow.origins.get(root), Borrowed)
        )

    # --- what the program says -------------------------------------------------------

    def _use(self, root: SSAValue) -> None:
        home = block_of(root)
        if self.flow.graphs.of(home.parent) is None:
            return
        for value in (root, *self.aliases.views.get(root, ())):
            for use in value.uses:
                block = use.operation.parent
                assert block is not None
                inside = self.flow.ancestor_in(home.parent, block)
                if inside is not None:
                    self._need(root, _Need(home, inside))

    def _follow(self, flow: Flow) -> None:
        """What an operand becomes may borrow from it."""
        target = flow.target
        source = self.aliases.root(flow.source)
        if self.aliases.root(target) is not target or source is target:
            return
        if isinstance(self.flow.origins.get(source), Borrowed):
            return
        if flow.kind is FlowKind.BRANCH:
            self._offer(source, target)
        else:
            self._lend(source, target)

    def _connect_peers(self, regions: list[Region]) -> None:
        """Values that come into being together may share memory that one owns."""
        for region in regions:
            for number, block in enumerate(region.blocks):
                if number:
                    self._connect(block.args)
                for op in block.ops:
                    if len(op.results) > 1:
                        self._connect(op.results)

    def _connect(self, values: Sequence[SSAValue]) -> None:
        roots = [v for v in values if is_memref(v) and self.aliases.root(v) is v]
        if len(roots) < 2:
            return
        for first, second in AliasIndex(self.aliases, roots).links():
            self._lend(first, second)
            self._lend(second, first)

    # --- what follows ----------------------------------------------------------------

    def _need(self, root: SSAValue, need: _Need) -> None:
        if self.needs.add(root, need):
            self.found.setdefault(root, []).append(need)
            self.new_needs.append((root, need))

    def _lend(self, lender: SSAValue, borrower: SSAValue) -> None:
        lenders = self.lenders.setdefault(borrower, {})
        if lender not in lenders:
            lenders[lender] = None
            self.new_loans.append((lender, borrower))

    def _offer(self, source: SSAValue, target: SSAValue) -> None:
        """`source` is passed to a block, whose argument `target` may borrow it."""
        if (source, target) not in self.seen_offers:
            self.seen_offers.add((source, target))
            self.new_offers.append((source, target))

    def _propagate(self) -> None:
        while self.new_needs or self.new_loans or self.new_offers or self.undecided:
            if self.new_offers:
                self._process_offer(*self.new_offers.pop())
            elif self.new_loans:
                self._process_loan(*self.new_loans.pop())
            elif self.new_needs:
                self._process_need(*self.new_needs.pop())
            else:
                self._decide_offers(self.undecided.popitem()[0])

    def _process_offer(self, source: SSAValue, target: SSAValue) -> None:
        block = block_of(target)
        if self._is_outside(source, block) or self.needs.is_needed(source, block):
            self._lend(source, target)
            return
        # The source dies, unless it is found to be needed later; who lent it may not.
        # What an inner region ended with is gone for certain.
        self.offers.setdefault(source, []).append(target)
        self.passed.setdefault(source, []).append(target)
        for lender in tuple(self.lenders.get(source, ())):
            self._offer(lender, target)

    def _is_outside(self, source: SSAValue, block: Block) -> bool:
        """Whether `source` is of a region around that of `block`, and outlives it."""
        region = block_of(source).parent
        return (
            region is not block.parent
            and self.flow.ancestor_in(region, block) is not None
        )

    def _process_loan(self, lender: SSAValue, borrower: SSAValue) -> None:
        for need in tuple(self.found.get(borrower, ())):
            self._need_of(lender, need)
        for target in self.passed.get(borrower, ()):
            self._offer(lender, target)

    def _process_need(self, root: SSAValue, need: _Need) -> None:
        if root in self.offers:
            self.undecided[root] = None
        for lender in tuple(self.lenders.get(root, ())):
            self._need_of(lender, need)

    def _decide_offers(self, source: SSAValue) -> None:
        """Lend what turns out to be needed after it was passed on."""
        undecided: list[SSAValue] = []
        for target in self.offers.pop(source):
            if self.needs.is_needed(source, block_of(target)):
                self._lend(source, target)
            else:
                undecided.append(target)
        if undecided:
            self.offers[source] = undecided

    def _need_of(self, lender: SSAValue, need: _Need) -> None:
        """What borrows from `lender` is needed, which may need `lender`.

        Where `lender` has no meaning, those that it borrows from may have one.
        """
        if self.needs.is_in_scope(lender, need.block):
            self._need(lender, _Need(block_of(lender), need.block))
        elif self.flow.ancestor_in(need.block.parent, block_of(lender)) is not None:
            self._need(lender, need)

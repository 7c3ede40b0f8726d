"""In which blocks of a region a buffer is live, if the region has several blocks.

      %a = memref.alloc()
      cf.br ^bb1(%a)               // %a is used in ^bb1: it stays the owner, and ...
    ^bb1(%x):
      memref.store %v, %a[%i]
      cf.br ^bb2
    ^bb2:                          // ... is live here, as %x may be %a
      memref.load %x[%i]

A buffer is live where the buffer, or a value that may have the same memory, is used
later. Without the store, the live range of %a would end where %a is passed to ^bb1, and
%x would become the owner. In a region of a single block, every buffer is live up to the
end of the block, so that there is nothing to find.

Two facts are found together, since each depends on the other: which value borrows from
which, and which value is live where. A live range is kept as the blocks that use the
memory. `live_blocks.py` answers from these in which other blocks the buffer is live.

Cost: each use is looked at once for each buffer whose memory may be used, times a
logarithm, however long live ranges are. Source of the question: MLIR's
`OwnershipBasedBufferDeallocation.cpp`, which asks the analysis `Liveness`.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.support.algorithms.live_blocks import Exit

from ...interfaces.deallocation import Borrowed, is_memref
from ..buffers.buffer_aliases import AliasIndex, BufferAliases
from ..buffers.buffer_flow import BufferFlow, Flow, FlowKind, block_of


class _BlockUse(NamedTuple):
    """A buffer that `home` defines is used in another block of the same region."""

    home: Block
    block: Block


class _BlockUses:
    """The blocks that use the memory of a root, and where it is live for that."""

    def __init__(self, flow: BufferFlow):
        self._graphs = flow.graphs
        self._uses: dict[SSAValue, dict[Block, list[int]]] = {}
        """By root, and the home of the value that is used: the blocks that use it."""

    def add(self, root: SSAValue, use: _BlockUse) -> bool:
        """Note a use of `root`, or of a value that borrows it; whether it is new."""
        if use.block is use.home:
            return False
        number = self._graphs.live_blocks_around(use.block).number(use.block)
        uses = self._uses.setdefault(root, {}).setdefault(use.home, [])
        index = bisect_left(uses, number)
        if index < len(uses) and uses[index] == number:
            return False
        insort(uses, number)
        return True

    def is_live(self, root: SSAValue, block: Block) -> bool:
        """Whether `root` is live when `block`, which does not define it, starts.

        Outside of the region of `root`, the values that borrow it are asked.
        """
        home = block_of(root)
        is_inside = home.parent is block.parent
        return any(
            other.parent is block.parent
            and (other is home or not is_inside)
            and self._graphs.live_blocks_around(block).is_live(other, uses, block)
            for other, uses in self._uses.get(root, {}).items()
        )

    def is_in_scope(self, root: SSAValue, block: Block) -> bool:
        """Whether `root` is from a block that always runs before `block` does."""
        home = block_of(root)
        return home.parent is block.parent and self._graphs.live_blocks_around(
            block
        ).is_below(home, block)

    def ends(self, root: SSAValue) -> Iterator[Exit]:
        """Where the live range of `root` ends in its region."""
        home = block_of(root)
        return self._graphs.range_ends(home, self._uses.get(root, {}).get(home, ()))


class BufferLiveness:
    """The blocks in which roots are live."""

    def __init__(
        self,
        aliases: BufferAliases,
        uses: _BlockUses,
        lenders: dict[SSAValue, dict[SSAValue, None]],
    ):
        self._aliases = aliases
        self._uses = uses
        self._lenders = lenders

    def is_live_in(self, root: SSAValue, block: Block) -> bool:
        """Whether `root` is live when another block of its region starts."""
        return self._uses.is_live(root, block)

    def lenders(self, root: SSAValue) -> Sequence[SSAValue]:
        """The roots that keep memory which `root` may have."""
        return tuple(self._lenders.get(root, ()))

    def is_handed_over(self, root: SSAValue, block: Block, target: Block) -> bool:
        """Whether `root` is no longer live once `block` has led to `target`."""
        return (
            block_of(root).parent is block.parent
            and not isinstance(self._aliases.flow.origins.get(root), Borrowed)
            and not self.is_live_in(root, target)
        )

    def stays_lent(self, argument: SSAValue) -> bool:
        """Whether values that stay live may keep the memory of a block argument."""
        block = block_of(argument)
        return any(self.is_live_in(root, block) for root in self.lenders(argument))

    def ends(self, root: SSAValue) -> Iterator[Exit]:
        """Where the live range of `root` ends in its region."""
        return self._uses.ends(root)


def find_liveness(aliases: BufferAliases) -> BufferLiveness:
    """Find where all roots in regions of several blocks are live."""
    return _LivenessSearch(aliases).run()


class _LivenessSearch:
    """The search: uses and loans, and what follows from each new one."""

    def __init__(self, aliases: BufferAliases):
        self.aliases = aliases
        self.flow = aliases.flow
        self.uses = _BlockUses(self.flow)
        self.lenders: dict[SSAValue, dict[SSAValue, None]] = {}
        self.passed: dict[SSAValue, list[SSAValue]] = {}
        """The block arguments that a value may become because its live range ends."""

        self.offers: dict[SSAValue, list[SSAValue]] = {}
        """The block arguments that borrow from a root, if it is live in their block."""

        self.found: dict[SSAValue, list[_BlockUse]] = {}
        """The uses of a root that are known."""

        self.undecided: dict[SSAValue, None] = {}
        """The roots whose offers are to be looked at again."""

        self.seen_offers: set[tuple[SSAValue, SSAValue]] = set()
        self.new_uses: list[tuple[SSAValue, _BlockUse]] = []
        self.new_loans: list[tuple[SSAValue, SSAValue]] = []
        self.new_offers: list[tuple[SSAValue, SSAValue]] = []

    def run(self) -> BufferLiveness:
        regions = self._regions()
        if regions:
            for root in self._roots():
                self._collect_uses(root)
            for flow in self.flow.flows:
                self._follow(flow)
            self._connect_peers(regions)
            self._propagate()
        return BufferLiveness(self.aliases, self.uses, self.lenders)

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

    def _collect_uses(self, root: SSAValue) -> None:
        home = block_of(root)
        if self.flow.graphs.of(home.parent) is None:
            return
        for value in (root, *self.aliases.views.get(root, ())):
            for use in value.uses:
                block = use.operation.parent
                assert block is not None
                inside = self.flow.ancestor_in(home.parent, block)
                if inside is not None:
                    self._add_use(root, _BlockUse(home, inside))

    def _follow(self, flow: Flow) -> None:
        """Note that the value which an operand becomes may borrow from the operand."""
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
        """Let values that are defined together, and may alias, lend to each other."""
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

    def _add_use(self, root: SSAValue, use: _BlockUse) -> None:
        if self.uses.add(root, use):
            self.found.setdefault(root, []).append(use)
            self.new_uses.append((root, use))

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
        # The least fix point of two relations, uses and loans. Both only grow: a loan
        # adds the uses of the borrower to the lender, and a use may make a value live
        # where it was forwarded, which is a loan. A rule fires again for each new fact
        # that it depends on, so that the order does not matter. Facts are pairs of
        # values, or a value and a block: there are finitely many.
        while self.new_uses or self.new_loans or self.new_offers or self.undecided:
            if self.new_offers:
                self._process_offer(*self.new_offers.pop())
            elif self.new_loans:
                self._process_loan(*self.new_loans.pop())
            elif self.new_uses:
                self._process_use(*self.new_uses.pop())
            else:
                self._decide_offers(self.undecided.popitem()[0])

    def _process_offer(self, source: SSAValue, target: SSAValue) -> None:
        block = block_of(target)
        if self._is_outside(source, block) or self.uses.is_live(source, block):
            self._lend(source, target)
            return
        # The live range of the source ends, unless a later use is found; that of its
        # lender may go on. What an inner region ended with is gone for certain.
        self.offers.setdefault(source, []).append(target)
        self.passed.setdefault(source, []).append(target)
        for lender in tuple(self.lenders.get(source, ())):
            self._offer(lender, target)

    def _is_outside(self, source: SSAValue, block: Block) -> bool:
        """Whether `source` is of a region around that of `block`, and stays live."""
        region = block_of(source).parent
        return (
            region is not block.parent
            and self.flow.ancestor_in(region, block) is not None
        )

    def _process_loan(self, lender: SSAValue, borrower: SSAValue) -> None:
        for use in tuple(self.found.get(borrower, ())):
            self._use_of_borrower(lender, use)
        for target in self.passed.get(borrower, ()):
            self._offer(lender, target)

    def _process_use(self, root: SSAValue, use: _BlockUse) -> None:
        if root in self.offers:
            self.undecided[root] = None
        for lender in tuple(self.lenders.get(root, ())):
            self._use_of_borrower(lender, use)

    def _decide_offers(self, source: SSAValue) -> None:
        """Lend a buffer that turns out to be live after it was forwarded."""
        undecided: list[SSAValue] = []
        for target in self.offers.pop(source):
            if self.uses.is_live(source, block_of(target)):
                self._lend(source, target)
            else:
                undecided.append(target)
        if undecided:
            self.offers[source] = undecided

    def _use_of_borrower(self, lender: SSAValue, use: _BlockUse) -> None:
        """Note that a value which borrows from `lender` is used.

        If `lender` cannot be used there, the buffers that it borrows from may be.
        """
        if self.uses.is_in_scope(lender, use.block):
            self._add_use(lender, _BlockUse(block_of(lender), use.block))
        elif self.flow.ancestor_in(use.block.parent, block_of(lender)) is not None:
            self._add_use(lender, use)

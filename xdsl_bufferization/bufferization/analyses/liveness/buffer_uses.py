"""At which positions the memory of a buffer is used, whatever value names it.

    %v = memref.subview %a ...       // a use of %a
    %s = arith.select %c, %v, %b     // a use of %a and of %b
    "use"(%s)                        // a use of %a and of %b

All values that may have the same memory share one sorted list of positions. Bisection
finds the last use before an op. If a program takes the address of a buffer, each
comparison of that address, and each call that gets the address, is a use.

Cost: near-linear in the number of uses. Source of the question: MLIR's
`BufferViewFlowAnalysis`, whose users walk all aliases of each buffer.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from xdsl.dialects import arith, func, memref
from xdsl.ir import Block, Operation, SSAValue

from ...interfaces.deallocation import get_deallocation_model, is_memref
from ...interfaces.operands import OpOperand
from ...interfaces.region_branch import get_region_branch
from ..buffers.buffer_aliases import BufferAliases

_Positions = list[int]


class MemoryPositions:
    """Positions at which something happens to the memory of a root."""

    def __init__(self, aliases: BufferAliases):
        self._aliases = aliases
        self._by_site: dict[int, _Positions] = {}
        self._by_class: dict[SSAValue, _Positions] = {}
        self._unlisted: dict[SSAValue, _Positions] = {}

    def add(self, root: SSAValue, positions: Iterable[int]) -> None:
        """Note positions for a root. After the last call, call `sort`."""
        sites, class_ = self._aliases.sites[root], self._aliases.classes[root]
        lists = [self._by_class.setdefault(class_, [])]
        if sites is None:
            lists.append(self._unlisted.setdefault(class_, []))
        else:
            lists += [self._by_site.setdefault(site, []) for site in sites]
        found = list(positions)
        for each in lists:
            each.extend(found)

    def sort(self) -> None:
        """Sort all positions; questions can be asked afterwards."""
        for lists in (self._by_site, self._by_class, self._unlisted):
            for positions in lists.values():
                positions.sort()

    def last_before(self, root: SSAValue, position: int) -> int:
        """The last position before another one with an entry for the memory of `root`.

        -1 if there is none.
        """
        last = -1
        for positions in self._lists(root):
            index = bisect_left(positions, position)
            if index:
                last = max(last, positions[index - 1])
        return last

    def first_from(self, root: SSAValue, position: int) -> int | None:
        """The first position from another one on with an entry for this memory."""
        first: int | None = None
        for positions in self._lists(root):
            index = bisect_left(positions, position)
            if index < len(positions) and (first is None or positions[index] < first):
                first = positions[index]
        return first

    def _lists(self, root: SSAValue) -> Iterator[_Positions]:
        sites, class_ = self._aliases.sites[root], self._aliases.classes[root]
        if sites is None:
            yield self._by_class.get(class_, [])
            return
        yield self._unlisted.get(class_, [])
        for site in sites:
            yield self._by_site.get(site, [])


class BufferUses:
    """The positions of the uses of all buffers in one function.

    Deallocations are no uses.
    """

    ops: list[Operation]
    """All ops of the function by position."""

    def __init__(self, aliases: BufferAliases):
        self.aliases = aliases
        self.points = aliases.flow.points
        self.ops = self.points.ops
        self.positions = MemoryPositions(aliases)
        self._escaped_sites: set[int] = set()
        self._escaped_classes: set[SSAValue] = set()
        self._forwarded = {flow.use for flow in aliases.flow.flows}
        for value in _buffers(aliases):
            root = aliases.root(value)
            self.positions.add(root, self._uses(value, root))
        for use in aliases.flow.captured:
            self._escape(aliases.root(use.value))
        self.positions.sort()

    # --- questions -------------------------------------------------------------------

    def may_be_used_elsewhere(self, root: SSAValue) -> bool:
        """Whether not all uses of the memory of `root` are known."""
        aliases = self.aliases
        return (
            aliases.may_be_foreign(root)
            or aliases.classes[root] in self._escaped_classes
            or not self._escaped_sites.isdisjoint(aliases.sites[root] or ())
        )

    def in_block(self, position: int, block: Block) -> Operation | None:
        """The op of `block` that is, or is around, the op at a position."""
        target = self.points.of_block(block)
        point = self.points.of_op(self.ops[position])
        while point.block is not target:
            if point.block.parent is None:
                return None
            point = point.block.parent
        return point.op

    # --- collecting ------------------------------------------------------------------

    def _uses(self, value: SSAValue, root: SSAValue) -> Iterator[int]:
        for use in value.uses:
            user = use.operation
            if isinstance(user, memref.DeallocOp):
                continue
            yield self.points.of_op(user).start
            if isinstance(user, memref.ExtractAlignedPointerAsIndexOp):
                yield from self._address_uses(user, root)
            elif OpOperand(user, use.index) not in self._forwarded and _hides(user):
                self._escape(root)

    def _address_uses(
        self, op: memref.ExtractAlignedPointerAsIndexOp, root: SSAValue
    ) -> Iterator[int]:
        for use in op.aligned_pointer.uses:
            if not isinstance(use.operation, arith.CmpiOp | func.CallOp):
                self._escape(root)
            yield self.points.of_op(use.operation).start

    def _escape(self, root: SSAValue) -> None:
        sites = self.aliases.sites[root]
        if sites is None:
            self._escaped_classes.add(self.aliases.classes[root])
        else:
            self._escaped_sites.update(sites)


def _buffers(aliases: BufferAliases) -> Iterable[SSAValue]:
    """All buffers of the function, once each."""
    flow = aliases.flow
    targets = (entry.target for entry in flow.flows)
    return dict.fromkeys((*flow.origins, *flow.unknown, *targets, *aliases.roots))


def _hides(op: Operation) -> bool:
    """Whether a buffer that `op` gets may become another value without notice."""
    if any(is_memref(arg) for block in op.successors for arg in block.args):
        return True
    if get_region_branch(op) is not None or get_deallocation_model(op) is not None:
        return False
    blocks = (block for region in op.regions for block in region.blocks)
    arguments = (arg for block in blocks for arg in block.args)
    return any(map(is_memref, (*op.results, *arguments)))

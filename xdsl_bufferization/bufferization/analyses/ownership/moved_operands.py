"""Buffers whose last use is to be passed to a region op, which may take them over.

    %a = memref.alloc()
    memref.store %v, %a[%i]                  // fine: before the loop
    %r = scf.for ... iter_args(%x = %a) ...  // the last use: %a may be moved

A loop that replaces its argument by a new buffer can free the one that it was given, if
nobody uses that one afterwards. Then the loop needs no i1 values that tell a buffer
that it was lent from one that it owns.

A buffer is moved only inside of its own block, and only if the loop is the one op that
forwards it. So it is enough to look at its uses, each of which must have ended before
the loop starts. Cost: linear in the uses of the buffers that enter region ops.
"""

from collections.abc import Container, Iterable, Iterator

from xdsl.ir import Block, Operation, SSAValue, Use

from xdsl_bufferization.support.algorithms.program_points import happens_before

from ...interfaces.deallocation import Allocated, is_memref
from ...interfaces.operands import OpOperand
from ..buffers.buffer_aliases import AliasIndex, BufferAliases
from ..buffers.buffer_flow import Flow, block_of


def find_moved_operands(
    aliases: BufferAliases, flows: Iterable[Flow], escapes: Container[SSAValue]
) -> dict[SSAValue, OpOperand]:
    """The roots that the ops of `flows` may take over, and the operand that does it."""
    return _LastUses(aliases, escapes).run(flows)


class _LastUses:
    """The search for last uses; what several roots share is computed once."""

    def __init__(self, aliases: BufferAliases, escapes: Container[SSAValue]):
        self.aliases = aliases
        self.escapes = escapes
        self.forwards: dict[SSAValue, set[OpOperand]] = {}
        for flow in aliases.flow.flows:
            root = aliases.root(flow.source)
            self.forwards.setdefault(root, set()).add(flow.use)
        self.siblings: dict[Operation | Block, AliasIndex] = {}

    def run(self, flows: Iterable[Flow]) -> dict[SSAValue, OpOperand]:
        """For each flow: whether its source is a root that it may take over."""
        moved: dict[SSAValue, OpOperand] = {}
        for flow in flows:
            root = self.aliases.root(flow.source)
            if root not in moved and self._is_last_use(root, flow.use):
                moved[root] = flow.use
        return moved

    def _is_last_use(self, root: SSAValue, use: OpOperand) -> bool:
        block = use.owner.parent
        points = self.aliases.flow.points
        return (
            block is not None
            and block_of(root) is block
            and self._may_be_owner(root)
            and self.forwards[root] == {use}
            and not self._sibling(root).has_rival(root)
            and all(
                (other.operation is use.owner and other.index == use.number)
                or happens_before(
                    points.of_op(other.operation), points.of_op(use.owner)
                )
                for other in self._all_uses(root)
            )
        )

    def _may_be_owner(self, root: SSAValue) -> bool:
        if root in self.escapes or root in self.aliases.unknown:
            return False
        origin = self.aliases.flow.origins.get(root)
        if origin is not None:
            return isinstance(origin, Allocated)
        # What a region op returns or passes inwards; not what a select chooses.
        owner = root.owner
        return isinstance(owner, Block) or bool(owner.regions)

    def _sibling(self, root: SSAValue) -> AliasIndex:
        """The roots that came into being together with `root`."""
        owner = root.owner
        if owner not in self.siblings:
            values = owner.args if isinstance(owner, Block) else owner.results
            roots = [
                value
                for value in values
                if is_memref(value) and self.aliases.root(value) is value
            ]
            self.siblings[owner] = AliasIndex(self.aliases, roots)
        return self.siblings[owner]

    def _all_uses(self, root: SSAValue) -> Iterator[Use]:
        yield from root.uses
        for view in self.aliases.views.get(root, ()):
            yield from view.uses

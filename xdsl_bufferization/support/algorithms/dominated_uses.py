"""Whether each use of a value comes after its definition, on every path.

xDSL 0.74 checks neither this nor that a value of a nested region stays in it.

    %1 = tensor.insert %v into %0[%i]      <- the second operand, before its definition
    %0 = tensor.empty

One walk down the dominator tree of each region, with the values that may be used.
Values of a block may be used below it in the tree, and values of a nested region inside
of it. Two things are not checked: blocks that no path reaches, and regions of ops that
are not registered, as the order of their ops may mean nothing.

Source: `OperationVerifier::verifyDominanceOfContainedRegions`, mlir/lib/IR/Verifier.cpp
"""

from collections.abc import Iterator

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Block, Operation, Region, SSAValue

from .block_dominance import BlockDominance

_Children = dict[Block, list[Block]]
"""The blocks of a region that each of them dominates immediately."""


class _Scope:
    """A block that is being walked.

    `op` is the op whose `regions` are to be walked before what it defines is in sight.
    """

    __slots__ = ("below", "children", "defined", "op", "ops", "regions")

    def __init__(self, block: Block, children: _Children):
        self.ops: Iterator[Operation] = iter(block.ops)
        self.children = children
        self.below = list(children.get(block, ()))
        self.defined: list[SSAValue] = list(block.args)
        self.op: Operation | None = None
        self.regions: list[Region] = []


def find_undominated_use(region: Region) -> tuple[Operation, int] | None:
    """The first op found with an operand that is out of sight, and its number.

    A value from outside of `region` is out of sight.
    """
    walk = _Walk()
    walk.enter_region(region)
    while walk.scopes:
        scope = walk.scopes[-1]
        if scope.regions:
            walk.enter_region(scope.regions.pop())
        elif (use := walk.go_on(scope)) is not None:
            return use
        elif not scope.regions:
            walk.leave_or_go_down(scope)
    return None


class _Walk:
    """Where a walk is, and what is in sight there."""

    def __init__(self) -> None:
        self.in_sight: set[SSAValue] = set()
        self.scopes: list[_Scope] = []

    def enter_region(self, region: Region) -> None:
        """Go to the beginning of a region."""
        if region.first_block is not None:
            self.enter(region.first_block, _children(region))

    def enter(self, block: Block, children: _Children) -> None:
        """Go to the beginning of a block."""
        self.scopes.append(_Scope(block, children))
        self.in_sight.update(block.args)

    def leave_or_go_down(self, scope: _Scope) -> None:
        """Go to a block that the last one dominates, or back to where that began."""
        if scope.below:
            self.enter(scope.below.pop(), scope.children)
        else:
            self.in_sight.difference_update(scope.defined)
            self.scopes.pop()

    def go_on(self, scope: _Scope) -> tuple[Operation, int] | None:
        """Walk to the next op with regions, or to the end, or to a use out of sight."""
        in_sight = self.in_sight
        if scope.op is not None:
            self._define(scope, scope.op)
            scope.op = None
        for op in scope.ops:
            for number, operand in enumerate(op.operands):
                if operand not in in_sight:
                    return op, number
            if op.regions and not isinstance(op, UnregisteredOp):
                scope.op = op
                scope.regions = list(reversed(op.regions))
                break
            self._define(scope, op)
        return None

    def _define(self, scope: _Scope, op: Operation) -> None:
        self.in_sight.update(op.results)
        scope.defined.extend(op.results)


def _children(region: Region) -> _Children:
    if region.first_block is region.last_block:
        return {}
    graph = BlockDominance(region)
    blocks = list(region.blocks)
    children: _Children = {block: [] for block in graph.blocks}
    for block in graph.blocks[1:]:
        dominator = graph.tree.parent[graph.numbers[block]]
        children[blocks[dominator]].append(block)
    return children

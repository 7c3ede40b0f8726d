"""Letting a value take ownership on those paths on which the old owner is not used.

`%s` below is one of two buffers, and keeps both allocated as long as `%s` is used. On
the path through `^c` nothing else uses them. So `%s` is passed to `^c` as an argument:
the argument owns the buffer that was selected, and the other buffer is freed in `^e`.
When deallocation is done, the arguments are removed again.

The example, before and after:

    ^a: %s = arith.select %c, %x, %y      ^a: %s = arith.select %c, %x, %y
        cf.cond_br %d, ^b, ^c                 cf.cond_br %d, ^b, ^e
    ^b: "use"(%x)                         ^b: "use"(%x)
                                          ^e: cf.br ^c(%s)
    ^c: "use"(%s)                         ^c(%t):
                                              "use"(%t)

Part of ownership-based deallocation, before the analysis and after the rewriting.
`forwarded_selections.py` is for buffers that are used on no path after the block.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import cf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xdsl_bufferization.support.algorithms.block_graph import successors_of
from xdsl_bufferization.support.algorithms.live_blocks import LiveBlocks, Uses

from ..analyses.buffers.buffer_aliases import BufferAliases
from ..analyses.buffers.buffer_flow import BufferFlow, block_of
from ..interfaces.deallocation import Borrowed
from .forwarding import split_edge

_MAX_BLOCKS = 64
"""How many blocks, or sources, are looked at for one value: it is only for the peak."""


@dataclass
class ForwardedBorrowers:
    """The arguments and blocks that were added, to be removed later."""

    arguments: dict[SSAValue, Block] = field(default_factory=dict[SSAValue, Block])
    """The arguments that were added, and their blocks."""

    between: list[Operation] = field(default_factory=list[Operation])
    """The branches in blocks that were put between others."""

    def undo(self) -> None:
        """Take away the arguments, and the blocks that nothing was added to."""
        for argument in self.arguments:
            argument.replace_all_uses_with(self._meaning(argument))
        for block in dict.fromkeys(self.arguments.values()):
            self._take_away(block)
        for branch in self.between:
            _join_edge(branch)

    def _meaning(self, argument: SSAValue) -> SSAValue:
        """The value that is passed as `argument` on all paths, in the end."""
        seen = {argument: None}
        todo = [argument]
        while todo:
            value = todo.pop()
            assert isinstance(value, BlockArgument)
            for use in value.block.uses:
                passed = use.operation.operands[value.index]
                if passed not in self.arguments:
                    return passed
                if passed not in seen:
                    seen[passed] = None
                    todo.append(passed)
        raise AssertionError("something else is passed first")

    def _take_away(self, block: Block) -> None:
        old = [arg for arg in block.args if arg not in self.arguments]
        kept = [argument.index for argument in old]
        for use in block.uses:
            branch = use.operation
            branch.operands = [branch.operands[index] for index in kept]
        for argument in tuple(block.args):
            if argument in self.arguments:
                block.erase_arg(argument)


def _join_edge(branch: Operation) -> None:
    """Lead past the block of `branch` again, if there is nothing else in it."""
    block = branch.parent
    assert block is not None
    if branch.prev_op is None and tuple(branch.operands) == block.args:
        use = block.get_unique_use()
        assert use is not None, "one edge was split"
        use.operation.successors[use.index] = branch.successors[0]
        assert block.parent is not None
        block.parent.erase_block(block)


@dataclass(frozen=True)
class _Plan:
    """One value, and the blocks that are to get it as an argument."""

    value: SSAValue
    blocks: dict[Block, None]
    """All blocks in which its argument is used instead of it."""

    receivers: dict[Block, None]


def forward_borrowers(aliases: BufferAliases) -> ForwardedBorrowers:
    """Add arguments to blocks, for values that can take ownership there."""
    passed = ForwardedBorrowers()
    if not aliases.flow.pointer_moves:  # Else pointers cannot be compared.
        _Rewriter(aliases.flow, passed).run(_Planner(aliases).run())
    return passed


class _Planner:
    """Finds what to pass where, before anything changes."""

    def __init__(self, aliases: BufferAliases):
        self.aliases = aliases
        self.flow = aliases.flow
        self._users: dict[SSAValue, Uses] = {}
        self._ends: dict[SSAValue, tuple[Block, ...]] = {}

    def run(self) -> list[_Plan]:
        sources: dict[SSAValue, list[SSAValue]] = {}
        for flow in self.flow.flows:
            source, target = self.aliases.root(flow.source), flow.target
            if self.aliases.root(target) is target and source is not target:
                sources.setdefault(target, []).append(source)
        return [
            plan
            for root in sources
            if self.flow.graphs.of(block_of(root).parent) is not None
            for plan in self._plans(root, _all_sources(root, sources))
        ]

    def _lends(self, source: SSAValue, target: SSAValue) -> bool:
        """Whether `source` may keep its memory while `target` is used."""
        home = block_of(source)
        return (
            home.parent is block_of(target).parent
            and not isinstance(self.flow.origins.get(source), Borrowed)
            and self._blocks(home).is_below(home, block_of(target))
        )

    def _plans(self, root: SSAValue, lenders: Iterable[SSAValue]) -> Iterable[_Plan]:
        entered: dict[Block, None] = {}
        for lender in (each for each in lenders if self._lends(each, root)):
            entered.update(dict.fromkeys(self._ways_without(lender, root)))
        if not entered:
            return
        blocks = self._reached(root, entered)
        if blocks is None:
            return
        graph = self.flow.graphs.of(block_of(root).parent)
        assert graph is not None
        live = self._blocks(block_of(root))
        for value in (root, *self.aliases.views.get(root, ())):
            if block_of(value) in blocks or not self._is_outer(root, value):
                continue
            users = self._numbers([value], block_of(root))
            reached = {
                block: None
                for block in blocks
                if live.is_live(block_of(value), users, block)
            }
            receivers = {
                block: None
                for block in reached
                if block in entered or len(graph.predecessors[block]) > 1
            }
            if receivers:
                yield _Plan(value, reached, receivers)

    def _is_outer(self, root: SSAValue, value: SSAValue) -> bool:
        """Whether a view is one of the region of `root`."""
        return block_of(value).parent is block_of(root).parent

    def _ways_without(self, lender: SSAValue, root: SSAValue) -> Iterable[Block]:
        """The blocks that need `root`, and are the first not to need `lender`."""
        home = block_of(root)
        live = self._blocks(home)
        ends = self._ends_of(lender)
        for block in ends if len(ends) <= _MAX_BLOCKS else ():
            if live.is_below(home, block):
                for successor in successors_of(block):
                    if self._is_live(root, successor) and not self._is_live(
                        lender, successor
                    ):
                        yield successor

    def _reached(
        self, root: SSAValue, entered: Iterable[Block]
    ) -> dict[Block, None] | None:
        """The blocks from `entered` on that need `root`; None if they are too many."""
        found = dict.fromkeys(entered)
        todo = list(found)
        while todo:
            for successor in successors_of(todo.pop()):
                if successor not in found and self._is_live(root, successor):
                    found[successor] = None
                    todo.append(successor)
                    if len(found) > _MAX_BLOCKS:
                        return None
        return found

    # --- live ranges -----------------------------------------------------------------

    def _is_live(self, root: SSAValue, block: Block) -> bool:
        """Whether a root, or a view of it, is used later when `block` starts."""
        return self._blocks(block).is_live(block_of(root), self._users_of(root), block)

    def _users_of(self, root: SSAValue) -> Uses:
        if root not in self._users:
            values = (root, *self.aliases.views.get(root, ()))
            self._users[root] = self._numbers(values, block_of(root))
        return self._users[root]

    def _ends_of(self, root: SSAValue) -> tuple[Block, ...]:
        if root not in self._ends:
            home = block_of(root)
            ends = self._blocks(home).ends(home, self._users_of(root))
            self._ends[root] = tuple(ends)
        return self._ends[root]

    def _numbers(self, values: Iterable[SSAValue], home: Block) -> Uses:
        """The numbers of the blocks, other than `home`, that use one of the values."""
        users = (
            block
            for value in values
            for use in value.uses
            if (parent := use.operation.parent) is not None
            and (block := self.flow.ancestor_in(home.parent, parent)) is not None
        )
        return self._blocks(home).uses(home, users)

    def _blocks(self, block: Block) -> LiveBlocks:
        return self.flow.graphs.live_blocks_around(block)


def _all_sources(
    root: SSAValue, sources: dict[SSAValue, list[SSAValue]]
) -> Iterable[SSAValue]:
    """What `root` may be, as far as these are not too many."""
    found: dict[SSAValue, None] = {}
    todo = [root]
    while todo and len(found) <= _MAX_BLOCKS:
        for source in sources.get(todo.pop(), ()):
            if source not in found and source is not root:
                found[source] = None
                todo.append(source)
    return found


class _Rewriter:
    """Adds the arguments."""

    def __init__(self, flow: BufferFlow, passed: ForwardedBorrowers):
        self.flow = flow
        self.passed = passed
        self.added: dict[Block, list[tuple[BlockArgument, _Plan]]] = {}
        self.meaning: dict[tuple[SSAValue, Block], SSAValue] = {}
        """What a value is in a block."""

    def run(self, plans: Sequence[_Plan]) -> None:
        for plan in plans:
            for block in plan.receivers:
                argument = block.insert_arg(plan.value.type, len(block.args))
                self.added.setdefault(block, []).append((argument, plan))
                self.meaning[plan.value, block] = argument
        for plan in plans:
            for block in plan.blocks:
                self._find_meaning(plan, block)
        for plan in plans:
            self._replace_uses(plan)
        for block in self.added:
            self._pass(block)

    def _find_meaning(self, plan: _Plan, block: Block) -> None:
        """Note which argument stands for the value in `block`."""
        way: list[Block] = []
        while block in plan.blocks and (plan.value, block) not in self.meaning:
            way.append(block)
            block = block.predecessors()[0]
        found = self.meaning.get((plan.value, block), plan.value)
        self.meaning.update(((plan.value, each), found) for each in way)

    def _replace_uses(self, plan: _Plan) -> None:
        region = block_of(plan.value).parent
        for use in tuple(plan.value.uses):
            parent = use.operation.parent
            assert parent is not None
            block = self.flow.ancestor_in(region, parent)
            if block is not None and block in plan.blocks:
                meaning = self.meaning[plan.value, block]
                use.operation.operands[use.index] = meaning

    def _pass(self, block: Block) -> None:
        """Pass the new arguments of `block` on all paths that lead to it."""
        added = self.added[block]
        for use in tuple(block.uses):
            branch = use.operation
            source = branch.parent
            assert source is not None
            if not isinstance(branch, cf.BranchOp):
                branch, _ = split_edge(branch, use.index)
                self.passed.between.append(branch)
            values = [
                self.meaning.get((plan.value, source), plan.value) for _, plan in added
            ]
            branch.operands = [*branch.operands, *values]
        self.passed.arguments.update((argument, block) for argument, _ in added)

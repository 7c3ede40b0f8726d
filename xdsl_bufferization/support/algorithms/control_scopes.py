"""Moments in a run of a function, and the first moment after several of them.

After several uses of a buffer, on whatever path they come, the buffer is freed at their
nearest common post-dominator. Regions, and loops made of branches, are scopes within
each other. A moment in an inner scope counts in the outer scope as the moment of its op
or loop.

    use(%a)                        moment 1
    scf.if %c { use(%a) }          moment 2, inside the op
    // after both, in the outer block: after the scf.if

In a scope nothing happens twice (see `loop_nest.py`). So a moment in a block of the
scope comes once in each iteration of the scope.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region, SSAValue

from .block_graph import number_blocks
from .dominance import DominatorTree, immediate_dominators, reverse
from .loop_nest import NestScope, find_loop_nest
from .program_points import ProgramPoints
from .region_graphs import RegionGraphs

START = -1
"""The time before the first op of a block."""


@dataclass(eq=False, slots=True)
class Scope:
    """A region, or a loop between its blocks; its last node is the exit."""

    outer: Moment | None
    """The op or loop with this scope, in the scope around it; None for the root."""

    region: Region | None
    """The region; None for a loop."""

    depth: int
    blocks: list[Block | None]
    """By node: the block, or None for a loop."""

    post_dominators: DominatorTree


class Moment(NamedTuple):
    """Somewhere in a block, or in a loop that is a node of the scope."""

    scope: Scope
    node: int
    time: int
    """`before(op)` or `after(op)`, `START`, or anything in a loop."""

    @property
    def block(self) -> Block | None:
        """The block; None in a loop and at the exit of the scope."""
        blocks = self.scope.blocks
        return blocks[self.node] if self.node < len(blocks) else None


class ControlScopes:
    """The scopes of a function, found when they are asked for."""

    def __init__(self, points: ProgramPoints, graphs: RegionGraphs):
        self.points = points
        self._graphs = graphs
        self._region_scopes: dict[Region, Scope] = {}
        self._homes: dict[Block, tuple[Scope, int] | None] = {}
        self._reachable: dict[Block, bool] = {}

    # --- moments ---------------------------------------------------------------------

    def before(self, op: Operation) -> int:
        """The time in its block right before `op`."""
        return 2 * self.points.of_op(op).start

    def after(self, op: Operation) -> int:
        """The time in its block right after `op`."""
        return 2 * self.points.of_op(op).start + 1

    def defined_at(self, value: SSAValue) -> int:
        """The time in its block from which on there is `value`."""
        owner = value.owner
        return START if isinstance(owner, Block) else self.after(owner)

    def position(self, value: SSAValue) -> int:
        """The position of the op that defines `value`, or of the first op after it."""
        owner = value.owner
        if isinstance(owner, Block):
            return self.points.of_block(owner).start
        return self.points.of_op(owner).start

    def moment(self, block: Block, time: int) -> Moment:
        """A moment in a reachable block."""
        home = self._home(block)
        assert home is not None
        return Moment(*home, time)

    def join(self, first: Moment, second: Moment) -> Moment:
        """The first moment that comes after both, in the innermost common scope."""
        while first.scope is not second.scope:
            if first.scope.depth >= second.scope.depth:
                first = _lift(first)
            else:
                second = _lift(second)
        if first.node == second.node:
            return first if first.time >= second.time else second
        node = first.scope.post_dominators.nearest_common(first.node, second.node)
        for moment in (first, second):
            if moment.node == node:
                return moment
        return Moment(first.scope, node, START)

    def next_block(self, moment: Moment) -> Moment:
        """`moment` if it is in a block, else the start of the next block or the exit.

        Each block that is skipped belongs to a loop, which has ended then.
        """
        scope, node = moment.scope, moment.node
        while node < len(scope.blocks) and scope.blocks[node] is None:
            node = scope.post_dominators.parent[node]
        return moment if node == moment.node else Moment(scope, node, START)

    # --- blocks ----------------------------------------------------------------------

    def is_reachable(self, block: Block) -> bool:
        """Whether `block`, and all that it is nested in, may ever run."""
        asked: list[Block] = []
        current = block
        while current not in self._reachable:
            asked.append(current)
            parent = self.points.of_block(current).parent
            is_here = self._home(current) is not None
            if not is_here or parent is None or parent is self.points.root:
                self._reachable[current] = is_here
                break
            assert parent.op.parent is not None
            current = parent.op.parent
        found = self._reachable[current]
        self._reachable.update((each, found) for each in asked)
        return found

    def dominates(self, first: Block, second: Block) -> bool:
        """Whether `first` runs before `second` does; both are of one region."""
        if first is second:
            return True
        graph = self._graphs.of(first.parent)
        assert graph is not None
        return graph.tree.dominates(graph.numbers[first], graph.numbers[second])

    def ancestor_in(self, region: Region, block: Block) -> tuple[Block, int] | None:
        """The block of `region` that `block` is in, and the time of the op that has it.

        The time is `START` for a block of `region`; None if `block` is outside.
        """
        ancestor = self.points.ancestor_in(region, block)
        if ancestor is None:
            return None
        found, point = ancestor
        return found, START if point is None else 2 * point.start

    def scope_of(self, region: Region) -> Scope:
        """The scope of a region, loops in it aside."""
        if region not in self._region_scopes:
            self._add_region(region)
        return self._region_scopes[region]

    # --- construction ----------------------------------------------------------------

    def _home(self, block: Block) -> tuple[Scope, int] | None:
        if block not in self._homes:
            assert block.parent is not None
            self._add_region(block.parent)
        return self._homes[block]

    def _add_region(self, region: Region) -> None:
        blocks = list(region.blocks)
        _, successors = number_blocks(blocks)
        nest = find_loop_nest(successors, 0)
        scopes: list[Scope] = []
        for found in nest.scopes:
            if found.outer is None:
                outer = self._around(blocks[0])
            else:
                outer = Moment(scopes[found.outer.scope], found.outer.node, START)
            inside = region if found.outer is None else None
            scopes.append(_make_scope(found, outer, inside, blocks))
        self._region_scopes[region] = scopes[0]
        for block, home in zip(blocks, nest.homes, strict=True):
            self._homes[block] = home and (scopes[home.scope], home.node)

    def _around(self, block: Block) -> Moment | None:
        """The op around the region of `block`, in the scope around it."""
        parent = self.points.of_block(block).parent
        if parent is None or parent is self.points.root:
            return None
        op = parent.op
        assert op.parent is not None
        home = self._home(op.parent)
        return None if home is None else Moment(*home, self.after(op))


def _make_scope(
    found: NestScope, outer: Moment | None, region: Region | None, blocks: list[Block]
) -> Scope:
    leave = len(found.members)
    tree = DominatorTree(immediate_dominators(reverse(found.successors), leave))
    members = [None if number is None else blocks[number] for number in found.members]
    depth = 0 if outer is None else outer.scope.depth + 1
    return Scope(outer, region, depth, members, tree)


def _lift(moment: Moment) -> Moment:
    assert moment.scope.outer is not None
    return moment.scope.outer

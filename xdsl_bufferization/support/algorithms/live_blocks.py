"""In which blocks of a region a value is live, without a list of these blocks.

    ^a: %v = ...          %v is used in ^d: it is live in ^b, ^c and ^d
    ^a -> ^b, ^c -> ^d    ^b and ^c lead to ^d without passing ^a, its dominator

A value is defined in one block, its `home`. It is live in all blocks that lead to a use
without passing `home` again. A list of these blocks would take too long for many values
with long live ranges.

The answers are made of facts that depend on the graph alone: for each block, the blocks
that lead to it without passing its immediate dominator. A path from `home` to a use
passes all dominators of the use in between. So the value is live in these blocks:

- the dominators of its uses that are below `home`,
- the blocks that lead to such a dominator without passing the dominator above it.

Cost: first, each block is looked at once for each area that it leads through. The
number of these areas is about the depth at which branches and loops are nested. Then a
question costs the number of uses times a logarithm. A list of the ends of a live range
also costs the number of blocks that it lists.

Source of the idea: B. Boissinot and others, "Fast liveness checking for SSA-form
programs", 2008.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Block, Operation

from .block_dominance import BlockDominance
from .block_graph import successors_of

Uses = Sequence[int]
"""The numbers of the blocks, other than `home`, that use a value; sorted."""

_NOWHERE = -1


class Exit(NamedTuple):
    """How control leaves a block: through one branch of its terminator, or any."""

    block: Block
    successor: int | None
    """The number of a successor; None for all successors, or if there are none."""

    @property
    def edge(self) -> tuple[Operation, int]:
        """The terminator and the successor of an exit through one branch."""
        assert self.block.last_op is not None and self.successor is not None
        return self.block.last_op, self.successor

    @property
    def target(self) -> Block:
        """The block to which an exit through one branch leads."""
        terminator, number = self.edge
        return terminator.successors[number]


class LiveBlocks:
    """Answers for one region of several blocks."""

    def __init__(self, graph: BlockDominance):
        self._nodes = graph.numbers
        self._tree = graph.tree
        self._blocks: list[Block | None] = [None] * len(graph.numbers)
        """By number, which is that of the pre-order of the dominator tree."""

        self._ahead: list[list[int]] = [[] for _ in graph.numbers]
        """By node: the nodes that it leads to without passing their dominator."""

        self._forks: list[tuple[Block, ...]] = [()] * len(graph.numbers)
        """By node: the blocks that lead to it, and also to a node outside of its area.
        """

        self._next_fork = [_NOWHERE] * len(graph.numbers)
        """By node: the nearest dominator with forks, or itself."""

        for block in graph.blocks:
            node = graph.numbers[block]
            self._blocks[self.number(block)] = block
            above = self._tree.parent[node]
            if above != node:
                self._look_back(graph, block)
                has_forks = bool(self._forks[node])
                self._next_fork[node] = node if has_forks else self._next_fork[above]

    def number(self, block: Block) -> int:
        """The number of a reachable block, for `Uses`."""
        return self.span(block)[0]

    def uses(self, home: Block, users: Iterable[Block]) -> Uses:
        """Blocks that use a value of `home`, as `Uses`; each may be there twice."""
        return sorted({self.number(block) for block in users if block is not home})

    def span(self, block: Block) -> tuple[int, int]:
        """The first and the last number of a block with those below it."""
        return self._tree.span(self._nodes[block])

    def is_below(self, first: Block, second: Block) -> bool:
        """Whether all paths to `second` pass `first`, which may be `second`."""
        return self._tree.dominates(self._nodes[first], self._nodes[second])

    def is_live(self, home: Block, uses: Uses, block: Block) -> bool:
        """Whether a value of `home` is live when `block` starts."""
        top, node = self._nodes[home], self._nodes[block]
        return self._is_passed(top, uses, node) or any(
            self._is_passed(top, uses, each) for each in self._ahead[node]
        )

    def leads_to(self, home: Block, goals: Uses, block: Block) -> bool:
        """Whether a path from `block` leads to one of `goals`, not through `home`."""
        return bool(goals) and any(
            self.is_live(home, goals, successor) for successor in successors_of(block)
        )

    def ends(self, home: Block, uses: Uses) -> Iterator[Block]:
        """The blocks whose successors may include one where a value is not live.

        All such blocks in the live range, and maybe some others; none twice.
        """
        if not uses:
            yield home
            return
        found: dict[Block, None] = {}
        tree = self._tree
        above = self._nodes[home]
        for place, number in enumerate(uses):
            block = self._blocks[number]
            assert block is not None
            node = self._nodes[block]
            # The path up to `home` joins that of the use before, in the end.
            if place:
                above = tree.nearest_common(above, node)
            is_last = place + 1 == len(uses) or uses[place + 1] > tree.span(node)[1]
            if is_last:
                found[block] = None
            fork = self._next_fork[node]
            while fork != _NOWHERE and tree.depth[fork] > tree.depth[above]:
                found.update(dict.fromkeys(self._forks[fork]))
                fork = self._next_fork[tree.parent[fork]]
            above = node
        yield from found

    def exits(self, home: Block, uses: Uses) -> Iterator[Exit]:
        """Where the live range of a value of `home` ends: the exits that leave it."""
        for block in self.ends(home, uses):
            successors = successors_of(block)
            left = [
                number
                for number, successor in enumerate(successors)
                if not self.is_live(home, uses, successor)
            ]
            if len(left) == len(successors):
                yield Exit(block, None)
            else:
                yield from (Exit(block, number) for number in left)

    def _is_passed(self, top: int, uses: Uses, node: int) -> bool:
        """Whether all paths from `top` to one of the uses pass another node."""
        if node == top or not self._tree.dominates(top, node):
            return False
        first, last = self._tree.span(node)
        index = bisect_left(uses, first)
        return index < len(uses) and uses[index] <= last

    def _look_back(self, graph: BlockDominance, goal: Block) -> None:
        """Find what leads to a block without passing its immediate dominator."""
        node = self._nodes[goal]
        above = self._tree.parent[node]
        area = {above, node}
        forks: dict[Block, None] = {}
        todo = [goal]
        while todo:
            for block in graph.predecessors[todo.pop()]:
                number = self._nodes[block]
                if number == above:
                    forks[block] = None
                elif number not in area:
                    area.add(number)
                    self._ahead[number].append(node)
                    todo.append(block)
                    forks[block] = None
        area.remove(above)
        self._forks[node] = tuple(
            block
            for block in forks
            if any(self._nodes[s] not in area for s in successors_of(block))
        )

"""The blocks of a region as a graph: what dominates what, and what is a loop.

    ^a:  br ^h               dominates all
    ^h:  cond_br ^b, ^e      dominates ^b and ^e; ^h and ^b are a loop
    ^b:  br ^h
    ^e:  return

A loop is a largest set of blocks that all lead to each other. Loops nest: without the
blocks at which it is entered, a loop falls apart into smaller ones. A loop may have
several entries. Each block is looked at once for each loop that it is in.

Source: the loop nesting forest of B. Steensgaard, "Sequentializing program dependence
graphs for irreducible programs", 1993.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Region

from .components import components
from .dominance import UNREACHABLE, immediate_dominators


@dataclass(slots=True, eq=False)
class LoopOfBlocks:
    """A largest set of blocks that lead to each other, within a larger one."""

    blocks: Sequence[Block]
    outer: LoopOfBlocks | None


class BlockGraph:
    """The blocks of a region that can be reached from its first one, by number."""

    blocks: Sequence[Block]
    """All blocks of the region, which numbers count."""

    unreachable: Sequence[Block]
    """Those that cannot be reached."""

    loops: Sequence[LoopOfBlocks | None]
    """The innermost loop that each block is in, for those that are in one."""

    ranks: Sequence[int]
    """The numbers of reachable blocks in reverse post-order; 0 is the last."""

    def __init__(self, region: Region):
        self.blocks = blocks = list(region.blocks)
        _, successors = number_blocks(blocks)
        dominators = immediate_dominators(successors, 0)
        self._children: list[list[int]] = [[] for _ in blocks]
        for number, dominator in enumerate(dominators):
            if dominator not in (UNREACHABLE, number):
                self._children[dominator].append(number)
        self._put_heavy_children_last()
        reachable = [n for n, d in enumerate(dominators) if d != UNREACHABLE]
        self.unreachable = [
            block for n, block in enumerate(blocks) if dominators[n] == UNREACHABLE
        ]
        self.loops = _LoopSearch(successors, reachable).run(blocks)
        self.ranks = ranks = [0] * len(blocks)
        for place, number in enumerate(post_order(successors)):
            ranks[number] = -place

    def in_dominance_order(self) -> Iterator[tuple[int, bool]]:
        """Each reachable block before (False) and after (True) those it dominates.

        Of the blocks that one block immediately dominates, the one that dominates most
        others comes first. A path down the tree leaves first children only a
        logarithmic number of times.
        """
        todo = [(0, False)]
        while todo:
            number, is_done = todo.pop()
            yield number, is_done
            if not is_done:
                todo.append((number, True))
                todo += [(child, False) for child in self._children[number]]

    def _put_heavy_children_last(self) -> None:
        """Put last what is popped first: the child that dominates most blocks.

        Before it come the others, backwards.
        """
        order = [0]
        for number in order:
            order += self._children[number]
        sizes = [1] * len(self.blocks)
        for number in reversed(order):
            children = self._children[number]
            if not children:
                continue
            sizes[number] += sum(sizes[child] for child in children)
            if len(children) > 1:
                heavy = max(children, key=sizes.__getitem__)
                children.remove(heavy)
                children.reverse()
                children.append(heavy)


def blocks_in_dominance_order(region: Region) -> Sequence[Block]:
    """All blocks of a region, each after those that dominate it."""
    first = region.first_block
    if first is None or first.next_block is None:
        return region.blocks
    graph = BlockGraph(region)
    order = [
        graph.blocks[number]
        for number, is_done in graph.in_dominance_order()
        if not is_done
    ]
    return [*order, *graph.unreachable]


def successors_of(block: Block) -> Sequence[Block]:
    """The blocks that may run right after `block`."""
    return () if block.last_op is None else block.last_op.successors


def number_blocks(blocks: Sequence[Block]) -> tuple[dict[Block, int], list[list[int]]]:
    """The number of each block of a region, and by number the blocks it leads to."""
    numbers = {block: number for number, block in enumerate(blocks)}
    return numbers, [[numbers[next_] for next_ in successors_of(b)] for b in blocks]


def post_order(successors: Sequence[Sequence[int]]) -> Iterator[int]:
    """The blocks reachable from the first one, each after what it first leads to."""
    seen = {0}
    todo = [(0, iter(successors[0]))]
    while todo:
        number, rest = todo[-1]
        for following in rest:
            if following not in seen:
                seen.add(following)
                todo.append((following, iter(successors[following])))
                break
        else:
            todo.pop()
            yield number


_NO_SET = -1
"""The set of a block at which a loop is entered."""


class _LoopSearch:
    """Finds the loops among the reachable blocks, from the outermost inwards."""

    def __init__(self, successors: Sequence[Sequence[int]], reachable: list[int]):
        self._successors = successors
        self._reachable = reachable
        self._predecessors: list[list[int]] = [[] for _ in successors]
        for number in reachable:
            for successor in successors[number]:
                self._predecessors[successor].append(number)
        # Only branches between blocks of one set count; the sets get smaller.
        self._sets = [_NO_SET] * len(successors)
        self._count = 0

    def run(self, blocks: Sequence[Block]) -> list[LoopOfBlocks | None]:
        """The innermost loop of each block, for those that are in one."""
        innermost: list[LoopOfBlocks | None] = [None] * len(blocks)
        todo: list[tuple[list[int], LoopOfBlocks | None]] = [(self._reachable, None)]
        self._separate(self._reachable)
        while todo:
            members, outer = todo.pop()
            for component in self._connected_components(members):
                loop = LoopOfBlocks([blocks[number] for number in component], outer)
                for number in component:
                    innermost[number] = loop
                inner = self._without_entries(component)
                if inner:
                    todo.append((inner, loop))
        return innermost

    def _without_entries(self, component: list[int]) -> list[int]:
        """What is left of a loop without the blocks that others lead to."""
        this = self._separate(component)
        entries = [
            number
            for number in component
            if any(self._sets[p] != this for p in self._predecessors[number])
        ]
        for number in entries:
            self._sets[number] = _NO_SET
        return [number for number in component if self._sets[number] == this]

    def _separate(self, members: list[int]) -> int:
        self._count += 1
        for number in members:
            self._sets[number] = self._count
        return self._count

    def _connected_components(self, members: list[int]) -> list[list[int]]:
        """The largest sets of blocks that lead to each other, within one set."""
        return [
            component
            for component in components(members, self._within_set)
            if len(component) > 1 or component[0] in self._successors[component[0]]
        ]

    def _within_set(self, number: int) -> list[int]:
        this = self._sets[number]
        return [n for n in self._successors[number] if self._sets[n] == this]

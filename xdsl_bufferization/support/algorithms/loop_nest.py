"""The loops of a control-flow graph, each as a graph without cycles.

A scope is the whole graph or one loop. Its nodes are blocks, and each loop directly
inside is one node. The last node of a scope is its exit. Two kinds of edges lead there:
those back to an entry of the loop, and those that leave it. So a path through a scope
is one iteration.

    0 -> 1 -> 2 -> 1, 2 -> 3        scope 0: 0, loop, 3      scope 1: 1, 2

Loops need not be reducible: all blocks at which one is entered count as its start.
Source: B. Steensgaard, "Sequentializing program dependence graphs for irreducible
programs", 1993. Cost: linear in the edges times the depth of nesting.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .components import components
from .dominance import reverse


class NestNode(NamedTuple):
    """A node of one of the scopes, both given by number."""

    scope: int
    node: int


@dataclass(frozen=True)
class NestScope:
    """A graph, or a loop in it, without the cycles."""

    outer: NestNode | None
    """What this loop is in the scope around it."""

    members: list[int | None]
    """By node: the block; None for a loop. The exit node is not among them."""

    successors: list[list[int]]
    """By node, the exit node being the last."""


@dataclass(frozen=True)
class LoopNest:
    """All scopes of a graph, outer ones first."""

    scopes: list[NestScope]
    homes: list[NestNode | None]
    """By block: its node in the innermost scope; None if it is unreachable."""


def find_loop_nest(successors: Sequence[Sequence[int]], entry: int) -> LoopNest:
    """The loops of a graph of blocks, as far as `entry` reaches them."""
    return _Finder(successors, entry).run()


class _Loop(NamedTuple):
    """A scope that is still to be looked at."""

    outer: NestNode | None
    blocks: list[int]
    entries: set[int]


class _Finder:
    def __init__(self, successors: Sequence[Sequence[int]], entry: int):
        self.successors = successors
        self.predecessors = reverse(successors)
        self.entry = entry
        self.scope_of = [-1] * len(successors)
        """By block: the innermost scope known so far."""

        self.node_of = [-1] * len(successors)
        """By block: its node in that scope."""

        self.nest = LoopNest([], [None] * len(successors))

    def run(self) -> LoopNest:
        blocks = _reachable(self.successors, self.entry)
        todo = [_Loop(None, blocks, {self.entry})]
        for block in blocks:
            self.scope_of[block] = 0
        while todo:
            todo.extend(self._add_scope(todo.pop()))
        return self.nest

    def _add_scope(self, loop: _Loop) -> list[_Loop]:
        """Add one scope; returns the loops directly inside it."""
        number = len(self.nest.scopes)
        for block in loop.blocks:
            self.scope_of[block] = number

        def inner(block: int) -> Iterator[int]:
            for target in self.successors[block]:
                if self.scope_of[target] == number and target not in loop.entries:
                    yield target

        members: list[int | None] = []
        inner_loops: list[_Loop] = []
        for component in components(loop.blocks, inner):
            node = NestNode(number, len(members))
            for block in component:
                self.node_of[block] = node.node
            if len(component) == 1 and component[0] not in inner(component[0]):
                members.append(component[0])
                self.nest.homes[component[0]] = node
            else:
                members.append(None)
                entries = set(self._entries(number, node.node, component))
                inner_loops.append(_Loop(node, component, entries))
        graph = self._graph(number, loop, len(members))
        self.nest.scopes.append(NestScope(loop.outer, members, graph))
        return inner_loops

    def _entries(self, scope: int, node: int, component: list[int]) -> Iterator[int]:
        """The blocks of a loop that are reached from outside of it."""
        for block in component:
            if block == self.entry or any(
                (self.scope_of[source], self.node_of[source]) != (scope, node)
                and self.scope_of[source] != -1
                for source in self.predecessors[block]
            ):
                yield block

    def _graph(self, scope: int, loop: _Loop, leave: int) -> list[list[int]]:
        graph: list[list[int]] = [[] for _ in range(leave + 1)]
        for block in loop.blocks:
            self._add_edges(graph, block, scope, loop.entries)
        for targets in graph[:-1]:
            if not targets:  # The function ends there, or a loop without end.
                targets.append(leave)
        return graph

    def _add_edges(
        self, graph: list[list[int]], block: int, scope: int, entries: set[int]
    ) -> None:
        leave = len(graph) - 1
        node = self.node_of[block]
        for target in self.successors[block]:
            if self.scope_of[target] != scope or target in entries:
                graph[node].append(leave)
            elif self.node_of[target] != node:
                graph[node].append(self.node_of[target])


def _reachable(successors: Sequence[Sequence[int]], entry: int) -> list[int]:
    seen = {entry: None}
    todo = [entry]
    while todo:
        for target in successors[todo.pop()]:
            if target not in seen:
                seen[target] = None
                todo.append(target)
    return list(seen)

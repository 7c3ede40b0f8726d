"""Strongly connected components: which nodes of a graph lead to each other.

    a -> b -> c -> b        components([a, b, c], ...) == [[b, c], [a]]

A component comes after those that it leads to. Nodes may be of any type.

Cost: linear in nodes and edges. Source: R. Tarjan, "Depth-first search and linear graph
algorithms", 1972.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

_Node = TypeVar("_Node", bound=Hashable)


def components(
    nodes: Iterable[_Node], successors: Callable[[_Node], Iterable[_Node]]
) -> list[list[_Node]]:
    """The strongly connected components, those that others lead to first."""
    return _Components(successors).run(nodes)


class _Components(Generic[_Node]):
    """Tarjan's algorithm, with a list of its own in the place of recursion."""

    def __init__(self, successors: Callable[[_Node], Iterable[_Node]]):
        self.successors = successors
        self.found: list[list[_Node]] = []
        self.number: dict[_Node, int] = {}
        self.low: dict[_Node, int] = {}
        self.open: list[_Node] = []
        self.is_open: set[_Node] = set()

    def run(self, nodes: Iterable[_Node]) -> list[list[_Node]]:
        for node in nodes:
            if node not in self.number:
                self._visit(node)
        return self.found

    def _visit(self, start: _Node) -> None:
        path = [(start, self._enter(start))]
        while path:
            node, targets = path[-1]
            for target in targets:
                if target not in self.number:
                    path.append((target, self._enter(target)))
                    break
                if target in self.is_open:
                    self.low[node] = min(self.low[node], self.number[target])
            else:
                path.pop()
                self._leave(node)
                if path:
                    above = path[-1][0]
                    self.low[above] = min(self.low[above], self.low[node])

    def _enter(self, node: _Node) -> Iterator[_Node]:
        self.number[node] = self.low[node] = len(self.number)
        self.open.append(node)
        self.is_open.add(node)
        return iter(self.successors(node))

    def _leave(self, node: _Node) -> None:
        if self.low[node] != self.number[node]:
            return
        component: list[_Node] = []
        while not component or component[-1] != node:
            component.append(self.open.pop())
        self.is_open.difference_update(component)
        component.reverse()
        self.found.append(component)

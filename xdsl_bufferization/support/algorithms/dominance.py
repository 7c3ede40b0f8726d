"""Dominator trees of graphs whose nodes are numbers.

    0 -> 1 -> 3        immediate_dominators([[1, 2], [3], [3], []], 0)
    0 -> 2 -> 3        [0, 0, 0, 0]

Post-dominators are the dominators of the reversed graph. Nothing here knows of ops or
blocks: callers number them.

Cost: O(m log n) for m edges and n nodes. Source: T. Lengauer and R. Tarjan, "A fast
algorithm for finding dominators in a flowgraph", 1979, in its simple version. Nearest
common ancestors by jump pointers: E. Myers, "An applicative random-access stack", 1983.
"""

from collections.abc import Sequence

UNREACHABLE = -1
"""The dominator of a node that no path from the entry reaches."""


def immediate_dominators(successors: Sequence[Sequence[int]], entry: int) -> list[int]:
    """The immediate dominator of each node; of the entry, itself."""
    return _LengauerTarjan(successors).run(entry)


def reverse(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The graph with all edges turned around."""
    predecessors: list[list[int]] = [[] for _ in successors]
    for node, targets in enumerate(successors):
        for target in targets:
            predecessors[target].append(node)
    return predecessors


class _LengauerTarjan:
    """The state of one run. Numbers are those of a depth-first search."""

    def __init__(self, successors: Sequence[Sequence[int]]):
        self.successors = successors
        self.number = [UNREACHABLE] * len(successors)
        self.order: list[int] = []
        """The nodes by number."""

        self.parent: list[int] = []
        """By number: the number of the parent in the search tree."""

    def run(self, entry: int) -> list[int]:
        self._search(entry)
        dominators = self._find_dominators()
        result = [UNREACHABLE] * len(self.successors)
        for number, node in enumerate(self.order):
            result[node] = self.order[dominators[number]]
        return result

    def _search(self, entry: int) -> None:
        todo = [(entry, 0)]
        while todo:
            node, parent = todo.pop()
            if self.number[node] != UNREACHABLE:
                continue
            self.number[node] = number = len(self.order)
            self.order.append(node)
            self.parent.append(parent)
            todo.extend(
                (target, number)
                for target in reversed(self.successors[node])
                if self.number[target] == UNREACHABLE
            )

    def _find_dominators(self) -> list[int]:
        count = len(self.order)
        predecessors: list[list[int]] = [[] for _ in range(count)]
        for number, node in enumerate(self.order):
            for target in self.successors[node]:
                predecessors[self.number[target]].append(number)
        semi = list(range(count))
        forest = _Forest(semi)
        dominator = [0] * count
        buckets: list[list[int]] = [[] for _ in range(count)]
        for node in range(count - 1, 0, -1):
            for source in predecessors[node]:
                semi[node] = min(semi[node], semi[forest.smallest(source)])
            buckets[semi[node]].append(node)
            parent = self.parent[node]
            forest.link(parent, node)
            for other in buckets[parent]:
                found = forest.smallest(other)
                dominator[other] = found if semi[found] < parent else parent
            buckets[parent].clear()
        for node in range(1, count):
            if dominator[node] != semi[node]:
                dominator[node] = dominator[dominator[node]]
        return dominator


class _Forest:
    """Finds the node of smallest `semi` on the path up to a root, without the root."""

    def __init__(self, semi: list[int]):
        self.semi = semi
        self.ancestor = [UNREACHABLE] * len(semi)
        self.label = list(range(len(semi)))

    def link(self, parent: int, child: int) -> None:
        self.ancestor[child] = parent

    def smallest(self, node: int) -> int:
        if self.ancestor[node] == UNREACHABLE:
            return node
        path: list[int] = []
        current = node
        while self.ancestor[self.ancestor[current]] != UNREACHABLE:
            path.append(current)
            current = self.ancestor[current]
        for below in reversed(path):
            above = self.ancestor[below]
            if self.semi[self.label[above]] < self.semi[self.label[below]]:
                self.label[below] = self.label[above]
            self.ancestor[below] = self.ancestor[above]
        return self.label[node]


class DominatorTree:
    """Who dominates whom, and the nearest common dominator of two nodes."""

    def __init__(self, immediate: Sequence[int]):
        self.parent = immediate
        count = len(immediate)
        self.depth = [UNREACHABLE] * count
        self._jump = list(range(count))
        self._start = [UNREACHABLE] * count
        self._end = [UNREACHABLE] * count
        children: list[list[int]] = [[] for _ in range(count)]
        todo: list[int] = []
        for node, parent in enumerate(immediate):
            if parent == node:
                todo.append(node)
            elif parent != UNREACHABLE:
                children[parent].append(node)
        self._number(todo, children)

    def _number(self, todo: list[int], children: list[list[int]]) -> None:
        """Number the nodes in pre-order, and let each jump up far enough."""
        next_number = 0
        left: list[int] = []
        while todo:
            node = todo.pop()
            self._start[node] = next_number
            next_number += 1
            left.append(node)
            self._enter(node)
            todo.extend(reversed(children[node]))
        for node in reversed(left):
            last = children[node][-1] if children[node] else None
            self._end[node] = self._start[node] if last is None else self._end[last]

    def _enter(self, node: int) -> None:
        parent = self.parent[node]
        if parent == node:
            self.depth[node] = 0
            return
        self.depth[node] = self.depth[parent] + 1
        middle = self._jump[parent]
        far = self._jump[middle]
        is_even = (
            self.depth[parent] - self.depth[middle]
            == self.depth[middle] - self.depth[far]
        )
        self._jump[node] = far if is_even else parent

    def is_reachable(self, node: int) -> bool:
        """Whether a path from the entry reaches `node`."""
        return self.parent[node] != UNREACHABLE

    def dominates(self, first: int, second: int) -> bool:
        """Whether all paths to `second` pass `first`, which may be `second`.

        Unreachable nodes are dominated by all.
        """
        if self._start[second] == UNREACHABLE:
            return True
        if self._start[first] == UNREACHABLE:
            return False
        return self._start[first] <= self._start[second] <= self._end[first]

    def span(self, node: int) -> tuple[int, int]:
        """The numbers, in pre-order, of all that `node` dominates; its own first."""
        return self._start[node], self._end[node]

    def nearest_common(self, first: int, second: int) -> int:
        """The nearest node that dominates both of two reachable nodes."""
        if self.depth[first] < self.depth[second]:
            first, second = second, first
        while self.depth[first] > self.depth[second]:
            jump = self._jump[first]
            is_short = self.depth[jump] >= self.depth[second]
            first = jump if is_short else self.parent[first]
        while first != second:
            # Nodes of one depth jump equally far.
            a, b = self._jump[first], self._jump[second]
            first, second = (
                (self.parent[first], self.parent[second]) if a == b else (a, b)
            )
        return first

"""Which node of a graph every path to another node passes.

The graph is given by numbers: `successors[n]` are the nodes that node `n` leads to.
Post-dominators are the dominators of the reversed graph.

    0 -> 1, 2     1 -> 3     2 -> 3          dominators: 1, 2 and 3 by 0

Source of the algorithm: Lengauer and Tarjan, "A fast algorithm for finding dominators
in a flowgraph", 1979, the simple version: O(edges * log nodes).
"""

from collections.abc import Sequence

NONE = -1
"""The dominator of the entry, and of nodes that it does not reach."""


def immediate_dominators(
    successors: Sequence[Sequence[int]], entry: int = 0
) -> list[int]:
    """The closest other node on all paths from `entry` to each node, or `NONE`."""
    order, parents = _depth_first(successors, entry)
    numbers = [NONE] * len(successors)
    for number, node in enumerate(order):
        numbers[node] = number
    predecessors: list[list[int]] = [[] for _ in order]
    for number, node in enumerate(order):
        for successor in successors[node]:
            predecessors[numbers[successor]].append(number)
    found = _Forest(parents, predecessors).dominators()
    dominators = [NONE] * len(successors)
    for number, node in enumerate(order):
        if number:
            dominators[node] = order[found[number]]
    return dominators


def dominator_intervals(dominators: Sequence[int], entry: int = 0) -> list[range]:
    """Intervals that nest as the nodes dominate each other; empty if unreachable.

    `a` dominates `b` if and only if `intervals[b].start in intervals[a]`.
    """
    children: list[list[int]] = [[] for _ in dominators]
    for node, dominator in enumerate(dominators):
        if dominator != NONE:
            children[dominator].append(node)
    order, parents = _depth_first(children, entry)
    sizes = [1] * len(order)
    for number in range(len(order) - 1, 0, -1):
        sizes[parents[number]] += sizes[number]
    intervals = [range(0)] * len(dominators)
    for number, node in enumerate(order):
        intervals[node] = range(number, number + sizes[number])
    return intervals


def _depth_first(
    successors: Sequence[Sequence[int]], entry: int
) -> tuple[list[int], list[int]]:
    """The nodes in pre-order, and the position of the parent of each."""
    order: list[int] = []
    parents: list[int] = []
    seen = [False] * len(successors)
    todo = [(entry, NONE)]
    while todo:
        node, parent = todo.pop()
        if seen[node]:
            continue
        seen[node] = True
        number = len(order)
        order.append(node)
        parents.append(parent)
        todo.extend(
            (successor, number)
            for successor in reversed(successors[node])
            if not seen[successor]
        )
    return order, parents


class _Forest:
    """The part of the depth-first tree whose nodes are done; nodes are in pre-order."""

    def __init__(self, parents: list[int], predecessors: list[list[int]]):
        self._parents = parents
        self._predecessors = predecessors
        self._semi = list(range(len(parents)))
        self._label = list(range(len(parents)))
        self._ancestor = [NONE] * len(parents)

    def dominators(self) -> list[int]:
        """The immediate dominator of each node but the first."""
        semi, parents = self._semi, self._parents
        dominators = [0] * len(parents)
        waiting: list[list[int]] = [[] for _ in parents]
        for node in range(len(parents) - 1, 0, -1):
            for predecessor in self._predecessors[node]:
                semi[node] = min(semi[node], semi[self._lowest(predecessor)])
            waiting[semi[node]].append(node)
            parent = self._ancestor[node] = parents[node]
            for other in waiting[parent]:
                lowest = self._lowest(other)
                is_below = semi[lowest] < semi[other]
                dominators[other] = lowest if is_below else parent
            waiting[parent] = []
        for node in range(1, len(parents)):
            if dominators[node] != semi[node]:
                dominators[node] = dominators[dominators[node]]
        return dominators

    def _lowest(self, node: int) -> int:
        """The node with the smallest semi-dominator on the way up to a root."""
        ancestor, label, semi = self._ancestor, self._label, self._semi
        if ancestor[node] == NONE:
            return node
        path: list[int] = []
        while ancestor[ancestor[node]] != NONE:
            path.append(node)
            node = ancestor[node]
        for below in reversed(path):
            above = ancestor[below]
            if semi[label[above]] < semi[label[below]]:
                label[below] = label[above]
            ancestor[below] = ancestor[above]
        return label[path[0]] if path else label[node]

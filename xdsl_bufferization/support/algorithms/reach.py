"""Which nodes of a graph can be reached from some of them.

    reach(["a"], {"a": ["b"], "b": ["a", "c"], "d": ["a"]})        a, b, c

Cost: each node that is found, and each edge from it, is looked at once.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reach(
    start: Iterable[Node], successors: Mapping[Node, Iterable[Node]]
) -> dict[Node, None]:
    """The nodes of `start` and all that lead on from there, in the order found."""
    found = dict.fromkeys(start)
    todo = list(found)
    while todo:
        for node in successors.get(todo.pop(), ()):
            if node not in found:
                found[node] = None
                todo.append(node)
    return found

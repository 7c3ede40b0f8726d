"""The nodes of a graph in an order in which each loop is one piece, begun by its head.

    0 -> 1 -> 2 -> 1, 2 -> 3        [0, Loop(1, [2]), 3]

Without what leads back to a head, the order is topological. A loop need not be
reducible: a node of its body may have predecessors outside of the loop.

Source: F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993.
Cost: linear in the edges times the depth of loops.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .components import components

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True)
class Loop(Generic[Node]):
    """A strongly connected part of a graph."""

    head: Node
    """The node at which the loop is entered, or one of these."""

    body: Sequence[Node | Loop[Node]]
    """The other nodes, in order, as if nothing led back to the head."""


def loop_order(
    entry: Node, successors: Callable[[Node], Iterable[Node]]
) -> list[Node | Loop[Node]]:
    """The nodes that `entry` reaches, itself first."""
    return _order([entry], successors)


def _order(
    nodes: Sequence[Node], successors: Callable[[Node], Iterable[Node]]
) -> list[Node | Loop[Node]]:
    found: list[Node | Loop[Node]] = []
    for component in reversed(components(nodes, successors)):
        # Tarjan's algorithm has entered a component at its first node.
        head = component[0]
        if len(component) == 1 and head not in set(successors(head)):
            found.append(head)
            continue
        rest = component[1:]
        members = set(rest)

        def inside(node: Node, members: set[Node] = members) -> list[Node]:
            return [each for each in successors(node) if each in members]

        found.append(Loop(head, _order(rest, inside)))
    return found

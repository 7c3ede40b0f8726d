"""How large the loops of a form are, and which sizes its types leave open."""

from collections.abc import Mapping, Sequence
from typing import Final

from harness.matrix.form import Tensor

PATTERNS: Final[Mapping[str, tuple[int, ...]]] = {
    "regular": (4, 8, 2, 4, 2, 2, 2),
    "ragged": (5, 7, 3, 2, 3, 2, 1),
    "first is 1": (1, 5, 3, 4, 2, 2, 2),
    "last is 1": (5, 3, 1, 2, 1, 1, 1),
    "all are 1": (1, 1, 1, 1, 1, 1, 1),
    "first is 0": (0, 5, 3, 2, 2, 2, 2),
    "second is 0": (4, 0, 3, 2, 2, 2, 2),
    "last is 0": (4, 3, 0, 2, 0, 0, 0),
    "large": (19, 33, 17, 3, 2, 2, 2),
}
"""Sizes of the loops in order. What is last depends on how many loops there are."""

OPEN: Final = ("none", "all", "first", "last")
"""Which sizes a type leaves open."""


def loop_sizes(pattern: str, loops: int) -> tuple[int, ...]:
    """The sizes of so many loops."""
    sizes = (*PATTERNS[pattern], *[PATTERNS[pattern][-1]] * loops)
    if pattern.startswith("last is"):
        if not loops:
            return ()
        return (*loop_sizes("ragged", loops - 1), PATTERNS[pattern][-1])
    if pattern == "large" and loops > 3:
        return tuple(min(size, 9) for size in sizes[:loops])
    return sizes[:loops]


def tensor(sizes: Sequence[int], element: str, left_open: str) -> Tensor:
    """A tensor of which some sizes are open."""
    rank = len(sizes)
    dynamic = {
        "none": range(0),
        "all": range(rank),
        "first": range(min(rank, 1)),
        "last": range(max(rank - 1, 0), rank),
    }[left_open]
    return Tensor(tuple(sizes), element, frozenset(dynamic))

"""Answers kept by which objects the question was about, not by what they are equal to.

    @cached_by_identity
    def strides(type_: MemRefType) -> tuple[int, ...]: ...

Attributes never change, and bufferization asks about the same few thousands of times.
`functools.cache` would hash all that an attribute is made of each time, which takes
longer than most of the answers.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

_Arguments = TypeVarTuple("_Arguments")
_Answer = TypeVar("_Answer")

_SIZE = 1024
"""So many answers are kept for one function."""


def cached_by_identity(
    function: Callable[[*_Arguments], _Answer],
) -> Callable[[*_Arguments], _Answer]:
    """Ask `function`, of objects that never change, once for the same objects."""
    # The objects are kept as well, so that no other gets the identity of one of them.
    known: dict[tuple[int, ...], tuple[tuple[*_Arguments], _Answer]] = {}

    @wraps(function)
    def answer(*arguments: *_Arguments) -> _Answer:
        key = tuple(map(id, arguments))
        entry = known.get(key)
        if entry is None:
            if len(known) >= _SIZE:
                known.clear()
            entry = known[key] = (arguments, function(*arguments))
        return entry[1]

    return answer

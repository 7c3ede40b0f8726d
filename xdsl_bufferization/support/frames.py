"""Room for the frames of Python's calls in one piece.

    in_one_piece(lambda: compile_graph(program))

CPython 3.11 and later keep the frames of calls in pieces of 16 kB. A call that does not
fit into the last piece maps memory for another one, and unmaps it when it returns. Such
a call takes 7 microseconds, 150 times as long as others. A loop that happens to stand
at the end of a piece has one in each iteration. Where a piece ends depends on how deep
the caller is: below PyTorch's compiler, a tenth of the time of a first call went there.

A frame of half a megabyte needs a piece of its own, whose size is a power of two: one
megabyte. The other half of that is there for all calls inside, a thousand and more.
Memory that no frame needs is not touched, so that it costs nothing.

Source: `push_chunk` in CPython's `Python/pystate.c`.
"""

from collections.abc import Callable
from typing import Final, TypeVar

_T = TypeVar("_T")

_SLOTS: Final = 66_000
"""Of 8 bytes: a little more than half a megabyte."""


def in_one_piece(work: Callable[[], _T]) -> _T:
    """What `work` returns. Entering takes 10 microseconds."""
    return work()


in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=_SLOTS)

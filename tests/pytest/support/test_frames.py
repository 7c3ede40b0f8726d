"""Calls are quick, however deep the caller is."""

import resource
from collections.abc import Callable

import pytest

from xdsl_bufferization.support.frames import in_one_piece

_DEPTHS = 120
"""So many calls of `deeper` take more than one of CPython's pieces."""

_CALLS = 2000


def deeper(levels: int, work: Callable[[], None]) -> None:
    if levels:
        deeper(levels - 1, work)
    else:
        work()


def call_often() -> None:
    for _ in range(_CALLS):
        call()


def call() -> None:
    return_at_once()


def return_at_once() -> None:
    pass


def page_faults(work: Callable[[], object]) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def at_all_depths() -> None:
    for levels in range(_DEPTHS):
        deeper(levels, call_often)


def test_no_call_maps_memory_in_one_piece() -> None:
    """Without it, each of the calls at the end of a piece has a page fault."""
    at_all_depths()
    assert page_faults(lambda: in_one_piece(at_all_depths)) < _CALLS


def test_results_and_errors_go_through() -> None:
    assert in_one_piece(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        in_one_piece(lambda: 3 / 0)

"""Memory does not grow with what is parsed, compiled and called.

The bounds are far above what is measured. They are far below what would stay if an
owner forgot to free: 70 kB of LLVM's passes, the weights of a program, a buffer.

Each run has a process of its own. In this one, what is kept may lie in memory that
earlier tests freed, and the process would not grow.
"""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest
from harness.volume.growth_of_memory import (
    Sample,
    Work,
    calls,
    different_modules,
    growth,
    hoarder,
    large_program,
    measured,
)

FLOATS = 100_000
LOOKS = 20


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize(
    ("work", "kilobytes"),
    [
        (Work("calls", 20_000, calls), 0.03),
        (Work("compilations", 120, different_modules), 30),
        # The text has 8 characters for each number.
        (Work("parses", 80, partial(large_program, FLOATS)), FLOATS * 8 / 1000 / 10),
    ],
    ids=lambda each: getattr(each, "title", None),
)
def test_an_iteration_leaves_nothing_behind(work: Work, kilobytes: float):
    assert growth(samples(work), warm_up=0.5) < kilobytes


def test_what_grows_is_found():
    assert 90 < growth(samples(Work("", 400, hoarder)), warm_up=0.5) < 110


def samples(work: Work) -> list[Sample]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        return processes.submit(measured, work, LOOKS).result()

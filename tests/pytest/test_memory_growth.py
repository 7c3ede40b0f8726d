"""Memory does not grow with what is parsed, compiled and called.

The bounds are far above what is measured. They are far below what would stay if an
owner forgot to free: 70 kB of LLVM's passes, the weights of a program, a buffer.
"""

from functools import partial

import pytest
from support.volume.growth_of_memory import (
    Work,
    calls,
    different_modules,
    growth,
    large_program,
    measure,
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
    samples = list(measure(work, work.count, LOOKS))
    assert growth(samples, warm_up=0.5) < kilobytes


def test_what_grows_is_found():
    kept: list[bytes] = []
    work = Work("", 400, lambda: lambda _: kept.append(bytes(range(250)) * 400))
    assert 90 < growth(list(measure(work, work.count, LOOKS)), warm_up=0.5) < 110

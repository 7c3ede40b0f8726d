"""Random programs, bufferized: as many allocations and copies as mlir-opt's, or fewer.

Also where loops may yield new buffers. `compare_many.py --results` does the same with
as many programs as one likes.
"""

from collections import Counter

import pytest
from harness.oracles.decisions import parse
from harness.volume.compare_many import (
    BAD,
    COPY_BEFORE_WRITE,
    KINDS,
    Batch,
    get_all_options,
    our_counts,
)

pytestmark = pytest.mark.oracle

PROGRAMS = 8
KINDS_WITH_RESULTS = [kind for kind in KINDS if not KINDS[kind].has_branches]


@pytest.mark.parametrize("kind", KINDS_WITH_RESULTS)
@pytest.mark.parametrize("name", ["bottom-up", "no-return-allocs", COPY_BEFORE_WRITE])
def test_as_many_as_mlir_opt(kind: str, name: str) -> None:
    # What mlir-opt makes of a call is then undefined.
    with_calls = name != COPY_BEFORE_WRITE
    number = list(KINDS).index(kind)
    batch = Batch(number, PROGRAMS, for_results=True, with_calls=with_calls)
    found = list(batch.compare_results(name))
    for text, verdict in zip(batch.texts, found, strict=True):
        assert verdict not in BAD, text
    counts = Counter(found)
    undefined = counts["theirs undefined"]
    assert undefined < PROGRAMS
    assert not (with_calls and undefined)
    assert counts["same"] + counts["fewer"] >= PROGRAMS // 8


def test_a_loop_that_has_to_copy_counts_in_the_choice() -> None:
    """Where telling parts apart moves a copy into a loop, it must not be told."""
    text = KINDS["deep"].write(1633, for_results=True)
    options = get_all_options(0)["bottom-up"]
    with_parts, without = (
        our_counts(parse(text), options, disjoint_subsets=disjoint)
        for disjoint in (True, False)
    )
    assert with_parts == without

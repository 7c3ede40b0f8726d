"""What can be reached in random graphs, beside paths of each length."""

import random

import pytest

from xdsl_bufferization.support.algorithms.reach import reach


@pytest.mark.parametrize("seed", range(20))
def test_all_that_some_path_leads_to(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(1, 12)
    successors = {
        node: [rng.randrange(size) for _ in range(rng.randint(1, 2))]
        for node in range(size)
        if rng.random() < 0.7
    }
    start = [rng.randrange(size) for _ in range(rng.randint(0, 3))]
    expected = set(start)
    for _ in range(size):
        expected |= {to for node in expected for to in successors.get(node, ())}
    found = reach(start, successors)
    assert found.keys() == expected
    assert list(found)[: len(set(start))] == list(dict.fromkeys(start))

"""Disjoint sets, compared with lists that are joined."""

import random
from itertools import pairwise

from typing_extensions import override

from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets


def test_sets_are_those_of_a_plain_list_of_sets():
    rng = random.Random(1)
    for _ in range(50):
        count = rng.randrange(1, 40)
        plain = [{item} for item in range(count)]
        sets = DisjointSets[int]()
        for _ in range(rng.randrange(count * 2)):
            first, second = rng.randrange(count), rng.randrange(count)
            sets.unite(first, second)
            joined = [each for each in plain if first in each or second in each]
            plain = [each for each in plain if each not in joined]
            plain.append({item for each in joined for item in each})

        assert {frozenset(group) for group in sets.groups(range(count))} == {
            frozenset(each) for each in plain
        }
        for first in range(count):
            for second in range(count):
                together = any({first, second} <= each for each in plain)
                assert (sets.find(first) == sets.find(second)) == together


def test_groups_and_their_items_keep_the_order_of_the_items():
    sets = DisjointSets[str]()
    sets.unite("d", "b")

    assert sets.groups("abcd") == [["a"], ["b", "d"], ["c"]]


class _Counted:
    """An item that counts how often it is looked up."""

    lookups = 0

    @override
    def __hash__(self) -> int:
        _Counted.lookups += 1
        return id(self)


def test_finding_takes_few_steps_however_sets_were_joined():
    items = [_Counted() for _ in range(4096)]
    sets = DisjointSets[_Counted]()
    for earlier, later in pairwise(items):
        sets.unite(later, earlier)

    _Counted.lookups = 0
    for item in items:
        sets.find(item)

    assert _Counted.lookups <= 4 * len(items)

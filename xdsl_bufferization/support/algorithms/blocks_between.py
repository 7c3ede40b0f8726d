"""Which blocks may run after a block and before one that it dominates, as positions.

    ^d(%t):  cond_br ^a, ^x        between ^d and ^b: ^a, but not ^x
    ^a:      br ^b
    ^b:      read %t
    ^x:      return

The answer has the blocks on the path from one to the other in the dominator tree. For
each of them, it also has the blocks that lead to it without passing its immediate
dominator. Such answers share most of their blocks with those for neighbours in the
tree. The answer may hold too many blocks, but never too few.
"""

from __future__ import annotations

from collections.abc import Sequence

from .program_points import BlockPoint, ProgramPoints, Range, RepetitiveBlocks, merged

_PATIENCE = 2_000_000
"""How many blocks are looked at for one root op before answers hold too much."""

_MOST_RANGES = 8
"""If there are more ranges, what lies between them is added."""


class BlocksBetween:
    """Answers about the blocks inside one root op."""

    def __init__(self, points: ProgramPoints):
        self._points = points
        self._patience = _PATIENCE
        self._leading: dict[BlockPoint, Sequence[Range]] = {}
        self._paths: dict[tuple[BlockPoint, BlockPoint], Sequence[Range]] = {}

    def get(self, first: BlockPoint, last: BlockPoint) -> Sequence[Range]:
        """The positions in blocks between two; `first` dominates `last`."""
        if last.dominator is None or first is last:
            return ()
        start = first
        if first.first is not None and not _is_in_loop(first):
            # No path leads back to `first`: all such blocks can share one start.
            start = first.first
        found = merged((*self._path(start, last.dominator), *self._lead_to(last)))
        low, high = first.end + 1, first.dominated_end
        return [(max(a, low), min(b, high)) for a, b in found if a <= high and b >= low]

    def _path(self, start: BlockPoint, end: BlockPoint) -> Sequence[Range]:
        """The blocks after `start` to the end of `end`."""
        todo: list[BlockPoint] = []
        at = end
        while at is not start and (start, at) not in self._paths:
            todo.append(at)
            assert at.dominator is not None, "the start dominates the end"
            at = at.dominator
        ranges = self._paths.get((start, at), ())
        for block in reversed(todo):
            own = block.start, block.end
            ranges = _few(merged((*ranges, own, *self._lead_to(block))))
            self._paths[start, block] = ranges
        return ranges

    def _lead_to(self, block: BlockPoint) -> Sequence[Range]:
        """The blocks that lead to `block` and do not dominate it."""
        ranges = self._leading.get(block)
        if ranges is None:
            ranges = self._leading[block] = _few(self._find_leading(block))
        return ranges

    def _find_leading(self, block: BlockPoint) -> list[Range]:
        dominator = block.dominator
        if dominator is None:
            return []
        found: dict[BlockPoint, None] = {}
        todo = [block]
        while todo:
            for before in self._before(todo.pop()):
                if before is not dominator and before not in found:
                    found[before] = None
                    todo.append(before)
            self._patience -= 1
            if self._patience < 0:
                return [(dominator.end + 1, dominator.dominated_end)]
        return merged((before.start, before.end) for before in found)

    def _before(self, block: BlockPoint) -> list[BlockPoint]:
        assert block.block is not None
        return [self._points.of_block(b) for b in block.block.predecessors()]


def _is_in_loop(block: BlockPoint) -> bool:
    """Whether a block is in a loop of blocks of its region."""
    around = block.repetition
    return isinstance(around, RepetitiveBlocks) and around.op is block.parent


def _few(ranges: list[Range]) -> list[Range]:
    """Ranges around `ranges`, with the widest gaps between them left."""
    if len(ranges) <= _MOST_RANGES:
        return ranges
    gaps = range(1, len(ranges))
    widest = sorted(gaps, key=lambda n: ranges[n - 1][1] - ranges[n][0])
    starts = [0, *sorted(widest[: _MOST_RANGES - 1])]
    ends = [*(n - 1 for n in starts[1:]), len(ranges) - 1]
    return [(ranges[a][0], ranges[b][1]) for a, b in zip(starts, ends, strict=True)]

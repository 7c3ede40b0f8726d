"""Whether control can get from one block to another without passing a third.

    ^d(%t):  cond_br ^a, ^b
    ^a:      br ^e             // leads to ^e, not to ^b
    ^b:      br ^e
    ^e:      br ^d             // leads to ^a again, but only through ^d

To keep the answers for all pairs of blocks would take quadratic space. But questions
are only asked about blocks below a dominator. Most are answered at the first step: by
the dominator tree, or because the goal comes earlier in reverse post-order. The others
search the blocks in between.

Cost: constant for most questions. After `_PATIENCE` blocks in all searches together,
every answer is yes, which is the safe answer.
"""

from __future__ import annotations

from .block_graph import successors_of
from .program_points import BlockPoint, ProgramPoint, ProgramPoints, RepetitiveBlocks

_PATIENCE = 2_000_000
"""How many blocks are looked at for one root op before every answer is yes."""


class BlockPaths:
    """Answers about the blocks inside one root op."""

    def __init__(self, points: ProgramPoints):
        self._points = points
        self.start_anew()

    def start_anew(self) -> None:
        """Have all patience again, for other decisions."""
        self._patience = _PATIENCE

    def runs_between(
        self, point: ProgramPoint, dominator: BlockPoint, goal: ProgramPoint
    ) -> bool:
        """Whether an op may run after a block and before `goal`, which it dominates.

        Paths that pass the block again do not count. True, if the answer would take too
        long to find.
        """
        if dominator.contains(point):
            return True
        if not dominator.dominates(point):
            return False
        start, end = dominator.lift(point), dominator.lift(goal)
        if start.block.dominates_block(end.block):
            return True
        if end.block is dominator:
            return False
        return self._search(start, dominator, end.block)

    def _search(
        self, start: ProgramPoint, dominator: BlockPoint, goal: BlockPoint
    ) -> bool:
        block = start.op.parent
        assert block is not None
        last = _rank(goal, dominator)
        seen = {block}
        todo = [block]
        while todo:
            for next_ in successors_of(todo.pop()):
                point = self._points.of_block(next_)
                if next_ in seen or point is dominator:
                    continue
                if not dominator.dominates_block(point):
                    continue  # Every path back leads through the dominator.
                if point.dominates_block(goal):
                    return True
                if _rank(point, dominator) <= last:
                    seen.add(next_)
                    todo.append(next_)
            self._patience -= 1
            if self._patience < 0:
                return True
        return False


def _rank(block: BlockPoint, dominator: BlockPoint) -> int:
    """A number that never gets less from block to block below `dominator`.

    The number in reverse post-order, for a loop that of its first block.
    """
    rank = block.rank
    around = block.repetition
    while isinstance(around, RepetitiveBlocks) and (
        around.op is block.parent and not around.contains(dominator)
    ):
        rank, around = around.rank, around.outer
    return rank

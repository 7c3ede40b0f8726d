"""Moving ops within their blocks, with all that has to move along; and taking it back.

    write                              read
    %1 = arith.addi %i, %n             write
    read %t[%1]            up: %1 moves along, as the read needs it

    write %t -> %2                     read
    use %2                             write %t -> %2
    read                   down: the use moves along, as it needs the write

Cost: a comparison for each op that moves and each of its operands. A move of more than
`MAX_OPS` ops at once is refused.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult

from xdsl_bufferization.support.traversal import ops_inside

from ..bufferize.op_order import OpOrder
from ..interfaces.operands import operand_values
from .op_kinds import OpKinds

MAX_OPS = 256
"""So many ops, with those inside of them, are moved or looked at for one move."""


class Obstacle(Enum):
    """Why ops cannot be moved."""

    NEEDS_WRITE = auto()
    """What moves up needs the op that it should come before."""

    IS_NEEDED = auto()
    """What moves down is needed before it would come."""

    IS_LAST = auto()
    """The op that reads is the last of its block, and has to stay that."""

    HAS_EFFECT = auto()
    """An op does more than give a result."""

    MAY_FAIL = auto()
    """An op could fail, and would cross an op that may end the program."""

    TOO_MANY = auto()
    """More than `MAX_OPS` ops would move."""


class Stopped(NamedTuple):
    """Why ops cannot be moved, and which op is the reason."""

    why: Obstacle
    op: Operation


class Moving(NamedTuple):
    """Ops of one block that can move, and the op that they come before then."""

    ops: Sequence[Operation]
    place: Operation


class Moves:
    """Finds what can be moved, moves it, and takes all of it back on request."""

    def __init__(self, kinds: OpKinds):
        self._kinds = kinds
        self._order = OpOrder()
        self._effects: dict[Block, list[Operation]] = {}
        self._done: list[tuple[Operation, Operation]] = []

    @property
    def count(self) -> int:
        """How many moves were made, and not taken back."""
        return len(self._done)

    def comes_before(self, op: Operation, other: Operation) -> bool:
        """Whether `op` precedes `other`, in the same block."""
        return self._order.comes_before(op, other)

    def sort(self, ops: Sequence[Operation]) -> list[Operation]:
        """Ops of one block in the order that they have now."""
        return self._order.sort(ops)

    # What can be moved.

    def find_up(self, op: Operation, before: Operation) -> Moving | Stopped:
        """All that has to move for `op` to come before `before`, in the same block."""
        if op.next_op is None:
            return Stopped(Obstacle.IS_LAST, op)
        key, limit = self._order.key, self._order.key(before)
        found = {op: None}
        todo = [op]
        seen = 0
        while todo:
            at = todo.pop()
            if at is before:
                return Stopped(Obstacle.NEEDS_WRITE, before)
            needed = ops_inside(at) if at.regions else (at,)
            seen += len(needed)
            if seen > MAX_OPS:
                return Stopped(Obstacle.TOO_MANY, op)
            if not self._kinds.is_movable(at):
                return Stopped(Obstacle.HAS_EFFECT, at)
            for used in _made_in_block(needed, at.parent):
                if used not in found and key(used) >= limit:
                    found[used] = None
                    todo.append(used)
        return self._check_effects(list(found), before, before)

    def find_down(self, op: Operation, behind: Operation) -> Moving | Stopped:
        """All that has to move for `op` to come behind `behind`, in the same block."""
        if behind.next_op is None:
            return Stopped(Obstacle.IS_LAST, behind)
        place = self._order.place_of(behind.next_op)
        if place is None:
            return Stopped(Obstacle.IS_NEEDED, behind)
        found = {op: None}
        todo = [op]
        seen = 0
        while todo:
            at = todo.pop()
            seen += len(ops_inside(at))
            if seen > MAX_OPS or len(found) > MAX_OPS:
                return Stopped(Obstacle.TOO_MANY, op)
            if not self._kinds.is_movable(at):
                return Stopped(Obstacle.HAS_EFFECT, at)
            for user in _users_in_block(at):
                seen += 1
                if user is None or user is behind:
                    return Stopped(Obstacle.IS_NEEDED, behind)
                # Moved ops may stand between `behind` and the place.
                if user not in found and self.comes_before(user, place):
                    found[user] = None
                    todo.append(user)
        return self._check_effects(list(found), op, place)

    def _check_effects(
        self, ops: list[Operation], first: Operation, place: Operation
    ) -> Moving | Stopped:
        """The move of `ops` to `place`, unless that could make the program fail."""
        if not self._order.is_place(place):
            return Stopped(Obstacle.TOO_MANY, place)
        ops = self._order.sort(ops)
        effects = self._effects_of(place)
        if effects:
            last = place if self.comes_before(ops[-1], place) else ops[-1]
            if self._is_one_between(first, last, effects):
                for op in ops:
                    if not self._kinds.never_fails(op):
                        return Stopped(Obstacle.MAY_FAIL, op)
        return Moving(ops, place)

    def _effects_of(self, op: Operation) -> Sequence[Operation]:
        """The ops in the block of `op` that may end the program, in order."""
        block = op.parent
        assert block is not None
        effects = self._effects.get(block)
        if effects is None:
            may_stop, is_movable = self._kinds.may_stop, self._kinds.is_movable
            # Nothing comes behind the last one.
            ops = self._order.ops_of(block)[:-1]
            effects = [op for op in filter(may_stop, ops) if not is_movable(op)]
            self._effects[block] = effects
        return effects

    def _is_one_between(
        self, first: Operation, last: Operation, ops: Sequence[Operation]
    ) -> bool:
        """Whether one of `ops`, of which none moves, is from `first` on before `last`.

        They are in order then.
        """
        at = bisect_left(ops, True, key=lambda op: not self._precedes(op, first))
        return at < len(ops) and self._precedes(ops[at], last)

    def _precedes(self, op: Operation, other: Operation) -> bool:
        return op is not other and self.comes_before(op, other)

    # Changes.

    def make(self, moving: Moving) -> None:
        """Move ops to their place."""
        # Taken back from the end, an op finds the one behind it where it was.
        self._done += [(op, _next(op)) for op in moving.ops]
        self._order.move(moving.ops, moving.place)

    def take_back(self, count: int = 0) -> None:
        """Let ops be where they were when `count` moves had been made."""
        while len(self._done) > count:
            op, next_op = self._done.pop()
            op.detach()
            block = next_op.parent
            assert block is not None
            block.insert_op_before(op, next_op)
        self._order = OpOrder()


def _next(op: Operation) -> Operation:
    next_op = op.next_op
    assert next_op is not None, "a terminator does not move"
    return next_op


def _made_in_block(
    ops: Sequence[Operation], block: Block | None
) -> Iterator[Operation]:
    """The ops of `block` whose results `ops` use."""
    for op in ops:
        for operand in operand_values(op):
            # Neither `isinstance` nor `owner`, which take several times as long.
            if type(operand) is OpResult and operand.op.parent is block:
                yield operand.op


def _users_in_block(op: Operation) -> Iterator[Operation | None]:
    """The ops in the block of `op` that use its results, or have a user inside.

    None for a user in another block of the region.
    """
    block = op.parent
    for result in op.results:
        for use in result.uses:
            user: Operation | None = use.operation
            while user is not None and user.parent is not block:
                user = user.parent_op()
            yield user

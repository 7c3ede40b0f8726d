"""Checks as early in a block as what they look at is known.

    %e = tensor.empty(%n)                            check 0 <= %i, %i + %n <= ...
    %s = linalg.fill ins(%x) outs(%e)          ->    %e = tensor.empty(%n)
    check 0 <= %i, %i + %n <= ...                    %s = linalg.fill ins(%x) outs(%e)
    tensor.insert_slice %s into %t[%i] [%n] [1]      tensor.insert_slice ...

Passes may compute a tensor where it ends up, or cast an operand instead of a result.
What is wrong would then be found at another op before the check is reached. A check
moves in front of ops without effects alone, so that nobody sees the difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import tensor
from xdsl.ir import Block, Operation
from xdsl.traits import MemoryEffectKind, get_effects

from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.tensor.regions import GenerateOp
from xdsl_bufferization.dialects.tm_tensor.common import TMTensorOp


@dataclass
class _Run:
    """The ops of a block behind the last one with effects."""

    start: Operation
    """Where the first checks go: in front of the op, or behind it."""

    is_behind: bool
    order: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """Positions of ops; checks have that of the op which they follow."""

    last: dict[int, Operation] = field(default_factory=dict[int, Operation])
    """By position, the op that the next check follows."""

    def put(self, ops: Sequence[Operation], position: int) -> None:
        """Move some ops behind all others of a position; -1 is the start."""
        for op in ops:
            op.detach()
            self._put(op, position)
            self.order[op] = position
            self.last[position] = op

    def _put(self, op: Operation, position: int) -> None:
        block = self.start.parent
        assert block is not None
        last = self.last.get(position)
        if last is not None:
            block.insert_op_after(op, last)
        elif self.is_behind:
            block.insert_op_after(op, self.start)
        else:
            block.insert_op_before(op, self.start)


class EarlyChecks:
    """Moves the checks of one function, whose ops are passed in order."""

    def __init__(self) -> None:
        self._runs: dict[Block, _Run] = {}

    def move(self, ops: Sequence[Operation], before: Operation) -> None:
        """Move what checks an op and was put in front of it, or of what holds it."""
        if ops:
            self._run_of(before).put(ops, self._position(ops, before))

    def _position(self, ops: Sequence[Operation], before: Operation) -> int:
        """Behind which op all is known that some ops look at."""
        order, own = self._run_of(before).order, {*ops}
        owners = (each.owner for op in ops for each in op.operands)
        return max(
            (
                order.get(owner, -1)
                for owner in owners
                if isinstance(owner, Operation) and owner not in own
            ),
            default=-1,
        )

    def _run_of(self, op: Operation) -> _Run:
        block = op.parent
        assert block is not None
        return self._runs.setdefault(block, _Run(op, is_behind=False))

    def go_on_behind(self, op: Operation) -> None:
        """Later checks may move in front of an op, unless it has effects."""
        block = op.parent
        assert block is not None
        if _has_effects(op):
            self._runs[block] = _Run(op, is_behind=True)
            return
        run = self._run_of(op)
        position = len(run.order)
        run.order[op] = position
        run.last[position] = op


def _has_effects(op: Operation) -> bool:
    """Whether anybody sees that `op` runs. When unsure: True."""
    if op.regions and not computes_elements(op):
        return True
    effects = get_effects(op)
    return effects is None or any(
        each.kind is not MemoryEffectKind.READ for each in effects
    )


def computes_elements(op: Operation) -> bool:
    """Whether the regions of `op` compute the elements of its results."""
    if isinstance(op, GenerateOp | tensor.PadOp):
        return True
    has_elements = isinstance(op, TMTensorOp) or structure_of(op) is not None
    return has_elements and bool(op.results)

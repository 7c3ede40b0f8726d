"""How much memory moved ops add to what is live, compared with a buffer that is saved.

    %b = tensor.insert %f into %a[%i]    // a copy of %a: of_buffer gives 32 bytes
    %c = linalg.exp ins(%a) outs(%e)     // made_by gives the bytes of %c
    %d = tensor.extract %b[%j]

If the second op moves up, `%c` is live from the first op on. Before the move, the copy
of `%a` was. So the peak does not rise if `%c` is no larger than `%a`. If the first op
moves down, what it reads is live for longer.

An unknown size is None.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects.memref.sizes import count_bytes
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.tensor_facts.tensor_uses import TensorUse
from ..bufferize.tensor_copy_insertion import find_copied_value
from ..interfaces.operands import OpOperand, tensor_operands, tensor_results
from .decided import Decided

_MAX_USES = 64
"""So many uses of a tensor are looked at, to see whether it is in memory anyway."""


class LiveBytes:
    """The bytes of tensors of a function, as decided before any move."""

    def __init__(self, decided: Decided):
        self._decided = decided
        self._facts = decided.analysis.facts
        self._decisions = decided.analysis.decisions

    def of_buffer(self, operand: OpOperand) -> int | None:
        """The bytes of the buffer that is made for an operand."""
        return count_bytes(find_copied_value(operand, self._decisions).type)

    def outlives(self, operand: OpOperand, op: Operation) -> bool:
        """Whether the buffer that is made for an operand is live at `op`, in its block.

        Only then does the buffer make room for other tensors up to there.
        """
        if operand.owner.parent is not op.parent:
            return False
        end = self._facts.points.of_op(op).start
        return any(use.point.start >= end for use in self._uses_of_buffer(operand))

    def is_forwarded(self, operand: OpOperand) -> bool:
        """Whether the buffer that is made for an operand leaves the block with it."""
        return any(
            use.point.op.has_trait(IsTerminator)
            for use in self._uses_of_buffer(operand)
        )

    def is_newly_returned(self, operand: OpOperand) -> bool:
        """Whether a result is this buffer, and so none that the caller has already."""
        return any(
            isinstance(use.point.op, ReturnOp)
            and use.operand not in self._decided.not_owned
            for use in self._uses_of_buffer(operand)
        )

    def may_be_argument(self, operand: OpOperand) -> bool:
        """Whether an operand may carry the buffer of a block argument, or a constant.

        When unsure: True.
        """
        alias_set = self._decided.analysis.alias_sets.find(operand.value)
        return (
            alias_set.not_writable is not None
            or len(alias_set.values) > _MAX_USES
            or any(isinstance(value, BlockArgument) for value in alias_set.values)
        )

    def _uses_of_buffer(self, operand: OpOperand) -> Iterator[TensorUse]:
        """The uses of the buffer that is made for an operand, up to a limit."""
        todo = [alias.value for alias in self._decisions.get_aliasing_values(operand)]
        seen = set(todo)
        for _ in range(_MAX_USES):
            if not todo:
                return
            for use in self._facts.get_uses_of(todo.pop()):
                yield use
                if use in self._decisions.in_place:
                    new = [a.value for a in use.aliases if a.value not in seen]
                    seen.update(new)
                    todo += new

    def made_by(self, ops: Iterable[Operation]) -> int | None:
        """The bytes of the buffers that ops, and those inside them, may make."""
        return _sum_up(
            size
            for op in ops
            for each in (ops_inside(op) if op.regions else (op,))
            if self._facts.has_tensors(each)
            for size in self._made_by(each)
        )

    def _made_by(self, op: Operation) -> Iterator[int | None]:
        for use in self._facts.get_uses(op):
            if use.operand in self._decided.buffers:
                yield self.of_buffer(use.operand)
        for result in tensor_results(op):
            if not any(
                self._decisions.is_in_place(alias.operand)
                for alias in self._decisions.get_aliasing_op_operands(result)
            ):
                yield count_bytes(result.type)

    def kept_for(self, ops: Sequence[Operation], behind: Operation) -> int | None:
        """The bytes of the tensors that ops keep alive up to `behind`."""
        moved = set(ops)
        values = {
            operand.value: None
            for op in ops
            for each in ops_inside(op)
            for operand in tensor_operands(each)
        }
        end = self._facts.points.of_op(behind)
        return _sum_up(
            count_bytes(value.type)
            for value in values
            if not self._is_there(value, moved, end.start)
        )

    def _is_there(self, value: SSAValue, moved: set[Operation], end: int) -> bool:
        """Whether a tensor is in memory at position `end` whatever moves."""
        owner = value.owner
        if isinstance(owner, ConstantOp):
            return True
        if isinstance(owner, Block):
            return isinstance(owner.parent_op(), FuncOp)
        if owner in moved:
            return True
        points = self._facts.points
        return any(
            use.operation not in moved and points.of_op(use.operation).start >= end
            for use in islice(value.uses, _MAX_USES)
        )


def _sum_up(sizes: Iterable[int | None]) -> int | None:
    total = 0
    for size in sizes:
        if size is None:
            return None
        total += size
    return total

"""Which writes of a parallel loop go to a buffer that all of its iterations share.

    scf.forall (%i) in (4) {
      %0 = tensor.insert %v into %t[%i]     // each iteration writes the buffer of %t,
      %1 = tensor.extract %0[%j]            // and expects to be the only one
    }

If anything is read, such a write needs a copy of its own. The value that is written is
followed backwards. If it comes from outside of the innermost parallel region around the
write, on any path, the write counts as shared. No decision changes the answer, so it is
found once for each value, in the order of the program.

Cost: linear in the values. Source: the start of `hasReadAfterWriteInterference` in
MLIR's One-Shot Analysis.
"""

from typing import NamedTuple

from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.support.algorithms.program_points import (
    BlockPoint,
    ProgramPoint,
)

from ...interfaces.operands import OpOperand
from ..tensor_facts.tensor_facts import TensorFacts
from ..tensor_facts.tensor_uses import TensorUse


class SharedWrite(NamedTuple):
    """A write into a buffer that comes from outside of the parallel loop around it."""

    write: OpOperand
    read: OpOperand
    """One of the reads of the buffer; without reads the write does no harm."""


class _Origin(NamedTuple):
    """Where the buffer of a value comes from: the parallel loop around, if any."""

    loop: ProgramPoint | None


class ParallelRegions:
    """Knows the innermost parallel loop around every definition."""

    is_used: bool
    """Whether there are parallel loops that are to be checked."""

    def __init__(self, facts: TensorFacts):
        self._facts = facts
        self._loops: dict[BlockPoint, ProgramPoint | None] = {}
        self._origins: dict[SSAValue, _Origin | None] = {}
        self.is_used = facts.options.check_parallel_regions and any(
            self._loop_around(point) is not None
            for point in facts.points.visits
            if type(point) is BlockPoint
        )
        if self.is_used:
            for value in facts.values:
                self._origins[value] = self._find_origin(value)

    def is_shared_write(self, write: TensorUse) -> bool:
        """Whether a write is into a buffer from outside of its parallel loop."""
        if not self.is_used:
            return False
        origin = self._origins[write.value]
        return origin is None or origin.loop is not self._loop_around(write.point.block)

    def _loop_around(self, block: BlockPoint) -> ProgramPoint | None:
        """The innermost parallel loop around the ops of `block`."""
        todo: list[BlockPoint] = []
        while block not in self._loops:
            todo.append(block)
            if block.parent is None or self._is_parallel(block, block.parent):
                self._loops[block] = block.parent
            else:
                block = block.parent.block
        for inner in todo:
            self._loops[inner] = self._loops[block]
        return self._loops[block]

    def _is_parallel(self, block: BlockPoint, parent: ProgramPoint) -> bool:
        facts = self._facts
        model = facts.get_model(parent.op) or facts.get_region_branch(parent.op)
        return model is not None and model.is_parallel_region(
            parent.op, block.region_number
        )

    def _find_origin(self, value: SSAValue) -> _Origin | None:
        """The origin of all values that `value` is made from; None if they differ."""
        points = self._facts.points
        if isinstance(value, BlockArgument):
            return _Origin(self._loop_around(points.of_block(value.block)))
        assert isinstance(value, OpResult)
        operands = (
            ()
            if self._facts.value_bufferizes_to_memory_write(value)
            else self._facts.get_aliasing_op_operands(value)
        )
        if not operands:
            return _Origin(self._loop_around(points.of_op(value.op).block))
        first, *others = (self._origins[alias.operand.value] for alias in operands)
        return first if all(other == first for other in others) else None

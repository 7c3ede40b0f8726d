"""Which buffers are new each time a block runs, and not used outside of the block.

    scf.for ... iter_args(%t = %0) -> (tensor<4xf32>) {
      %1 = tensor.splat %f : tensor<4xf32>
      scf.yield %1 : tensor<4xf32>     // needs no copy: nobody else has %1
    }

The question is asked when all decisions are made, about the values that loops pass to
their next iteration. Such a value needs no copy on these conditions:

- Nothing in its alias set comes from outside of the block, save the argument that gets
  the buffer. MLIR's `doesNotAliasExternalValue` asks only for that.
- Its buffers are known to be new, or are constants.
- Nobody writes to what gets the buffers, if they are read-only.
- What gets the buffers may be one buffer, if several operands are in the same set. See
  `forwarded_buffers.py`. Operands that are permuted come first.

Cost: each alias set is gone through once.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from xdsl.dialects import bufferization, memref
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from ...interfaces.operands import OpOperand
from ...interfaces.state import CarriedOperand
from .alias_sets import AliasSet, AliasSets
from .decisions import Decisions
from .forwarded_buffers import ForwardedBuffers, Obstacle, SuccessorInput


@dataclass(slots=True)
class _Extent:
    """Where the values of an alias set are, and whether their buffers are new."""

    low: int
    high: int
    is_new: bool = True
    has_constant: bool = False
    arguments: dict[Block, BlockArgument | None] = field(
        default_factory=dict[Block, BlockArgument | None]
    )
    """For each block with arguments in the set the one it has, None for several."""


class NewBuffers:
    """The new buffers of one root op."""

    forwarded: ForwardedBuffers
    """What becomes of the buffers that loops forward."""

    obstacles: dict[OpOperand, tuple[OpOperand | None, Obstacle]]
    """Why operands are copied that could be forwarded, but for a write.

    With the operand that has the same buffer, if that is the reason.
    """

    def __init__(self, decisions: Decisions, sets: AliasSets):
        self._decisions = decisions
        facts = self._facts = decisions.facts
        self._sets = sets
        self._extents: dict[AliasSet, _Extent] = {}
        self._found: set[OpOperand] = set()
        self.obstacles = {}
        self.forwarded = ForwardedBuffers(decisions, sets)
        # Bodies come before their op, so that inner loops come first.
        for op, model in facts.models.carrying.of(facts.ops):
            for carried in model.carried_values(op):
                self._find(carried)

    def among(self, carried: Sequence[CarriedOperand]) -> Set[OpOperand]:
        """The operands, of one terminator, that need no copy."""
        return {operand for operand, _ in carried if operand in self._found}

    def _find(self, carried: Sequence[CarriedOperand]) -> None:
        """Find which operands of a terminator need no copy."""
        facts, decisions = self._facts, self._decisions
        forwarded = self.forwarded
        # Values of different groups are in different buffers. So of each group one
        # operand is forwarded without a copy, and another one only if no write to what
        # gets it spoils a read of what gets the first. MLIR does not ask for that: see
        # `doesNotAliasExternalValue` in SCF's BufferizableOpInterfaceImpl.cpp.
        first_of: dict[AliasSet, tuple[OpOperand, Sequence[SuccessorInput]]] = {}
        """The first operand of a group that is forwarded, and what gets its buffer."""

        changed: list[CarriedOperand] = []
        for operand, argument in carried:
            value = facts.get_use(operand).value
            if decisions.is_permuted(operand):
                # It shares its buffer with nobody, whatever the sets say.
                first_of[forwarded.group_of(value)] = operand, ()
                self._found.add(operand)
            elif argument is not None and decisions.are_equivalent_buffers(
                argument, value
            ):
                self._found.add(operand)
            else:
                changed.append((operand, argument))
        for operand, argument in changed:
            value = facts.get_use(operand).value
            inputs = forwarded.successor_inputs(operand, argument)
            group = forwarded.group_of(value)
            if not self._is_made_in(operand, argument, inputs):
                continue
            if group in first_of and not self._may_share(
                *first_of[group], operand, inputs
            ):
                continue
            first_of.setdefault(group, (operand, inputs))
            if self._is_read_only(self._sets.find(value)):
                forwarded.make_read_only(inputs)
            self._found.add(operand)

    def _may_share(
        self,
        first: OpOperand,
        theirs: Sequence[SuccessorInput],
        second: OpOperand,
        inputs: Sequence[SuccessorInput],
    ) -> bool:
        """Whether two operands, of one terminator, may be forwarded as one buffer."""
        if not theirs or not inputs:
            return False
        obstacle = self.forwarded.find_conflict(theirs, inputs)
        if obstacle is not None:
            self.obstacles[second] = first, obstacle
            return False
        self.forwarded.share(theirs, inputs)
        return True

    def is_new(self, value: SSAValue) -> bool:
        """Whether the buffer of `value` is certainly made by an op of the root."""
        alias_set = self._sets.find(value)
        return (
            alias_set.not_writable is None
            and not self.forwarded.is_read_only(alias_set)
            and self._get_extent(alias_set).is_new
        )

    def is_older(
        self, value: SSAValue, block: Block, argument: SSAValue | None
    ) -> bool:
        """Whether a value has a buffer that is not made anew whenever `block` runs.

        The `argument` that gets the buffer does not count.
        """
        position, is_new = self._locate(value)
        point = self._facts.points.of_block(block)
        if not point.start <= position <= point.end or not is_new:
            return True
        return (
            isinstance(value, BlockArgument)
            and value.block is block
            and value is not argument
        )

    def _is_made_in(
        self,
        operand: OpOperand,
        argument: SSAValue | None,
        inputs: Sequence[SuccessorInput],
    ) -> bool:
        """Whether the buffer of an operand is made anew for what receives it."""
        block = operand.owner.parent
        if block is None:
            return False
        alias_set = self._sets.find(self._facts.get_use(operand).value)
        extent, point = self._get_extent(alias_set), self._facts.points.of_block(block)
        if (
            not extent.is_new
            or extent.low < point.start
            or extent.high > point.end
            or extent.arguments.get(block, argument) is not argument
        ):
            return False
        if self._is_read_only(alias_set):
            obstacle = self.forwarded.find_write(inputs)
            if obstacle is not None:
                self.obstacles[operand] = None, obstacle
            return bool(inputs) and obstacle is None
        return alias_set.not_writable is None or (
            # Arguments of other blocks may be written after the loop: see scf.while.
            isinstance(argument, BlockArgument)
            and argument.block is block
            and argument not in self._facts.permutations.of_value
            and not self._sets.find(argument).is_written_within(point.start, point.end)
        )

    def _is_read_only(self, alias_set: AliasSet) -> bool:
        """Whether a value of a set is a constant, or may be one from a loop inside."""
        return self._get_extent(alias_set).has_constant or self.forwarded.is_read_only(
            alias_set
        )

    def _get_extent(self, alias_set: AliasSet) -> _Extent:
        if alias_set not in self._extents:
            extent = _Extent(self._facts.points.size, 0)
            for value in alias_set.values:
                self._add(value, extent)
            self._extents[alias_set] = extent
        return self._extents[alias_set]

    def _add(self, value: SSAValue, extent: _Extent) -> None:
        if isinstance(value, BlockArgument):
            block = value.block
            is_sole = extent.arguments.setdefault(block, value) is value
            extent.arguments[block] = value if is_sole else None
        position, is_new = self._locate(value)
        extent.has_constant |= is_constant(value)
        extent.is_new &= is_new
        extent.low = min(extent.low, position)
        extent.high = max(extent.high, position)

    def _locate(self, value: SSAValue) -> tuple[int, bool]:
        """Where a buffer is made, and whether nothing speaks against its being new."""
        if isinstance(value, BlockArgument):
            return self._facts.points.of_block(value.block).start, True
        assert isinstance(value, OpResult)
        maker = _user_allocation(value) or value.op
        position = self._facts.points.of_op(maker).start
        return position, maker is not value.op or self._is_new_or_derived(value)

    def _is_new_or_derived(self, value: OpResult) -> bool:
        # What is derived is in the set of its operand, or else of a copy made there.
        if self._decisions.get_aliasing_op_operands(value):
            return True
        model = self._facts.get_model(value.op)
        if model is not None and model.bufferizes_to_allocation(value):
            return True
        if is_constant(value):
            return True
        summary = self._facts.get_function_summary(value.op)
        return summary is not None and value.index in summary.new_results


def is_constant(value: SSAValue) -> bool:
    """Whether the contents of a value never change, and its buffer is nobody's."""
    return isinstance(value, OpResult) and value.op.has_trait(
        ConstantLike, value_if_unregistered=False
    )


def _user_allocation(value: OpResult) -> Operation | None:
    """The `memref.alloc` that a tensor has for its own, by `restrict`."""
    op = value.op
    if (
        isinstance(op, bufferization.ToTensorOp)
        and op.restrict is not None
        and isinstance(op.memref.owner, memref.AllocOp)
    ):
        return op.memref.owner
    return None

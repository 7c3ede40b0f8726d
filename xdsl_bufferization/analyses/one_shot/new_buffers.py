"""Which buffers are new each time a block runs, and not used outside of the block.

    scf.for ... iter_args(%t = %0) -> (tensor<4xf32>) {
      %1 = tensor.splat %f : tensor<4xf32>
      scf.yield %1 : tensor<4xf32>     // needs no copy: nobody else has %1
    }

The question is asked when all decisions are made, about the values that loops pass to
their next iteration. Such a value needs no copy on these conditions:

- Nothing in its alias set comes from outside of the block, save the argument that gets
  the buffer. MLIR's `doesNotAliasExternalValue` asks only for that.
- Its buffers are known to be new.
- Nobody writes to the argument, if the buffers are read-only.
- No operand before it is in the same set, as each argument needs a buffer of its own.
  Operands that are exchanged come first.

Cost: each alias set is gone through once.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from xdsl.dialects import bufferization, memref
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.analyses.one_shot.alias_sets import AliasSet, AliasSets
from xdsl_bufferization.analyses.tensor_facts.tensor_facts import TensorFacts
from xdsl_bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.interfaces.state import CarriedOperand


@dataclass(slots=True)
class _Extent:
    """Where the values of an alias set are, and whether their buffers are new."""

    low: int
    high: int
    is_new: bool = True
    arguments: dict[Block, BlockArgument | None] = field(
        default_factory=dict[Block, BlockArgument | None]
    )
    """For each block with arguments in the set the one it has, None for several."""


class NewBuffers:
    """The new buffers of one root op."""

    def __init__(self, facts: TensorFacts, sets: AliasSets):
        self._facts = facts
        self._sets = sets
        self._extents: dict[AliasSet, _Extent] = {}

    def among(self, carried: Sequence[CarriedOperand]) -> Set[OpOperand]:
        """The operands, of one terminator, that are new buffers in each iteration."""
        # What is exchanged shares its buffer with nobody, whatever the sets say.
        found: set[OpOperand] = set()
        seen: set[AliasSet] = set()
        if carried:
            terminator = carried[0][0].owner
            for use in self._facts.get_uses(terminator):
                if self._facts.is_exchanged(use.operand):
                    found.add(use.operand)
                    seen.add(self._sets.find(use.value))
        for operand, argument in carried:
            # By now the operand may be a copy; that lies where the value is defined.
            alias_set = self._sets.find(self._facts.get_use(operand).value)
            block = operand.owner.parent
            if alias_set in seen or block is None:
                continue
            seen.add(alias_set)
            if self._is_made_in(alias_set, block, argument):
                found.add(operand)
        return found

    def is_new(self, value: SSAValue) -> bool:
        """Whether the buffer of `value` is certainly made by an op of the root."""
        alias_set = self._sets.find(value)
        return alias_set.not_writable is None and self._get_extent(alias_set).is_new

    def is_older(
        self, value: SSAValue, block: Block, argument: SSAValue | None
    ) -> bool:
        """Whether a value has a buffer that is not made anew whenever `block` runs.

        The `argument` that gets the buffer does not count.
        """
        position, is_new = self._locate(value)
        place = self._facts.places.of_block(block)
        if not place.start <= position <= place.end or not is_new:
            return True
        return (
            isinstance(value, BlockArgument)
            and value.block is block
            and value is not argument
        )

    def _is_made_in(
        self, alias_set: AliasSet, block: Block, argument: SSAValue | None
    ) -> bool:
        extent, place = self._get_extent(alias_set), self._facts.places.of_block(block)
        if alias_set.not_writable is not None and (
            # Arguments of other blocks may be written after the loop: see scf.while.
            not isinstance(argument, BlockArgument)
            or argument.block is not block
            or argument in self._facts.exchanges.of_value
            or self._sets.find(argument).is_written_within(place.start, place.end)
        ):
            return False
        return (
            extent.is_new
            and place.start <= extent.low
            and extent.high <= place.end
            and extent.arguments.get(block, argument) is argument
        )

    def _get_extent(self, alias_set: AliasSet) -> _Extent:
        if alias_set not in self._extents:
            extent = _Extent(self._facts.places.size, 0)
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
        extent.is_new &= is_new
        extent.low = min(extent.low, position)
        extent.high = max(extent.high, position)

    def _locate(self, value: SSAValue) -> tuple[int, bool]:
        """Where a buffer is made, and whether nothing speaks against its being new."""
        if isinstance(value, BlockArgument):
            return self._facts.places.of_block(value.block).start, True
        assert isinstance(value, OpResult)
        maker = _user_allocation(value) or value.op
        position = self._facts.places.of_op(maker).start
        return position, maker is not value.op or self._is_new_or_derived(value)

    def _is_new_or_derived(self, value: OpResult) -> bool:
        # What is derived is in the set of its operand, or else of a copy made there.
        if self._facts.get_aliasing_op_operands(value):
            return True
        model = self._facts.get_model(value.op)
        if model is not None and model.bufferizes_to_allocation(value):
            return True
        summary = self._facts.get_function_summary(value.op)
        return summary is not None and value.index in summary.new_results


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

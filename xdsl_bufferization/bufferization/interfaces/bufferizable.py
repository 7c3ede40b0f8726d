"""How an op turns from tensors to buffers: MLIR's `BufferizableOpInterface`.

A model is a subclass that answers for one op, stateless, attached as a trait. Every
question has a default that is safe when nothing is known: correct, perhaps with more
copies than necessary. See `docs/bufferize_your_op.md` for a model of fifteen lines and
https://mlir.llvm.org/docs/Bufferization/#extending-one-shot-bufferize for the rules.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import IsolatedFromAbove, OpTrait

from xdsl_bufferization.support.errors import fail_at, op_name

from .operands import (
    OpOperand,
    is_tensor,
    operand_values,
    tensor_operands,
    tensor_results,
)
from .region_branch import RegionBranchOpInterface, get_region_branch
from .state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
    CarriedOperand,
    CopyInsertion,
)


class BufferizableOpInterface(OpTrait):
    """What bufferization asks of an op, under MLIR's names.

    Questions about an operand or a value are asked for tensors only.
    """

    def bufferizes_to_allocation(self, value: OpResult) -> bool:
        """Whether `value` becomes a new buffer. When unsure: False."""
        del value
        return False

    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        """Whether the buffer of `operand` may be read. When unsure: True."""
        del operand, state
        return True

    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        """Whether the buffer of `operand` may be written. When unsure: True."""
        del operand, state
        return True

    def result_bufferizes_to_memory_write(
        self, value: OpResult, state: AnalysisState
    ) -> bool:
        """Whether `value` is a definition: its buffer gets new contents here.

        The default is MLIR's: yes if it aliases no operand, if an aliasing operand is
        written, or if it is defined inside the regions of the op.
        """
        aliases = state.get_aliasing_op_operands(value)
        if not aliases:
            return True
        for alias in aliases:
            if state.bufferizes_to_memory_write(alias.operand):
                return True
        return bool(value.op.regions) and any(
            state.is_defined_inside(alias.operand.value, value.op) for alias in aliases
        )

    def bufferizes_to_elementwise_access(
        self, op: Operation, operands: Sequence[OpOperand], state: AnalysisState
    ) -> bool:
        """Whether the buffers of `operands` are accessed in step.

        The op then reads element i of each buffer before it writes element i of any of
        them, and no other element in between. When unsure: False.
        """
        del op, operands, state
        return False

    def must_bufferize_in_place(self, operand: OpOperand, state: AnalysisState) -> bool:
        """Whether `operand` can never be copied. When unsure: False."""
        del operand, state
        return False

    def may_copy_in_place(self, op: Operation, state: AnalysisState) -> bool:
        """Whether `bufferize` may copy the buffer of an operand that is in place.

        Because of its layout, say. The result is then not where the operand is,
        although the two count as equivalent. The default is False.
        """
        del op, state
        return False

    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        """Values whose buffer may be that of `operand`.

        When unsure: every tensor result and every tensor argument of an entry block.
        """
        del state
        op = operand.owner
        arguments = [
            argument
            for region in op.regions
            if region.blocks
            for argument in region.blocks[0].args
            if is_tensor(argument)
        ]
        return [
            AliasingValue(value, BufferRelation.UNKNOWN, is_definite=False)
            for value in (*tensor_results(op), *arguments)
        ]

    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        """Operands whose buffer may be that of `value`.

        The default asks `get_aliasing_values` of each tensor operand of the op that
        defines `value`. An op whose regions yield to its results answers itself.
        """
        if not isinstance(value, OpResult):
            return ()
        return [
            AliasingOpOperand(operand, alias.relation, alias.is_definite)
            for operand in tensor_operands(value.op)
            for alias in state.get_aliasing_values(operand)
            if alias.value is value
        ]

    def carried_values(self, op: Operation) -> Iterator[Sequence[CarriedOperand]]:
        """For each terminator in a loop its tensors, with the argument of each.

        A tensor should be the buffer of that argument. The default is for ops that are
        no loops.
        """
        del op
        return iter(())

    def resolve_conflicts(self, op: Operation, copies: CopyInsertion) -> None:
        """Insert copies such that every tensor operand of `op` can be used in place.

        The default copies what the analysis decided to be out of place.
        """
        for operand in tensor_operands(op):
            if not copies.analysis.is_in_place(operand):
                copies.copy_operand(operand)

    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        """Rewrite `op` to buffers, all of its tensor operands in place.

        The default stops with an error.
        """
        del state
        fail_at(
            op,
            f"the model of '{op_name(op)}' does not say how to bufferize it; "
            "give it a bufferize method",
        )

    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        """The buffer type of `value`, or None if it needs a type not known yet.

        The default is the type of the operand that `value` is equivalent to, and
        otherwise the type for unknown values: any strides and any offset.
        """
        owner = value.owner
        if not isinstance(owner, Operation):
            return types.unknown(value)
        for alias in types.get_aliasing_op_operands(value):
            if alias.relation is BufferRelation.EQUIVALENT and (
                alias.operand.value.type == value.type
            ):
                return types.get(alias.operand.value)
        return types.unknown(value)

    def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
        """Whether the buffer of `value` may be written.

        The default is True for results and False for block arguments.
        """
        del state
        return isinstance(value, OpResult)

    def is_not_conflicting(
        self, op: Operation, read: OpOperand, write: OpOperand, state: AnalysisState
    ) -> bool:
        """Whether a read and a write, one of them of `op`, can never conflict.

        When unsure: False.
        """
        del op, read, write, state
        return False

    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        """Stop with an error at `op` if it cannot be bufferized as decided."""
        del op, state

    def has_tensor_semantics(self, op: Operation) -> bool:
        """Whether `op` has tensors to bufferize."""
        return (
            any(map(is_tensor, operand_values(op)))
            or any(map(is_tensor, op.results))
            or (bool(op.regions) and _has_tensor_arguments(op))
        )

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        """Whether region number `index` may run more than once each time `op` runs.

        When unsure: True. Nothing defined outside reaches into an isolated op.
        """
        region_branch = get_region_branch(op)
        if region_branch is None:
            return not op.has_trait(IsolatedFromAbove)
        if region_branch is self:
            # A class that answers both interfaces inherits this method first.
            return RegionBranchOpInterface.is_repetitive_region(
                region_branch, op, index
            )
        return region_branch.is_repetitive_region(op, index)

    def is_parallel_region(self, op: Operation, index: int) -> bool:
        """Whether region number `index` runs several times at once."""
        del op, index
        return False

    def supports_unstructured_control_flow(self, op: Operation) -> bool:
        """Whether a region of `op` may have several blocks."""
        del op
        return False


def _has_tensor_arguments(op: Operation) -> bool:
    return any(
        is_tensor(argument)
        for region in op.regions
        for block in region.blocks
        for argument in block.args
    )


def has_own_answer(model: BufferizableOpInterface, question: str) -> bool:
    """Whether a model overrides the method that answers `question`."""
    return question in _own_answers(type(model))


@cache
def _own_answers(model: type[BufferizableOpInterface]) -> frozenset[str]:
    default = vars(BufferizableOpInterface)
    return frozenset(
        name for name in default if getattr(model, name) is not default[name]
    )


_OURS = f"{__name__.partition('.')[0]}."


STAYS_ON_TENSORS = (
    "bufferize leaves the op on tensors: call state.replace_op with the buffer of each "
    "result, or with [] if there are no results"
)
"""What is wrong with a model that does not replace its op."""


def is_of_others(model: BufferizableOpInterface) -> bool:
    """Whether somebody else than this package has written a model."""
    return not type(model).__module__.startswith(_OURS)


def get_model(op: Operation) -> BufferizableOpInterface | None:
    """The model of `op`, or None if it has none."""
    return op.get_trait(BufferizableOpInterface)

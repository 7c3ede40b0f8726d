"""Bufferization of the loops of the scf dialect, and of `scf.yield`.

    %1 = scf.for %i = %lb to %ub step %s iter_args(%t = %0) -> (tensor<4xf32>) {
    %1 = scf.for %i = %lb to %ub step %s iter_args(%t = %0) -> (memref<4xf32>) {

A loop writes its inits. Its results are the buffers of its inits, unless an iteration
yields another buffer than it got. `scf_branches` has the ops that run a region once.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.support.errors import fail_at

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.layouts import join_types
from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.state import (
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
from ..slices import constant_value
from .read_only import ReadOnlyBufferization
from .scf_branches import BRANCHES, BranchOpBufferization, buffers_as, get_terminator
from .scf_forall import FORALL

_ADVICE = "set allow-return-allocs-from-loops to yield another buffer"


class LoopOpBufferization(BufferizableOpInterface):
    """What `scf.for` and `scf.while` have in common."""

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return True

    @override
    def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
        return True

    @override
    def resolve_conflicts(self, op: Operation, copies: CopyInsertion) -> None:
        super().resolve_conflicts(op, copies)
        if copies.analysis.copies_before_writes(op):
            return
        for carried in self.carried_values(op):
            self._copy_what_is_not_new(carried, copies)

    def _copy_what_is_not_new(
        self, carried: Sequence[CarriedOperand], copies: CopyInsertion
    ) -> None:
        changed = [
            each for each in carried if not _is_equivalent(*each, copies.analysis)
        ]
        if changed:
            new = copies.analysis.find_new_buffers(changed)
            for forwarded, _ in changed:
                if forwarded not in new:
                    copies.copy_operand(forwarded)

    @override
    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        if state.options.allow_return_allocs_from_loops:
            return
        for forwarded, argument in chain.from_iterable(self.carried_values(op)):
            if _is_equivalent(forwarded, argument, state) or state.is_permuted(
                forwarded
            ):
                continue
            terminator, number = forwarded
            what = "Yield operand"
            if isinstance(terminator, scf.ConditionOp):
                what, number = "Condition arg", number - 1
            fail_at(
                terminator,
                f"{what} #{number} is not equivalent to the corresponding iter bbArg; "
                f"{_ADVICE}",
            )


class ForOpBufferization(LoopOpBufferization):
    """`scf.for`, and any op like it: its last operands are the inits."""

    def first_init(self, op: Operation) -> int:
        """The number of the first init among the operands, after the bounds."""
        return len(op.operands) - len(op.results)

    def runs(self, op: Operation) -> bool:
        """Whether constant bounds prove that the body runs. When unsure: False."""
        lower, upper = constant_value(op.operands[0]), constant_value(op.operands[1])
        return lower is not None and upper is not None and lower < upper

    @override
    def carried_values(self, op: Operation) -> Iterator[Sequence[CarriedOperand]]:
        body = op.regions[0].block
        yield _carried(body, body.args[1:])

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        # Without an iteration the result is the init, to be read by whoever reads it.
        op, number = operand
        if not self.runs(op):
            return True
        argument = op.regions[0].block.args[number - self.first_init(op) + 1]
        return state.is_value_read(argument)

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        op, number = operand
        index = number - self.first_init(op)
        relation = _for_relation(op, index, state)
        return (AliasingValue(op.results[index], relation, _is_sure(relation)),)

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        if not isinstance(value, OpResult):
            return ()
        op, index = value.op, value.index
        init = OpOperand(op, index + self.first_init(op))
        relation = _for_relation(op, index, state)
        return (AliasingOpOperand(init, relation, _is_sure(relation)),)

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        if isinstance(value, OpResult):
            op, index = value.op, value.index
        else:
            assert isinstance(value, BlockArgument)
            op, index = value.block.parent_op(), value.index - 1
        assert op is not None
        init = op.operands[index + self.first_init(op)]
        yielded = get_terminator(op.regions[0]).operands[index]
        return join_types(value.type, types.get(init), types.get(yielded))

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        types = state.convert_block_arguments(op.regions[0].block).arg_types[1:]
        first = self.first_init(op)
        bounds, inits = op.operands[:first], op.operands[first:]
        loop = type(op).create(
            operands=[*bounds, *buffers_as(inits, types, state)],
            result_types=types,
            properties=op.properties,
            attributes=op.attributes,
            regions=[op.detach_region(0)],
        )
        state.insert(loop)
        state.replace_op(op, loop.results)


class WhileOpBufferization(LoopOpBufferization):
    """`scf.while`."""

    @override
    def carried_values(self, op: Operation) -> Iterator[Sequence[CarriedOperand]]:
        before, after = (region.block for region in op.regions)
        yield _carried(before, before.args, first=1)
        yield _carried(after, after.args)

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        op, index = operand
        # Inits and results may differ in number and in type.
        if index >= len(op.results) or op.results[index].type != operand.value.type:
            return ()
        relation = _while_relation(op, index, state)
        return (AliasingValue(op.results[index], relation, _is_sure(relation)),)

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        if not isinstance(value, OpResult):
            return ()
        op, index = value.op, value.index
        if index >= len(op.operands) or op.operands[index].type != value.type:
            return ()
        relation = _while_relation(op, index, state)
        init = OpOperand(op, index)
        return (AliasingOpOperand(init, relation, _is_sure(relation)),)

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        if isinstance(value, OpResult):
            op, index, block = value.op, value.index, None
        else:
            assert isinstance(value, BlockArgument)
            op, index, block = value.block.parent_op(), value.index, value.block
        assert isinstance(op, scf.WhileOp)
        if block is op.before_region.block:
            yielded = get_terminator(op.after_region).operands[index]
            return join_types(
                value.type, types.get(op.operands[index]), types.get(yielded)
            )
        # What leaves the before region is what the condition is told to forward.
        return types.get(get_terminator(op.before_region).operands[index + 1])

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, scf.WhileOp)
        result_types = [
            state.get_buffer_type(result) if is_tensor(result) else result.type
            for result in op.results
        ]
        entry = state.convert_block_arguments(op.before_region.block)
        state.convert_block_arguments(op.after_region.block)
        inits = buffers_as(op.operands, entry.arg_types, state)
        before, after = op.detach_region(0), op.detach_region(0)
        loop = scf.WhileOp(inits, result_types, before, after)
        loop.attributes |= op.attributes
        state.insert(loop)
        state.replace_op(op, loop.results)


class TerminatorOpBufferization(ReadOnlyBufferization):
    """`scf.yield` and `scf.condition`: they forward buffers, and never copy them."""

    @override
    def must_bufferize_in_place(self, operand: OpOperand, state: AnalysisState) -> bool:
        return True


class YieldOpBufferization(TerminatorOpBufferization):
    """`scf.yield` and the like: only what a branch yields is what its op results in."""

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        parent = operand.owner.parent_op()
        model = parent.get_trait(BranchOpBufferization) if parent else None
        if parent is None or model is None:
            return ()
        result = parent.results[operand.number]
        is_definite = model.is_definite(parent)
        return (AliasingValue(result, BufferRelation.EQUIVALENT, is_definite),)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        types = _receiver_types(op)
        state.insert(type(op).create(operands=buffers_as(op.operands, types, state)))
        state.replace_op(op, [])


class ConditionOpBufferization(TerminatorOpBufferization):
    """`scf.condition`."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        loop = op.parent_op()
        assert isinstance(loop, scf.WhileOp)
        condition, *values = op.operands
        buffers = buffers_as(values, loop.result_types, state)
        state.insert(scf.ConditionOp.create(operands=[condition, *buffers]))
        state.replace_op(op, [])


def _carried(
    block: Block, arguments: Sequence[BlockArgument], first: int = 0
) -> Sequence[CarriedOperand]:
    """Tensor operands of the terminator of `block`, with the argument each is to be.

    The regions of a `scf.while` take and forward different values: an operand may have
    no argument of its number, or one that is no tensor.
    """
    terminator = block.last_op
    assert terminator is not None
    tensors = [each if is_tensor(each) else None for each in arguments]
    return [
        (
            OpOperand(terminator, index + first),
            tensors[index] if index < len(tensors) else None,
        )
        for index, value in enumerate(terminator.operands[first:])
        if is_tensor(value)
    ]


def _is_equivalent(
    forwarded: OpOperand, argument: SSAValue | None, state: AnalysisState
) -> bool:
    return argument is not None and state.are_equivalent_buffers(
        argument, forwarded.value
    )


def _for_relation(op: Operation, index: int, state: AnalysisState) -> BufferRelation:
    body = op.regions[0].block
    yielded = get_terminator(op.regions[0]).operands[index]
    if state.are_equivalent_buffers(body.args[index + 1], yielded):
        return BufferRelation.EQUIVALENT
    return BufferRelation.UNKNOWN


def _while_relation(op: Operation, index: int, state: AnalysisState) -> BufferRelation:
    before, after = op.regions
    condition, yield_ = get_terminator(before), get_terminator(after)
    if state.are_equivalent_buffers(
        before.block.args[index], condition.operands[index + 1]
    ) and state.are_equivalent_buffers(after.block.args[index], yield_.operands[index]):
        return BufferRelation.EQUIVALENT
    return BufferRelation.UNKNOWN


def _is_sure(relation: BufferRelation) -> bool:
    """Whether a loop results in its init on every path.

    A loop that yields another buffer does so only where no iteration runs.
    """
    return relation is BufferRelation.EQUIVALENT


def _receiver_types(op: Operation) -> Sequence[Attribute]:
    """The types of what the operands of a yield become, all of it bufferized."""
    parent = op.parent_op()
    if isinstance(parent, scf.WhileOp):
        return parent.before_region.block.arg_types
    assert parent is not None
    return parent.result_types


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    **BRANCHES,
    **FORALL,
    scf.ConditionOp: ConditionOpBufferization(),
    scf.ForOp: ForOpBufferization(),
    scf.WhileOp: WhileOpBufferization(),
    scf.YieldOp: YieldOpBufferization(),
}

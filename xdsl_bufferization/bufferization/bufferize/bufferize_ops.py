"""Rewrite ops from tensors to buffers, each by the `bufferize` of its model.

    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
    "my.op"(%1) : (tensor<4xf32>) -> ()

    memref.store %f, %m[%i] : memref<4xf32>
    %1 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    "my.op"(%1) : (tensor<4xf32>) -> ()

The last step of one-shot-bufferize: every operand can be used in place by now. Ops are
visited once, after what dominates them, parents before their bodies. The old ops stay
until all are visited, so that a model finds the tensors around its op as they were.
"""

from collections.abc import Mapping, Sequence

from typing_extensions import override
from xdsl.dialects import bufferization, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.support.algorithms.block_graph import blocks_in_dominance_order
from xdsl_bufferization.support.errors import fail_at, op_name

from ..analyses.one_shot.roots import bufferized_ops
from ..interfaces.branch import get_passed_argument
from ..interfaces.bufferizable import (
    STAYS_ON_TENSORS,
    BufferizableOpInterface,
    is_of_others,
)
from ..interfaces.known_models import allowed_models
from ..interfaces.layouts import is_cast_safe, with_identity_layout
from ..interfaces.operands import OpOperand, is_tensor, owner_op, tensor_operands
from ..interfaces.state import (
    AliasingOpOperand,
    AnalysisState,
    BufferizationState,
    BufferType,
    FunctionSummary,
    is_buffer_type,
)
from ..models import new_ops
from .buffer_types import InferredBufferTypes
from .module_symbols import ModuleSymbols
from .rewrite_notes import LayoutCopy, RewriteNotes


def bufferize_ops(module: ModuleOp, analysis: AnalysisState) -> RewriteNotes:
    """Rewrite all ops of `module` that have a model, after copies were inserted.

    The other ops stay on tensors, between `to_tensor` and `to_buffer`. Returns what is
    copied here, and what is not, without a decision about it.
    """
    rewrite = BufferizationRewrite(module, analysis)
    ops = bufferized_ops(module, analysis.options, blocks_in_dominance_order)
    for op in _without_unused(ops, analysis):
        rewrite.visit(op)
    rewrite.finish()
    return rewrite.notes


def _without_unused(
    ops: Sequence[Operation], analysis: AnalysisState
) -> list[Operation]:
    """Erase new tensors that nobody uses, and those that only they were made from."""
    models = allowed_models(analysis.options)
    kept: list[Operation] = []
    for op in reversed(ops):
        if (
            isinstance(op, bufferization.AllocTensorOp | tensor.EmptyOp)
            and op.tensor.first_use is None
            and models[type(op)] is not None
        ):
            Rewriter.erase_op(op)
        else:
            kept.append(op)
    kept.reverse()
    return kept


class BufferizationRewrite(BufferizationState):
    """The buffers of all tensors visited so far, and the op that is rewritten now."""

    def __init__(self, module: ModuleOp, analysis: AnalysisState):
        self.notes = RewriteNotes()
        self.options = analysis.options
        self._analysis = analysis
        self._models = allowed_models(self.options)
        self._types = InferredBufferTypes(module, analysis)
        self._symbols = ModuleSymbols()
        self._buffers: dict[SSAValue, SSAValue] = {}
        self._replaced: list[Operation] = []
        self._moved: list[tuple[Block, Block]] = []
        self._op: Operation = module
        alignment = self.options.buffer_alignment
        self._alignment = IntegerAttr(alignment, i64) if alignment else None

    def visit(self, op: Operation) -> None:
        """Rewrite `op` if it has tensors."""
        model = self._models[type(op)]
        if model is not None and model.has_tensor_semantics(op):
            self._op = op
            count = len(self._replaced)
            model.bufferize(op, self)
            if len(self._replaced) == count and is_of_others(model):
                self._demand_buffers(op, model)
        elif model is None and op.successors:
            self._op = op
            self._pass_buffers(op)

    @staticmethod
    def _demand_buffers(op: Operation, model: BufferizableOpInterface) -> None:
        """Refuse a model that has left its op as it was. MLIR refuses the op."""
        if op.parent is not None and model.has_tensor_semantics(op):
            fail_at(op, f"op was not bufferized: {STAYS_ON_TENSORS}")

    def _pass_buffers(self, branch: Operation) -> None:
        """Pass buffers to blocks that take them, from an op that stays as it is."""
        for operand in tensor_operands(branch):
            argument = get_passed_argument(operand)
            if argument is not None and is_buffer_type(argument.type):
                buffer = self.get_buffer(operand.value)
                branch.operands[operand.number] = self.cast(buffer, argument.type)

    def finish(self) -> None:
        """Erase what was replaced; what is left of its uses gets a `to_tensor`."""
        # Backwards, so that the users of a tensor are gone before it is.
        for op in reversed(self._replaced):
            block = op.parent_block()
            assert block is not None
            for result in op.results:
                self._restore_tensor(result, InsertPoint.before(op))
            block.erase_op(op)
        for old, new in self._moved:
            for argument in old.args:
                # Without uses, the block may have been erased with an op around it.
                if argument.first_use is not None:
                    self._restore_tensor(argument, InsertPoint.at_start(new))

    def _restore_tensor(self, value: SSAValue, point: InsertPoint) -> None:
        if value.first_use is None:
            return
        to_tensor = bufferization.ToTensorOp.create(
            operands=[self._buffers[value]], result_types=[value.type]
        )
        Rewriter.insert_op(to_tensor, point)
        value.replace_all_uses_with(to_tensor.tensor)

    # BufferizationState.

    @override
    def get_buffer(self, value: SSAValue) -> SSAValue:
        buffer = self._buffers.get(value)
        if buffer is None:
            buffer = self._insert_to_buffer(value)
            self._buffers[value] = buffer
        return buffer

    def _insert_to_buffer(self, value: SSAValue) -> SSAValue:
        """The buffer of a tensor that comes from an op which is not bufferized."""
        if (buffer := self._types.buffer_of(value)) is not None:
            return buffer
        to_buffer = bufferization.ToBufferOp.create(
            operands=[value], result_types=[self.get_buffer_type(value)]
        )
        owner = value.owner
        if isinstance(owner, Block):
            Rewriter.insert_op(to_buffer, InsertPoint.at_start(owner))
        else:
            Rewriter.insert_op(to_buffer, InsertPoint.after(owner))
        return to_buffer.memref

    @override
    def stays_on_tensors(self, value: SSAValue) -> bool:
        owner = owner_op(value)
        # The arguments of a block that was replaced have buffers, and no op any more.
        return owner is not None and self._models[type(owner)] is None

    @override
    def get_buffer_type(self, value: SSAValue) -> BufferType:
        return self._types.get(value) or self._types.unknown(value)

    @override
    def insert(self, op: Operation) -> None:
        op.location = self._op.location
        block = self._op.parent_block()
        assert block is not None
        block.insert_op_before(op, self._op)

    @override
    def allocate(
        self, type: MemRefType, dynamic_sizes: Sequence[SSAValue] = ()
    ) -> SSAValue:
        alloc = new_ops.alloc(type, dynamic_sizes, self._alignment)
        self.insert(alloc)
        return alloc.memref

    @override
    def allocate_copy(self, buffer: SSAValue, type: MemRefType) -> SSAValue:
        sizes: list[SSAValue] = []
        for dimension, size in enumerate(type.get_shape()):
            if size == DYNAMIC_INDEX:
                number = index_constant(dimension)
                dim = new_ops.dim(buffer, number.result)
                self.insert(number)
                self.insert(dim)
                sizes.append(dim.result)
        copy = self.allocate(type, sizes)
        self.insert(new_ops.copy(buffer, copy))
        return copy

    @override
    def copy_for_layout(self, buffer: SSAValue, type: MemRefType) -> SSAValue:
        self._note_copy(buffer, type)
        return self.allocate_copy(buffer, type)

    def _note_copy(self, buffer: SSAValue, wanted: BufferType) -> None:
        assert is_buffer_type(buffer.type)
        numbers = [
            number
            for number, value in enumerate(self._op.operands)
            if self._buffers.get(value) is buffer
        ]
        if len(numbers) != 1:
            self.notes.unclear.append(self._op)
        for number in numbers[:1]:
            operand = OpOperand(self._op, number)
            self.notes.layout_copies.append(LayoutCopy(operand, buffer.type, wanted))

    @override
    def cast(
        self, buffer: SSAValue, type: BufferType, *, may_change_space: bool = False
    ) -> SSAValue:
        if buffer.type is type or buffer.type == type:
            return buffer
        if not may_change_space:
            self._check_memory_space(buffer, type)
        if not is_cast_safe(buffer.type, type):
            if (other := self._ask_for(buffer, type)) is not None:
                return other
            self._note_copy(buffer, type)
            buffer = self.allocate_copy(buffer, self._allocatable(buffer, type))
            if buffer.type == type:
                return buffer
        cast = memref.CastOp.create(operands=[buffer], result_types=[type])
        self.insert(cast)
        return cast.dest

    def _ask_for(self, buffer: SSAValue, type_: BufferType) -> SSAValue | None:
        """A buffer of another layout from an op that is not bufferized.

        None if somebody else uses the buffer or the tensor as well.
        """
        old = buffer.owner
        if not isinstance(old, bufferization.ToBufferOp) or buffer.first_use:
            return None
        users = {id(use.operation) for use in old.tensor.uses}
        if users != {id(old), id(self._op)} or not is_cast_safe(type_, buffer.type):
            return None
        new = bufferization.ToBufferOp.create(
            operands=[old.tensor], result_types=[type_], attributes=old.attributes
        )
        new.location = old.location
        Rewriter.insert_op(new, InsertPoint.before(old))
        Rewriter.erase_op(old)
        self._buffers[new.tensor] = new.memref
        return new.memref

    def _check_memory_space(self, buffer: SSAValue, type_: BufferType) -> None:
        assert is_buffer_type(buffer.type)
        if buffer.type.memory_space != type_.memory_space:
            fail_at(
                self._op,
                f"'{op_name(self._op)}' bufferizes to inconsistent memory spaces: "
                f"{buffer.type} and {type_}; copy one of the tensors to the other "
                "memory space with bufferization.alloc_tensor",
            )

    def _allocatable(self, buffer: SSAValue, type_: BufferType) -> MemRefType:
        """The dense type of a copy that can be cast to `type_`."""
        dense = with_identity_layout(type_) if isinstance(type_, MemRefType) else None
        if dense is None or (dense != type_ and not is_cast_safe(dense, type_)):
            fail_at(
                self._op,
                f"needs a buffer of type {type_}, and {buffer.type} can neither be "
                "cast nor copied to it; choose an identity or fully dynamic layout",
            )
        return dense

    @override
    def get_callee(self, call: Operation) -> Operation | None:
        return self._types.get_callee(call)

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        return self._analysis.get_function_summary(call)

    @override
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        return self._analysis.get_aliasing_op_operands(value)

    @override
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        return self._analysis.bufferizes_to_memory_write(operand)

    @override
    def replace_op(self, op: Operation, values: Sequence[SSAValue | None]) -> None:
        for result, value in zip(op.results, values, strict=True):
            if value is None:
                continue
            if is_tensor(result):
                self._buffers[result] = value
                value.name_hint = value.name_hint or result.name_hint
            else:
                result.replace_all_uses_with(value)
        self._replaced.append(op)

    @override
    def convert_block_arguments(self, block: Block) -> Block:
        return self._replace_arguments(block, {})

    @override
    def replace_block_arguments(
        self, block: Block, buffers: Mapping[SSAValue, SSAValue]
    ) -> Block:
        return self._replace_arguments(block, buffers)

    def _replace_arguments(
        self, block: Block, given: Mapping[SSAValue, SSAValue]
    ) -> Block:
        """Turn the tensor arguments of `block` into what is given, or new arguments."""
        first = block.first_op
        if first is None or not any(map(is_tensor, block.args)):
            return block
        kept = [argument for argument in block.args if argument not in given]
        types = [
            self.get_buffer_type(argument) if is_tensor(argument) else argument.type
            for argument in kept
        ]
        new = _move_ops(block, first, types)
        self._buffers |= given
        for old_argument, argument in zip(kept, new.args, strict=True):
            if is_tensor(old_argument):
                self._buffers[old_argument] = argument
                argument.name_hint = old_argument.name_hint
            else:
                old_argument.replace_all_uses_with(argument)
        _redirect_branches(block, new)
        region = new.parent_region()
        assert region is not None
        region.detach_block(block)
        self._moved.append((block, new))
        return new

    @override
    def is_written_in_place(self, insertion: Operation) -> bool:
        is_there = self._analysis.is_written_in_place(insertion)
        if is_there:
            self.notes.left_out.append(insertion)
        return is_there

    @override
    def insert_at_module_start(self, op: Operation, key: object) -> Operation:
        return self._symbols.insert(op, key, near=self._op)


def _move_ops(block: Block, first: Operation, types: Sequence[Attribute]) -> Block:
    """A new block in the place of `block`, with all of its ops."""
    region = block.parent_region()
    assert region is not None
    if block.prev_block is None:
        return block.split_before(first, arg_types=types)
    # Splitting would look for the place of the block among all others.
    new = Block(arg_types=types)
    region.insert_block_before(new, block)
    for op in list(block.ops):
        op.detach()
        new.add_op(op)
    return new


def _redirect_branches(block: Block, new: Block) -> None:
    """Let the branches to `block` go to `new`, with operands as they are."""
    for use in list(block.uses):
        use.operation.successors[use.index] = new

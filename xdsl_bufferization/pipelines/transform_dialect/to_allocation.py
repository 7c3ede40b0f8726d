"""What `transform.structured.bufferize_to_allocation` does to one op.

    %r = tensor.insert %v into %t[%i] : tensor<4xf32>

    %alloc = memref.alloc() : memref<4xf32>
    bufferization.materialize_in_destination %t in writable %alloc
    memref.store %v, %alloc[%i] : memref<4xf32>
    %r = bufferization.to_tensor %alloc restrict writable

The op gets an allocation of its own for each tensor that it writes to. Then the op
alone is bufferized, unless only its destinations are asked for.
"""

from collections.abc import Sequence

from xdsl.dialects import bufferization, memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.bufferize.bufferize_ops import (
    BufferizationRewrite,
)
from xdsl_bufferization.bufferization.bufferize.copy_before_write import CopyBeforeWrite
from xdsl_bufferization.bufferization.interfaces.known_models import allowed_models
from xdsl_bufferization.bufferization.interfaces.layouts import identity_layout_type
from xdsl_bufferization.bufferization.interfaces.memory_spaces import as_memory_space
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    is_ranked_tensor_type,
    tensor_operands,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.models import new_ops
from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.linalg.moves import new_copy
from xdsl_bufferization.dialects.transform import BufferizeToAllocationOp
from xdsl_bufferization.support.errors import fail_at, op_name

_ALLOCATIONS = {"memref.alloc": memref.AllocOp, "memref.alloca": memref.AllocaOp}
_COPIES = ("bufferization.materialize_in_destination", "memref.copy", "linalg.copy")


def bufferize_to_allocation(
    op: BufferizeToAllocationOp, target: Operation
) -> list[SSAValue]:
    """Give `target` allocations of its own, as the transform op asks for.

    Returns the buffers. Raises an `OperationError` if that cannot be done.
    """
    if op.alloc_op.data not in _ALLOCATIONS:
        fail_at(op, f"alloc_op is none of {', '.join(_ALLOCATIONS)}")
    if op.memcpy_op.data not in _COPIES:
        fail_at(op, f"memcpy_op is none of {', '.join(_COPIES)}")
    if _is_new_tensor(target):
        return [_replace(op, target)]
    state = CopyBeforeWrite(BufferizationOptions(copy_before_write=True))
    model = allowed_models(state.options)[type(target)]
    written = (
        []
        if model is None
        else [
            operand
            for operand in tensor_operands(target)
            if model.bufferizes_to_memory_write(operand, state)
        ]
    )
    if not written:
        name = op_name(target)
        fail_at(op, f"failed to bufferize operation: '{name}' writes to no tensor")
    buffers = [_allocate_for(op, operand, state) for operand in written]
    if op.bufferize_destination_only is None:
        rewrite = BufferizationRewrite(_module_of(target), state)
        rewrite.visit(target)
        rewrite.finish()
        for buffer in buffers:
            _mark_as_only(buffer)
    return buffers


def _is_new_tensor(target: Operation) -> bool:
    if isinstance(target, bufferization.AllocTensorOp):
        return target.copy is None
    return isinstance(target, tensor.EmptyOp)


def _mark_as_only(buffer: SSAValue) -> None:
    """Say of the tensors in a new buffer that nobody else has the buffer."""
    for use in list(buffer.uses):
        user = use.operation
        if not isinstance(user, bufferization.ToTensorOp):
            continue
        if user.tensor.first_use is None:
            Rewriter.erase_op(user)
        else:
            user.properties |= {"restrict": UnitAttr(), "writable": UnitAttr()}


def _module_of(op: Operation) -> ModuleOp:
    top = op
    while (parent := top.parent_op()) is not None:
        top = parent
    assert isinstance(top, ModuleOp)
    return top


def _replace(op: BufferizeToAllocationOp, target: Operation) -> SSAValue:
    """A buffer in the place of a new tensor."""
    point = InsertPoint.before(target)
    sizes = (
        target.dynamic_sizes
        if isinstance(target, tensor.EmptyOp | bufferization.AllocTensorOp)
        else ()
    )
    buffer, as_tensor = _allocate(op, target.results[0], sizes, point)
    Rewriter.replace_op(target, [], [as_tensor])
    return buffer


def _allocate_for(
    op: BufferizeToAllocationOp, operand: OpOperand, state: CopyBeforeWrite
) -> SSAValue:
    """A buffer in the place of an operand, with its contents if they are needed."""
    target, value = operand.owner, operand.value
    point = InsertPoint.before(target)
    sizes = _sizes(operand, point)
    owner = value.owner
    is_new = isinstance(owner, Operation) and _is_new_tensor(owner)
    needs_contents = not is_new and not state.can_omit_tensor_copy(operand)
    buffer, as_tensor = _allocate(op, value, sizes, point)
    if needs_contents:
        to_tensor = as_tensor.owner
        assert isinstance(to_tensor, Operation)
        _copy(op, value, buffer, InsertPoint.before(to_tensor))
    target.operands[operand.number] = as_tensor
    return buffer


def _allocate(
    op: BufferizeToAllocationOp,
    value: SSAValue,
    sizes: Sequence[SSAValue],
    point: InsertPoint,
) -> tuple[SSAValue, SSAValue]:
    """A buffer like the tensor `value`, and a tensor in it."""
    type_ = identity_layout_type(value.type, as_memory_space(op.memory_space, op))
    alloc = _ALLOCATIONS[op.alloc_op.data].create(
        operands=sizes, result_types=[type_], properties=new_ops.segments(len(sizes), 0)
    )
    to_tensor = bufferization.ToTensorOp.create(
        operands=[alloc.results[0]],
        result_types=[value.type],
        properties={"restrict": UnitAttr(), "writable": UnitAttr()},
    )
    Rewriter.insert_op([alloc, to_tensor], point)
    last = point.block.last_op
    if op.emit_dealloc is not None and last is not None:
        dealloc = memref.DeallocOp.get(alloc.results[0])
        Rewriter.insert_op(dealloc, InsertPoint.before(last))
    return alloc.results[0], to_tensor.tensor


def _copy(
    op: BufferizeToAllocationOp, value: SSAValue, buffer: SSAValue, point: InsertPoint
) -> None:
    if op.memcpy_op.data == _COPIES[0]:
        materialize = bufferization.MaterializeInDestinationOp.create(
            operands=[value, buffer], properties={"writable": UnitAttr()}
        )
        Rewriter.insert_op(materialize, point)
        return
    to_buffer = bufferization.ToBufferOp.create(
        operands=[value], result_types=[identity_layout_type(value.type)]
    )
    source = to_buffer.memref
    copy = (
        new_ops.copy(source, buffer)
        if op.memcpy_op.data == "memref.copy"
        else new_copy(source, buffer)
    )
    Rewriter.insert_op([to_buffer, copy], point)


def _sizes(operand: OpOperand, point: InsertPoint) -> list[SSAValue]:
    """The sizes of a tensor that are not in its type."""
    value = operand.value
    sizes: list[SSAValue] = []
    if not is_ranked_tensor_type(value.type):
        fail_at(operand.owner, "a tensor without a rank cannot get an allocation")
    for dimension, size in enumerate(value.type.get_shape()):
        if size == DYNAMIC_INDEX:
            number = index_constant(dimension)
            dim = tensor.DimOp(value, number)
            Rewriter.insert_op([number, dim], point)
            sizes.append(dim.result)
    return sizes

"""Bufferization of the tensor ops whose result is a new tensor.

%0 = tensor.from_elements %a, %b : tensor<2xf32>     memref.alloc, two memref.store
%1 = tensor.splat %a : tensor<2xf32>                 memref.alloc, linalg.fill
%2 = tensor.concat dim(0) %0, %1 : ...               memref.alloc, a memref.copy each
"""

from collections.abc import Sequence
from itertools import product

from typing_extensions import override
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult, mixed_values
from xdsl_bufferization.dialects.tensor.regions import GenerateOp
from xdsl_bufferization.support.errors import fail_at

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.state import BufferizationState
from .. import new_ops
from ..buffer_code import (
    add,
    allocate,
    as_value,
    buffer_type_of,
    compute,
    copy_into,
    fill,
    size_of,
    take_body,
)
from ..slices import static_numbers
from .new_tensors import NewTensorBufferization, new_buffer_type


class FromElementsOpBufferization(NewTensorBufferization):
    """`tensor.from_elements`: a store for each element."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        type_ = new_buffer_type(op, state)
        buffer = state.allocate(type_)
        shape = type_.get_shape()
        largest = max(shape, default=0) if op.operands else 0
        numbers = [as_value(number, state) for number in range(largest)]
        positions = product(*(numbers[:size] for size in shape))
        for element, position in zip(op.operands, positions, strict=True):
            state.insert(new_ops.store(element, buffer, position))
        state.replace_op(op, [buffer])


class SplatOpBufferization(NewTensorBufferization):
    """`tensor.splat`: one value everywhere."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        scalar, *sizes = op.operands
        buffer = state.allocate(new_buffer_type(op, state), sizes)
        fill(buffer, scalar, state)
        state.replace_op(op, [buffer])


class GenerateOpBufferization(NewTensorBufferization):
    """`tensor.generate`: each element is computed from its position."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        buffer = state.allocate(new_buffer_type(op, state), op.operands)
        _compute_with_body(op, buffer, state)
        state.replace_op(op, [buffer])


class PadOpBufferization(NewTensorBufferization):
    """`tensor.pad`: the source as a part of a larger buffer, which is filled before."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, tensor.PadOp)
        source, type_ = state.get_buffer(op.source), new_buffer_type(op, state)
        low = mixed_values(static_numbers(op, "static_low"), op.low)
        high = mixed_values(static_numbers(op, "static_high"), op.high)
        if any(isinstance(amount, int) and amount < 0 for amount in (*low, *high)):
            fail_at(
                op,
                "a negative amount of padding cannot be bufferized; leave elements out "
                "with tensor.extract_slice",
            )
        sizes: list[OpFoldResult] = [
            size
            if size != DYNAMIC_INDEX
            else add(add(size_of(source, dimension, state), low, state), high, state)
            for dimension, (size, low, high) in enumerate(
                zip(type_.get_shape(), low, high, strict=True)
            )
        ]
        buffer = allocate(type_, sizes, state)
        padding = _one_padding(op, state)
        if padding is None:
            _compute_with_body(op, buffer, state)
        else:
            fill(buffer, padding, state)
        copy_into(source, buffer, low, state)
        state.replace_op(op, [buffer])


class ConcatOpBufferization(NewTensorBufferization):
    """`tensor.concat`: a copy of each operand behind the one before it."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        assert isinstance(op, tensor.ConcatOp)
        type_ = new_buffer_type(op, state)
        along = op.dim.value.data
        sources = [state.get_buffer(operand) for operand in op.operands]
        starts: list[OpFoldResult] = [0]
        for source in sources:
            starts.append(add(starts[-1], size_of(source, along, state), state))
        sizes = [
            starts[-1]
            if dimension == along
            else _size_of_any(sources, dimension, state)
            for dimension in range(type_.get_num_dims())
        ]
        buffer = allocate(type_, sizes, state)
        offsets: list[OpFoldResult] = [0] * len(sizes)
        for source, offsets[along] in zip(sources, starts, strict=False):
            # What is not along has the size of the whole: a check finds another one.
            part = [*sizes]
            part[along] = size_of(source, along, state)
            copy_into(source, buffer, offsets, state, part)
        state.replace_op(op, [buffer])


def _size_of_any(
    buffers: Sequence[SSAValue], dimension: int, state: BufferizationState
) -> OpFoldResult:
    """The size that all of `buffers` have, known if it is of any of them."""
    for buffer in buffers:
        size = buffer_type_of(buffer).get_shape()[dimension]
        if size != DYNAMIC_INDEX:
            return size
    return size_of(buffers[0], dimension, state)


def _one_padding(op: tensor.PadOp, state: BufferizationState) -> SSAValue | None:
    """The value that is padded with, if it is the same one everywhere."""
    block = op.region.block
    assert block.last_op is not None
    value = block.last_op.operands[0]
    if isinstance(constant := value.owner, arith.ConstantOp):
        if constant.parent is not block:
            return value
        outside = constant.clone()
        state.insert(outside)
        return outside.result
    owner = value.owner if isinstance(value.owner, Operation) else None
    inside = value.owner is block or (owner is not None and owner.parent is block)
    return None if inside else value


def _compute_with_body(
    op: Operation, buffer: SSAValue, state: BufferizationState
) -> None:
    body = take_body(op, buffer_type_of(buffer).element_type)
    compute(buffer, [], body, state)


CREATION: dict[type[Operation], BufferizableOpInterface] = {
    tensor.ConcatOp: ConcatOpBufferization(),
    GenerateOp: GenerateOpBufferization(),
    tensor.FromElementsOp: FromElementsOpBufferization(),
    tensor.PadOp: PadOpBufferization(),
    tensor.SplatOp: SplatOpBufferization(),
}

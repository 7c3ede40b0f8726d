"""What ops have in common whose result is a new tensor, computed from others."""

from collections.abc import Callable

from typing_extensions import override
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerType,
    MemRefType,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from xdsl_bufferization.support.errors import fail_at

from ...interfaces.layouts import identity_layout_type
from ...interfaces.memory_spaces import default_memory_space
from ...interfaces.operands import tensor_operands
from ...interfaces.state import BufferizationState, BufferType, BufferTypes
from ..buffer_code import allocate, buffer_type_of, compute, sizes_of
from .read_only import ReadOnlyBufferization


class NewTensorBufferization(ReadOnlyBufferization):
    """An op that reads its tensors, and whose result is a buffer of its own.

    The new buffer is dense, and in the memory space of the operands.
    """

    @override
    def bufferizes_to_allocation(self, value: OpResult) -> bool:
        return True

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        assert isinstance(value, OpResult)
        spaces: set[Attribute] = set()
        for operand in tensor_operands(value.op):
            type_ = types.get(operand.value)
            if type_ is None:
                return None
            spaces.add(type_.memory_space)
        if len(spaces) > 1:
            fail_at(
                value.op,
                "the operands are in different memory spaces: "
                f"{', '.join(sorted(map(str, spaces)))}; copy them to one of them "
                "with bufferization.alloc_tensor",
            )
        space = (
            spaces.pop()
            if spaces
            else default_memory_space(value.type, value.op, types.options)
        )
        return identity_layout_type(value.type, space)


def new_buffer_type(op: Operation, state: BufferizationState) -> MemRefType:
    """The type of the buffer for the one result of `op`."""
    type_ = state.get_buffer_type(op.results[0])
    if not isinstance(type_, MemRefType):
        fail_at(op, f"cannot allocate a buffer of type {type_}; give it a rank")
    return type_


class ElementwiseConversion(NewTensorBufferization):
    """An op on tensors that converts every element by itself."""

    def __init__(self, convert: Callable[[SSAValue, Attribute], Operation]):
        self.convert = convert

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        source, type_ = state.get_buffer(op.operands[0]), new_buffer_type(op, state)
        elements = [buffer_type_of(source).element_type, type_.element_type]
        for element in elements:
            if not isinstance(element, AnyFloat | IntegerType | IndexType):
                fail_at(op, f"cannot convert elements of type {element}; use numbers")
        body = Block(arg_types=elements)
        conversion = self.convert(body.args[0], type_.element_type)
        body.add_ops([conversion, linalg.YieldOp(conversion.results[0])])
        buffer = allocate(type_, sizes_of(source, state), state)
        compute(buffer, [source], body, state)
        state.replace_op(op, [buffer])

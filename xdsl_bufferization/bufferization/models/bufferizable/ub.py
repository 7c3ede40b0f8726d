"""Bufferization of the ub dialect.

%0 = ub.poison : tensor<4xf32>

%0 = memref.alloc() : memref<4xf32>
linalg.fill ins(%zero : f32) outs(%0 : memref<4xf32>)
"""

from typing_extensions import override
from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.support.errors import fail_at

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.state import BufferizationState
from ..buffer_code import fill
from .new_tensors import NewTensorBufferization, new_buffer_type


class PoisonOpBufferization(NewTensorBufferization):
    """`ub.poison` of a tensor: a buffer of zeros.

    Any value will do. A buffer that nobody has written would not: reads of it look like
    faults of the program.
    """

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        type_ = new_buffer_type(op, state)
        if not type_.has_static_shape():
            poison = op.results[0].type
            fail_at(op, f"poison of type {poison} has no sizes; give it a static one")
        zero = arith.ConstantOp(_zero(op, type_.element_type))
        state.insert(zero)
        buffer = state.allocate(type_, ())
        fill(buffer, zero.result, state)
        state.replace_op(op, [buffer])


def _zero(
    op: Operation, type_: Attribute
) -> IntegerAttr[IndexType | IntegerType] | FloatAttr[AnyFloat]:
    if isa(type_, IndexType | IntegerType):
        return IntegerAttr(0, type_)
    if isa(type_, AnyFloat):
        return FloatAttr(0.0, type_)
    return fail_at(op, f"poison of elements of type {type_} is not bufferized")


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    ub.PoisonOp: PoisonOpBufferization()
}

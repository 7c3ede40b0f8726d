"""Bufferization of the arith dialect.

%0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>

memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<...>
%0 = memref.get_global @__constant_2xf32 : memref<2xf32>
"""

import re
from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.arith.casts import IndexCastUIOp
from xdsl_bufferization.support.errors import fail_at

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.layouts import identity_layout_type, join_types
from ...interfaces.memory_spaces import default_memory_space
from ...interfaces.operands import OpOperand
from ...interfaces.state import (
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
)
from .new_tensors import ElementwiseConversion


class ConstantOpBufferization(BufferizableOpInterface):
    """`arith.constant` of a tensor: a global that nobody may write."""

    @override
    def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
        return False

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType:
        assert isinstance(value, OpResult)
        space = default_memory_space(value.type, value.op, types.options)
        return identity_layout_type(value.type, space)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        contents = op.properties["value"]
        if not isa(contents, DenseIntOrFPElementsAttr | DenseResourceAttr):
            fail_at(op, "only dense constants can be bufferized")
        type_ = state.get_buffer_type(op.results[0])
        name = _type_as_name(op.results[0].type)
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(f"__constant_{name}"),
            "sym_visibility": StringAttr("private"),
            "type": type_,
            "initial_value": contents,
            "constant": UnitAttr(),
        }
        if alignment := state.options.buffer_alignment:
            properties["alignment"] = IntegerAttr(alignment, i64)
        global_ = state.insert_at_module_start(
            memref.GlobalOp.create(properties=properties), ("arith.constant", contents)
        )
        assert isinstance(global_, memref.GlobalOp)
        get_global = memref.GetGlobalOp(global_.sym_name.data, type_)
        state.insert(get_global)
        state.replace_op(op, [get_global.memref])


class SelectOpBufferization(BufferizableOpInterface):
    """`arith.select` by one condition: its result is one of two buffers."""

    @override
    def bufferizes_to_memory_read(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False

    @override
    def bufferizes_to_memory_write(
        self, operand: OpOperand, state: AnalysisState
    ) -> bool:
        return False

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (
            AliasingValue(
                operand.owner.results[0], BufferRelation.EQUIVALENT, is_definite=False
            ),
        )

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        op = value.owner
        assert isinstance(op, arith.SelectOp)
        return join_types(value.type, types.get(op.lhs), types.get(op.rhs))

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        condition, *values = op.operands
        if condition.type != i1:
            fail_at(
                op,
                "only i1 condition values are supported; run "
                "convert-elementwise-to-linalg before",
            )
        type_ = state.get_buffer_type(op.results[0])
        on_true, on_false = (state.cast(state.get_buffer(v), type_) for v in values)
        select = arith.SelectOp(condition, on_true, on_false)
        state.insert(select)
        state.replace_op(op, [select.result])


def _type_as_name(type_: Attribute) -> str:
    """`2x3xf32` for `tensor<2x3xf32>`, as MLIR names globals."""
    if not isa(type_, TensorType):
        return "constant"
    sizes = [str(size) for size in type_.get_shape()]
    return "x".join([*sizes, re.sub(r"\W+", "_", str(type_.element_type)).strip("_")])


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    arith.ConstantOp: ConstantOpBufferization(),
    IndexCastUIOp: ElementwiseConversion(IndexCastUIOp),
    arith.IndexCastOp: ElementwiseConversion(arith.IndexCastOp),
    arith.SelectOp: SelectOpBufferization(),
}

"""Bufferization of the scf ops that run one of their regions, once.

%1 = scf.if %c -> (tensor<4xf32>) {         %1 = scf.if %c -> (memref<4xf32>) {
  scf.yield %a : tensor<4xf32>                scf.yield %a : memref<4xf32>
} else {                                    } else {
  scf.yield %b : tensor<4xf32>                scf.yield %b : memref<4xf32>
}                                           }
"""

from collections.abc import Sequence
from functools import reduce

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.layouts import join_types
from xdsl_bufferization.interfaces.operands import OpOperand, is_tensor
from xdsl_bufferization.interfaces.state import (
    AliasingOpOperand,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
)


class BranchOpBufferization(BufferizableOpInterface):
    """`scf.if`, `scf.index_switch`: each result is what the region run yields."""

    is_definite: bool = False
    """Whether there is only one region that can run."""

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        if not isinstance(value, OpResult):
            return ()
        return [
            AliasingOpOperand(
                OpOperand(get_terminator(region), value.index),
                BufferRelation.EQUIVALENT,
                self.is_definite,
            )
            for region in value.op.regions
        ]

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        assert isinstance(value, OpResult)
        yielded = [
            types.get(get_terminator(region).operands[value.index])
            for region in value.op.regions
        ]
        return reduce(lambda a, b: join_types(value.type, a, b), yielded)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        types = [
            state.get_buffer_type(result) if is_tensor(result) else result.type
            for result in op.results
        ]
        on_buffers = type(op).create(
            operands=op.operands,
            result_types=types,
            properties=op.properties,
            attributes=op.attributes,
            regions=[op.detach_region(0) for _ in range(len(op.regions))],
        )
        state.insert(on_buffers)
        state.replace_op(op, on_buffers.results)


class ExecuteRegionOpBufferization(BranchOpBufferization):
    """`scf.execute_region` of one block."""

    is_definite = True

    @override
    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        if len(op.regions[0].blocks) != 1:
            fail_at(
                op,
                "only an execute_region of one block can be bufferized; "
                "lower structured control flow after bufferization",
            )


def get_terminator(region: Region) -> Operation:
    """The op that ends a region of one block."""
    terminator = region.block.last_op
    assert terminator is not None
    return terminator


def buffers_as(
    values: Sequence[SSAValue], types: Sequence[Attribute], state: BufferizationState
) -> list[SSAValue]:
    """The buffers of tensors under the types of who receives them, and other values."""
    return [
        state.cast(state.get_buffer(value), type_)
        if is_tensor(value) and isa(type_, BufferType)
        else value
        for value, type_ in zip(values, types, strict=True)
    ]


BRANCHES: dict[type[Operation], BufferizableOpInterface] = {
    scf.ExecuteRegionOp: ExecuteRegionOpBufferization(),
    scf.IfOp: BranchOpBufferization(),
    scf.IndexSwitchOp: BranchOpBufferization(),
}

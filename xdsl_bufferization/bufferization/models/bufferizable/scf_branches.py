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
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, Region, SSAValue

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.layouts import join_types
from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.state import (
    AliasingOpOperand,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
    is_buffer_type,
)
from .blocks import (
    convert_inner_blocks,
    get_aliasing_branch_op_operands,
    get_joined_type,
)


class BranchOpBufferization(BufferizableOpInterface):
    """`scf.if`, `scf.index_switch`: each result is what the region run yields."""

    def is_definite(self, op: Operation) -> bool:
        """Whether there is only one value that each result can be."""
        del op
        return False

    def get_yields(self, op: Operation) -> Sequence[Operation]:
        """The ops in which regions of `op` end."""
        return [get_terminator(region) for region in op.regions]

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        if not isinstance(value, OpResult):
            return ()
        return [
            AliasingOpOperand(
                OpOperand(yield_, value.index),
                BufferRelation.EQUIVALENT,
                self.is_definite(value.op),
            )
            for yield_ in self.get_yields(value.op)
        ]

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        assert isinstance(value, OpResult)
        yielded = [
            types.get(yield_.operands[value.index])
            for yield_ in self.get_yields(value.op)
        ]
        return reduce(lambda a, b: join_types(value.type, a, b), yielded, None)

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
    """`scf.execute_region`: what the block yields in which its region ends.

    MLIR wants one `scf.yield`; here there may be one in several blocks.
    """

    @override
    def is_definite(self, op: Operation) -> bool:
        return len(self.get_yields(op)) == 1

    @override
    def get_yields(self, op: Operation) -> Sequence[Operation]:
        ends = [block.last_op for block in op.regions[0].blocks]
        return [end for end in ends if isinstance(end, scf.YieldOp)]

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        if isinstance(value, BlockArgument):
            return get_aliasing_branch_op_operands(value)
        return super().get_aliasing_op_operands(value, state)

    @override
    def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
        return True

    @override
    def supports_unstructured_control_flow(self, op: Operation) -> bool:
        return True

    @override
    def get_buffer_type(self, value: SSAValue, types: BufferTypes) -> BufferType | None:
        if isinstance(value, BlockArgument):
            return get_joined_type(value, types)
        return super().get_buffer_type(value, types)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        convert_inner_blocks(op, state)
        super().bufferize(op, state)


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
        if is_tensor(value) and is_buffer_type(type_)
        else value
        for value, type_ in zip(values, types, strict=True)
    ]


BRANCHES: dict[type[Operation], BufferizableOpInterface] = {
    scf.ExecuteRegionOp: ExecuteRegionOpBufferization(),
    scf.IfOp: BranchOpBufferization(),
    scf.IndexSwitchOp: BranchOpBufferization(),
}

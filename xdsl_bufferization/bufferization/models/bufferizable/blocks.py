"""Bufferization of ops whose region may have several blocks.

    ^bb1(%0 : tensor<4xf32>):    // each branch here passes a tensor
    ^bb1(%0 : memref<4xf32>):    // each branch here passes a buffer

What MLIR calls `OpWithUnstructuredControlFlowBufferizableOpInterface`.
"""

from collections.abc import Sequence
from functools import reduce

from xdsl.ir import BlockArgument, Operation

from xdsl_bufferization.support.errors import fail_at

from ...interfaces.branch import get_incoming_operands
from ...interfaces.layouts import join_types
from ...interfaces.operands import owner_op
from ...interfaces.state import (
    AliasingOpOperand,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
)


def get_aliasing_branch_op_operands(
    argument: BlockArgument,
) -> Sequence[AliasingOpOperand]:
    """The operands of branches that `argument` is, whichever branch was taken."""
    return [
        AliasingOpOperand(operand, BufferRelation.EQUIVALENT, is_definite=False)
        for operand in get_incoming_operands(argument)
    ]


def get_joined_type(argument: BlockArgument, types: BufferTypes) -> BufferType | None:
    """The buffer type of an argument that may be any of the buffers passed to it."""
    aliases = types.get_aliasing_op_operands(argument)
    incoming = [types.get(alias.operand.value) for alias in aliases]
    spaces = {type_.memory_space for type_ in incoming if type_ is not None}
    if len(spaces) > 1:
        op = owner_op(argument)
        assert op is not None
        fail_at(
            op,
            f"argument {argument.index} of a block gets buffers of different memory "
            f"spaces ({', '.join(sorted(map(str, spaces)))}); copy them to one before",
        )
    return reduce(lambda a, b: join_types(argument.type, a, b), incoming, None)


def convert_inner_blocks(op: Operation, state: BufferizationState) -> None:
    """Turn the tensor arguments of all blocks but the entry blocks into buffers."""
    for region in op.regions:
        for block in tuple(region.blocks)[1:]:
            state.convert_block_arguments(block)

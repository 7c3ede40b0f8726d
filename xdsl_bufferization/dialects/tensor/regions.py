"""Ops with a region that computes elements: `tensor.generate` and `yield`.

xDSL 0.74 lacks `tensor.generate`, and does not verify what `tensor.yield` yields.

    %0 = tensor.generate %n {
    ^bb0(%i: index):
      tensor.yield %v : f32
    } : tensor<?xf32>

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorgenerate-tensorgenerateop
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    HasParent,
    Pure,
    RecursiveMemoryEffect,
    ReturnLike,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from .constraints import RANKED, verify_dynamic_sizes


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The element that a region computes."""

    name = "tensor.yield"

    arguments = var_operand_def()

    traits = lazy_traits_def(
        lambda: (Pure(), ReturnLike(), HasParent(GenerateOp, tensor.PadOp))
    )

    assembly_format = "$arguments attr-dict `:` type($arguments)"

    @override
    def verify_(self) -> None:
        """It yields one element."""
        if len(self.arguments) != 1:
            raise VerifyException("'tensor.yield' op requires a single operand")


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """The tensor whose elements the region computes from their indices."""

    name = "tensor.generate"

    dynamic_extents = var_operand_def(IndexType())
    result = result_def(RANKED)
    body = region_def("single_block")

    traits = traits_def(
        RecursiveMemoryEffect(),
        SingleBlockImplicitTerminator(tensor.YieldOp),
        Canonicalized(),
    )

    assembly_format = "$dynamic_extents $body attr-dict `:` type($result)"

    def __init__(
        self,
        dynamic_extents: Sequence[SSAValue],
        body: Region,
        result_type: TensorType[Attribute],
    ):
        super().__init__(
            operands=[dynamic_extents], result_types=[result_type], regions=[body]
        )

    @override
    def verify_(self) -> None:
        """The region takes an index for each dimension, and yields an element."""
        verify_dynamic_sizes(self.dynamic_extents, self.result.type)
        rank = self.result.type.get_num_dims()
        verify_element(self, self.body.block, rank, self.result.type)


def verify_element(op: Operation, block: Block, rank: int, type_: TensorType) -> None:
    """`block` computes an element of `type_` from its `rank` indices."""
    if len(block.args) != rank:
        raise VerifyException(
            f"must have one body argument per input dimension: expected {rank}, got "
            f"{len(block.args)}"
        )
    for index, argument in enumerate(block.args, start=1):
        if argument.type != IndexType():
            raise VerifyException(
                f"'{op.name}' op expected block argument {index} to be an index"
            )
    last = block.last_op
    if not isinstance(last, tensor.YieldOp):
        raise VerifyException(
            f"'{op.name}' op body must be terminated with a `tensor.yield` operation"
        )
    if [value.type for value in last.arguments] != [type_.element_type]:
        raise VerifyException(
            f"'{op.name}' op expected yield type to match the element type of {type_}"
        )

"""Ops that ask for the sizes of a tensor, and ops that make one of given sizes.

xDSL 0.74 lacks `tensor.rank`, and loses the attributes of `tensor.empty`.

    %0 = tensor.rank %t : tensor<*xf32>
    %1 = tensor.empty(%n) {hint} : tensor<4x?xf32>

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensordim-tensordimop
"""

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from ..common.canonicalized import Canonicalized
from .constraints import ANY_TENSOR, RANKED, verify_dynamic_sizes


class DimOp(tensor.DimOp):
    """What `tensor.dim` should do differently."""

    traits = traits_def(Canonicalized())


@irdl_op_definition
class EmptyOp(IRDLOperation):
    """A tensor of undefined contents."""

    name = "tensor.empty"

    dynamic_sizes = var_operand_def(IndexType())
    tensor = result_def(RANKED)

    traits = traits_def(Canonicalized())

    assembly_format = "`(` $dynamic_sizes `)` attr-dict `:` type($tensor)"

    @override
    def verify_(self) -> None:
        """One operand for each dynamic size."""
        verify_dynamic_sizes(self.dynamic_sizes, self.tensor.type)


@irdl_op_definition
class RankOp(IRDLOperation):
    """The number of dimensions of a tensor."""

    name = "tensor.rank"

    tensor = operand_def(ANY_TENSOR)
    result = result_def(IndexType())

    traits = traits_def(Pure(), Canonicalized())

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=[tensor], result_types=[IndexType()])


class SplatOp(tensor.SplatOp):
    """What `tensor.splat` should do differently."""

    traits = traits_def(Canonicalized())

    @override
    def verify_(self) -> None:
        """One operand for each dynamic size."""
        verify_dynamic_sizes(self.dynamicSizes, self.result.type)

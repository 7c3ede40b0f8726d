"""Ops that ask for the sizes of a tensor, and ops that make one of given sizes.

xDSL 0.74 lacks `tensor.rank`, and loses the attributes of `tensor.empty`.

    %0 = tensor.rank %t : tensor<*xf32>
    %1 = tensor.empty(%n) {hint} : tensor<4x?xf32>

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensordim-tensordimop
"""

from typing_extensions import override
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.traits import HasCanonicalizationPatternsTrait, Pure

from xdsl_bufferization.dialects.tensor.canonicalization.sizes import (
    DimCanonicalization,
    EmptyCanonicalization,
    SplatCanonicalization,
)
from xdsl_bufferization.dialects.tensor.constraints import (
    ANY_TENSOR,
    RANKED,
    verify_dynamic_sizes,
)


class DimOp(tensor.DimOp):
    """What `tensor.dim` should do differently."""

    traits = traits_def(DimCanonicalization())


@irdl_op_definition
class EmptyOp(IRDLOperation):
    """A tensor of undefined contents."""

    name = "tensor.empty"

    dynamic_sizes = var_operand_def(IndexType())
    tensor = result_def(RANKED)

    traits = traits_def(EmptyCanonicalization())

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

    traits = lazy_traits_def(lambda: (Pure(), _RankCanonicalization()))

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=[tensor], result_types=[IndexType()])


class _FoldRank(RewritePattern):
    """The rank of a ranked tensor is known."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: RankOp, rewriter: PatternRewriter) -> None:
        """`tensor.rank %t : tensor<2x3xf32>` is 2."""
        if isinstance(type_ := op.tensor.type, TensorType):
            rank = IntegerAttr(type_.get_num_dims(), IndexType())
            rewriter.replace(op, arith.ConstantOp(rank))


class _RankCanonicalization(HasCanonicalizationPatternsTrait):
    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (_FoldRank(),)


class SplatOp(tensor.SplatOp):
    """What `tensor.splat` should do differently."""

    traits = traits_def(SplatCanonicalization())

    @override
    def verify_(self) -> None:
        """One operand for each dynamic size."""
        verify_dynamic_sizes(self.dynamicSizes, self.result.type)

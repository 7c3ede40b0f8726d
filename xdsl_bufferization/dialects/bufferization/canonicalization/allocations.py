"""New tensors: sizes that are known go into the type, and unused ones go away.

%c4 = arith.constant 4 : index
%t = bufferization.alloc_tensor(%c4) : tensor<?xf32>    // of type tensor<4xf32>
"""

from typing_extensions import override
from xdsl.dialects import bufferization, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...tensor.canonicalization.values import known_sizes


class DropUnusedAllocTensor(RewritePattern):
    """A new tensor that nobody uses."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.AllocTensorOp, rewriter: PatternRewriter
    ) -> None:
        if op.tensor.first_use is None:
            rewriter.erase(op)


class AllocTensorOfConstantSizes(RewritePattern):
    """Sizes that are known go into the type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.AllocTensorOp, rewriter: PatternRewriter
    ) -> None:
        type_ = op.tensor.type
        if op.copy is not None or not isinstance(type_, TensorType):
            return
        known, left = known_sizes(type_, op.dynamic_sizes)
        if known == type_:
            return
        new = bufferization.AllocTensorOp(known, left, None, op.size_hint)
        properties = dict(op.properties)
        properties.pop("operandSegmentSizes", None)
        new.properties.update(properties)
        new.attributes.update(op.attributes)
        cast = tensor.CastOp(new.tensor, type_)
        new.location = cast.location = op.location
        rewriter.replace(op, [new, cast])

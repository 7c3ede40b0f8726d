"""A concatenation of one tensor is that tensor."""

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)


class ConcatOfOne(RewritePattern):
    """A single input is the result, cast to its type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.ConcatOp, rewriter: PatternRewriter) -> None:
        if len(op.inputs) != 1:
            return
        if op.inputs[0].type == op.result.type:
            rewriter.replace(op, [], [op.inputs[0]])
        else:
            rewriter.replace(op, tensor.CastOp(op.inputs[0], op.result.type))

"""Padding by nothing is the source."""

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)


class PadByNothing(RewritePattern):
    """Without padding, the result is the source; unless a copy is asked for."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.PadOp, rewriter: PatternRewriter) -> None:
        padding = (*op.static_low.iter_values(), *op.static_high.iter_values())
        if op.nofold is not None or any(padding):
            return
        if op.source.type == op.result.type:
            rewriter.replace(op, [], [op.source])
        else:
            rewriter.replace(op, tensor.CastOp(op.source, op.result.type))

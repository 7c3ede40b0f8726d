"""Copies that move nothing.

memref.copy %m, %m : memref<4xf32> to memref<4xf32>    // nothing

Source of the rules: the folder and canonicalization patterns of MLIR's op.
"""

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa


class CopyToItself(RewritePattern):
    """A buffer holds already what it holds."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.CopyOp, rewriter: PatternRewriter) -> None:
        if op.source is op.destination:
            rewriter.erase(op)


class CopyOfNothing(RewritePattern):
    """A buffer without elements needs no copy."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.CopyOp, rewriter: PatternRewriter) -> None:
        if any(
            isa(operand.type, MemRefType) and 0 in operand.type.get_shape()
            for operand in op.operands
        ):
            rewriter.erase(op)

"""The pass `copy-removal` of this project: a copy of a buffer to itself is nothing."""

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)


class EraseCopyToItself(RewritePattern):
    """A copy of a buffer to itself is erased."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.CopyOp, rewriter: PatternRewriter) -> None:
        if op.source is op.destination:
            rewriter.erase(op)


class CopyRemovalPass(ModulePass):
    """Erase copies of buffers to themselves."""

    name = "copy-removal"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(EraseCopyToItself()).rewrite_module(op)

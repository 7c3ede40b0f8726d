"""Makes programs on samples smaller, by patterns over the ops of xDSL.

%0 = arith.mulf %x, %one : f32        // is %x
memref.store %x, %m[%i]
%1 = memref.load %m[%i]               // is %x
scf.for ... {}                        // is nothing
%2 = arith.addf %c1, %c2 : f32        // is a constant
"""

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import AnyFloat, FloatAttr, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa


def _constant(value: SSAValue) -> FloatAttr[AnyFloat] | None:
    """The float that `value` is, if that is known."""
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isa(op.value, FloatAttr[AnyFloat]):
        return op.value
    return None


class MultiplyByOne(RewritePattern):
    """A product with one is the other factor."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.MulfOp, rewriter: PatternRewriter) -> None:
        factor = _constant(op.rhs)
        if factor is not None and factor.value.data == 1.0:
            rewriter.replace(op, (), [op.lhs])


class AddConstants(RewritePattern):
    """A sum of constants is a constant."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AddfOp, rewriter: PatternRewriter) -> None:
        lhs, rhs = _constant(op.lhs), _constant(op.rhs)
        if lhs is not None and rhs is not None:
            total = FloatAttr(lhs.value.data + rhs.value.data, lhs.type)
            rewriter.replace(op, arith.ConstantOp(total))


class ForwardStore(RewritePattern):
    """What is loaded right after it is stored is what was stored."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.LoadOp, rewriter: PatternRewriter) -> None:
        store = op.prev_op
        if (
            isinstance(store, memref.StoreOp)
            and store.memref is op.memref
            and tuple(store.indices) == tuple(op.indices)
        ):
            rewriter.replace(op, (), [store.value])


class EraseEmptyLoop(RewritePattern):
    """A loop that does nothing is nothing."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter) -> None:
        if not op.results and isinstance(op.body.block.first_op, scf.YieldOp):
            rewriter.erase(op)


class SimplifySamplesPass(ModulePass):
    """Make programs on samples smaller."""

    name = "simplify-samples"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(
            GreedyRewritePatternApplier(
                [MultiplyByOne(), AddConstants(), ForwardStore(), EraseEmptyLoop()]
            )
        ).rewrite_module(op)

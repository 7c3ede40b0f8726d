"""Turns shapes into sizes, and frees what the entry of a function allocates.

%s = shape.shape_of %m as !shape.extents<1> : memref<?xf32>
%d = shape.extent 0 of %s : !shape.extents<1>
->
%d = memref.dim %m, %c0 : memref<?xf32>
"""

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, tensor
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.transforms.dead_code_elimination import dce

from shapes.dialects.extended import DeallocOp
from shapes.dialects.shape import ConstShapeOp, ExtentOp, ShapeOfOp


class LowerExtent(RewritePattern):
    """A size is a constant, or is asked of the tensor or buffer."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ExtentOp, rewriter: PatternRewriter) -> None:
        dimension = op.dimension.value.data
        shape = op.shape.owner
        if isinstance(shape, ConstShapeOp):
            size = shape.extents.get_values()[dimension]
            rewriter.replace(op, arith.ConstantOp.from_int_and_width(size, IndexType()))
        elif isinstance(shape, ShapeOfOp):
            position = arith.ConstantOp.from_int_and_width(dimension, IndexType())
            is_buffer = isinstance(shape.shaped.type, MemRefType)
            dim = (memref.DimOp if is_buffer else tensor.DimOp)(shape.shaped, position)
            rewriter.replace(op, [position, dim])


class FreeAtReturn(RewritePattern):
    """What the entry allocates is freed when the function returns, if it has to."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: func.ReturnOp, rewriter: PatternRewriter) -> None:
        function = op.parent_op()
        assert isinstance(function, func.FuncOp)
        for each in function.body.blocks[0].ops:
            if isinstance(each, memref.AllocOp) and each.memref not in op.operands:
                rewriter.insert(DeallocOp(each), InsertPoint.before(op))


class LowerShapesPass(ModulePass):
    """Turn shapes into sizes, and free buffers."""

    name = "lower-shapes"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(
            GreedyRewritePatternApplier([LowerExtent(), FreeAtReturn()]),
            apply_recursively=False,
        ).rewrite_module(op)
        dce(op)

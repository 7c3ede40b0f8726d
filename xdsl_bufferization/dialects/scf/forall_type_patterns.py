"""What casts and sizes say of the outputs of `scf.forall`, by MLIR's patterns.

%c = tensor.cast %t : tensor<2xf32> to tensor<?xf32>
scf.forall ... shared_outs(%o = %c)    ->  shared_outs(%o = %t), and a cast behind

tensor.dim of a result                 ->  tensor.dim of the output
"""

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from ..common.uses import uses_to_replace
from ..tensor.canonicalization.values import keeps_static_sizes
from ..tensor.constraints import ranked_type
from ..tensor.slices import ParallelInsertSliceOp
from .forall import ForallOp, InParallelOp


class CastBehindForall(RewritePattern):
    """An output keeps its shape, so that a cast before the loop may come behind it."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ForallOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by a loop with outputs of more static types."""
        outputs = [_before_cast(output) or output for output in op.outputs]
        if outputs == list(op.outputs) or not _only_inserts(op):
            return
        old = op.region.block
        block = Block(
            arg_types=[
                *(index.type for index in op.induction_variables),
                *(output.type for output in outputs),
            ]
        )
        casts: list[Operation] = []
        values: list[SSAValue] = list(block.args[: op.rank])
        inserted_into: dict[SSAValue, SSAValue] = {}
        for argument, new in zip(op.region_outputs, block.args[op.rank :], strict=True):
            new.name_hint = argument.name_hint
            values.append(_as_type_of(argument, new, casts))
            inserted_into[values[-1]] = new
        rewriter.inline_block(old, InsertPoint.at_end(block), values)
        _insert_into_arguments(block, inserted_into)
        for cast in reversed(casts):
            rewriter.insert(cast, InsertPoint.at_start(block))
        new_op = ForallOp(
            op.lower_bounds,
            op.upper_bounds,
            op.steps,
            outputs,
            Region(block),
            op.mapping,
        )
        new_op.attributes.update(op.attributes)
        behind: list[Operation] = []
        results = [
            _as_type_of(result, new, behind)
            for result, new in zip(op.results, new_op.results, strict=True)
        ]
        rewriter.replace(op, [new_op, *behind], results)


def _before_cast(output: SSAValue) -> SSAValue | None:
    """What a cast that forgets sizes was applied to, or None."""
    cast = output.owner
    if isinstance(cast, tensor.CastOp) and keeps_static_sizes(cast):
        return cast.source if cast.source.type != output.type else None
    return None


def _only_inserts(op: ForallOp) -> bool:
    terminator = op.region.block.last_op
    return isinstance(terminator, InParallelOp) and all(
        isinstance(each, ParallelInsertSliceOp) for each in terminator.region.block.ops
    )


def _as_type_of(old: SSAValue, new: SSAValue, casts: list[Operation]) -> SSAValue:
    """`new`, by a cast if its type is not that of `old`."""
    if old.type == new.type:
        return new
    casts.append(cast := tensor.CastOp(new, ranked_type(old)))
    return cast.results[0]


def _insert_into_arguments(
    block: Block, inserted_into: dict[SSAValue, SSAValue]
) -> None:
    terminator = block.last_op
    assert isinstance(terminator, InParallelOp)
    for insert in terminator.region.block.ops:
        insert.operands[1] = inserted_into[insert.operands[1]]


class DimsOfForall(RewritePattern):
    """A result has the sizes of its output."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ForallOp, rewriter: PatternRewriter, /) -> None:
        """Replace what asks for a size of a result."""
        for output, result in zip(op.outputs, op.results, strict=True):
            for use in uses_to_replace(result):
                if isinstance(dim := use.operation, tensor.DimOp):
                    dim.operands[0] = output
                    rewriter.notify_op_modified(dim)

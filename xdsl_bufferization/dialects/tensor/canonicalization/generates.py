"""What `tensor.generate`, and an element of it, simplify to.

    %0 = tensor.generate %n {
    ^bb0(%i: index):
      tensor.yield %i : index
    } : tensor<?xindex>
    %1 = tensor.extract %0[%j] : tensor<?xindex>                              // is %j

Source of the rules: the canonicalization patterns of MLIR's ops.
"""

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from ..regions import GenerateOp
from .values import known_sizes, replace_and_cast

_MAX_OPS = 16
"""How many ops are computed once more for each element that is wanted."""


class GenerateOfConstantSizes(RewritePattern):
    """Sizes that are known go into the type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GenerateOp, rewriter: PatternRewriter) -> None:
        type_, left = known_sizes(op.result.type, op.dynamic_extents)
        if type_ != op.result.type:
            region = rewriter.move_region_contents_to_new_regions(op.body)
            new = GenerateOp(left, region, type_)
            new.attributes.update(op.attributes)
            new.location = op.location
            replace_and_cast(op, new, rewriter)


class ExtractFromGenerate(RewritePattern):
    """One element is computed where it is used, if that does nothing else."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractOp, rewriter: PatternRewriter
    ) -> None:
        generate = op.tensor.owner
        if not isinstance(generate, GenerateOp):
            return
        block = generate.body.block
        inside = list(block.ops)
        if len(inside) > _MAX_OPS or not all(map(_is_simple, inside[:-1])):
            return
        values: dict[SSAValue, SSAValue] = dict(
            zip(block.args, op.indices, strict=True)
        )
        new_ops = [each.clone(value_mapper=values) for each in inside[:-1]]
        yielded = inside[-1].operands[0]
        rewriter.replace(op, new_ops, [values.get(yielded, yielded)])


def _is_simple(op: Operation) -> bool:
    return not op.regions and would_be_trivially_dead(op)

"""Canonicalization patterns that memref and tensor share.

    tensor.collapse_shape of tensor.collapse_shape      // is one
    memref.dim %m, %c1 : memref<4x8xf32>                // is 8

The ops of both dialects have the same fields. Here are patterns for which it does not
matter whether elements are in memory. Source of the rules: the folders of MLIR's ops,
and `ReshapeOpsUtils.h`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from typing_extensions import override
from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from .definitions import verifies
from .reshape_algebra import (
    Groups,
    attribute_of,
    collapse_of_expand,
    compose,
    merged_sizes,
    numbers_of,
)
from .static_values import (
    OpFoldResult,
    constant_integer,
    decompose_mixed_values,
    index_constant,
    mixed_values,
)

CollapseShapeOp: TypeAlias = memref.CollapseShapeOp | tensor.CollapseShapeOp
ExpandShapeOp: TypeAlias = memref.ExpandShapeOp | tensor.ExpandShapeOp


def new_collapse(
    op_type: type[CollapseShapeOp],
    source: SSAValue,
    groups: Groups,
    result: Attribute,
    attributes: Mapping[str, Attribute],
) -> CollapseShapeOp:
    """An op that merges dimensions."""
    return op_type.build(
        operands=[source],
        result_types=[result],
        properties={"reassociation": attribute_of(groups)},
        attributes=attributes,
    )


def new_expand(
    op_type: type[ExpandShapeOp],
    source: SSAValue,
    groups: Groups,
    sizes: Sequence[OpFoldResult],
    result: Attribute,
    attributes: Mapping[str, Attribute],
) -> ExpandShapeOp:
    """An op that splits dimensions."""
    static, dynamic = decompose_mixed_values(sizes)
    return op_type.build(
        operands=[source, dynamic],
        result_types=[result],
        properties={
            "reassociation": attribute_of(groups),
            "static_output_shape": DenseArrayBase.from_list(i64, static),
        },
        attributes=attributes,
    )


def sizes_of_expand(op: ExpandShapeOp) -> list[OpFoldResult]:
    """The sizes that dimensions are split to."""
    return mixed_values(op.static_output_shape.get_values(), op.operands[1:])


def is_valid(op: Operation) -> bool:
    """Whether MLIR accepts a new op, not yet in the program; if not, it is dropped."""
    if verifies(op):
        return True
    op.erase()
    return False


class ToSameType(RewritePattern):
    """An op that only changes a type, and does not, is its operand."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if op.operands[0].type == op.results[0].type:
            rewriter.replace(op, [], [op.operands[0]])


class LastOfTwo(RewritePattern):
    """Of two casts of a kind, the last counts; one to the same type is its source."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        source = op.operands[0]
        first = source.owner
        if isinstance(first, Operation) and first.name == op.name:
            source = first.operands[0]
        if source.type == op.results[0].type:
            rewriter.replace(op, [], [source])
        elif source is not op.operands[0]:
            op.operands[0] = source
            rewriter.notify_op_modified(op)


# Sizes.


class DimIsKnown(RewritePattern):
    """A size is what the type says, or the op that makes the tensor or buffer."""

    def __init__(self, defined_size: Callable[[SSAValue, int], OpFoldResult | None]):
        self._defined_size = defined_size

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        source, dimension = op.operands
        if (index := constant_integer(dimension)) is None:
            return
        size = self._defined_size(source, index)
        if isinstance(size, int):
            rewriter.replace(op, index_constant(size))
        elif size is not None:
            rewriter.replace(op, [], [size])


class RankIsKnown(RewritePattern):
    """The rank of what has one is a constant: `memref.rank`, `tensor.rank`."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(type_ := op.operands[0].type, MemRefType | TensorType):
            rewriter.replace(op, index_constant(type_.get_num_dims()))


# Reshapes by groups of dimensions.


class CollapseOfCollapse(RewritePattern):
    """Dimensions that are merged in two steps are merged in one."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, CollapseShapeOp)
        first = op.src.owner
        if not isinstance(first, CollapseShapeOp):
            return
        groups = compose(numbers_of(op.reassociation), numbers_of(first.reassociation))
        new = new_collapse(type(op), first.src, groups, op.result.type, op.attributes)
        if is_valid(new):
            rewriter.replace(op, new)


class ExpandOfExpand(RewritePattern):
    """Dimensions that are split in two steps are split in one."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, ExpandShapeOp)
        first = op.src.owner
        if not isinstance(first, ExpandShapeOp):
            return
        groups = compose(numbers_of(first.reassociation), numbers_of(op.reassociation))
        sizes, type_ = sizes_of_expand(op), op.result.type
        new = new_expand(type(op), first.src, groups, sizes, type_, op.attributes)
        if is_valid(new):
            rewriter.replace(op, new)


class ExpandOfCollapse(RewritePattern):
    """Dimensions that are merged and split again are what they were.

    Unless several sizes of a group are dynamic: they may come out differently.
    """

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, ExpandShapeOp)
        first = op.src.owner
        if (
            isinstance(first, CollapseShapeOp)
            and first.src.type == op.result.type
            and first.reassociation == op.reassociation
            and _are_implied(numbers_of(op.reassociation), op.result.type.get_shape())
        ):
            rewriter.replace(op, [], [first.src])


class OneForCollapseOfExpand(RewritePattern):
    """A collapse of an expansion that goes only part of the way back, or beyond.

    %0 = memref.expand_shape %m [[0, 1, 2]] ... : memref<8xf32> into memref<2x2x2xf32>
    memref.collapse_shape %0 [[0, 1], [2]] : memref<2x2x2xf32> into memref<4x2xf32>
        // memref.expand_shape %m [[0, 1]] : memref<8xf32> into memref<4x2xf32>
    """

    def __init__(self, is_allowed: Callable[[SSAValue, SSAValue], bool]):
        self._is_allowed = is_allowed
        """Whether a value can be reshaped directly into another one."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, CollapseShapeOp)
        first, type_ = op.src.owner, op.result.type
        if not isinstance(first, ExpandShapeOp):
            return
        if not self._is_allowed(first.src, op.result):
            return
        groups = numbers_of(op.reassociation)
        reshape = collapse_of_expand(numbers_of(first.reassociation), groups)
        if reshape is None:
            return
        shared = first.src, reshape.groups
        new_ops: list[Operation] = []
        if reshape.collapses:
            new = new_collapse(type(op), *shared, type_, op.attributes)
        else:
            sizes, new_ops = merged_sizes(sizes_of_expand(first), groups)
            new = new_expand(type(first), *shared, sizes, type_, op.attributes)
        if is_valid(new):
            rewriter.replace(op, [*new_ops, new], new.results)


def _are_implied(groups: Groups, shape: Sequence[int]) -> bool:
    """Whether the sizes of each group follow from their product."""
    return all(
        [shape[dim] for dim in group].count(DYNAMIC_INDEX) <= 1 for group in groups
    )

"""Which reshape two reshapes are: calculations with groups of dimensions.

    t           4x512
    expanded    1x4x1x512     groups [0, 1, 2], [3]
    collapsed   2048          groups [0, 1, 2, 3]: of t, [0, 1]

Nothing here knows an op, so that `memref` and `tensor` use the same calculations.
Source of the rules: `ComposeCollapseOfExpandOp` and `ComposeExpandOfCollapseOp` of
MLIR's `ReshapeOpsUtils.h`.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    i64,
)
from xdsl.dialects.utils.reshape_ops_utils import ArrayOfIntArrayAttr
from xdsl.ir import Operation, SSAValue

from .static_values import OpFoldResult, index_constant

Groups = list[list[int]]
"""For each dimension of the smaller shape, those of the larger."""


class Reshape(NamedTuple):
    """One reshape in the place of two."""

    groups: Groups
    collapses: bool
    """Whether dimensions are merged; else they are split."""


def numbers_of(groups: ArrayOfIntArrayAttr) -> Groups:
    """The groups of an attribute as numbers."""
    return [[index.value.data for index in group] for group in groups]


def attribute_of(groups: Groups) -> ArrayOfIntArrayAttr:
    """Groups as an attribute."""
    return ArrayAttr(
        ArrayAttr(IntegerAttr(index, i64) for index in group) for group in groups
    )


def compose(outer: Groups, inner: Groups) -> Groups:
    """The groups of two reshapes in one: a number of `outer` is a group of `inner`."""
    return [[dim for middle in group for dim in inner[middle]] for group in outer]


def static_product(sizes: Sequence[int]) -> int:
    """The size that `sizes` are merged to, as a type says it."""
    return DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else prod(sizes)


def collapse_of_expand(expand: Groups, collapse: Groups) -> Reshape | None:
    """The one reshape from the source of `expand` to the result of `collapse`.

    Both are groups of the shape in between. One of them has to cut wherever the other
    one cuts.
    """
    if not expand or not collapse:
        # A shape of no dimension: all sizes are 1, and there is nothing to group.
        return Reshape([], not collapse) if expand or collapse else None
    if len(expand) == len(collapse):
        return None
    collapses = len(expand) > len(collapse)
    fine, coarse = (expand, collapse) if collapses else (collapse, expand)
    groups = _groups_of_groups(fine, coarse)
    return None if groups is None else Reshape(groups, collapses)


def _groups_of_groups(fine: Groups, coarse: Groups) -> Groups | None:
    groups: Groups = []
    position = 0
    for group in coarse:
        start = position
        while position < len(fine) and fine[position][-1] <= group[-1]:
            position += 1
        if start == position or fine[position - 1][-1] != group[-1]:
            return None
        groups.append(list(range(start, position)))
    return groups


def expand_of_collapse(
    collapse: Groups, expand: Groups, source: Sequence[int], result: Sequence[int]
) -> Reshape | None:
    """The one reshape from `source` to `result`, which are one shape in between.

    Both are groups for the dimensions of the shape in between.
    """
    if len(source) == len(result):
        return None
    collapses = len(source) > len(result)
    if not collapses:
        collapse, expand, source, result = expand, collapse, result, source
    if not collapse:
        collapse, expand = [list(range(len(source)))], [list(range(len(result)))]
    groups: Groups = []
    for larger, smaller in zip(collapse, expand, strict=True):
        part = _merge([source[d] for d in larger], [result[d] for d in smaller])
        if part is None:
            return None
        groups += [[larger[0] + index for index in group] for group in part]
    return Reshape(groups, collapses)


def _merge(sizes: Sequence[int], wanted: Sequence[int]) -> Groups | None:
    """How to merge `sizes` to `wanted`, whose products are equal; None if unsure."""
    if not wanted:
        return [] if not sizes else None
    if DYNAMIC_INDEX not in wanted:
        return merge_static(sizes, wanted)
    if wanted.count(DYNAMIC_INDEX) > 1 or sizes.count(DYNAMIC_INDEX) > 1 or 0 in sizes:
        return None
    # What is left between the static sizes on both sides is the unknown size.
    unknown = wanted.index(DYNAMIC_INDEX)
    before = _take(sizes, wanted[:unknown])
    behind = _take(sizes[::-1], wanted[:unknown:-1])
    if before is None or behind is None:
        return None
    start = before[-1][-1] + 1 if before else 0
    stop = len(sizes) - (behind[-1][-1] + 1 if behind else 0)
    if DYNAMIC_INDEX not in sizes[start:stop]:
        return None
    last = len(sizes) - 1
    mirrored = [[last - index for index in reversed(group)] for group in behind]
    return [*before, list(range(start, stop)), *reversed(mirrored)]


def merge_static(sizes: Sequence[int], wanted: Sequence[int]) -> Groups | None:
    """How to merge `sizes` to `wanted`; None if they cannot be, or are not known."""
    if DYNAMIC_INDEX in sizes or not wanted:
        return None
    groups = _take(sizes, wanted)
    if groups is None:
        return None
    rest = range(groups[-1][-1] + 1, len(sizes))
    if any(sizes[index] != 1 for index in rest):
        return None
    groups[-1] += rest
    return groups


def _take(sizes: Sequence[int], wanted: Sequence[int]) -> Groups | None:
    """The first `sizes`, merged to exactly `wanted`; a rest may remain."""
    groups: Groups = []
    position = 0
    for size in wanted:
        start, product = position, 1
        while position == start or product != size:
            if position == len(sizes) or DYNAMIC_INDEX in (size, sizes[position]):
                return None
            product *= sizes[position]
            position += 1
        groups.append(list(range(start, position)))
    return groups


def merged_sizes(
    sizes: Sequence[OpFoldResult], groups: Groups
) -> tuple[list[OpFoldResult], list[Operation]]:
    """The product of each group of sizes, and the ops that compute the unknown ones."""
    merged: list[OpFoldResult] = []
    new_ops: list[Operation] = []
    for group in groups:
        known = prod(size for index in group if isinstance(size := sizes[index], int))
        unknown = [size for i in group if isinstance(size := sizes[i], SSAValue)]
        if not unknown:
            merged.append(known)
            continue
        if known != 1:
            new_ops.append(constant := index_constant(known))
            unknown.append(constant.result)
        product = unknown[0]
        for factor in unknown[1:]:
            new_ops.append(step := arith.MuliOp(product, factor))
            product = step.result
        merged.append(product)
    return merged, new_ops

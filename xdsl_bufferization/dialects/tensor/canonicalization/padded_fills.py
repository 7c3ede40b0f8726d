"""A padded tensor that is inserted where the padding is already.

    %0 = tensor.pad %t low[1] high[2] { ... %x } : tensor<4xf32> to tensor<7xf32>
    %1 = linalg.fill ins(%x : f32) outs(%u : tensor<32xf32>) -> tensor<32xf32>
    tensor.insert_slice %0 into %1[8] [7] [1] : tensor<7xf32> into tensor<32xf32>
    // becomes
    tensor.insert_slice %t into %1[9] [4] [1] : tensor<4xf32> into tensor<32xf32>

Source of the rule: the canonicalization patterns of MLIR's `linalg.fill`.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...common.static_values import OpFoldResult, index_constant
from ..constraints import ranked_type
from ..slice_types import Slice, out_of_bounds, slice_of
from .pads import lower_padding, padding_value, sum_of, upper_padding
from .slices import create_slice_op

_MAX_INSERTIONS = 64
"""How many earlier insertions are looked at, to bound the cost."""


class InsertPadIntoFill(RewritePattern):
    """Only what is padded is inserted, if the rest is filled with the padding."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.InsertSliceOp, rewriter: PatternRewriter
    ) -> None:
        pad, piece = op.source.owner, slice_of(op)
        if not isinstance(pad, tensor.PadOp) or not _is_plain(op):
            return
        value, filled = padding_value(pad), _filled_before(op)
        if value is None or value is not filled or not _is_padding(pad):
            return
        new_ops: list[Operation] = []
        offsets = [
            sum_of(low, offset, new_ops)
            for low, offset in zip(lower_padding(pad), piece.offsets, strict=True)
        ]
        known = Slice(offsets, _sizes(pad.source, new_ops), piece.strides)
        if out_of_bounds(known, ranked_type(op.dest).get_shape()) is not None:
            return
        new = create_slice_op(op, [pad.source, op.dest], known, op.result_types)
        rewriter.replace(op, [*new_ops, new], new.results)


def _is_plain(op: tensor.InsertSliceOp) -> bool:
    """Whether `op` inserts element after element, and drops no dimension."""
    is_dense = all(stride == 1 for stride in slice_of(op).strides)
    return is_dense and ranked_type(op.source).get_num_dims() == len(op.static_offsets)


def _is_padding(pad: tensor.PadOp) -> bool:
    """Whether no padding removes elements. Values are taken not to, as by MLIR."""
    numbers = (*lower_padding(pad), *upper_padding(pad))
    return all(not isinstance(each, int) or each >= 0 for each in numbers)


def _filled_before(op: tensor.InsertSliceOp) -> SSAValue | None:
    """What the destination is filled with where `op` inserts, or None."""
    dest: SSAValue = op.dest
    for _ in range(_MAX_INSERTIONS):
        before = dest.owner
        if isinstance(before, FillOp):
            return before.inputs[0]
        if not isinstance(before, tensor.InsertSliceOp) or not _is_plain(before):
            return None
        if not _are_disjoint(slice_of(before), slice_of(op)):
            return None
        dest = before.dest
    return None


def _are_disjoint(first: Slice, second: Slice) -> bool:
    bounds = zip(first.offsets, first.sizes, second.offsets, second.sizes, strict=True)
    return any(_lie_apart(*each) for each in bounds)


def _lie_apart(
    a: OpFoldResult, size_a: OpFoldResult, b: OpFoldResult, size_b: OpFoldResult
) -> bool:
    if not isinstance(a, int) or not isinstance(b, int):
        return False
    return (isinstance(size_a, int) and a + size_a <= b) or (
        isinstance(size_b, int) and b + size_b <= a
    )


def _sizes(source: SSAValue, new_ops: list[Operation]) -> Sequence[OpFoldResult]:
    sizes: list[OpFoldResult] = []
    for index, size in enumerate(ranked_type(source).get_shape()):
        if size == DYNAMIC_INDEX:
            constant = index_constant(index)
            dim = tensor.DimOp(source, constant)
            new_ops += [constant, dim]
            sizes.append(dim.result)
        else:
            sizes.append(size)
    return sizes

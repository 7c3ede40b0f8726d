"""What `tensor.pad` simplifies to.

%0 = tensor.pad %t low[1] high[%c0] { ... } : tensor<4xf32> to tensor<?xf32>
    // is padded by high[0], of type tensor<5xf32>, and a cast

Source of the rules: the folder and canonicalization patterns of MLIR's op.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType, i64
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...common.slices import Slice, slice_of
from ...common.static_values import (
    OpFoldResult,
    decompose_mixed_values,
    fold_constant,
    fold_constants,
    index_constant,
    mixed_values,
)
from ..constraints import ranked_type
from ..slice_types import out_of_bounds
from .slices import create_slice_op
from .values import keeps_static_sizes, replace_and_cast


def lower_padding(op: tensor.PadOp) -> list[OpFoldResult]:
    """How much is added in front, by dimension."""
    return mixed_values(op.static_low.get_values(), op.low)


def upper_padding(op: tensor.PadOp) -> list[OpFoldResult]:
    """How much is added behind, by dimension."""
    return mixed_values(op.static_high.get_values(), op.high)


def _rebuild(
    op: tensor.PadOp,
    source: SSAValue,
    low: Sequence[OpFoldResult],
    high: Sequence[OpFoldResult],
    type_: TensorType,
    rewriter: PatternRewriter,
) -> tensor.PadOp:
    """Padding by the same elements."""
    static_low, dynamic_low = decompose_mixed_values(low)
    static_high, dynamic_high = decompose_mixed_values(high)
    properties = {
        **op.properties,
        "static_low": DenseArrayBase.from_list(i64, static_low),
        "static_high": DenseArrayBase.from_list(i64, static_high),
    }
    properties.pop("operandSegmentSizes", None)
    return tensor.PadOp.build(
        operands=[source, dynamic_low, dynamic_high],
        result_types=[type_],
        properties=properties,
        attributes=op.attributes,
        regions=[rewriter.move_region_contents_to_new_regions(op.region)],
    )


def _padded_type(
    source: TensorType,
    low: Sequence[OpFoldResult],
    high: Sequence[OpFoldResult],
    said: TensorType,
) -> TensorType:
    """All that is known of a padded tensor, of which `said` was said."""
    shape: list[int] = []
    numbers = zip(source.get_shape(), low, high, said.get_shape(), strict=True)
    for size, before, behind, known in numbers:
        if known != DYNAMIC_INDEX or size == DYNAMIC_INDEX:
            shape.append(known)
        elif isinstance(before, int) and isinstance(behind, int):
            shape.append(before + size + behind)
        else:
            shape.append(known)
    return TensorType(said.element_type, shape, said.encoding)


class PadByNothing(RewritePattern):
    """Without padding, the result is the source; unless a copy is asked for."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.PadOp, rewriter: PatternRewriter) -> None:
        sides = zip(lower_padding(op), upper_padding(op), strict=True)
        nothing = [sum(fold_constant(each) == 0 for each in both) for both in sides]
        # Where a size stays and one side has no padding, the other has none. A negative
        # padding may make up for the other side.
        stays = op.source.type == op.result.type and op.result.type.has_static_shape()
        if op.nofold is not None or not all(each >= 2 - stays for each in nothing):
            return
        if op.source.type == op.result.type:
            rewriter.replace(op, [], [op.source])
        else:
            rewriter.replace(op, tensor.CastOp(op.source, op.result.type))


class PadOfConstants(RewritePattern):
    """Padding by constants is part of the op, and of its type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.PadOp, rewriter: PatternRewriter) -> None:
        low, high = (
            fold_constants(lower_padding(op)),
            fold_constants(upper_padding(op)),
        )
        type_ = _padded_type(ranked_type(op.source), low, high, op.result.type)
        if (low, high, type_) != (lower_padding(op), upper_padding(op), op.result.type):
            new = _rebuild(op, op.source, low, high, type_, rewriter)
            replace_and_cast(op, new, rewriter)


class PadOfCast(RewritePattern):
    """Padding of a cast is padding of what is cast, if that is known better."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.PadOp, rewriter: PatternRewriter) -> None:
        cast = op.source.owner
        if not isinstance(cast, tensor.CastOp) or not keeps_static_sizes(cast):
            return
        source = ranked_type(cast.source)
        type_ = _padded_type(
            source, lower_padding(op), upper_padding(op), op.result.type
        )
        new = _rebuild(
            op, cast.source, lower_padding(op), upper_padding(op), type_, rewriter
        )
        replace_and_cast(op, new, rewriter)


class CastOfPad(RewritePattern):
    """What a cast says of a padded tensor is part of the type of the padding."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.CastOp, rewriter: PatternRewriter) -> None:
        pad, type_ = op.source.owner, op.dest.type
        if not isinstance(pad, tensor.PadOp) or not isinstance(type_, TensorType):
            return
        if not op.source.has_one_use() or type_ == pad.result.type:
            return
        said = zip(pad.result.type.get_shape(), type_.get_shape(), strict=True)
        if all(before in (DYNAMIC_INDEX, after) for before, after in said):
            new = _rebuild(
                pad, pad.source, lower_padding(pad), upper_padding(pad), type_, rewriter
            )
            rewriter.replace(op, new)
            rewriter.erase(pad)


class PadOfPad(RewritePattern):
    """Two paddings by one value are one."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.PadOp, rewriter: PatternRewriter) -> None:
        first = op.source.owner
        if not isinstance(first, tensor.PadOp) or op.nofold or first.nofold:
            return
        value = padding_value(op)
        if value is None or value is not padding_value(first):
            return
        sides = (
            (lower_padding(first), lower_padding(op)),
            (upper_padding(first), upper_padding(op)),
        )
        if not all(
            _add_up(*both) for side in sides for both in zip(*side, strict=True)
        ):
            return
        new_ops: list[Operation] = []
        low = _sums(lower_padding(op), lower_padding(first), new_ops)
        high = _sums(upper_padding(op), upper_padding(first), new_ops)
        rewriter.insert(new_ops)
        new = _rebuild(op, first.source, low, high, op.result.type, rewriter)
        rewriter.replace(op, new)


def _add_up(first: OpFoldResult, second: OpFoldResult) -> bool:
    """Whether two paddings are surely one of their sum.

    What a negative padding removes does not come back.
    """
    return (isinstance(first, int) and first >= 0) or (
        isinstance(second, int) and second <= 0
    )


def padding_value(op: tensor.PadOp) -> SSAValue | None:
    """What `op` pads with, if that is a value from outside."""
    block = op.region.block
    terminator = block.last_op
    if terminator is None or terminator is not block.first_op:
        return None
    value = terminator.operands[0]
    return None if value.owner is block else value


def _sums(
    first: Sequence[OpFoldResult],
    second: Sequence[OpFoldResult],
    new_ops: list[Operation],
) -> list[OpFoldResult]:
    return [sum_of(a, b, new_ops) for a, b in zip(first, second, strict=True)]


def sum_of(a: OpFoldResult, b: OpFoldResult, new_ops: list[Operation]) -> OpFoldResult:
    """The sum of two numbers, by new ops if need be."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if a == 0:
        return b
    if b == 0:
        return a
    first, second = _value(a, new_ops), _value(b, new_ops)
    new_ops.append(add := arith.AddiOp(first, second))
    return add.result


def _value(number: OpFoldResult, new_ops: list[Operation]) -> SSAValue:
    if isinstance(number, SSAValue):
        return number
    new_ops.append(constant := index_constant(number))
    return constant.result


# A padded tensor that is inserted where the padding is already.
#
#     %0 = tensor.pad %t low[1] high[2] { ... %x } : tensor<4xf32> to tensor<7xf32>
#     %1 = linalg.fill ins(%x : f32) outs(%u : tensor<32xf32>) -> tensor<32xf32>
#     tensor.insert_slice %0 into %1[8] [7] [1] : tensor<7xf32> into tensor<32xf32>
#     // becomes
#     tensor.insert_slice %t into %1[9] [4] [1] : tensor<4xf32> into tensor<32xf32>
#
# Source of the rule: the canonicalization patterns of MLIR's `linalg.fill`.


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

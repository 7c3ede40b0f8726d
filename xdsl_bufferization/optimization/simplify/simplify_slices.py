"""simplify-slices: take a slice of the part that has it, and not of the whole.

    %0 = tensor.concat dim(0) %a, %b : (tensor<1x4xf32>, tensor<1x4xf32>)
    %1 = linalg.transpose ins(%0) permutation = [1, 0]      // 4x2
    %2 = tensor.extract_slice %1[0, 1] [4, 1] [1, 1]
        ->
    %2 = tensor.collapse_shape and expand_shape of %b       // 4x1

1. A slice of a transpose that only slices read becomes a transpose of a slice; one that
   has no size of 1, and is not transposed, becomes a slice.
2. A slice of a concatenation that is inside of one part becomes a slice of the part.
3. A reshape behind a transpose that leaves out sizes of 1 does so before it.
4. A transpose that only moves sizes of 1 becomes a reshape.

The last step of a recurrent network is such a slice. What nothing else needs is not
computed then. Sizes have to be known. Runs first of all passes on linalg ops.
"""

from bisect import bisect_right
from collections.abc import Sequence
from math import prod

from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.linalg.ops import TransposeOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.common.reshape_algebra import (
    attribute_of,
    merge_static,
    numbers_of,
)
from xdsl_bufferization.dialects.common.slices import slice_of
from xdsl_bufferization.dialects.linalg.moves import new_transpose
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.relayout import erase_dead
from ..common.slices import part_offsets


def simplify_slices(module: ModuleOp) -> None:
    """Take slices in `module` of parts, and make reshapes of transposes."""
    slices = _Slices()
    for op in ops_inside(module):
        if isinstance(op, tensor.ExtractSliceOp) and op.parent is not None:
            slices.move_up(op)
    for op in ops_inside(module):
        if isinstance(op, tensor.CollapseShapeOp):
            transpose = op.src.owner
            if isinstance(transpose, TransposeOp):
                _above_collapsed(op, transpose)
    for op in ops_inside(module):
        if isinstance(op, TransposeOp):
            _reshape(op)


class _Slices:
    """Moves slices, and remembers what it knows of what they are in."""

    def __init__(self) -> None:
        self._starts: dict[tensor.ConcatOp, Sequence[int] | None] = {}
        self._is_sliced: dict[TransposeOp, bool] = {}

    def move_up(self, op: tensor.ExtractSliceOp) -> None:
        """Take a slice of what is before it, as often as that is possible."""
        moved: tensor.ExtractSliceOp | None = op
        while moved is not None:
            source = moved.source.owner
            if isinstance(source, TransposeOp):
                moved = self._above_transpose(moved, source)
            elif isinstance(source, tensor.ConcatOp):
                moved = self._above_concat(moved, source)
            else:
                return
            erase_dead([source])

    def _above_transpose(
        self, op: tensor.ExtractSliceOp, transpose: TransposeOp
    ) -> tensor.ExtractSliceOp | None:
        order = transpose.permutation.get_values()
        moves = [
            d for d, size in zip(order, slice_of(op).sizes, strict=True) if size != 1
        ]
        if moves == sorted(moves) and len(moves) == len(op.result.type.get_shape()):
            # Sizes of 1 are left out, and the others are not transposed.
            moved = _before(op, transpose, op.result.type)
            Rewriter.replace_op(op, [], [moved.result])
            return moved
        if transpose not in self._is_sliced:
            self._is_sliced[transpose] = _is_sliced(transpose)
        if not self._is_sliced[transpose]:
            return None
        sizes = dict(zip(order, op.result.type.get_shape(), strict=True))
        type_ = TensorType(
            op.result.type.element_type, [sizes[d] for d in range(len(order))]
        )
        moved = _before(op, transpose, type_)
        builder = ArithBuilder.before(op)
        empty = builder.insert(tensor.EmptyOp([], op.result.type))
        new = new_transpose(moved.result, empty.tensor, order)
        Rewriter.replace_op(op, [], builder.insert(new).results)
        return moved

    def _above_concat(
        self, op: tensor.ExtractSliceOp, concat: tensor.ConcatOp
    ) -> tensor.ExtractSliceOp | None:
        numbers = _numbers(op)
        if concat not in self._starts:
            self._starts[concat] = _starts_of(concat)
        starts = self._starts[concat]
        if numbers is None or starts is None:
            return None
        offsets, sizes, strides = numbers
        dim = concat.dim.value.data
        # Behind parts without elements, which begin at the same place.
        number = bisect_right(starts, offsets[dim]) - 1
        part = concat.inputs[number]
        shape = ranked_type(part).get_shape()
        offsets[dim] -= starts[number]
        last = offsets[dim] + (sizes[dim] - 1) * strides[dim]
        if not sizes[dim] or last >= shape[dim]:
            return None
        if part.type == op.result.type and tuple(sizes) == shape:
            Rewriter.replace_op(op, [], [part])
            return None
        moved = tensor.ExtractSliceOp(part, offsets, sizes, strides, op.result.type)
        Rewriter.replace_op(op, [], [ArithBuilder.before(op).insert(moved).result])
        return moved


def _before(
    op: tensor.ExtractSliceOp, transpose: TransposeOp, type_: TensorType
) -> tensor.ExtractSliceOp:
    """The slice of what is transposed that has the elements of `op`."""
    order = transpose.permutation.get_values()
    place = {source: at for at, source in enumerate(order)}
    offsets, sizes, strides = (
        [kind[place[d]] for d in range(len(order))] for kind in slice_of(op)
    )
    moved = tensor.ExtractSliceOp(transpose.inputs[0], offsets, sizes, strides, type_)
    return ArithBuilder.before(op).insert(moved)


def _is_sliced(transpose: TransposeOp) -> bool:
    """Whether slices are all that reads a transpose, and have no more elements."""
    total = 0
    for use in transpose.results[0].uses:
        user = use.operation
        if (
            not isinstance(user, tensor.ExtractSliceOp)
            # In a loop, each iteration would transpose a slice.
            or user.parent is not transpose.parent
            or list(slice_of(user).sizes) != list(user.result.type.get_shape())
        ):
            return False
        total += prod(user.result.type.get_shape())
    return total <= prod(ranked_type(transpose.results[0]).get_shape())


def _starts_of(concat: tensor.ConcatOp) -> list[int] | None:
    """Where the parts of a concatenation begin; None if that is not known."""
    types = [ranked_type(part) for part in concat.inputs]
    if not all(type_.has_static_shape() for type_ in types):
        return None
    return part_offsets(concat)


def _numbers(op: tensor.ExtractSliceOp) -> list[list[int]] | None:
    """Offsets, sizes and strides; None if some are values."""
    numbers = [
        [each for each in kind if isinstance(each, int)] for kind in slice_of(op)
    ]
    rank = len(ranked_type(op.source).get_shape())
    return numbers if all(len(kind) == rank for kind in numbers) else None


# Reshapes.


def _above_collapsed(view: tensor.CollapseShapeOp, transpose: TransposeOp) -> None:
    """Leave out sizes of 1 before a transpose that nothing else reads."""
    shape, result = ranked_type(view.src).get_shape(), ranked_type(view.result)
    groups = numbers_of(view.reassociation)
    is_known = ranked_type(view.src).has_static_shape()
    if not is_known or not groups or not view.src.has_one_use():
        return
    kept = [[d for d in group if shape[d] != 1] or group[:1] for group in groups]
    if any(len(group) > 1 for group in kept):
        return
    # Per dimension of the result, that of the source of the transpose.
    order = transpose.permutation.get_values()
    of_source = [order[group[0]] for group in kept]
    places = sorted(of_source)
    sizes = [ranked_type(transpose.inputs[0]).get_shape()[d] for d in places]
    builder = ArithBuilder.before(view)
    collapsed = _collapsed(
        builder, transpose.inputs[0], TensorType(result.element_type, sizes)
    )
    empty = builder.insert(tensor.EmptyOp([], result))
    permutation = [places.index(d) for d in of_source]
    new = new_transpose(collapsed, empty.tensor, permutation)
    Rewriter.replace_op(view, [], builder.insert(new).results)
    erase_dead([transpose])


def _reshape(op: TransposeOp) -> None:
    """Replace a transpose that only moves sizes of 1."""
    if not op.results or not ranked_type(op.inputs[0]).has_static_shape():
        return
    source, result = op.inputs[0], ranked_type(op.results[0])
    empty = op.outputs[0].owner
    shape = ranked_type(source).get_shape()
    order = [d for d in op.permutation.get_values() if shape[d] != 1]
    if order != sorted(order):
        return
    if result != source.type:
        others = TensorType(result.element_type, [shape[d] for d in order])
        builder = ArithBuilder.before(op)
        source = _expanded(builder, _collapsed(builder, source, others), result)
    Rewriter.replace_op(op, [], [source])
    if isinstance(empty, Operation):
        erase_dead([empty])


def _collapsed(builder: ArithBuilder, value: SSAValue, type_: TensorType) -> SSAValue:
    groups = merge_static(ranked_type(value).get_shape(), type_.get_shape())
    assert groups is not None, "sizes of 1 are left out"
    if value.type == type_:
        return value
    view = tensor.CollapseShapeOp.build(
        operands=[value],
        result_types=[type_],
        properties={"reassociation": attribute_of(groups)},
    )
    return builder.insert(view).result


def _expanded(builder: ArithBuilder, value: SSAValue, type_: TensorType) -> SSAValue:
    groups = merge_static(type_.get_shape(), ranked_type(value).get_shape())
    assert groups is not None, "sizes of 1 are added"
    if value.type == type_:
        return value
    shape = type_.get_shape()
    view = tensor.ExpandShapeOp(value, [], attribute_of(groups), shape, type_)
    return builder.insert(view).result


class SimplifySlicesPass(TensorPass):
    """Take a slice from the part of a tensor that has it, not from the whole."""

    name = "simplify-slices"
    rewrite = staticmethod(simplify_slices)

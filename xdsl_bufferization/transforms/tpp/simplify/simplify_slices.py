"""simplify-slices: a slice is taken of what it is in, before that is put together.

    %0 = tensor.concat dim(0) %a, %b : (tensor<1x4xf32>, tensor<1x4xf32>)
    %1 = linalg.transpose ins(%0) permutation = [1, 0]      // 4x2
    %2 = tensor.extract_slice %1[0, 1] [4, 1] [1, 1]
        ->
    %2 = tensor.collapse_shape and expand_shape of %b       // 4x1

1. A slice of a transpose that only slices read becomes a transpose of a slice.
2. A slice of a concatenation that is inside of one part becomes a slice of the part.
3. A transpose that only moves sizes of 1 becomes a reshape.

The last step of a recurrent network is such a slice. What nothing else needs is not
computed then. Sizes have to be known. Runs first of all passes on linalg ops.
"""

from bisect import bisect_right
from itertools import accumulate

from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.linalg.ops import TransposeOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.common.reshape_algebra import (
    attribute_of,
    merge_static,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.dialects.tensor.slice_types import slice_of
from xdsl_bufferization.transforms.mlir_pass import TensorPass
from xdsl_bufferization.transforms.tpp.common.relayout import Inserter, erase_dead
from xdsl_bufferization.traversal import ops_inside

_Starts = dict[Operation, "list[int] | None"]
"""Per concatenation where its parts begin; None if that is not known."""


def simplify_slices(module: ModuleOp) -> None:
    """Take slices in `module` of parts, and make reshapes of transposes."""
    starts: _Starts = {}
    for op in ops_inside(module):
        if isinstance(op, tensor.ExtractSliceOp) and op.parent is not None:
            _move_up(op, starts)
    for op in ops_inside(module):
        if isinstance(op, TransposeOp):
            _reshape(op)


def _move_up(op: tensor.ExtractSliceOp, starts: _Starts) -> None:
    """Take a slice of what is before it, as often as that is possible."""
    moved: tensor.ExtractSliceOp | None = op
    while moved is not None:
        source = moved.source.owner
        if isinstance(source, TransposeOp):
            moved = _above_transpose(moved, source)
        elif isinstance(source, tensor.ConcatOp):
            moved = _above_concat(moved, source, starts)
        else:
            return
        erase_dead([source])


def _numbers(op: tensor.ExtractSliceOp) -> list[list[int]] | None:
    """Offsets, sizes and strides; None if some are values."""
    numbers = [
        [each for each in kind if isinstance(each, int)] for kind in slice_of(op)
    ]
    rank = len(ranked_type(op.source).get_shape())
    return numbers if all(len(kind) == rank for kind in numbers) else None


def _above_transpose(
    op: tensor.ExtractSliceOp, transpose: TransposeOp
) -> tensor.ExtractSliceOp | None:
    numbers = _numbers(op)
    users = (use.operation for use in transpose.results[0].uses)
    if (
        numbers is None
        or op.result.type.get_shape() != tuple(numbers[1])
        or not all(isinstance(user, tensor.ExtractSliceOp) for user in users)
    ):
        return None
    order = transpose.permutation.get_values()
    place = {source: at for at, source in enumerate(order)}
    offsets, sizes, strides = (
        [kind[place[d]] for d in range(len(order))] for kind in numbers
    )
    inserter = Inserter(op)
    type_ = TensorType(op.result.type.element_type, sizes)
    moved = inserter.insert(
        tensor.ExtractSliceOp(transpose.inputs[0], offsets, sizes, strides, type_)
    )
    empty = inserter.insert(tensor.EmptyOp([], op.result.type))
    new = inserter.insert(
        TransposeOp(moved.result, empty.tensor, transpose.permutation)
    )
    Rewriter.replace_op(op, [], new.results)
    return moved


def _above_concat(
    op: tensor.ExtractSliceOp, concat: tensor.ConcatOp, starts: _Starts
) -> tensor.ExtractSliceOp | None:
    numbers = _numbers(op)
    if concat not in starts:
        starts[concat] = _starts_of(concat)
    begins = starts[concat]
    if numbers is None or begins is None:
        return None
    offsets, sizes, strides = numbers
    dim = concat.dim.value.data
    # Behind parts without elements, which begin at the same place.
    number = bisect_right(begins, offsets[dim]) - 1
    part = concat.inputs[number]
    shape = ranked_type(part).get_shape()
    offsets[dim] -= begins[number]
    last = offsets[dim] + (sizes[dim] - 1) * strides[dim]
    if not sizes[dim] or last >= shape[dim]:
        return None
    if part.type == op.result.type and tuple(sizes) == shape:
        Rewriter.replace_op(op, [], [part])
        return None
    moved = tensor.ExtractSliceOp(part, offsets, sizes, strides, op.result.type)
    Rewriter.replace_op(op, [], [Inserter(op).insert(moved).result])
    return moved


def _starts_of(concat: tensor.ConcatOp) -> list[int] | None:
    types = [ranked_type(part) for part in concat.inputs]
    if not all(type_.has_static_shape() for type_ in types):
        return None
    lengths = [type_.get_shape()[concat.dim.value.data] for type_ in types]
    return list(accumulate(lengths[:-1], initial=0))


# Reshapes.


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
        inserter = Inserter(op)
        source = _expanded(inserter, _collapsed(inserter, source, others), result)
    Rewriter.replace_op(op, [], [source])
    if isinstance(empty, Operation):
        erase_dead([empty])


def _collapsed(inserter: Inserter, value: SSAValue, type_: TensorType) -> SSAValue:
    groups = merge_static(ranked_type(value).get_shape(), type_.get_shape())
    assert groups is not None, "sizes of 1 are left out"
    if value.type == type_:
        return value
    view = tensor.CollapseShapeOp.build(
        operands=[value],
        result_types=[type_],
        properties={"reassociation": attribute_of(groups)},
    )
    return inserter.insert(view).result


def _expanded(inserter: Inserter, value: SSAValue, type_: TensorType) -> SSAValue:
    groups = merge_static(type_.get_shape(), ranked_type(value).get_shape())
    assert groups is not None, "sizes of 1 are added"
    if value.type == type_:
        return value
    shape = type_.get_shape()
    view = tensor.ExpandShapeOp(value, [], attribute_of(groups), shape, type_)
    return inserter.insert(view).result


class SimplifySlicesPass(TensorPass):
    """Take slices of what they are in, before it is put together."""

    name = "simplify-slices"
    rewrite = staticmethod(simplify_slices)

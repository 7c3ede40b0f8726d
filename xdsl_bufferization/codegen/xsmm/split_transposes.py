"""Transposes of many dimensions as loops around transposes of matrices.

    linalg.transpose ins(%a : memref<24x14x14xf32>) outs(%b : memref<14x14x24xf32>)
        permutation = [1, 2, 0]
        ->
    %0 = memref.collapse_shape %a [[0], [1, 2]]
    %1 = memref.collapse_shape %b [[0, 1], [2]]
    linalg.transpose ins(%0 : memref<24x196xf32>) outs(%1 : memref<196x24xf32>)
        permutation = [1, 0]

Dimensions that follow each other on both sides become one. The matrix has the last
dimension of either side; there is a loop over each of the others. A transpose whose
last dimension stays the last one is left as it is.
"""

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
)
from xdsl.dialects.linalg.ops import TransposeOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.linalg.moves import new_transpose
from xdsl_bufferization.dialects.memref.layouts import (
    StridedForm,
    get_strided_form,
    with_layout,
)
from xdsl_bufferization.dialects.memref.reshapes import get_collapsed_type
from xdsl_bufferization.dialects.memref.slices import infer_subview_type
from xdsl_bufferization.optimization.common.relayout import reassociation

from .strided_matrices import as_buffer, row_strides

MATRIX_RANK = 2


def split_transposes(ops: Sequence[Operation]) -> None:
    """Make transposes of matrices of those in `ops` that have more dimensions."""
    for op in ops:
        if isinstance(op, TransposeOp) and not op.results:
            new_ops = _split(op)
            if new_ops is not None:
                Rewriter.replace_op(op, new_ops)


def _split(op: TransposeOp) -> list[Operation] | None:
    source, target = op.inputs[0], op.outputs[0]
    permutation = tuple(map(int, op.permutation.get_values()))
    strides = row_strides(source.type), row_strides(target.type)
    if len(permutation) <= MATRIX_RANK or strides[0] is None or strides[1] is None:
        return None
    if permutation[-1] == len(permutation) - 1:
        return None
    groups = _groups(permutation, _type(target).get_shape(), strides[0], strides[1])
    of_source = sorted([permutation[at] for at in group] for group in groups)
    new_ops: list[Operation] = []
    if len(groups) < len(permutation):
        collapsed = [_collapse(source, of_source), _collapse(target, groups)]
        new_ops += collapsed
        source, target = (each.results[0] for each in collapsed)
    order = [of_source.index([permutation[at] for at in group]) for group in groups]
    return [*new_ops, *_loops(source, target, order)]


def _type(value: SSAValue) -> MemRefType:
    type_ = as_buffer(value.type)
    assert type_ is not None, "strides are those of a buffer"
    return type_


def _groups(
    permutation: Sequence[int],
    sizes: Sequence[int],
    source: Sequence[int],
    target: Sequence[int],
) -> list[list[int]]:
    """The dimensions of the target, those together that are one on both sides."""
    groups = [[0]]
    for dimension in range(1, len(permutation)):
        before, size = dimension - 1, sizes[dimension]
        old, old_before = permutation[dimension], permutation[before]
        is_one = (
            old == old_before + 1
            and target[before] == size * target[dimension]
            and source[old_before] == size * source[old]
        )
        if is_one:
            groups[-1].append(dimension)
        else:
            groups.append([dimension])
    return groups


def _collapse(value: SSAValue, groups: Sequence[Sequence[int]]) -> Operation:
    type_ = _type(value)
    shape = [prod(type_.get_shape()[at] for at in group) for group in groups]
    return memref.CollapseShapeOp.create(
        operands=[value],
        result_types=[get_collapsed_type(type_, groups, shape)],
        properties={"reassociation": reassociation(groups)},
    )


def _loops(source: SSAValue, target: SSAValue, order: Sequence[int]) -> list[Operation]:
    """Loops over all dimensions but the last ones of either side."""
    rank = len(order)
    matrix = [order.index(rank - 1), rank - 1]
    outer = [dimension for dimension in range(rank) if dimension not in matrix]
    if not outer:
        return [_transpose(source, target)]
    zero, one = (index_constant(n) for n in (0, 1))
    indices = {dimension: Block(arg_types=[IndexType()]) for dimension in outer}
    offsets = {dimension: block.args[0] for dimension, block in indices.items()}
    pieces = [
        _piece(source, {order[dimension]: at for dimension, at in offsets.items()}),
        _piece(target, offsets),
    ]
    body = [*pieces, _transpose(*(each.results[0] for each in pieces))]
    new_ops: list[Operation] = [zero, one]
    for dimension, block in reversed(indices.items()):
        size = _type(target).get_shape()[dimension]
        bound = index_constant(size)
        new_ops.append(bound)
        block.add_ops([*body, scf.YieldOp()])
        body = [scf.ForOp(zero, bound, one, [], Region(block))]
    return [*new_ops, *body]


def _transpose(source: SSAValue, target: SSAValue) -> Operation:
    return new_transpose(source, target, [1, 0])


def _piece(value: SSAValue, offsets: Mapping[int, SSAValue]) -> Operation:
    """The matrix at an iteration of the loops."""
    type_ = _type(value)
    shape = type_.get_shape()
    dimensions = range(len(shape))
    sizes = [1 if at in offsets else shape[at] for at in dimensions]
    starts = [offsets.get(at, 0) for at in dimensions]
    known = [DYNAMIC_INDEX if at in offsets else 0 for at in dimensions]
    ones = [1] * len(shape)
    form = get_strided_form(infer_subview_type(type_, known, sizes, ones))
    assert form is not None, "the strides of the buffer are known"
    kept = [at for at in dimensions if at not in offsets]
    result = with_layout(
        type_,
        [shape[at] for at in kept],
        StridedForm(tuple(form.strides[at] for at in kept), form.offset),
    )
    return memref.SubviewOp.get(value, starts, sizes, ones, result)

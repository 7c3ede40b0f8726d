"""Reshapes and concatenations of unpacked tensors, on the packed side.

    %0 = linalg.unpack %p ... : tensor<1x4x993x32xf32> -> tensor<1x128x993xf32>
    %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] : ... into tensor<1x128x1x993xf32>
        ->
    %2 = tensor.expand_shape %p [[0], [1], [2, 3], [4]] : ... into tensor<1x4x1x993x32>
    %1 = linalg.unpack %2 ... : tensor<1x4x1x993x32xf32> -> tensor<1x128x1x993xf32>

For `propagate-pack-and-unpack`. A dimension that is cut into tiles stays as it is, or
is the one along which tensors of full tiles are put together. Sizes are known.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from xdsl.dialects import tensor
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.pack import UnPackOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ..common.relayout import Layout, empty_like, reassociation, unpack

Groups = Sequence[Sequence[int]]

VIEWS: Final = tensor.ExpandShapeOp | tensor.CollapseShapeOp | tensor.ConcatOp
"""What may be done on the packed side."""


def push_below_view(op: Operation) -> bool:
    """Do `op` on the packed side, if it is a view of what was unpacked for it."""
    match op:
        case tensor.ExpandShapeOp():
            return _expand(op)
        case tensor.CollapseShapeOp():
            return _collapse(op)
        case tensor.ConcatOp():
            return _concat(op)
        case _:
            return False


def _unpacked(value: SSAValue) -> tuple[SSAValue, Layout] | None:
    """What a tensor of known sizes and full tiles was unpacked from."""
    owner = value.owner
    if not isinstance(owner, UnPackOp) or not ranked_type(value).has_static_shape():
        return None
    layout = Layout.of(owner)
    if layout is None or not layout.has_only_full_tiles(ranked_type(value)):
        return None
    return owner.source, layout


def _replace(op: Operation, packed: Operation, layout: Layout) -> None:
    """Replace `op` by what is unpacked from the result of another op."""
    builder = ArithBuilder.before(op)
    builder.insert(packed)
    init = empty_like(builder, op.results[0])
    result = unpack(builder, packed.results[0], layout, init)
    Rewriter.replace_op(op, [], [result])


def _groups(op: tensor.ExpandShapeOp | tensor.CollapseShapeOp) -> list[list[int]]:
    return [[each.value.data for each in group.data] for group in op.reassociation.data]


def _with_tiles(sizes: Sequence[int], num_tiles: int) -> Groups:
    """Groups of so many dimensions each, and one for each dimension of a tile."""
    counts = [*sizes, *[1] * num_tiles]
    return [
        range(end - count, end)
        for end, count in zip(accumulate(counts), counts, strict=True)
    ]


def _main_dimension(group: Sequence[int], shape: Sequence[int]) -> int | None:
    """The only dimension of a group that has more than one element, if there is one."""
    large = [dimension for dimension in group if shape[dimension] != 1]
    return large[0] if len(large) == 1 else None


def _expand(op: tensor.ExpandShapeOp) -> bool:
    found = _unpacked(op.src)
    if found is None or not ranked_type(op.result).has_static_shape():
        return False
    packed, layout = found
    groups, shape = _groups(op), ranked_type(op.result).get_shape()
    cut = [_main_dimension(groups[each], shape) for each in layout.dimensions]
    dimensions = tuple(each for each in cut if each is not None)
    if len(dimensions) < len(cut):
        return False
    outer = tuple(each for dimension in layout.outer for each in groups[dimension])
    new = Layout(dimensions, layout.sizes, outer)
    sizes = [len(groups[dimension]) for dimension in layout.outer]
    type_ = new.packed_type(ranked_type(op.result))
    expanded = tensor.ExpandShapeOp(
        packed,
        [],
        reassociation(_with_tiles(sizes, len(layout.sizes))),
        type_.get_shape(),
        type_,
    )
    _replace(op, expanded, new)
    return True


def _collapse(op: tensor.CollapseShapeOp) -> bool:
    found = _unpacked(op.src)
    if found is None:
        return False
    packed, layout = found
    groups, shape = _groups(op), ranked_type(op.src).get_shape()
    number_of = {each: number for number, group in enumerate(groups) for each in group}
    for dimension in layout.dimensions:
        if _main_dimension(groups[number_of[dimension]], shape) != dimension:
            return False
    outer: list[int] = []
    while (place := sum(len(groups[number]) for number in outer)) < len(shape):
        number = number_of[layout.outer[place]]
        if list(layout.outer[place : place + len(groups[number])]) != groups[number]:
            return False
        outer.append(number)
    dimensions = tuple(number_of[each] for each in layout.dimensions)
    new = Layout(dimensions, layout.sizes, tuple(outer))
    sizes = [len(groups[number]) for number in outer]
    collapsed = tensor.CollapseShapeOp.build(
        operands=[packed],
        result_types=[new.packed_type(ranked_type(op.result))],
        properties={
            "reassociation": reassociation(_with_tiles(sizes, len(layout.sizes)))
        },
    )
    _replace(op, collapsed, new)
    return True


def _concat(op: tensor.ConcatOp) -> bool:
    parts = [_unpacked(value) for value in op.inputs]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or len({layout for _, layout in known}) != 1:
        return False
    layout = known[0][1]
    joined = tensor.ConcatOp.build(
        operands=[[packed for packed, _ in known]],
        result_types=[layout.packed_type(op.result.type)],
        properties={
            "dim": type(op.dim)(layout.outer.index(op.dim.value.data), op.dim.type)
        },
    )
    _replace(op, joined, layout)
    return True

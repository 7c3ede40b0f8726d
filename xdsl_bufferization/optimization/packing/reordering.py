"""Tensors with their dimensions in another order, and what computes and reads them.

    %1 = linalg.generic ... outs(%0)         // 1x3x56x56x32
    %2 = linalg.generic { exp } ins(%1)
        ->
    %1 = linalg.generic ... outs(...)        // 1x56x56x3x32
    %2 = linalg.generic { exp } ins(%1)      // with another map for %1

The loops of the ops stay as they are, and so do other results: only maps change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, TensorType
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import SSAValue, Use
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.linalg.pack import UnPackOp
from xdsl_bufferization.dialects.linalg.structure import (
    known_structure,
    structure_of,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ..common.pads import border_of, pad, value_outside
from ..common.relayout import Layout, erase_dead, reassociation, unpack
from .pack_convolutions import WINDOW_ATTRIBUTE

MOST_OPS: Final = 8
"""So many ops that compute a result one after the other are looked at."""

Order = Sequence[int]
"""Per new dimension of a tensor: which it was."""


def groups_of(view: tensor.CollapseShapeOp) -> list[list[int]]:
    """The dimensions that become one, for each dimension of a view."""
    return [[d.value.data for d in group] for group in view.reassociation]


def computing(value: SSAValue, depth: int = MOST_OPS) -> list[GenericOp]:
    """The ops that compute `value` element by element, or sum over windows, in order.

    Each but the last has no other user than the next ones. Empty if `value` is not
    computed like that, from a tensor without contents.
    """
    op = value.owner
    structure = structure_of(op) if isinstance(op, GenericOp) else None
    if not depth or structure is None or len(structure.outputs) != 1:
        return []
    assert isinstance(op, GenericOp)
    (start,) = structure.outputs
    ops: list[GenericOp] = []
    if not _is_new(start):
        ops = computing(start, depth - 1) if start.has_one_use() else []
        if not ops:
            return []
    if all(structure.parallel):
        # What a convolution is followed by is computed in its place.
        for operand, map_ in zip(structure.inputs, structure.maps, strict=False):
            same = operand.type == start.type and map_ == structure.maps[-1]
            if same and operand.has_one_use():
                ops += computing(operand, depth - 1)
    elif WINDOW_ATTRIBUTE not in op.attributes:
        return []
    return [*ops, op]


def _is_new(value: SSAValue) -> bool:
    """Whether a tensor has no contents, or one number everywhere."""
    fill = value.owner
    start = fill.outputs[0] if isinstance(fill, FillOp) else value
    return isinstance(start.owner, tensor.EmptyOp)


# What reads the result.


def may_be_reordered(use: Use, order: Order) -> bool:
    """Whether an op could read its operand with its dimensions in another order."""
    op = use.operation
    if isinstance(op, GenericOp):
        return use.index < len(op.inputs)
    if isinstance(op, tensor.PadOp):
        return border_of(op) is not None and all(
            may_be_reordered(each, order) for each in op.result.uses
        )
    if isinstance(op, UnPackOp):
        return use.index == 0 and Layout.of(op) is not None and order[-1] == max(order)
    if not isinstance(op, tensor.CollapseShapeOp):
        return False
    collapsed = _collapsed(op, order)
    return collapsed is not None and all(
        may_be_reordered(each, collapsed.order) for each in op.result.uses
    )


@dataclass(frozen=True)
class _Collapsed:
    """A view of a tensor with its dimensions in another order."""

    groups: list[list[int]]
    order: list[int]
    """Of the dimensions of the view."""


def _collapsed(view: tensor.CollapseShapeOp, order: Order) -> _Collapsed | None:
    """How to view a reordered tensor; None if a group does not stay together."""
    place = {dimension: at for at, dimension in enumerate(order)}
    groups = [[place[d] for d in group] for group in groups_of(view)]
    if any(group != list(range(group[0], group[0] + len(group))) for group in groups):
        return None
    places = sorted(range(len(groups)), key=lambda at: groups[at])
    return _Collapsed([groups[at] for at in places], places)


# Rewriting.


def reorder(value: SSAValue, ops: Sequence[GenericOp], order: Order) -> None:
    """Compute `value` with its dimensions in another order, by the same loops."""
    new: dict[SSAValue, SSAValue] = {}
    for op in ops:
        new[op.results[0]] = _reordered_op(op, new, order)
    for use in list(value.uses):
        read_reordered(use, new[value], order)
    erase_dead(ops)


def _start(op: GenericOp, order: Order) -> SSAValue:
    """What `op` starts from, in another order."""
    old = op.outputs[0]
    builder = ArithBuilder.before(op)
    new = builder.insert(tensor.EmptyOp([], _reordered_type(old, order))).tensor
    if isinstance(old.owner, FillOp):
        fill = new_fill(old.owner.inputs[0], new, [new.type])
        return builder.insert(fill).results[0]
    return new


def _reordered_type(value: SSAValue, order: Order) -> TensorType:
    type_ = ranked_type(value)
    shape = type_.get_shape()
    return TensorType(type_.element_type, [shape[d] for d in order], type_.encoding)


def _reordered(map_: AffineMap, order: Order) -> AffineMap:
    results = tuple(map_.results[dimension] for dimension in order)
    return AffineMap(map_.num_dims, map_.num_symbols, results)


def _reordered_op(
    op: GenericOp, new: Mapping[SSAValue, SSAValue], order: Order
) -> SSAValue:
    """The result of `op` in another order, from operands of which some are `new`."""
    maps = list(known_structure(op).maps)
    inputs, output = list(op.inputs), op.outputs[0]
    for number, value in enumerate(inputs):
        if value in new:
            inputs[number], maps[number] = new[value], _reordered(maps[number], order)
    maps[-1] = _reordered(maps[-1], order)
    start = new[output] if output in new else _start(op, order)
    reordered = GenericOp(
        inputs,
        [start],
        op.body.clone(),
        list(map(AffineMapAttr, maps)),
        op.iterator_types,
        [start.type],
    )
    reordered.attributes.update(op.attributes)
    return ArithBuilder.before(op).insert(reordered).results[0]


def read_reordered(use: Use, new: SSAValue, order: Order) -> None:
    """Let an op read `new` in the place of its operand."""
    op = use.operation
    if isinstance(op, GenericOp):
        maps = list(known_structure(op).maps)
        maps[use.index] = _reordered(maps[use.index], order)
        op.properties["indexing_maps"] = ArrayAttr(map(AffineMapAttr, maps))
        op.operands[use.index] = new
    elif isinstance(op, UnPackOp):
        layout = Layout.of(op)
        assert layout is not None
        outer = tuple(layout.outer[dimension] for dimension in order[:-1])
        reordered = Layout(layout.dimensions, layout.sizes, outer)
        result = unpack(ArithBuilder.before(op), new, reordered, op.dest)
        Rewriter.replace_op(op, [], [result])
    elif isinstance(op, tensor.PadOp):
        _pad(op, new, order)
    elif isinstance(op, scf.ForOp | scf.YieldOp):
        # What a loop carries; see `unpack_in_place.py`.
        op.operands[use.index] = new
    else:
        assert isinstance(op, tensor.CollapseShapeOp)
        _view(op, new, order)


def _pad(op: tensor.PadOp, new: SSAValue, order: Order) -> None:
    border = border_of(op)
    assert border is not None, "it may be reordered"
    constants, value = value_outside(border, op)
    builder = ArithBuilder.before(op)
    for constant in constants:
        builder.insert(constant)
    low, high = ([widths[d] for d in order] for widths in (border.low, border.high))
    padded = builder.insert(pad(new, low, high, value))
    for use in list(op.result.uses):
        read_reordered(use, padded.result, order)
    Rewriter.erase_op(op)


def _view(op: tensor.CollapseShapeOp, new: SSAValue, order: Order) -> None:
    collapsed = _collapsed(op, order)
    assert collapsed is not None, "it may be reordered"
    view = tensor.CollapseShapeOp.build(
        operands=[new],
        result_types=[_reordered_type(op.result, collapsed.order)],
        properties={"reassociation": reassociation(collapsed.groups)},
    )
    ArithBuilder.before(op).insert(view)
    for use in list(op.result.uses):
        read_reordered(use, view.result, collapsed.order)
    Rewriter.erase_op(op)

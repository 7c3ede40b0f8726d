"""unpack-in-place: a convolution writes its channels where an unpack would put them.

    %1 = linalg.generic ... outs(%0) {xsmm.sums_window}    // 1x3x56x56x32
    %2 = linalg.generic { bias } outs(%1)
    %3 = linalg.unpack %2 outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3]
        inner_tiles = [32] : tensor<1x3x56x56x32xf32> -> tensor<1x56x56x96xf32>
        ->
    %2 = linalg.generic { bias } outs(...)                 // 1x56x56x3x32
    %3 = tensor.collapse_shape %2 : ... into tensor<1x56x56x96xf32>

Before `tile-convolutions`. What else reads the result does so in the new order; see
`reordering.py`. The tiles are of the last dimension, as kernels write channels that are
neighbours in memory. A loop may carry what is unpacked.
`tile-consumer-and-fuse-producers` does the same for an unpack that is the only user,
without a reshape in between.
"""

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.pack import PackOp, UnPackOp
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.support.traversal import ops_inside

from ..common.relayout import Layout, pack
from .reordering import (
    Order,
    computing,
    groups_of,
    may_be_reordered,
    read_reordered,
    reorder,
)


def unpack_in_place(module: ModuleOp) -> None:
    """Let convolutions in `module` write what is unpacked where it belongs."""
    ops = ops_inside(module)
    for op in ops:
        if isinstance(op, GenericOp) and _is_copy(op):
            Rewriter.replace_op(op, [], op.inputs)
    for op in ops:
        # An earlier one may have taken the place of this op.
        if isinstance(op, UnPackOp) and op.parent is not None:
            _unpack_in_place(op)


def _unpack_in_place(op: UnPackOp) -> None:
    layout, type_ = Layout.of(op), op.unpacked_type
    rank = len(type_.get_shape())
    if (
        layout is None
        or layout.dimensions != (rank - 1,)
        or not type_.has_static_shape()
        or not layout.has_only_full_tiles(type_)
    ):
        return
    order: Order = [*sorted(range(rank), key=lambda d: layout.outer[d]), rank]
    value = op.source
    while isinstance(view := value.owner, tensor.CollapseShapeOp):
        order = [dimension for at in order for dimension in groups_of(view)[at]]
        value = view.src
    if list(order) == sorted(order):
        return
    if isinstance(value.owner, scf.ForOp):
        reorder_carried(value.owner, value, order)
        return
    ops = computing(value)
    if ops and all(may_be_reordered(use, order) for use in value.uses):
        reorder(value, ops, order)


def _is_copy(op: GenericOp) -> bool:
    """Whether the result is the input, as what was a transpose before packs moved."""
    structure, block = structure_of(op), op.body.block
    last = block.last_op
    return (
        structure is not None
        and last is not None
        and all(structure.parallel)
        and len(structure.inputs) == len(op.results) == 1
        and structure.inputs[0].type == structure.outputs[0].type
        and structure.maps[0] == structure.maps[1]
        and structure.maps[1].is_projected_permutation()
        and block.first_op is last
        and last.operands[0] is block.args[0]
    )


# Loops that carry a tensor with its dimensions in another order.
#
#     scf.for ... iter_args(%t = %a)      // 1x3x56x56x32
#         ->
#     scf.for ... iter_args(%t = %b)      // 1x56x56x3x32
#
# What is carried has to be computed, in front of the loop and in it, by ops that can do
# so in another order. A pack in front of the loop has another order instead.


def reorder_carried(loop: scf.ForOp, result: SSAValue, order: Order) -> None:
    """Let a loop carry one of its results in another order, if everything can."""
    body, number = loop.body.block, loop.results.index(result)
    argument, last = body.args[number + 1], body.last_op
    assert last is not None
    place = len(loop.operands) - len(loop.iter_args) + number
    start, yielded = loop.operands[place], last.operands[number]
    starts = _others(start, loop, place)
    layout = None if starts else _layout(start.owner, order)
    before, ops = computing(start), computing(yielded)
    reads = [*argument.uses, *result.uses, *starts, *_others(yielded, last, number)]
    if not (ops and (before or layout)) or not all(
        may_be_reordered(use, order) for use in reads
    ):
        return
    if layout is None:
        reorder(start, before, order)
    else:
        _pack(start.owner, layout)
    for old in (argument, result):
        new = Rewriter.replace_value_with_new_type(old, loop.operands[place].type)
        for use in list(new.uses):
            read_reordered(use, new, order)
    reorder(yielded, ops, order)


def _others(value: SSAValue, op: Operation, place: int) -> list[Use]:
    """The uses of a value but for the one as that operand of `op`."""
    return [use for use in value.uses if (use.operation, use.index) != (op, place)]


def _layout(op: object, order: Order) -> Layout | None:
    """How a pack of full tiles would have to pack; None if `op` is none."""
    if not isinstance(op, PackOp):
        return None
    layout = Layout.of(op)
    if layout is None or not layout.has_only_full_tiles(op.unpacked_type):
        return None
    rank = len(layout.outer)
    if list(order[rank:]) != list(range(rank, len(order))):
        return None
    outer = tuple(layout.outer[dimension] for dimension in order[:rank])
    return Layout(layout.dimensions, layout.sizes, outer)


def _pack(op: object, layout: Layout) -> None:
    assert isinstance(op, PackOp)
    Rewriter.replace_op(op, [], [pack(ArithBuilder.before(op), op.source, layout)])


class UnpackInPlacePass(TensorPass):
    """Let convolutions write their channels where an unpack would put them."""

    name = "unpack-in-place"
    rewrite = staticmethod(unpack_in_place)

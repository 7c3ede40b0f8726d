"""Loops that carry a tensor with its dimensions in another order.

    %r = scf.for ... iter_args(%t = %a) {           // 1x3x56x56x32
      %u = linalg.generic ins(%t) ...
      scf.yield %u
    }
        ->
    %r = scf.for ... iter_args(%t = %b) {           // 1x56x56x3x32
      ...

What is carried has to be computed, in front of the loop and in it, by ops that can do
so in another order. A pack in front of the loop has another order instead.
"""

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.pack import PackOp

from ..common.relayout import Layout, pack
from .reordering import Order, computing, may_be_reordered, read_reordered, reorder


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

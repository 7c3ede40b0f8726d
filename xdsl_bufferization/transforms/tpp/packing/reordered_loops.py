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

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.linalg.pack import PackOp
from xdsl_bufferization.transforms.tpp.common.carried import (
    argument_beside,
    loop_with_starts,
)
from xdsl_bufferization.transforms.tpp.common.relayout import Inserter, Layout, pack
from xdsl_bufferization.transforms.tpp.packing.reordering import (
    Order,
    computing,
    may_be_reordered,
    read_reordered,
    reorder,
)


class _Carried(NamedTuple):
    """A tensor that a loop carries."""

    loop: scf.ForOp
    number: int
    """Of the result of the loop."""
    argument: BlockArgument
    last: Operation
    """What ends an iteration."""

    @property
    def start(self) -> SSAValue:
        return self.loop.iter_args[self.number]

    @property
    def yielded(self) -> SSAValue:
        return self.last.operands[self.number]

    @property
    def reads(self) -> list[Use]:
        """The uses of the tensor in the loop and behind it."""
        return [*self.argument.uses, *self.loop.res[self.number].uses]


def reorder_carried(loop: scf.ForOp, result: SSAValue, order: Order) -> None:
    """Let a loop carry one of its results in another order, if everything can."""
    number, last = loop.results.index(result), loop.body.block.last_op
    assert last is not None
    carried = _Carried(loop, number, loop.body.block.args[number + 1], last)
    starts = _others(carried.start, loop)
    yields = _others(carried.yielded, last)
    if (
        all(may_be_reordered(use, order) for use in (*carried.reads, *starts, *yields))
        and computing(carried.yielded)
        and (_packing(carried.start, starts, order) or computing(carried.start))
    ):
        _reorder(carried, order)


def _others(value: SSAValue, op: Operation) -> list[Use]:
    """The uses of a value but for the one that hands it to an iteration."""
    return [use for use in value.uses if use.operation is not op]


def _packing(start: SSAValue, others: Sequence[Use], order: Order) -> PackOp | None:
    """The pack of full tiles of which nothing but a loop reads the result."""
    op = start.owner
    if not isinstance(op, PackOp) or others:
        return None
    layout = Layout.of(op)
    if layout is None or not layout.has_only_full_tiles(op.unpacked_type):
        return None
    rank = len(layout.outer)
    keeps_tiles = list(order[rank:]) == list(range(rank, len(order)))
    return op if keeps_tiles else None


def _reorder(carried: _Carried, order: Order) -> None:
    loop, number, argument, last = carried
    _reorder_start(carried, order)
    new = argument_beside(argument, carried.start.type)
    for use in list(argument.uses):
        read_reordered(use, new, order)
    loop.body.block.erase_arg(argument)
    reorder(last.operands[number], computing(last.operands[number]), order)
    new_loop = loop_with_starts(loop, loop.iter_args)
    for use in list(loop.res[number].uses):
        read_reordered(use, new_loop.res[number], order)
    Rewriter.replace_op(loop, [], new_loop.res)


def _reorder_start(carried: _Carried, order: Order) -> None:
    start = carried.start
    op = _packing(start, _others(start, carried.loop), order)
    if op is None:
        reorder(start, computing(start), order)
        return
    layout = Layout.of(op)
    assert layout is not None
    outer = tuple(layout.outer[dimension] for dimension in order[: len(layout.outer)])
    packed = pack(
        Inserter(op), op.source, Layout(layout.dimensions, layout.sizes, outer)
    )
    Rewriter.replace_op(op, [], [packed])

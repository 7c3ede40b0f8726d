"""Loops carry a tensor with its border, if each iteration puts one around it.

    %r = scf.for ... iter_args(%t = %a) {        %p = tensor.pad %a
      %p = tensor.pad %t                         %q = scf.for ... iter_args(%p) {
      ... %p, %t                          ->       %t = tensor.extract_slice %p
      scf.yield %u                                 ... %p, %t
    }                                              %v = tensor.insert_slice %u into %p
                                                   scf.yield %v
                                                 }
                                                 %r = tensor.extract_slice %q

The border is filled once, and the iterations compute inside of it. What an iteration
computes of the elements of %t, each of one, takes their place.
"""

from xdsl.dialects import scf, tensor
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.transforms.tpp.common.carried import (
    argument_beside,
    loop_with_starts,
)
from xdsl_bufferization.transforms.tpp.common.pads import Border, border_of
from xdsl_bufferization.transforms.tpp.common.slices import insert_slice
from xdsl_bufferization.transforms.tpp.simplify.convert_linalg_to_inplace import (
    write_over,
)


def carry_padded(op: tensor.PadOp) -> None:
    """Let the loop around `op` carry what `op` makes, if it carries what `op` pads."""
    carried, border = op.source, border_of(op)
    if not isinstance(carried, BlockArgument) or border is None:
        return
    body, loop = carried.block, carried.block.parent_op()
    if (
        isinstance(loop, scf.ForOp)
        and op.parent is body
        and carried.index > 0
        and op.result.type.has_static_shape()
        and _is_outside(border.value, op, loop)
    ):
        _carry(op, border, body, loop)


def _is_outside(value: SSAValue, op: tensor.PadOp, loop: scf.ForOp) -> bool:
    """Whether a number is one in front of the loop, or a constant that `op` has."""
    owner = value.owner
    around = owner if isinstance(owner, Block) else owner.parent
    return around is op.region.block or (
        around is not None and not loop.is_ancestor(around)
    )


def _carry(op: tensor.PadOp, border: Border, body: Block, loop: scf.ForOp) -> None:
    carried, last = op.source, body.last_op
    assert isinstance(carried, BlockArgument)
    assert last is not None
    number = carried.index - 1
    _write_over(carried, last.operands[number])
    starts, yielded = list(loop.iter_args), last.operands[number]
    start = op.clone({carried: starts[number]})
    starts[number] = _insert(start, op, InsertPoint.before(loop))
    padded = argument_beside(carried, op.result.type)
    sizes = ranked_type(carried).get_shape()
    back = insert_slice(yielded, padded, border.low, sizes)
    last.operands[number] = _insert(back, op, InsertPoint.before(last))
    carried.replace_all_uses_with(
        _inside(op, border, padded, InsertPoint.at_start(body))
    )
    Rewriter.replace_op(op, [], [padded])
    body.erase_arg(carried)
    new = loop_with_starts(loop, starts)
    results: list[SSAValue] = list(new.res)
    if loop.res[number].first_use is not None:
        after = InsertPoint.after(new)
        results[number] = _inside(op, border, results[number], after)
    Rewriter.replace_op(loop, [], results)


def _write_over(carried: BlockArgument, yielded: SSAValue) -> None:
    """Let the op that computes what is yielded write over what is carried."""
    op, block = yielded.owner, carried.block
    if not isinstance(op, Operation) or op.parent is not block:
        return
    readers = [block.find_ancestor_op_in_block(use.operation) for use in carried.uses]
    if all(
        each is op or (each is not None and each.is_before_in_block(op))
        for each in readers
    ):
        write_over(op, carried)


def _inside(
    op: tensor.PadOp, border: Border, value: SSAValue, place: InsertPoint
) -> SSAValue:
    """What is inside of a border."""
    type_ = ranked_type(op.source)
    sizes = type_.get_shape()
    inside = tensor.ExtractSliceOp(
        value, list(border.low), list(sizes), [1] * len(sizes), type_
    )
    return _insert(inside, op, place)


def _insert(new: Operation, op: tensor.PadOp, place: InsertPoint) -> SSAValue:
    new.location = op.location
    Rewriter.insert_op(new, place)
    return new.results[0]

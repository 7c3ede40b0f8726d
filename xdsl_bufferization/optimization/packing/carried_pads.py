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
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ..common.pads import Border, border_of
from ..common.slices import insert_slice
from ..simplify.convert_linalg_to_inplace import write_over


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
    carried, last, type_ = op.source, body.last_op, ranked_type(op.source)
    assert isinstance(carried, BlockArgument)
    assert last is not None
    number = carried.index - 1
    _write_over(carried, last.operands[number])
    start = loop.iter_args[number]
    loop.operands[len(loop.operands) - len(loop.iter_args) + number] = _insert(
        op.clone({carried: start}), op, InsertPoint.before(loop)
    )
    padded = Rewriter.replace_value_with_new_type(carried, op.result.type)
    _read_inside(padded, border, type_, op, InsertPoint.at_start(body))
    back = insert_slice(last.operands[number], padded, border.low, type_.get_shape())
    last.operands[number] = _insert(back, op, InsertPoint.before(last))
    result = Rewriter.replace_value_with_new_type(loop.res[number], padded.type)
    if result.first_use is not None:
        _read_inside(result, border, type_, op, InsertPoint.after(loop))
    Rewriter.replace_op(op, [], [padded])


def _write_over(carried: BlockArgument, yielded: SSAValue) -> None:
    """Let the op that computes what is yielded write over what is carried."""
    op, block = yielded.owner, carried.block
    if not isinstance(op, Operation) or op.parent is not block:
        return
    behind: set[Operation] = set()
    following = op.next_op
    while following is not None:
        behind.add(following)
        following = following.next_op
    readers = (block.find_ancestor_op_in_block(use.operation) for use in carried.uses)
    if behind.isdisjoint(each for each in readers if each is not None):
        write_over(op, carried)


def _read_inside(
    padded: SSAValue,
    border: Border,
    type_: TensorType,
    op: tensor.PadOp,
    place: InsertPoint,
) -> None:
    """Let all that reads a tensor read what is inside of its border."""
    sizes = type_.get_shape()
    inside = tensor.ExtractSliceOp(
        padded, list(border.low), list(sizes), [1] * len(sizes), type_
    )
    value = _insert(inside, op, place)
    padded.replace_uses_with_if(value, lambda use: use.operation is not inside)


def _insert(new: Operation, op: tensor.PadOp, place: InsertPoint) -> SSAValue:
    new.location = op.location
    Rewriter.insert_op(new, place)
    return new.results[0]

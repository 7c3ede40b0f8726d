"""lower-pads: a tensor is computed inside of its border, and not copied there.

    %1 = ... -> tensor<8x8xf32>
    %2 = tensor.pad %1 low[1, 1] high[1, 1] { tensor.yield %zero }

    %0 = tensor.empty() : tensor<10x10xf32>
    %b = ... linalg.fill of the first and last row and column of %0
    %1 = ... -> tensor<8x8xf32>
    %2 = tensor.insert_slice %1 into %b[1, 1] [8, 8] [1, 1]

Runs after tiling, right before bufferization. The border is filled in front of the op
that computes the tensor. So `eliminate-empty-tensors` lets that op write to its place
in the larger tensor. What else reads it reads a part of that. Without such an op, or
if the border is not of one number or of unknown width, a pad stays as it is.
A loop whose iterations pad the tensor that it carries carries the padded one.
"""

from collections.abc import Sequence

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import (
    ModuleOp,
    TensorType,
)
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.scf.forall import ForallOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.destinations import starts_from_empty
from ..common.pads import Border, border_of, value_outside
from ..common.relayout import erase_dead
from ..common.slices import insert_slice
from ..simplify.convert_linalg_to_inplace import write_over

Numbers = Sequence[OpFoldResult]


def lower_pads(module: ModuleOp) -> None:
    """Let what is padded in `module` be computed inside of its border."""
    for work in (carry_padded, _lower):
        for op in ops_inside(module):
            if isinstance(op, tensor.PadOp):
                work(op)


def _lower(op: tensor.PadOp) -> None:
    border, producer = border_of(op), op.source.owner
    if border is None or isinstance(producer, Block):
        return
    if not isinstance(producer, ForallOp) and not starts_from_empty(op.source):
        return
    if producer.parent is not op.parent or not op.result.type.has_static_shape():
        return
    if not is_known_before(border.value, producer):
        return
    producer_type = ranked_type(op.source)
    if 0 in producer_type.get_shape():
        return
    result = bordered(op, border, producer)
    padded = insert_slice(op.source, result, border.low, producer_type.get_shape())
    inside = tensor.ExtractSliceOp(
        padded.result,
        list(border.low),
        list(producer_type.get_shape()),
        [1] * len(border.low),
        producer_type,
    )
    padded.location = inside.location = op.location
    # Other users read the part of the larger tensor, which is the same memory.
    others = frozenset((op, padded))
    source = op.source
    Rewriter.insert_op([padded, inside], InsertPoint.after(producer))
    source.replace_uses_with_if(inside.result, lambda use: use.operation not in others)
    Rewriter.replace_op(op, [], [padded.result])
    erase_dead([inside])


def bordered(op: tensor.PadOp, border: Border, place: Operation) -> SSAValue:
    """What `op` puts around a tensor, filled in front of `place`; nothing is inside."""
    constants, value = value_outside(border, op)
    empty = tensor.EmptyOp([], op.result.type)
    new_ops = [*constants, empty]
    result = _fill_border(empty.tensor, value, border, new_ops)
    Rewriter.insert_op(new_ops, InsertPoint.before(place))
    for new_op in new_ops:
        new_op.location = op.location
    return result


def is_known_before(value: SSAValue, op: Operation) -> bool:
    """Whether a number of `op`'s block, or from outside, is there before `op`."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not op.parent:
        return True
    return owner.is_before_in_block(op)


def _fill_border(
    target: SSAValue, value: SSAValue, border: Border, new_ops: list[Operation]
) -> SSAValue:
    """`target` with the border filled: in each dimension all that is left of it."""
    shape = ranked_type(target).get_shape()
    offsets, sizes = [0] * len(shape), list(shape)
    for dimension in border.padded:
        low, high = border.low[dimension], border.high[dimension]
        for first, width in ((0, low), (shape[dimension] - high, high)):
            if width:
                offsets[dimension], sizes[dimension] = first, width
                target = _fill_part(target, value, offsets, sizes, new_ops)
        offsets[dimension] = low
        sizes[dimension] = shape[dimension] - low - high
    return target


def _fill_part(
    target: SSAValue,
    value: SSAValue,
    offsets: Sequence[int],
    sizes: Sequence[int],
    new_ops: list[Operation],
) -> SSAValue:
    type_ = ranked_type(target)
    piece = tensor.ExtractSliceOp(
        target,
        list(offsets),
        list(sizes),
        [1] * len(sizes),
        TensorType(type_.element_type, list(sizes), type_.encoding),
    )
    fill = new_fill(value, piece.result, [piece.result.type])
    insertion = insert_slice(fill.results[0], target, offsets, sizes)
    new_ops += [piece, fill, insertion]
    return insertion.result


# Loops carry a tensor with its border, if each iteration puts one around it.
#
#     scf.for ... iter_args(%t = %a)      ->      scf.for ... iter_args(%p = pad of %a)
#       %p = tensor.pad %t                          %t = tensor.extract_slice %p
#       ... %p, %t                                  ... %p, %t
#       scf.yield %u                                scf.yield of %u inserted into %p
#
# The border is filled once, and the iterations compute inside of it. What an iteration
# computes of the elements of %t, each of one, takes their place.


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


class LowerPadsPass(TensorPass):
    """Compute padded tensors inside of their borders, without a copy."""

    name = "lower-pads"
    rewrite = staticmethod(lower_pads)

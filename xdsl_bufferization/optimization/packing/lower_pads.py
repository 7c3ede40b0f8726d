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
`carried_pads.py` is about loops whose iterations pad a tensor that the loop carries.
"""

from collections.abc import Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    ModuleOp,
    TensorType,
)
from xdsl.ir import Block, Operation, SSAValue
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
from .carried_pads import carry_padded

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


class LowerPadsPass(TensorPass):
    """Let tensors be computed inside of their borders."""

    name = "lower-pads"
    rewrite = staticmethod(lower_pads)

"""Tensors with a border of one number, as wide as is known.

%0 = tensor.pad %t low[0, 1] high[0, 2] { ... tensor.yield %zero }
    ->   Border(%zero, low=(0, 1), high=(0, 2))
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DenseArrayBase, IndexType, TensorType, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.dialects.tensor.constraints import ranked_type


@dataclass(frozen=True)
class Border:
    """What `tensor.pad` puts around a tensor."""

    value: SSAValue
    """Of each element; perhaps a constant in the region of the pad."""
    low: Sequence[int]
    """How wide the border is in front, in each dimension."""
    high: Sequence[int]

    @property
    def padded(self) -> list[int]:
        """The dimensions in which there is a border."""
        widths = zip(self.low, self.high, strict=True)
        return [dimension for dimension, width in enumerate(widths) if any(width)]


def border_of(op: tensor.PadOp) -> Border | None:
    """The border; None if it is of several numbers, or its width is not known."""
    block = op.region.block
    last = block.last_op
    low, high = op.static_low.get_values(), op.static_high.get_values()
    if last is None or min((*low, *high), default=0) < 0:
        return None
    value = last.operands[0]
    owner = value.owner
    inside = owner is block or (
        isinstance(owner, Operation)
        and owner.parent is block
        and not isinstance(owner, arith.ConstantOp)
    )
    return None if inside else Border(value, tuple(low), tuple(high))


def value_outside(border: Border, op: tensor.PadOp) -> tuple[list[Operation], SSAValue]:
    """The number of the border in front of `op`, and what has to be inserted for it."""
    owner = border.value.owner
    if isinstance(owner, Operation) and owner.parent is op.region.block:
        constant = owner.clone()
        return [constant], constant.results[0]
    return [], border.value


def pad(
    source: SSAValue, low: Sequence[int], high: Sequence[int], value: SSAValue
) -> tensor.PadOp:
    """`source` with `value` around it; nothing holds the op yet."""
    type_ = ranked_type(source)
    sizes = zip(low, type_.get_shape(), high, strict=True)
    shape = [before + size + behind for before, size, behind in sizes]
    block = Block([tensor.YieldOp(value)], arg_types=[IndexType()] * len(shape))
    return tensor.PadOp(
        source,
        [],
        [],
        Region(block),
        DenseArrayBase.from_list(i64, low),
        DenseArrayBase.from_list(i64, high),
        TensorType(type_.element_type, shape, type_.encoding),
    )

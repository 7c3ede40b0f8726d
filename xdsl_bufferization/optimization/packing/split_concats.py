"""split-concats: a convolution of a concatenation adds up convolutions of its parts.

    %c = tensor.concat dim(1) %a, %b       // 1x16x8x8 and 1x16x8x8
    %p = tensor.pad %c ...
    %r = linalg.conv_2d_nchw_fchw ins(%p, %f) outs(%o)

    %r0 = linalg.conv_2d_nchw_fchw ins(pad of %a, %f[:, 0:16]) outs(%o)
    %r = linalg.conv_2d_nchw_fchw ins(pad of %b, %f[:, 16:32]) outs(%r0)

For a part that something else reads as well, such as the skip connection of a U-Net: it
lives long before the others, and so would all of the concatenation. Nothing is put
together now. Runs before `pack-convolutions`; `tile-convolutions` computes the sum in
one loop. The convolution must be all that reads the concatenation.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.structure import Structure, structure_of
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of
from ..common.pads import Border, border_of, pad, value_outside
from ..common.relayout import erase_dead
from ..common.slices import part_offsets
from .packed_loops import loop_of

MOST_PARTS: Final = 3
"""With more parts, the result is read and written too often."""


def split_concats(module: ModuleOp) -> None:
    """Split the convolutions in `module` of parts with different lives."""
    for op in ops_inside(module):
        contraction = contraction_of(op) if op.results else None
        if contraction is not None and contraction.is_convolution:
            structure = structure_of(op)
            channels = None if structure is None else _channels_of(structure)
            image = None if channels is None else _image_of(op, channels)
            if channels is not None and image is not None:
                _split(op, image, channels)


class _Channels(NamedTuple):
    """The dimensions of the channels that are summed over."""

    of_image: int
    of_filter: int


def _channels_of(structure: Structure) -> _Channels | None:
    """None if the channels of the image are no plain dimension of both operands."""
    image, filter_ = (
        {
            loop: d
            for d, expr in enumerate(map_.results)
            if (loop := loop_of(expr)) is not None
        }
        for map_ in structure.maps[:2]
    )
    summed = [
        loop for loop in image if loop in filter_ and not structure.parallel[loop]
    ]
    if len(summed) != 1:
        return None
    return _Channels(image[summed[0]], filter_[summed[0]])


class _Image(NamedTuple):
    """A concatenation, perhaps with a border around it."""

    concat: tensor.ConcatOp
    pad: tensor.PadOp | None
    border: Border | None


def _image_of(op: Operation, channels: _Channels) -> _Image | None:
    """What a convolution reads, if it is to be split."""
    if len(op.operands) != 3:
        return None
    value, filter_, _ = op.operands
    border = None
    outer = value.owner
    if isinstance(outer, tensor.PadOp):
        border = border_of(outer)
        if border is None or channels.of_image in border.padded:
            return None
        if not value.has_one_use():
            return None
        value = outer.source
    concat = value.owner
    if (
        not isinstance(concat, tensor.ConcatOp)
        or concat.dim.value.data != channels.of_image
        or not value.has_one_use()
        or not 1 < len(concat.inputs) <= MOST_PARTS
        or not all(ranked_type(v).has_static_shape() for v in (*concat.inputs, filter_))
        or any(0 in ranked_type(part).get_shape() for part in concat.inputs)
        or all(part.has_one_use() for part in concat.inputs)
    ):
        return None
    return _Image(concat, outer if isinstance(outer, tensor.PadOp) else None, border)


def _split(op: Operation, image: _Image, channels: _Channels) -> None:
    builder = ArithBuilder.before(op)
    filter_, total = op.operands[1], op.operands[2]
    sizes = [
        ranked_type(part).get_shape()[channels.of_image] for part in image.concat.inputs
    ]
    for part, first, size in zip(
        image.concat.inputs, part_offsets(image.concat), sizes, strict=True
    ):
        weights = _slice(builder, filter_, channels.of_filter, first, size)
        new = op.clone()
        new.operands = [_padded(builder, part, image), weights, total]
        total = builder.insert(new).results[0]
    Rewriter.replace_op(op, [], [total])
    erase_dead([image.pad or image.concat])


def _slice(
    builder: ArithBuilder, value: SSAValue, dimension: int, first: int, size: int
) -> SSAValue:
    type_ = ranked_type(value)
    sizes: Sequence[int] = [
        size if d == dimension else each for d, each in enumerate(type_.get_shape())
    ]
    offsets = [first if d == dimension else 0 for d in range(len(sizes))]
    slice_type = TensorType(type_.element_type, sizes, type_.encoding)
    op = tensor.ExtractSliceOp(value, offsets, sizes, [1] * len(sizes), slice_type)
    return builder.insert(op).result


def _padded(builder: ArithBuilder, part: SSAValue, image: _Image) -> SSAValue:
    """A part with the border of the whole."""
    if image.pad is None or image.border is None:
        return part
    constants, value = value_outside(image.border, image.pad)
    for constant in constants:
        builder.insert(constant)
    return builder.insert(pad(part, image.border.low, image.border.high, value)).result


class SplitConcatsPass(TensorPass):
    """Add up convolutions of the parts of a concatenation."""

    name = "split-concats"
    rewrite = staticmethod(split_concats)

"""split-transposed-convolutions: a transposed convolution without its inserted zeros.

    %z = tensor.insert_slice %x into %zeros[0, 0, 1] [1, 8, 16] [1, 1, 2]
    %y = linalg.conv_1d_ncw_fcw ins(%z, %w : tensor<1x8x35xf32>, tensor<4x8x4xf32>)
        outs(%init : tensor<1x4x32xf32>)
        ->
    %0 = linalg.conv_1d_ncw_fcw ins(%x0, %w0 : tensor<1x8x17xf32>, tensor<4x8x2xf32>)
    %1 = linalg.conv_1d_ncw_fcw ins(%x1, %w1 : tensor<1x8x17xf32>, tensor<4x8x2xf32>)
    %2 = tensor.insert_slice %0 into ...[0, 0, 0] [1, 4, 16] [1, 1, 2]
    %y = tensor.insert_slice %1 into %2[0, 0, 1] [1, 4, 16] [1, 1, 2]

The elements of the image have a stride here: 2, with zeros between them. Pixels of the
output that are so far apart have the same elements of the filter on elements of %x. All
other elements of the filter are on zeros. So there are as many convolutions as the
stride, each with its own part of the filter. In two dimensions there are four, each
with a quarter of the products.

The convolution itself has strides and dilations of 1, and known sizes. Others stay as
they are. So do those with a small output: several kernels would take longer than the
zeros.

Source: W. Shi and others, "Is the deconvolution layer the same as a convolutional
layer?", 2016.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final, NamedTuple

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.linalg.ops import BroadcastOp, FillOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.linalg.structure import Structure
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of, factors_of
from ..common.pads import pad
from ..common.relayout import erase_dead
from ..common.slices import insert_slice
from ..common.zero_fills import is_zeros, new_number
from .packed_loops import loop_of

_NAMES: Final = ("linalg.conv_", "linalg.depthwise_conv_")


FEWEST_ELEMENTS: Final = 1024
"""An output with fewer elements is computed at once."""


def split_transposed_convolutions(
    module: ModuleOp, fewest_elements: int = FEWEST_ELEMENTS
) -> None:
    """Split the transposed convolutions in `module`, but for small ones."""
    for op in ops_inside(module):
        if not op.name.startswith(_NAMES) or len(op.results) != 1:
            continue
        if prod(ranked_type(op.results[0]).get_shape()) < fewest_elements:
            continue
        contraction = contraction_of(op)
        if contraction is None:
            # It may subtract a number from the image, zeros included.
            continue
        structure = contraction.structure
        image = _spread_image(structure.inputs[0])
        axes = None if image is None else _axes_of(structure, image)
        if image is not None and axes is not None:
            _split(op, structure, image, axes)


def _spread_image(value: SSAValue) -> tensor.InsertSliceOp | None:
    """The op that puts zeros between the elements of an image."""
    op = value.owner
    if not isinstance(op, tensor.InsertSliceOp) or op.offsets or op.sizes or op.strides:
        return None
    is_spread = max(op.static_strides.get_values(), default=1) > 1
    rank = len(ranked_type(op.source).get_shape())
    keeps_rank = rank == len(op.static_sizes.get_values())
    return op if is_spread and keeps_rank and is_zeros(op.dest) else None


class _Phase(NamedTuple):
    """Every so many pixels of the output, along one axis."""

    first: int
    """The first of these pixels."""
    pixels: int
    tap: int
    """The first element of the filter that is on an element of the image."""
    taps: int
    shift: int
    """The element of the image that the first pixel and the first tap meet at."""


@dataclass(frozen=True)
class _Axis:
    """A dimension in which the window slides."""

    image: int
    filter: int
    output: int
    """The number of the dimension in each operand."""
    stride: int
    """Of the elements of the image among the zeros."""
    offset: int
    """Of the first one."""
    size: int
    """How many there are."""
    pixels: int
    taps: int

    def phases(self) -> Iterator[_Phase]:
        """One for each pixel within a stride, without those that see zeros alone."""
        for first in range(min(self.stride, self.pixels)):
            tap = (self.offset - first) % self.stride
            taps = -(-(self.taps - tap) // self.stride)
            pixels = -(-(self.pixels - first) // self.stride)
            shift = (first + tap - self.offset) // self.stride
            if taps > 0:
                yield _Phase(first, pixels, tap, taps, shift)

    def border(self) -> tuple[int, int]:
        """How many zeros are read in front of the image, and behind it."""
        phases = list(self.phases())
        low = max((-phase.shift for phase in phases), default=0)
        ends = (phase.shift + phase.pixels + phase.taps - 1 for phase in phases)
        return max(low, 0), max(max(ends, default=0) - self.size, 0)


def _axes_of(structure: Structure, image: tensor.InsertSliceOp) -> list[_Axis] | None:
    """The dimensions of the window; None if another one is spread or only in part."""
    counts = trip_counts(structure)
    maps = structure.maps
    strides, offsets = (
        attribute.get_values()
        for attribute in (image.static_strides, image.static_offsets)
    )
    sizes = ranked_type(image.source).get_shape()
    whole = ranked_type(image.dest).get_shape()
    if min((*counts, *sizes, *whole), default=0) <= 0:
        return None
    axes: list[_Axis] = []
    for dimension, expr in enumerate(maps[0].results):
        if loop_of(expr) is not None:
            if sizes[dimension] != whole[dimension]:
                return None
            continue
        factors = factors_of(expr)
        if factors is None or {*factors.values()} != {1} or len(factors) != 2:
            return None
        pixel = next((loop for loop in factors if structure.parallel[loop]), None)
        window = next((loop for loop in factors if not structure.parallel[loop]), None)
        if pixel is None or window is None:
            return None
        places = [list(map(loop_of, each.results)) for each in maps]
        if window not in places[1] or pixel not in places[-1]:
            return None
        axes.append(
            _Axis(
                dimension,
                places[1].index(window),
                places[-1].index(pixel),
                strides[dimension],
                offsets[dimension],
                sizes[dimension],
                counts[pixel],
                counts[window],
            )
        )
    return axes


def _split(
    op: Operation,
    structure: Structure,
    image: tensor.InsertSliceOp,
    axes: Sequence[_Axis],
) -> None:
    builder = ArithBuilder.before(op)
    source = _padded(image, axes, builder)
    filter_, init = structure.inputs[1], structure.outputs[0]
    borders = [axis.border()[0] for axis in axes]
    phases = list(product(*(list(axis.phases()) for axis in axes)))
    is_whole = len(phases) == prod(min(axis.stride, axis.pixels) for axis in axes)
    result = init
    if is_whole:
        result = builder.insert(tensor.EmptyOp([], op.results[0].type)).tensor
    for phase in phases:
        window = _Part.of(source)
        taps = _Part.of(filter_)
        pixels = _Part.of(init)
        for axis, border, each in zip(axes, borders, phase, strict=True):
            size = each.pixels + each.taps - 1
            window.cut(axis.image, each.shift + border, size)
            taps.cut(axis.filter, each.tap, each.taps, axis.stride)
            pixels.cut(axis.output, each.first, each.pixels, axis.stride)
        operands = [
            window.extract(builder),
            taps.extract(builder),
            _part_of_init(pixels, axes, builder),
        ]
        new = builder.insert(_like(op, operands))
        result = pixels.insert(new.results[0], result, builder)
    Rewriter.replace_op(op, [], [result])
    erase_dead([image])


def _padded(
    image: tensor.InsertSliceOp, axes: Sequence[_Axis], builder: ArithBuilder
) -> SSAValue:
    """The image with the zeros around it that are read."""
    source = image.source
    low = [0] * len(ranked_type(source).get_shape())
    high = list(low)
    for axis in axes:
        low[axis.image], high[axis.image] = axis.border()
    if not any((*low, *high)):
        return source
    type_ = ranked_type(source)
    zero = new_number(0.0, type_.element_type, builder.insert)
    assert zero is not None, "elements that are zero are numbers"
    return builder.insert(pad(source, low, high, zero)).result


@dataclass
class _Part:
    """A part of a tensor, every so many elements in each dimension."""

    tensor: SSAValue
    offsets: list[int]
    sizes: list[int]
    strides: list[int]

    @staticmethod
    def of(value: SSAValue) -> "_Part":
        """All of a tensor."""
        shape = list(ranked_type(value).get_shape())
        return _Part(value, [0] * len(shape), shape, [1] * len(shape))

    def cut(self, dimension: int, offset: int, size: int, stride: int = 1) -> None:
        """Keep `size` elements from `offset` on, every `stride`th."""
        self.offsets[dimension] = offset
        self.sizes[dimension] = size
        self.strides[dimension] = stride

    @property
    def type(self) -> TensorType:
        """The type of the part."""
        return TensorType(ranked_type(self.tensor).element_type, self.sizes)

    def extract(self, builder: ArithBuilder) -> SSAValue:
        """The part as a tensor of its own."""
        if self.sizes == list(ranked_type(self.tensor).get_shape()):
            return self.tensor
        slice_ = tensor.ExtractSliceOp(
            self.tensor, self.offsets, self.sizes, self.strides, self.type
        )
        return builder.insert(slice_).result

    def insert(
        self, value: SSAValue, into: SSAValue, builder: ArithBuilder
    ) -> SSAValue:
        """`into` with `value` in place of the part."""
        if self.sizes == list(ranked_type(into).get_shape()):
            return value
        insertion = insert_slice(value, into, self.offsets, self.sizes, self.strides)
        return builder.insert(insertion).result


def _part_of_init(
    part: _Part, axes: Sequence[_Axis], builder: ArithBuilder
) -> SSAValue:
    """What a part of the output starts from: made anew if that is as cheap."""
    op = part.tensor.owner
    if isinstance(op, FillOp):
        empty = builder.insert(tensor.EmptyOp([], part.type))
        fill = new_fill(op.inputs[0], empty.tensor, [part.type])
        return builder.insert(fill).results[0]
    if isinstance(op, BroadcastOp):
        added = op.dimensions.get_values()
        if all(axis.output in added for axis in axes):
            empty = builder.insert(tensor.EmptyOp([], part.type))
            new = BroadcastOp(op.input, empty.tensor, op.dimensions, part.type)
            return builder.insert(new).results[0]
    return part.extract(builder)


def _like(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    """The same op on parts."""
    return type(op).create(
        operands=operands,
        result_types=[operands[-1].type],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        regions=[region.clone() for region in op.regions],
    )


@dataclass(frozen=True)
class SplitTransposedConvolutionsPass(TensorPass):
    """Compute transposed convolutions without zeros between elements of the image."""

    name = "split-transposed-convolutions"

    fewest_elements: int = FEWEST_ELEMENTS
    """An output with fewer elements is computed at once."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        split_transposed_convolutions(op, self.fewest_elements)

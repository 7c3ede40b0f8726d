"""The pass `pack-convolutions`: convolutions and pooling with their channels in blocks.

    linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x64x56x56xf32>, tensor<96x64x3x3xf32>)
        outs(%o : tensor<1x96x54x54xf32>)
        ->
    linalg.generic ins(%0, %1 : tensor<1x2x56x56x32xf32>, tensor<3x2x3x3x32x32xf32>)
        outs(%2 : tensor<1x3x54x54x32xf32>)          // between packs and an unpack

A convolution of any kind has the same roles for its loops: batch n, group g, channels
k of the output and c of the image, pixels, window. In a depthwise convolution, and in
pooling, channels are groups of one. Capitals are blocks:

                    channels before pixels      channels last
    image           [n, g, C, pixels, c]        [n, pixels, g, C, c]
    filter          [g, K, C, window, c, k]     the same
    output          [n, g, K, pixels, k]        [n, pixels, g, K, k]

With channels last, image and output stay in place: only their shapes change. An image
with a few channels stays as it is. The size of a block depends on the number of
channels alone, so that neighbouring layers agree on it. An image that is put together
has the blocks of its parts, if those agree.

The new ops are marked for `tile-convolutions`, the next pass for them. They are of f32
and have known sizes, but for the batch. Others stay as they are, with a remark if
`explain` is set.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    element_type_of,
    structure_of,
)
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.remarks import (
    Report,
    ignore_remark,
    remark,
    write_remark,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.dialects.xsmm.attributes import DataType
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of
from ..common.reductions import reduction_kind
from ..common.relayout import Layout, pack, packed_slice, unpack
from .block_factors import LANES, block_of_channels
from .packed_loops import Loop, PackedLoops, loop_of, packed_op
from .strided_pixels import with_pixels_that_are_read

WINDOW_ATTRIBUTE: Final = "xsmm.sums_window"
"""Marks an op that `tile-convolutions` is to tile."""

FEW_CHANNELS: Final = 4
"""An image with so many channels, or fewer, is read as it is."""

_NAMES = ("linalg.conv_", "linalg.depthwise_conv_", "linalg.pooling_")


def pack_convolutions(module: ModuleOp, report: Report[str] = ignore_remark) -> None:
    """Pack the convolutions and pooling in `module`; `report` hears of those left."""
    packs = _Packs()
    for op in ops_inside(module):
        if not op.name.startswith(_NAMES) or not op.results:
            continue
        structure = structure_of(op)
        assert structure is not None, "a convolution is a structured op"
        problem = _problem(op, structure)
        roles = None if problem is not None else _roles_of(structure, op.name)
        if roles is not None:
            _pack(op, structure, roles, packs)
        elif problem is not None:
            report(remark(op, f"is not packed: {problem}"))


def _problem(op: Operation, structure: Structure) -> str | None:
    """Why there is no kernel, and what to do."""
    values = (*structure.inputs, *structure.outputs)
    if any(
        element_type_of(value.type) != DataType.F32.element_type for value in values
    ):
        return "its elements are not f32"
    if contraction_of(op) is None and reduction_kind(structure.body.block) is None:
        return "it computes neither sums of products, nor sums, nor maxima"
    counts = trip_counts(structure)
    batch = loop_of(structure.maps[-1].results[0])
    if any(
        count == DYNAMIC_INDEX for loop, count in enumerate(counts) if loop != batch
    ):
        return "a size besides that of the batch is dynamic; make it static"
    return "a size is 0" if 0 in counts else None


@dataclass(frozen=True)
class _Roles:
    """What the loops of a convolution are for."""

    outer: Sequence[int]
    """Batch and groups that are not cut into blocks."""
    pixels: Sequence[int]
    window: Sequence[int]
    output: int | None
    """The channels of the output that are cut; in pooling, all channels."""
    image: int | None
    """The channels of the image that are cut, if they are not those of the output."""
    others: Sequence[int]
    """Loops that are summed over, and not cut."""
    is_channels_last: bool


def _roles_of(structure: Structure, name: str) -> _Roles | None:
    """The roles of all loops; None if some have none."""
    image, window, output = structure.maps[0], structure.maps[1], structure.maps[-1]
    in_sums = {
        loop
        for expr in image.results
        if loop_of(expr) is None
        for loop in expr.used_dims()
    }
    places = [loop_of(expr) for expr in output.results]
    loops = [loop for loop in places if loop is not None]
    if len(loops) < len(places) or any(
        len(expr.used_dims()) > 2 for expr in image.results
    ):
        return None
    pixels = [loop for loop in loops if loop in in_sums]
    windows = [loop for loop in _plain(window) if loop in in_sums]
    channels = [loop for loop in loops if loop not in pixels and loop in _plain(window)]
    if name.startswith("linalg.pooling"):
        channels = [loops[-1] if loops[-1] not in pixels else loops[1]]
    of_image = [
        loop
        for loop in _plain(image)
        if not structure.parallel[loop] and loop not in in_sums
    ]
    own = [loop for loop in channels if loop not in _plain(image)]
    groups = [loop for loop in channels if loop in _plain(image)]
    if len(of_image) > 1 or len(own) > 1 or len(groups) > 1 or not channels:
        return None
    cut = (own or groups)[0]
    outer = [loop for loop in loops if loop != cut and loop not in pixels]
    is_last = loops[-1] not in pixels
    counts = trip_counts(structure)
    is_cut = bool(of_image) and (
        is_last or bool(groups) or counts[of_image[0]] > FEW_CHANNELS
    )
    roles = _Roles(
        outer,
        pixels,
        windows,
        cut,
        of_image[0] if is_cut else None,
        [] if is_cut else of_image,
        is_last,
    )
    known = {*outer, *pixels, *windows, cut, *of_image}
    return roles if known == set(range(len(structure.parallel))) else None


def _plain(map_: AffineMap) -> list[int]:
    return [loop for expr in map_.results if (loop := loop_of(expr)) is not None]


class _Packs:
    """The packed sides of values, which several convolutions of a block share."""

    def __init__(self) -> None:
        self._made: dict[tuple[Block | None, SSAValue, Layout], SSAValue] = {}

    def of(self, value: SSAValue, layout: Layout, user: Operation) -> SSAValue:
        """The packed side of `value` in front of `user`, made if there is none.

        A part of a tensor is a part of the packed tensor, if it has all channels, and
        all pixels from the first to the last one.
        """
        key = (user.parent, value, layout)
        if key not in self._made:
            self._made[key] = self._make(value, layout, user)
        return self._made[key]

    def _make(self, value: SSAValue, layout: Layout, user: Operation) -> SSAValue:
        part = value.owner
        if isinstance(part, tensor.ExtractSliceOp) and _has_all(part, layout):
            sliced = packed_slice(part, layout)
            if sliced is not None:
                sizes, strides = sliced.sizes, sliced.strides
                whole = self.of(part.source, layout, user)
                type_ = layout.packed_type(ranked_type(value))
                new = tensor.ExtractSliceOp(
                    whole, sliced.offsets, sizes, strides, type_
                )
                return ArithBuilder.before(user).insert(new).result
        return pack(ArithBuilder.before(user), value, layout)


def _has_all(part: tensor.ExtractSliceOp, layout: Layout) -> bool:
    """Whether a part lies together, and is all there is of the dimensions cut."""
    sizes, shape = part.static_sizes.get_values(), ranked_type(part.source).get_shape()
    return set(part.static_strides.get_values()) == {1} and all(
        sizes[dimension] == shape[dimension] for dimension in layout.dimensions
    )


def _pack(op: Operation, structure: Structure, roles: _Roles, packs: _Packs) -> None:
    structure = with_pixels_that_are_read(op, structure)
    values = (*structure.inputs, *structure.outputs)
    counts = trip_counts(structure)
    sizes = {
        loop: block_of_channels(counts[loop])
        for loop in (roles.image, roles.output)
        if loop is not None
    }
    if roles.image is not None:
        image = _places(structure.maps[0])[roles.image]
        sizes[roles.image] = _block_of(values[0], image, sizes[roles.image])
    layouts = [
        _layout(map_, roles, sizes, is_filter=number == 1)
        for number, map_ in enumerate(structure.maps)
    ]
    loops = _packed_loops(roles)
    builder = ArithBuilder.before(op)
    operands = [
        packs.of(value, layout, op)
        for value, layout in zip(values, layouts, strict=True)
    ]
    packed = packed_op(structure, loops, layouts, operands)
    packed.attributes[WINDOW_ATTRIBUTE] = UnitAttr()
    builder.insert(packed)
    (dest,) = structure.outputs
    result = unpack(builder, packed.results[0], layouts[-1], dest)
    Rewriter.replace_op(op, [], [result])


def _places(map_: AffineMap) -> dict[int, int]:
    """From loops that are an index to the dimensions."""
    loops = {d: loop_of(expr) for d, expr in enumerate(map_.results)}
    return {loop: d for d, loop in loops.items() if loop is not None}


def _block_of(value: SSAValue, dimension: int, block: int) -> int:
    """The size of blocks of an image, as those agree that are put together there.

    Otherwise the parts would be unpacked, and packed in larger blocks.
    """
    while isinstance(pad := value.owner, tensor.PadOp):
        value = pad.source
    concat = value.owner
    if not isinstance(concat, tensor.ConcatOp) or concat.dim.value.data != dimension:
        return block
    sizes = [ranked_type(part).get_shape()[dimension] for part in concat.inputs]
    if min(sizes) <= 0:
        return block
    common = math.gcd(*map(block_of_channels, sizes))
    return common if common % LANES == 0 else block


def _packed_loops(roles: _Roles) -> PackedLoops:
    """First the loops over the output, then those that sum."""
    cut = [loop for loop in (roles.image,) if loop is not None]
    assert roles.output is not None
    return PackedLoops(
        (
            *(Loop(loop, is_tile=False) for loop in roles.outer),
            Loop(roles.output, is_tile=False),
            *(Loop(loop, is_tile=False) for loop in roles.pixels),
            Loop(roles.output, is_tile=True),
            *(Loop(loop, is_tile=False) for loop in (*cut, *roles.others)),
            *(Loop(loop, is_tile=False) for loop in roles.window),
            *(Loop(loop, is_tile=True) for loop in cut),
        )
    )


def _layout(
    map_: AffineMap, roles: _Roles, sizes: Mapping[int, int], *, is_filter: bool
) -> Layout:
    """The order of the dimensions of an operand, and which of them are cut."""
    dimension_of = _places(map_)
    pixels = [d for d, expr in enumerate(map_.results) if loop_of(expr) is None]
    if not is_filter:
        pixels += [dimension_of[loop] for loop in roles.pixels if loop in dimension_of]
    inner = [loop for loop in sizes if loop in dimension_of]
    if not inner:
        return Layout((), (), tuple(range(len(map_.results))))
    blocks = [dimension_of[loop] for loop in reversed(inner)]
    others = [dimension_of[loop] for loop in roles.others if loop in dimension_of]
    if is_filter:
        pixels = [dimension_of[loop] for loop in roles.window]
    outer = [dimension_of[loop] for loop in roles.outer if loop in dimension_of]
    order = [*outer, *blocks, *others, *pixels]
    if roles.is_channels_last and not is_filter:
        batch = [d for d in outer if d < min(pixels, default=0)]
        groups = [d for d in outer if d not in batch]
        order = [*batch, *pixels, *groups, *blocks]
    return Layout(
        tuple(dimension_of[loop] for loop in inner),
        tuple(sizes[loop] for loop in inner),
        tuple(order),
    )


@dataclass(frozen=True)
class PackConvolutionsPass(TensorPass):
    """Pack the channels of convolutions and pooling into blocks."""

    name = "pack-convolutions"

    explain: bool = False
    """Whether to say why convolutions are left as they are, on stderr."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        pack_convolutions(op, write_remark if self.explain else ignore_remark)

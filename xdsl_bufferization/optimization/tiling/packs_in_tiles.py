"""What a tile of a convolution reads is packed in the loop over tiles.

    %1 = linalg.pack %x ... : tensor<20x64x28x28xf32> -> tensor<20x2x28x28x32xf32>
    %2 = tensor.pad %1 low[0, 0, 1, 1, 0] high[0, 0, 1, 1, 0]
    scf.forall (%n, %k, %p) in (20, 2, 14 step 7) {
      %3 = tensor.extract_slice %2[%n, %k, %p * 2, 0, 0] [1, 1, 15, 30, 32]
        ->
    scf.forall (%n, %k, %p) in (20, 2, 14 step 7) {
      %3 = ... scf.for %r over those of 15 rows that are in %x {
        linalg.transpose ins(a row of 32 channels of %x) outs(row %r of %3)
      }

For `tile-convolutions`. A packed image that no cache holds is written to memory and
read again, which takes longer than a depthwise convolution itself. Tiles have more rows
than usual, as neighbours pack the rows twice that both read. In depthwise convolutions
and in pooling, each block of channels is read for one block of the output. So no other
tile packs the same block again, as if there is just one block. Other convolutions are
left as they are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final, NamedTuple

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    TensorType,
)
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.interfaces.tile_builder import TileBuilder
from xdsl_bufferization.dialects.common.slices import slice_of
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.linalg.moves import new_transpose
from xdsl_bufferization.dialects.linalg.pack import PackOp
from xdsl_bufferization.dialects.linalg.structure import Structure, shape_of
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ..common.pads import border_of, value_outside
from ..common.relayout import Layout, erase_dead
from ..common.slices import insert_slice
from ..packing.packed_loops import loop_of

SMALL_BYTES: Final = 512 * 1024
"""A packed image with so many bytes stays in a second-level cache."""

TILE_BYTES: Final = ((128 * 1024, 1.5), (256 * 1024, 2.0))
"""What a tile reads has at most so many, if rows are packed so many times at most.

More bytes if tiles would read many rows that their neighbours read, too.
"""

FEWEST_TILES: Final = 16
"""So many tiles are all of the image, at least: threads share them."""

_RANK: Final = 5
_IMAGES, _BLOCKS, _ROWS, _COLUMNS, _CHANNELS = range(_RANK)
"""The dimensions of a packed image."""

_F32_BYTES: Final = 4
_D0, _D1 = AffineDimExpr(0), AffineDimExpr(1)


@dataclass(frozen=True)
class _Image:
    """A packed image, and what it is made from."""

    source: SSAValue
    """Images x channels x rows x columns."""
    pad: tensor.PadOp | None
    low: tuple[int, int] = (0, 0)
    """The rows and columns of the border that are in front."""
    high: tuple[int, int] = (0, 0)

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns of the source."""
        _, _, rows, columns = shape_of(self.source.type)
        return rows, columns


def rows_of_tile(structure: Structure) -> int | None:
    """How many rows of pixels a tile has, if its part of the image is packed with it.

    None if the image is not packed, or is better packed as a whole.
    """
    image = _image(structure.inputs[0])
    if image is None or not _reads_own_block(structure):
        return None
    *_, columns, channels = shape = shape_of(structure.inputs[0].type)
    row_bytes = _F32_BYTES * columns * channels
    bytes_ = row_bytes * prod(max(size, 1) for size in shape[:_COLUMNS])
    if bytes_ <= SMALL_BYTES:
        return None
    count = shape_of(structure.outputs[0].type)[_ROWS]
    stride = _rows_read(structure, 2) - _rows_read(structure, 1)
    for most, times in TILE_BYTES:
        most_read = min(most, bytes_ // FEWEST_TILES) // row_bytes
        rows = _most_rows(structure, count, most_read)
        read = _rows_read(structure, rows)
        if read <= most_read and read <= times * stride * rows:
            return None if max(image.low[0], image.high[0]) > read else rows
    return None


def _most_rows(structure: Structure, count: int, most_read: int) -> int:
    """A part of all rows that reads at most so many of the image, or one row."""
    parts = (rows for rows in range(count, 0, -1) if count % rows == 0)
    return next((n for n in parts if _rows_read(structure, n) <= most_read), 1)


def pack_in_tile(op: Operation) -> None:
    """Pack the part of an image that `op` reads, the sums of one tile."""
    piece = op.operands[0].owner
    if not isinstance(piece, tensor.ExtractSliceOp):
        return
    image = _image(piece.source)
    offsets, sizes, strides = slice_of(piece)
    if image is None or offsets[_COLUMNS:] != [0, 0] or set(strides) != {1}:
        return
    shape = piece.result.type.get_shape()
    if [1, 1, *shape] != list(sizes) or shape[1] <= image.low[1]:
        return
    whole = piece.source
    piece.result.replace_all_uses_with(_PackedTile(image, piece).build())
    erase_dead([piece])
    _fill_last(op)
    if isinstance(whole.owner, Operation):
        erase_dead([whole.owner])


def _fill_last(op: Operation) -> None:
    """Fill what `op` adds to right before it, so that the fill becomes a flag."""
    fill = op.operands[-1].owner
    if isinstance(fill, FillOp) and fill.results[0].has_one_use():
        fill.detach()
        Rewriter.insert_op(fill, InsertPoint.before(op))


def _image(value: SSAValue) -> _Image | None:
    """What `value` is packed from, if that is done for one reader."""
    pad, low, high = value.owner, (0, 0), (0, 0)
    if not value.has_one_use() or len(shape_of(value.type)) != _RANK:
        return None
    if isinstance(pad, tensor.PadOp):
        border, value = border_of(pad), pad.source
        if border is None or not set(border.padded) <= {_ROWS, _COLUMNS}:
            return None
        low = (border.low[_ROWS], border.low[_COLUMNS])
        high = (border.high[_ROWS], border.high[_COLUMNS])
    op = value.owner
    if not isinstance(op, PackOp) or not value.has_one_use():
        return None
    layout, type_ = Layout.of(op), ranked_type(op.source)
    if (
        layout is None
        or (layout.dimensions, layout.outer) != ((1,), (0, 1, 2, 3))
        or not layout.has_only_full_tiles(type_)
        or DYNAMIC_INDEX in type_.get_shape()[1:]
    ):
        return None
    return _Image(op.source, pad if isinstance(pad, tensor.PadOp) else None, low, high)


def _reads_own_block(structure: Structure) -> bool:
    """Whether no two tiles read the same block of channels of the same pixels.

    The blocks of the image are those of the output, or both have a single block.
    """
    image, output = structure.maps[0].results, structure.maps[-1].results
    if len(output) != len(image):
        return False
    shapes = [shape_of(structure.inputs[0].type), shape_of(structure.outputs[0].type)]
    is_single = all(shape[_BLOCKS] == 1 for shape in shapes)
    own = (_IMAGES,) if is_single else (_IMAGES, _BLOCKS, _CHANNELS)
    return all(output[dimension] == image[dimension] for dimension in own) and all(
        loop_of(output[dimension]) in image[dimension].used_dims()
        for dimension in (_ROWS, _COLUMNS)
    )


def _rows_read(structure: Structure, rows: int) -> int:
    """How many rows of the image there are from the first to the last that is read."""
    index = structure.maps[0].results[_ROWS]
    pixels = loop_of(structure.maps[-1].results[_ROWS])
    last = [count - 1 for count in trip_counts(structure)]
    last = [rows - 1 if loop == pixels else at for loop, at in enumerate(last)]
    return index.eval(last, ()) - index.eval([0] * len(last), ()) + 1


class _Area(NamedTuple):
    """Some rows and columns of a tile."""

    start: tuple[OpFoldResult, int]
    sizes: tuple[int, int]


class _PackedTile:
    """Builds rows x columns x channels of an image, in front of the slice of them."""

    def __init__(self, image: _Image, piece: tensor.ExtractSliceOp):
        self._image = image
        self._piece = piece
        self._builder = TileBuilder(InsertPoint.before(piece))
        self._type = piece.result.type
        self._rows, self._columns, self._channels = self._type.get_shape()
        number, block, self._first, *_ = slice_of(piece).offsets
        channel = self._builder.apply(_D0 * self._channels, [block])
        self._start = (number, channel)

    def build(self) -> SSAValue:
        """The tile."""
        empty = tensor.EmptyOp([], self._type)
        if self._image.pad is not None:
            return self._with_border(empty, self._image.pad)
        self._insert(empty)
        read = self._read(self._first, (self._rows, self._columns), self._builder)
        return _with_channels_last(read, empty.tensor, self._builder)

    def _with_border(self, empty: tensor.EmptyOp, pad: tensor.PadOp) -> SSAValue:
        (above, left), (rows, columns) = self._image.low, self._image.shape
        border = border_of(pad)
        assert border is not None, "the border of an image is known"
        constants, value = value_outside(border, pad)
        for op in (*constants, empty):
            self._insert(op)
        inside = min(columns, self._columns - left)
        end = left + inside
        tile: SSAValue = empty.tensor
        for column, width in ((0, left), (end, self._columns - end)):
            if width:
                area = _Area((0, column), (self._rows, width))
                tile = self._fill(value, tile, area, self._builder)

        def fill(row: SSAValue, tile: SSAValue, builder: TileBuilder) -> SSAValue:
            return self._fill(value, tile, _Area((row, left), (1, inside)), builder)

        def pack(row: SSAValue, tile: SSAValue, builder: TileBuilder) -> SSAValue:
            number = builder.apply(_D0 + _D1 - above, [self._first, row])
            read = self._read(number, (1, inside), builder)
            return self._pack(read, tile, _Area((row, left), (1, inside)), builder)

        first, last = self._rows_inside(above, rows)
        tile = self._for(0, first, tile, fill)
        tile = self._for(first, last, tile, pack)
        return self._for(last, self._rows, tile, fill)

    def _rows_inside(self, above: int, rows: int) -> tuple[OpFoldResult, OpFoldResult]:
        """The first row of the tile that is in the source, and the first one behind."""
        builder, start = self._builder, [self._first]
        covered = builder.minimum([_D0, AffineConstantExpr(above)], start)
        rest = _D0 * -1 + (rows + above)
        last = builder.minimum([rest, AffineConstantExpr(self._rows)], start)
        return builder.apply(_D0 * -1 + above, [covered]), last

    def _for(
        self,
        start: OpFoldResult,
        end: OpFoldResult,
        value: SSAValue,
        body: Callable[[SSAValue, SSAValue, TileBuilder], SSAValue],
    ) -> SSAValue:
        """A loop over rows that carries the tile."""
        if start == end:
            return value
        lower, upper, step = map(self._number, (start, end, 1))
        block = Block(arg_types=[IndexType(), value.type])
        builder = TileBuilder(InsertPoint.at_end(block))
        block.add_op(scf.YieldOp(body(block.args[0], block.args[1], builder)))
        for op in block.ops:
            op.location = self._piece.location
        loop = scf.ForOp(lower, upper, step, [value], Region(block))
        self._insert(loop)
        return loop.results[0]

    def _number(self, number: OpFoldResult) -> SSAValue:
        return self._builder.constant(number) if isinstance(number, int) else number

    def _insert(self, op: Operation) -> None:
        op.location = self._piece.location
        self._builder.insert(op)

    def _read(
        self, row: OpFoldResult, sizes: tuple[int, int], builder: TileBuilder
    ) -> SSAValue:
        """The channels of some rows and columns of the source."""
        offsets = [*self._start, row, 0]
        whole = [1, self._channels, *sizes]
        type_ = self._type_of([self._channels, *_without_one_row(sizes)])
        return _slice(self._image.source, offsets, whole, type_, builder)

    def _place(
        self, tile: SSAValue, area: _Area, builder: TileBuilder
    ) -> tuple[SSAValue, list[OpFoldResult], list[int]]:
        """A part of the tile, without a dimension for one row, and where it is."""
        offsets, sizes = [*area.start, 0], [*area.sizes, self._channels]
        type_ = self._type_of([*_without_one_row(area.sizes), self._channels])
        return _slice(tile, offsets, sizes, type_, builder), offsets, sizes

    def _fill(
        self, value: SSAValue, tile: SSAValue, area: _Area, builder: TileBuilder
    ) -> SSAValue:
        """The tile with a number in a part of it."""
        part, offsets, sizes = self._place(tile, area, builder)
        fill = new_fill(value, part, [part.type])
        builder.insert(fill)
        return _put(fill.results[0], tile, offsets, sizes, builder)

    def _pack(
        self, read: SSAValue, tile: SSAValue, area: _Area, builder: TileBuilder
    ) -> SSAValue:
        """The tile with what was read in a part of it."""
        part, offsets, sizes = self._place(tile, area, builder)
        packed = _with_channels_last(read, part, builder)
        return _put(packed, tile, offsets, sizes, builder)

    def _type_of(self, shape: Sequence[int]) -> TensorType:
        return TensorType(self._type.element_type, shape)


def _without_one_row(sizes: tuple[int, int]) -> Sequence[int]:
    return sizes[1:] if sizes[0] == 1 else sizes


def _with_channels_last(
    source: SSAValue, target: SSAValue, builder: TileBuilder
) -> SSAValue:
    rank = len(shape_of(source.type))
    transpose = new_transpose(source, target, [*range(1, rank), 0])
    builder.insert(transpose)
    return transpose.results[0]


def _slice(
    source: SSAValue,
    offsets: Sequence[OpFoldResult],
    sizes: Sequence[int],
    type_: TensorType,
    builder: TileBuilder,
) -> SSAValue:
    ones = [1] * len(sizes)
    op = tensor.ExtractSliceOp(source, offsets, sizes, ones, type_)
    builder.insert(op)
    return op.result


def _put(
    part: SSAValue,
    whole: SSAValue,
    offsets: Sequence[OpFoldResult],
    sizes: Sequence[int],
    builder: TileBuilder,
) -> SSAValue:
    op = insert_slice(part, whole, offsets, sizes)
    builder.insert(op)
    return op.result

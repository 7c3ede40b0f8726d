"""How reshapes are tiled along dimensions that they leave as they are.

    %1 = tensor.collapse_shape %0 [[0, 1], [2]] : 2x12x64 -> 24x64

A tile of %1 with one of the 24 rows is a tile of %0: row 12 * a + b is at [a, b]. So is
a tile with all of them. A reshape in which at most one of several dimensions has more
than one element changes no index at all.

These models are for loops that name what they fuse. `tile_and_fuse` does not use them
otherwise.
"""

from abc import abstractmethod
from collections.abc import Sequence
from math import prod

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.dialects.common.reshape_algebra import numbers_of
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ...interfaces.tile_builder import TileBuilder, tile_type
from ...interfaces.tiling import Tile, TilingInterface

_D0 = AffineDimExpr(0)


class _ReshapeTiling(TilingInterface):
    """The loops are the dimensions of the result."""

    @override
    def get_loop_iterator_types(self, op: Operation) -> Sequence[IteratorType]:
        return [IteratorType.PARALLEL] * ranked_type(op.results[0]).get_num_dims()

    @override
    def get_iteration_domain(
        self, op: Operation, builder: TileBuilder
    ) -> Sequence[OpFoldResult] | None:
        shape = ranked_type(op.results[0]).get_shape()
        return None if DYNAMIC_INDEX in shape else list(shape)

    @override
    def get_iteration_domain_tile_from_result_tile(
        self, op: Operation, number: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        has_known_sizes = all(isinstance(size, int) for size in tile.sizes)
        return (
            tile if has_known_sizes and self.get_iteration_domain(op, builder) else None
        )

    @override
    def build_tile(
        self,
        op: Operation,
        tile: Tile,
        operands: Sequence[SSAValue],
        builder: TileBuilder,
    ) -> Operation:
        new_op = self.reshape(op, operands[0], tile_type(op.results[0], tile.sizes))
        new_op.location = op.location
        builder.insert(new_op)
        return new_op

    @abstractmethod
    def reshape(self, op: Operation, source: SSAValue, type_: TensorType) -> Operation:
        """The reshape of a tile to a type."""


class CollapseShapeTiling(_ReshapeTiling):
    """`tensor.collapse_shape`."""

    @override
    def get_operand_tiles(
        self, op: Operation, tile: Tile, builder: TileBuilder
    ) -> Sequence[Tile | None] | None:
        assert isinstance(op, tensor.CollapseShapeOp)
        shape = ranked_type(op.src).get_shape()
        offsets: list[OpFoldResult] = [0] * len(shape)
        sizes: list[OpFoldResult] = list(shape)
        for group, offset, size in zip(
            numbers_of(op.reassociation), *tile, strict=True
        ):
            long = [each for each in group if shape[each] != 1]
            if len(long) == 1:
                offsets[long[0]], sizes[long[0]] = offset, size
            elif long and size == 1:
                for each in long:
                    behind = prod(shape[later] for later in long if later > each)
                    place = _D0 // behind
                    if each is not long[0]:
                        place = place % shape[each]
                    offsets[each], sizes[each] = builder.apply(place, [offset]), 1
            elif size != prod(shape[each] for each in group):
                return None
        return [Tile(offsets, sizes)]

    @override
    def reshape(self, op: Operation, source: SSAValue, type_: TensorType) -> Operation:
        assert isinstance(op, tensor.CollapseShapeOp)
        return tensor.CollapseShapeOp.create(
            operands=[source],
            result_types=[type_],
            properties={"reassociation": op.reassociation},
        )


class ExpandShapeTiling(_ReshapeTiling):
    """`tensor.expand_shape`."""

    @override
    def get_operand_tiles(
        self, op: Operation, tile: Tile, builder: TileBuilder
    ) -> Sequence[Tile | None] | None:
        assert isinstance(op, tensor.ExpandShapeOp)
        shape = ranked_type(op.result).get_shape()
        offsets: list[OpFoldResult] = []
        sizes: list[OpFoldResult] = []
        for group in numbers_of(op.reassociation):
            long = [each for each in group if shape[each] != 1]
            parts = [tile.sizes[each] for each in long]
            if len(long) == 1:
                offsets.append(tile.offsets[long[0]])
                sizes.append(tile.sizes[long[0]])
            elif all(size == 1 for size in parts):
                place: OpFoldResult = 0
                for each in long:
                    index = AffineDimExpr(0) * shape[each] + AffineDimExpr(1)
                    place = builder.apply(index, [place, tile.offsets[each]])
                offsets.append(place)
                sizes.append(1)
            elif parts == [shape[each] for each in long]:
                offsets.append(0)
                sizes.append(prod(shape[each] for each in long))
            else:
                return None
        return [Tile(offsets, sizes)]

    @override
    def reshape(self, op: Operation, source: SSAValue, type_: TensorType) -> Operation:
        assert isinstance(op, tensor.ExpandShapeOp)
        shape = type_.get_shape()
        return tensor.ExpandShapeOp(source, [], op.reassociation, shape, type_)


RESHAPES: dict[type[Operation], TilingInterface] = {
    tensor.CollapseShapeOp: CollapseShapeTiling(),
    tensor.ExpandShapeOp: ExpandShapeTiling(),
}

"""Tensors cut into tiles: the layouts of `linalg.pack` and `linalg.unpack`.

    Layout(dimensions=(0, 1), sizes=(32, 32), outer=(1, 0))
        %e = tensor.empty() : tensor<8x4x32x32xf32>
        %p = linalg.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [0, 1]
            inner_tiles = [32, 32] into %e : tensor<128x256xf32> -> ...

What the passes on packs have in common: they compare layouts, and insert packs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

from xdsl.dialects import affine, tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.linalg.pack import (
    PackOp,
    RelayoutOp,
    UnPackOp,
    shape_in_tiles,
)
from xdsl_bufferization.dialects.linalg.tiles import has_dynamic_tiles
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

Padding: TypeAlias = FloatAttr[AnyFloat] | IntegerAttr[IntegerType | IndexType]
"""What fills up tiles that are not full."""

_Op = TypeVar("_Op", bound=Operation)


@dataclass(frozen=True)
class Layout:
    """How a tensor is cut into tiles."""

    dimensions: tuple[int, ...]
    """Which are cut, in the order of the inner dimensions of the packed tensor."""
    sizes: tuple[int, ...]
    """Of the tiles along these dimensions."""
    outer: tuple[int, ...]
    """Per outer dimension of the packed tensor: the dimension that it is of."""

    @staticmethod
    def of(op: RelayoutOp) -> "Layout | None":
        """The layout of the packed side; None if tile sizes are not known."""
        if has_dynamic_tiles(op):
            return None
        return Layout(
            tuple(op.tiled_dimensions),
            tuple(op.static_tiles),
            tuple(op.outer_permutation),
        )

    @property
    def tiles(self) -> dict[int, int]:
        """From dimensions to the sizes of their tiles."""
        return dict(zip(self.dimensions, self.sizes, strict=True))

    @property
    def is_trivial(self) -> bool:
        """Whether the packed tensor is the tensor itself."""
        return not self.dimensions and self._keeps_order

    @property
    def _keeps_order(self) -> bool:
        return self.outer == tuple(range(len(self.outer)))

    def has_only_full_tiles(self, type_: TensorType) -> bool:
        """Whether all tiled sizes are known, and multiples of the tiles."""
        shape = type_.get_shape()
        return all(
            shape[d] != DYNAMIC_INDEX and shape[d] % tile == 0
            for d, tile in self.tiles.items()
        )

    def packed_type(self, type_: TensorType) -> TensorType:
        """The type of the packed tensor of one of type `type_`."""
        shape = shape_in_tiles(type_.get_shape(), self.tiles, self.outer)
        return TensorType(type_.element_type, shape, type_.encoding)

    def properties(self) -> dict[str, Attribute]:
        """What `linalg.pack` and `linalg.unpack` say of the layout."""
        properties: dict[str, Attribute] = {
            "inner_dims_pos": DenseArrayBase.from_list(i64, self.dimensions),
            "static_inner_tiles": DenseArrayBase.from_list(i64, self.sizes),
        }
        if not self._keeps_order:
            properties["outer_dims_perm"] = DenseArrayBase.from_list(i64, self.outer)
        return properties


# Building.


def pack(
    builder: ArithBuilder,
    value: SSAValue,
    layout: Layout,
    padding: Padding | None = None,
) -> SSAValue:
    """The packed side of `value`, with `padding` in tiles that are not full."""
    if layout.is_trivial:
        return value
    padding_values: list[SSAValue] = []
    if padding is not None and not layout.has_only_full_tiles(ranked_type(value)):
        padding_values.append(builder.insert(ConstantOp(padding)).result)
    dest = empty_packed(builder, value, layout)
    op = PackOp.build(
        operands=[[value], [dest], padding_values, []],
        result_types=[dest.type],
        properties=layout.properties(),
    )
    return builder.insert(op).result


def unpack(
    builder: ArithBuilder, value: SSAValue, layout: Layout, init: SSAValue
) -> SSAValue:
    """The tensor whose packed side is `value`, written to where `init` was written."""
    if layout.is_trivial:
        return value
    dest = init.owner.dest if isinstance(init.owner, UnPackOp) else init
    op = UnPackOp.build(
        operands=[[value], [dest], []],
        result_types=[dest.type],
        properties=layout.properties(),
    )
    return builder.insert(op).result


class PackedSlice(NamedTuple):
    """The place of a part of a tensor in the packed tensor."""

    offsets: list[int]
    sizes: list[int]
    strides: list[int]


def packed_slice(
    op: tensor.ExtractSliceOp | tensor.InsertSliceOp, layout: Layout
) -> PackedSlice | None:
    """Where the part is that `op` takes or inserts, if the whole has a layout.

    None if the part has other dimensions than the whole, is not at known places, or is
    not of whole tiles.
    """
    if op.offsets or op.sizes or op.strides:
        return None
    part = op.result.type if isinstance(op, tensor.ExtractSliceOp) else op.source.type
    if not isinstance(part, TensorType):
        return None
    offsets, sizes, strides = (
        list(attribute.get_values())
        for attribute in (op.static_offsets, op.static_sizes, op.static_strides)
    )
    tiles = layout.tiles
    if list(part.get_shape()) != sizes or any(
        offsets[d] % tile or sizes[d] % tile or strides[d] != 1
        for d, tile in tiles.items()
    ):
        return None
    inner = list(layout.sizes)
    return PackedSlice(
        [*(offsets[d] // tiles.get(d, 1) for d in layout.outer), *[0] * len(inner)],
        [*(sizes[d] // tiles.get(d, 1) for d in layout.outer), *inner],
        [*(strides[d] for d in layout.outer), *[1] * len(inner)],
    )


def empty_like(
    builder: ArithBuilder, value: SSAValue, type_: TensorType | None = None
) -> SSAValue:
    """A new tensor without contents, of the type and sizes of `value`.

    Another `type_` has the same shape, or one that may be the same.
    """
    type_ = type_ or ranked_type(value)
    sizes = [
        size_of(builder, value, dimension)
        for dimension, size in enumerate(type_.get_shape())
        if size == DYNAMIC_INDEX
    ]
    return builder.insert(tensor.EmptyOp(sizes, type_)).tensor


def empty_packed(builder: ArithBuilder, value: SSAValue, layout: Layout) -> SSAValue:
    """A new tensor without contents that can take the packed side of `value`."""
    shape = ranked_type(value).get_shape()
    sizes = [
        _number_of_tiles(builder, value, dimension, layout.tiles.get(dimension))
        for dimension in layout.outer
        if shape[dimension] == DYNAMIC_INDEX
    ]
    type_ = layout.packed_type(ranked_type(value))
    return builder.insert(tensor.EmptyOp(sizes, type_)).tensor


def _number_of_tiles(
    builder: ArithBuilder, value: SSAValue, dimension: int, tile: int | None
) -> SSAValue:
    size = size_of(builder, value, dimension)
    if tile is None:
        return size
    tiles = AffineMap(1, 0, (AffineDimExpr(0).ceil_div(tile),))
    return builder.insert(affine.ApplyOp([size], AffineMapAttr(tiles))).result


def size_of(builder: ArithBuilder, value: SSAValue, dimension: int) -> SSAValue:
    """A size of a tensor that is only known at run time."""
    index = builder.insert(index_constant(dimension)).result
    return builder.insert(tensor.DimOp(value, index)).result


def reassociation(groups: Iterable[Iterable[int]]) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    """Which dimensions of the larger shape each of the smaller one is split in."""
    return ArrayAttr(
        ArrayAttr(IntegerAttr(dimension, i64) for dimension in group)
        for group in groups
    )


# Erasing.


def erase_dead(ops: Sequence[Operation]) -> None:
    """Erase those of `ops` that nothing needs, and what nothing needs without them."""
    todo = list(ops)
    while todo:
        op = todo.pop()
        if op.parent is None or not is_trivially_dead(op):
            continue
        todo += [
            value.owner for value in op.operands if isinstance(value.owner, Operation)
        ]
        op.detach()
        op.erase()

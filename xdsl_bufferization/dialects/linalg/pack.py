"""`linalg.pack` and `linalg.unpack`: dimensions split into tiles, and back.

    %0 = linalg.pack %a padding_value(%p : f32) outer_dims_perm = [1, 0]
           inner_dims_pos = [0, 1] inner_tiles = [8, %t]
           into %b : tensor<4x8xf32> -> tensor<1x1x8x?xf32>

Dimension `inner_dims_pos[i]` of the unpacked tensor is split into tiles of
`inner_tiles[i]` elements. The packed tensor has the numbers of tiles as its outer
dimensions, in the order `outer_dims_perm`, and the tiles as its inner ones. Source:
https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    i64,
)
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.canonicalized import Canonicalized
from ..common.making import make
from .structure import verify_destinations
from .syntax import parse_integers, print_integers, shown_attributes

_SHOWN = ("outer_dims_perm", "inner_dims_pos", "static_inner_tiles")

_I64_ARRAY = DenseArrayBase.constr(i64)
_TENSOR = TensorType.constr()


class RelayoutOp(IRDLOperation, ABC):
    """What `linalg.pack` and `linalg.unpack` have in common."""

    outer_dims_perm = opt_prop_def(_I64_ARRAY)
    inner_dims_pos = prop_def(_I64_ARRAY)
    static_inner_tiles = prop_def(_I64_ARRAY)
    result = result_def(_TENSOR)

    traits = traits_def(Pure(), Canonicalized())

    SEGMENTED: ClassVar[bool]
    """Whether a padding value stands between the tensors and the sizes of tiles."""

    @property
    @abstractmethod
    def packed_type(self) -> TensorType:
        """The type of the tensor of tiles."""

    @property
    @abstractmethod
    def unpacked_type(self) -> TensorType:
        """The type of the tensor without tiles."""

    @property
    @abstractmethod
    def tile_operands(self) -> Sequence[SSAValue]:
        """The tile sizes that are values."""

    @property
    def tiled_dimensions(self) -> Sequence[int]:
        """Per tile: which dimension of the unpacked tensor it is a part of."""
        return _integers(self.inner_dims_pos)

    @property
    def static_tiles(self) -> Sequence[int]:
        """Per tile: its size, or `DYNAMIC_INDEX`."""
        return _integers(self.static_inner_tiles)

    @property
    def outer_permutation(self) -> Sequence[int]:
        """Per outer dimension of the packed tensor: the unpacked dimension it is of."""
        permutation = _integers(self.outer_dims_perm)
        return permutation or range(self.unpacked_type.get_num_dims())

    @property
    def tiles_by_dimension(self) -> dict[int, int]:
        """From tiled dimensions to tile sizes."""
        return dict(zip(self.tiled_dimensions, self.static_tiles, strict=True))

    def has_only_full_tiles(self) -> bool:
        """Whether sizes are known, and the tiles divide them."""
        shape = self.unpacked_type.get_shape()
        return all(
            tile > 0 and shape[d] != DYNAMIC_INDEX and shape[d] % tile == 0
            for d, tile in self.tiles_by_dimension.items()
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        source = parser.parse_unresolved_operand()
        padding: list[SSAValue] = []
        if parser.parse_optional_keyword("padding_value") is not None:
            with parser.in_parens():
                value = parser.parse_unresolved_operand()
                parser.parse_punctuation(":")
                padding.append(parser.resolve_operand(value, parser.parse_type()))
        properties: dict[str, Attribute] = {}
        permutation = parser.parse_optional_keyword("outer_dims_perm")
        if permutation is not None:
            properties["outer_dims_perm"] = _parse_assigned_integers(parser)
        properties["inner_dims_pos"] = parse_integers(parser, "inner_dims_pos")
        parser.parse_keyword("inner_tiles")
        parser.parse_punctuation("=")
        values, sizes = parse_dynamic_index_list_without_types(
            parser, dynamic_index=DYNAMIC_INDEX
        )
        tiles = [parser.resolve_operand(value, IndexType()) for value in values]
        properties["static_inner_tiles"] = DenseArrayBase.from_list(i64, sizes)
        parser.parse_keyword("into")
        dest = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_punctuation("->")
        dest_type = parser.parse_type()
        operands: list[Sequence[SSAValue]] = [
            [parser.resolve_operand(source, source_type)],
            [parser.resolve_operand(dest, dest_type)],
            tiles,
        ]
        if cls.SEGMENTED:
            operands.insert(2, padding)
        elif padding:
            parser.raise_error(f"'{cls.name}' has no padding value")
        return make(
            cls,
            operands=operands,
            result_types=[dest_type],
            properties=properties,
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        source, dest = self.operands[:2]
        padding = self.padding_value if isinstance(self, PackOp) else None
        printer.print_string(" ")
        printer.print_ssa_value(source)
        if padding is not None:
            printer.print_string(" padding_value(")
            printer.print_ssa_value(padding)
            printer.print_string(" : ")
            printer.print_attribute(padding.type)
            printer.print_string(")")
        permutation = _integers(self.outer_dims_perm)
        if permutation:
            print_integers(printer, "outer_dims_perm", permutation)
        print_integers(printer, "inner_dims_pos", self.tiled_dimensions)
        printer.print_string(" inner_tiles = ")
        print_dynamic_index_list(
            printer, DYNAMIC_INDEX, self.tile_operands, self.static_tiles
        )
        printer.print_string(" into ")
        printer.print_ssa_value(dest)
        printer.print_op_attributes(shown_attributes(self, *_SHOWN))
        printer.print_string(" : ")
        printer.print_attribute(source.type)
        printer.print_string(" -> ")
        printer.print_attribute(dest.type)


def _integers(array: Attribute | None) -> Sequence[int]:
    if not isinstance(array, DenseArrayBase):
        return ()
    return [int(value) for value in array.get_values()]


def packed_shape(op: RelayoutOp) -> list[int]:
    """The shape that the packed tensor must have, as far as it is known."""
    return shape_in_tiles(
        op.unpacked_type.get_shape(), op.tiles_by_dimension, op.outer_permutation
    )


def shape_in_tiles(
    shape: Sequence[int], tiles: Mapping[int, int], outer: Sequence[int]
) -> list[int]:
    """A shape with some dimensions cut into tiles, as far as it is known.

    `tiles` is from dimensions to sizes, in the order of the inner dimensions, `outer`
    which dimension each outer one is of.
    """
    numbers = list(shape)
    for dimension, tile in tiles.items():
        known = DYNAMIC_INDEX not in (shape[dimension], tile)
        numbers[dimension] = -(-shape[dimension] // tile) if known else DYNAMIC_INDEX
    return [*(numbers[dimension] for dimension in outer), *tiles.values()]


def _parse_assigned_integers(parser: Parser) -> DenseArrayBase:
    parser.parse_punctuation("=")
    values = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_integer
    )
    return DenseArrayBase.from_list(i64, values)


# Verification.


def _verify_relayout(op: RelayoutOp) -> None:
    unpacked, packed = op.unpacked_type, op.packed_type
    if unpacked.element_type != packed.element_type:
        raise VerifyException(
            f"element types {unpacked.element_type} and {packed.element_type} differ"
        )
    _verify_dimensions(op, unpacked.get_num_dims())
    _verify_tiles(op)
    expected_rank = unpacked.get_num_dims() + len(op.static_tiles)
    if packed.get_num_dims() != expected_rank:
        raise VerifyException(
            "packed rank != (unpacked rank + num tiling factors), got "
            f"{packed.get_num_dims()} != {expected_rank}"
        )
    _verify_packed_shape(op)
    verify_destinations([op.operands[1]], op.results)


def _verify_dimensions(op: RelayoutOp, rank: int) -> None:
    tiled = op.tiled_dimensions
    if len(set(tiled)) != len(tiled) or any(not 0 <= d < rank for d in tiled):
        raise VerifyException("invalid inner_dims_pos vector")
    permutation = op.outer_permutation
    if len(permutation) != rank:
        raise VerifyException("outer_dims_perm must be a permutation or empty")
    if sorted(permutation) != list(range(rank)):
        raise VerifyException("invalid outer_dims_perm vector")


def _verify_tiles(op: RelayoutOp) -> None:
    if len(op.tiled_dimensions) != len(op.static_tiles):
        raise VerifyException(
            "tiling factors must equal the number of dimensions to tile"
        )
    dynamic = [tile for tile in op.static_tiles if tile == DYNAMIC_INDEX]
    if len(dynamic) != len(op.tile_operands):
        raise VerifyException(
            f"expected {len(dynamic)} dynamic tile sizes, but got "
            f"{len(op.tile_operands)}"
        )
    if any(tile == 0 for tile in op.static_tiles):
        raise VerifyException("invalid zero tile factor")
    if any(tile < 0 for tile in op.static_tiles if tile != DYNAMIC_INDEX):
        raise VerifyException("invalid negative tile factor")


def _verify_packed_shape(op: RelayoutOp) -> None:
    expected, actual = packed_shape(op), list(op.packed_type.get_shape())
    outer = op.unpacked_type.get_num_dims()
    if expected[outer:] != actual[outer:]:
        raise VerifyException(
            "mismatch in inner tile sizes specified and shaped of tiled dimension in "
            "the packed type"
        )
    for wanted, size in zip(expected[:outer], actual[:outer], strict=True):
        if wanted != size and DYNAMIC_INDEX not in (wanted, size):
            type_ = TensorType(op.packed_type.element_type, expected)
            raise VerifyException(
                f"expected {type_} for the packed domain value, got {op.packed_type}"
            )


# The ops.


@irdl_op_definition
class PackOp(RelayoutOp):
    """Copy a tensor into tiles; incomplete tiles are filled with `padding_value`."""

    name = "linalg.pack"

    source = operand_def(_TENSOR)
    dest = operand_def(_TENSOR)
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(IndexType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    SEGMENTED: ClassVar[bool] = True

    @property
    @override
    def packed_type(self) -> TensorType:
        return _tensor_type(self.dest)

    @property
    @override
    def unpacked_type(self) -> TensorType:
        return _tensor_type(self.source)

    @property
    @override
    def tile_operands(self) -> Sequence[SSAValue]:
        return self.inner_tiles

    @override
    def verify_(self) -> None:
        """The shapes fit, and incomplete tiles have a padding value."""
        _verify_relayout(self)
        element = self.unpacked_type.element_type
        if self.padding_value is None:
            if _has_incomplete_tiles(self):
                raise VerifyException(
                    "invalid tile factor or output size provided. Only full tiles are "
                    "supported when padding_value is not set"
                )
        elif self.padding_value.type != element:
            raise VerifyException(
                f"expected padding_value has {element} but got: "
                f"{self.padding_value.type}"
            )


def _has_incomplete_tiles(op: PackOp) -> bool:
    shape = op.unpacked_type.get_shape()
    return any(
        DYNAMIC_INDEX not in (tile, shape[d]) and shape[d] % tile
        for d, tile in op.tiles_by_dimension.items()
    )


@irdl_op_definition
class UnPackOp(RelayoutOp):
    """Copy tiles into a tensor; what is beyond its sizes is left out."""

    name = "linalg.unpack"

    source = operand_def(_TENSOR)
    dest = operand_def(_TENSOR)
    inner_tiles = var_operand_def(IndexType)

    SEGMENTED: ClassVar[bool] = False

    @property
    @override
    def packed_type(self) -> TensorType:
        return _tensor_type(self.source)

    @property
    @override
    def unpacked_type(self) -> TensorType:
        return _tensor_type(self.dest)

    @property
    @override
    def tile_operands(self) -> Sequence[SSAValue]:
        return self.inner_tiles

    @override
    def verify_(self) -> None:
        """The shapes fit."""
        _verify_relayout(self)


def _tensor_type(value: SSAValue) -> TensorType:
    type_ = value.type
    assert isa(type_, TensorType)
    return type_

"""Ops that can be computed tile by tile: MLIR's `TilingInterface`.

An op has a domain of loops, which start at 0 and step by 1. A `Tile` of the domain is
enough to say which tiles of the operands it needs, and which tile of a result it makes:

    linalg.matmul, loops (m, n, k) of (64, 32, 128)
    tile [i, 0, 0] [16, 32, 128]   lhs [i, 0] [16, 128], all of rhs, out [i, 0] [16, 32]

Where the tiles of two ops meet in a tensor, both can be computed in one loop.
Source: https://mlir.llvm.org/doxygen/classmlir_1_1TilingInterface.html
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Operation, SSAValue
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.common.static_values import OpFoldResult

from .destination_style import DestinationStyleOpInterface
from .tile_builder import TileBuilder


class Tile(NamedTuple):
    """A box of a domain of loops, or of a tensor."""

    offsets: Sequence[OpFoldResult]
    sizes: Sequence[OpFoldResult]


class TilingInterface(OpTrait):
    """How an op on tensors is computed tile by tile."""

    @abstractmethod
    def get_loop_iterator_types(self, op: Operation) -> Sequence[IteratorType]:
        """The kind of each loop: iterations of a parallel one write disjoint tiles."""

    @abstractmethod
    def get_iteration_domain(
        self, op: Operation, builder: TileBuilder
    ) -> Sequence[OpFoldResult] | None:
        """The number of iterations of each loop; None if that cannot be told."""

    @abstractmethod
    def get_operand_tiles(
        self, op: Operation, tile: Tile, builder: TileBuilder
    ) -> Sequence[Tile | None] | None:
        """What a tile of the domain needs of each operand.

        None for an operand that is no tensor, or that is needed as it is. None for all
        if the op cannot be tiled like this. When unsure: None.
        """

    def get_iteration_domain_tile_from_result_tile(
        self, op: Operation, number: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        """The tile of the domain that makes a tile of result `number`.

        None if there is none that makes just that. When unsure: None.
        """
        del op, number, tile, builder
        return None

    def get_iteration_domain_tile_from_operand_tile(
        self, op: Operation, number: int, tile: Tile, builder: TileBuilder
    ) -> Tile | None:
        """The tile of the domain that needs a tile of operand `number`, and no more.

        The tiles of the domain for all tiles of the operand must be the whole domain.
        When unsure: None.
        """
        del op, number, tile, builder
        return None

    @abstractmethod
    def build_tile(
        self,
        op: Operation,
        tile: Tile,
        operands: Sequence[SSAValue],
        builder: TileBuilder,
    ) -> Operation:
        """Insert the op that computes a tile, given the tiles of its operands."""


def init_number(op: Operation, result: int) -> int:
    """The number of the operand that a result of a destination-style op is tied to."""
    model = op.get_trait(DestinationStyleOpInterface)
    assert model is not None, "an op that is tiled has destinations"
    return model.get_dps_inits(op)[result].number

"""Loops over the tiles of tensors: `scf.forall`, or a nest of `scf.for`.

%r = scf.forall (%i) = (0) to (64) step (32) shared_outs(%o = %t) -> (...) {
  ...
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %tile into %o[%i, 0] [32, 8] [1, 1]
  }
}

%r = scf.for %i = %c0 to %c64 step %c32 iter_args(%o = %t) -> (...) {
  ...
  %0 = tensor.insert_slice %tile into %o[%i, 0] [32, 8] [1, 1]
  scf.yield %0
}
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    IndexType,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.bufferization.interfaces.tile_builder import TileBuilder
from xdsl_bufferization.bufferization.interfaces.tiling import Tile
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.scf.forall import ForallOp, InParallelOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

from ..common.slices import insert_slice

_D0 = AffineDimExpr(0)


class TiledLoop(NamedTuple):
    """A loop that is split: its iterations, and how many go into a tile."""

    loop: int
    iterations: OpFoldResult
    """Where it ends."""
    size: int
    start: OpFoldResult = 0
    """A number of tiles, if the loop has more than one."""

    def tile_size(self, index: SSAValue, builder: TileBuilder) -> OpFoldResult:
        """The size of the tile that starts at `index`: the last one may be smaller."""
        if self._is_single or self.size == 1:
            return self.size
        if builder.is_multiple_of(self.iterations, self.size):
            return self.size
        rest = AffineDimExpr(1) - AffineDimExpr(0)
        size = AffineDimExpr(2)
        return builder.minimum([rest, size], [index, self.iterations, self.size])

    @property
    def _is_single(self) -> bool:
        """Whether there is one tile, and it is complete."""
        return (
            isinstance(self.iterations, int)
            and isinstance(self.start, int)
            and self.iterations - self.start == self.size
        )

    @property
    def factor(self) -> int:
        """A number that divides the index of each tile."""
        is_later = self._is_single and isinstance(self.start, int) and self.start
        return self.start if is_later and isinstance(self.start, int) else self.size

    def pieces(self, sizes: Sequence[int], builder: TileBuilder) -> "list[TiledLoop]":
        """Loops over complete tiles of these sizes, from large to small ones.

        Each size divides the one before. What the last size leaves over is a tile of
        its own, which must have a known size.
        """
        pieces: list[TiledLoop] = []
        start: OpFoldResult = 0
        for size in sizes:
            whole = builder.apply(_D0 // size * size, [self.iterations])
            if whole != start:
                pieces.append(self._replace(iterations=whole, size=size, start=start))
            start = whole
        if start != self.iterations and isinstance(start, int):
            assert isinstance(self.iterations, int), "it is one tile"
            rest = self.iterations - start
            pieces.append(self._replace(size=rest, start=start))
        return pieces


class TileLoops(ABC):
    """Loops around a body that computes a tile of each output.

    Once the tiles are computed, `finish` ends the body and inserts the loops.
    """

    indices: Sequence[SSAValue]
    """The first iteration of each loop that is in a tile."""

    outputs: Sequence[SSAValue]
    """The outputs as the body knows them."""

    body: Block
    """Where the tiles are computed."""

    def __init__(self, loops: Sequence[TiledLoop], around: TileBuilder):
        self.loops = loops
        self.around = around

    @abstractmethod
    def finish(
        self, outputs: Sequence[SSAValue], tiles: Sequence[tuple[SSAValue, Tile]]
    ) -> Operation:
        """Put each tile into its output; the loop nest, with a result for each."""

    def builder(self) -> TileBuilder:
        """What emits the body."""
        builder = TileBuilder(InsertPoint.at_end(self.body), self.around)
        for index, loop in zip(self.indices, self.loops, strict=True):
            builder.add_index(index, loop.factor)
        return builder

    def domain_tile(self, domain: Sequence[OpFoldResult], builder: TileBuilder) -> Tile:
        """The part of a domain of loops that one iteration is for."""
        offsets: list[OpFoldResult] = [0] * len(domain)
        sizes = list(domain)
        for index, loop in zip(self.indices, self.loops, strict=True):
            offsets[loop.loop] = index
            sizes[loop.loop] = loop.tile_size(index, builder)
        return Tile(offsets, sizes)


class ForallLoops(TileLoops):
    """One `scf.forall`, whose iterations are independent."""

    def __init__(
        self,
        loops: Sequence[TiledLoop],
        around: TileBuilder,
        outputs: Sequence[SSAValue],
    ):
        super().__init__(loops, around)
        types = [*[IndexType()] * len(loops), *(output.type for output in outputs)]
        self.body = Block(arg_types=types)
        arguments = self.body.args
        self.indices, self.outputs = arguments[: len(loops)], arguments[len(loops) :]

    @override
    def finish(
        self, outputs: Sequence[SSAValue], tiles: Sequence[tuple[SSAValue, Tile]]
    ) -> Operation:
        insertions = [
            ParallelInsertSliceOp(value, output, *tile, [1] * len(tile.sizes))
            for output, (value, tile) in zip(self.outputs, tiles, strict=True)
        ]
        self.body.add_op(InParallelOp(insertions))
        loop = ForallOp(
            [loop.start for loop in self.loops],
            [loop.iterations for loop in self.loops],
            [loop.size for loop in self.loops],
            outputs,
            Region(self.body),
        )
        self.around.insert(loop)
        return loop


class ForLoops(TileLoops):
    """A nest of `scf.for`, which also reductions can be split with."""

    def __init__(
        self,
        loops: Sequence[TiledLoop],
        around: TileBuilder,
        outputs: Sequence[SSAValue],
    ):
        super().__init__(loops, around)
        types = [IndexType(), *(output.type for output in outputs)]
        self._blocks = [Block(arg_types=types) for _ in loops]
        self.indices = [block.args[0] for block in self._blocks]
        self.body = self._blocks[-1]
        self.outputs = self.body.args[1:]

    @override
    def finish(
        self, outputs: Sequence[SSAValue], tiles: Sequence[tuple[SSAValue, Tile]]
    ) -> Operation:
        results = [
            self._insert(value, output, tile)
            for output, (value, tile) in zip(self.outputs, tiles, strict=True)
        ]
        self.body.add_op(scf.YieldOp(*results))
        bounds = [self._bounds(loop) for loop in self.loops]
        for depth in range(len(self.loops) - 1, 0, -1):
            around = self._blocks[depth - 1]
            loop = scf.ForOp(
                *bounds[depth], around.args[1:], Region(self._blocks[depth])
            )
            around.add_op(loop)
            around.add_op(scf.YieldOp(*loop.results))
        loop = scf.ForOp(*bounds[0], outputs, Region(self._blocks[0]))
        self.around.insert(loop)
        return loop

    def _insert(self, value: SSAValue, output: SSAValue, tile: Tile) -> SSAValue:
        if value.type == output.type and ranked_type(output).has_static_shape():
            return value
        op = insert_slice(value, output, tile.offsets, tile.sizes)
        self.body.add_op(op)
        return op.result

    def _bounds(self, loop: TiledLoop) -> tuple[SSAValue, SSAValue, SSAValue]:
        return (
            self._value(loop.start),
            self._value(loop.iterations),
            self._value(loop.size),
        )

    def _value(self, number: OpFoldResult) -> SSAValue:
        return self.around.constant(number) if isinstance(number, int) else number

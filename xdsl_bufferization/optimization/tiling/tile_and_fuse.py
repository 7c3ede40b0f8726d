"""Compute an op tile by tile, and what it is made of in the same loops.

    %0 = linalg.fill ... -> tensor<64x64xf32>
    %1 = linalg.matmul ins(%a, %b) outs(%0)
    %2 = linalg.generic { relu } outs(%1)

    %2 = scf.forall (%i, %j) = (0, 0) to (64, 64) step (32, 32) shared_outs(%o = %e) {
      %3 = tensor.extract_slice %o[%i, %j] [32, 32]
      %4 = linalg.fill outs(%3)
      %5 = linalg.matmul ins(slices of %a and %b) outs(%4)
      %6 = linalg.generic { relu } outs(%5)
      tensor.parallel_insert_slice %6 into %o[%i, %j] [32, 32]
    }

A producer is fused if only ops in the loops use it, and no two iterations would compute
the same part of it. Its body must read no memory, which an op in between may write. A
`linalg.fill` is always fused: to fill a tile again costs little.
Source of the rules: MLIR's `tileConsumerAndFuseProducersUsingSCF`.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import islice, product

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.bufferization.interfaces.tile_builder import TileBuilder
from xdsl_bufferization.bufferization.interfaces.tiling import (
    Tile,
    TilingInterface,
    init_number,
)
from xdsl_bufferization.bufferization.models.tiling.reshapes import RESHAPES
from xdsl_bufferization.dialects.common.static_values import OpFoldResult

from ..common.payloads import computes_elements
from ..common.relayout import erase_dead
from .tile_loops import ForallLoops, TiledLoop, TileLoops

MakeLoops = Callable[[Sequence[TiledLoop], TileBuilder, Sequence[SSAValue]], TileLoops]


@dataclass(frozen=True)
class TilingOptions:
    """How an op is tiled."""

    sizes: Mapping[int, int]
    """Tile sizes by loop; the other loops stay as they are."""

    make_loops: MakeLoops = ForallLoops
    max_depth: int = 0
    """How far from the op producers are fused, in ops; 0: none but fills."""

    pieces: Mapping[int, Sequence[int]] = field(
        default_factory=dict[int, Sequence[int]]
    )
    """By loop, the sizes of complete tiles, as `TiledLoop.pieces` takes them.

    Each piece of a loop gets a loop of its own. Without sizes, a tile that is not
    complete has a size that is computed.
    """

    innermost: int | None = None
    """The loop that is to be inside of all others; None: the last one."""

    fused: Container[Operation] | None = None
    """The producers that are fused, but for fills, which may be reshapes then.

    None: all that can be, and no reshapes."""


@dataclass(frozen=True)
class TiledOps:
    """What became of an op that was tiled."""

    loop: Operation
    """The outermost loop, or the last of several, with the results of the op."""

    tiled: Sequence[Operation]
    """The ops in the bodies, in order; the last one is a tile of the op itself."""


@dataclass
class _Planned:
    """An op whose tile is to be computed in the loops."""

    op: Operation
    model: TilingInterface
    tile: Tile
    operand_tiles: Sequence[Tile | None]
    depth: int
    fused: dict[int, "_Planned"] = field(default_factory=dict["int", "_Planned"])
    """The planned ops that operands are results of, by number of the operand."""


def number_by_block(
    ops: Sequence[Operation],
) -> dict[Block | None, dict[Operation, int]]:
    """The positions of ops in each block, as `tile_and_fuse` needs them."""
    order: dict[Block | None, dict[Operation, int]] = {}
    for op in ops:
        positions = order.setdefault(op.parent, {})
        positions[op] = len(positions)
    return order


def tile_and_fuse(
    root: Operation, order: Mapping[Operation, int], options: TilingOptions
) -> TiledOps | str:
    """Replace `root` by loops over tiles of it; or the reason why that cannot be.

    `order` numbers the ops in the block of `root`: producers are fused only if they
    have a number.
    """
    model = root.get_trait(TilingInterface)
    if model is None:
        return "it is no op that can be tiled"
    if _is_empty(root):
        return "a dimension has size 0, and no slice"
    return _TileAndFuse(root, model, order, options).run()


def _is_empty(op: Operation) -> bool:
    """Whether a tensor of an op has no elements, and no place for a slice."""
    types = [value.type for value in (*op.operands, *op.results)]
    return any(isinstance(each, TensorType) and 0 in each.get_shape() for each in types)


class _TileAndFuse:
    def __init__(
        self,
        root: Operation,
        model: TilingInterface,
        order: Mapping[Operation, int],
        options: TilingOptions,
    ):
        self._root = root
        self._model = model
        self._order = order
        self._options = options
        self._planned: dict[Operation, _Planned] = {}
        self._nests: list[Operation] = []
        self._tiled: list[Operation] = []

    def run(self) -> TiledOps | str:
        """Plan from the root to its producers, then emit in the opposite direction."""
        root, options = self._root, self._options
        around = TileBuilder(InsertPoint.before(root))
        domain = self._model.get_iteration_domain(root, around)
        if domain is None:
            return "its number of iterations is not known"
        loops = [
            TiledLoop(loop, domain[loop], size)
            for loop, size in sorted(
                options.sizes.items(),
                key=lambda item: (item[0] == options.innermost, item[0]),
            )
        ]
        problem = self._problem_with(loops)
        if problem is None:
            pieces = [
                loop.pieces(options.pieces[loop.loop], around)
                if loop.loop in options.pieces
                else [loop]
                for loop in loops
            ]
            for nest in product(*pieces):
                if not self._tile(nest, domain, around):
                    problem = "its operands cannot be cut into tiles"
                    break
        if problem is None:
            return self._finish(around)
        around.erase_unused()
        return problem

    def _tile(
        self,
        loops: Sequence[TiledLoop],
        domain: Sequence[OpFoldResult],
        around: TileBuilder,
    ) -> bool:
        """Emit one nest of loops; False if the tiles of operands are not known."""
        root = self._root
        inits = [root.operands[init_number(root, n)] for n in _results(root)]
        nest = self._options.make_loops(loops, around, inits)
        builder = nest.builder()
        self._planned = {}
        planned = self._plan_root(nest, domain, builder)
        if planned is None:
            assert not self._nests, "it has been tiled like this before"
            return False
        self._plan_producers(nest, builder)
        self._emit(nest, planned, builder)
        return True

    def _finish(self, around: TileBuilder) -> TiledOps:
        """Replace the root by the last nest of loops, which continues the others."""
        last = self._nests[-1]
        last.location = self._root.location
        around.erase_unused()
        for old, new in zip(self._root.results, last.results, strict=True):
            old.replace_all_uses_with(new)
        erase_dead(list(self._planned))
        return TiledOps(last, self._tiled)

    def _problem_with(self, loops: Sequence[TiledLoop]) -> str | None:
        if not loops:
            return "no loop has more than one tile"
        kinds = self._model.get_loop_iterator_types(self._root)
        if self._options.make_loops is ForallLoops and any(
            kinds[loop.loop] is not IteratorType.PARALLEL for loop in loops
        ):
            return (
                "a loop to be tiled is a reduction, whose iterations are not "
                "independent"
            )
        return None

    # Planning.

    def _plan_root(
        self, nest: TileLoops, domain: Sequence[OpFoldResult], builder: TileBuilder
    ) -> _Planned | None:
        tile = nest.domain_tile(domain, builder)
        tiles = self._model.get_operand_tiles(self._root, tile, builder)
        if tiles is None:
            return None
        planned = _Planned(self._root, self._model, tile, tiles, 0)
        self._planned[self._root] = planned
        return planned

    def _plan_producers(self, nest: TileLoops, builder: TileBuilder) -> None:
        if self._has_reduction(nest):
            return
        # All users of an op come after it, so that the last op is looked at first.
        todo: list[tuple[int, int, Operation]] = []
        uses: dict[Operation, list[tuple[_Planned, int]]] = {}

        def add_producers(planned: _Planned) -> None:
            for number, value in enumerate(planned.op.operands):
                op = value.owner
                if isinstance(op, Block) or op not in self._order:
                    continue
                if op not in uses:
                    heappush(todo, (-self._order[op], len(uses), op))
                uses.setdefault(op, []).append((planned, number))

        add_producers(self._planned[self._root])
        while todo:
            _, _, op = heappop(todo)
            planned = self._plan_producer(op, uses[op], nest, builder)
            if planned is not None:
                add_producers(planned)

    def _has_reduction(self, nest: TileLoops) -> bool:
        """Whether several iterations compute one tile, each from the one before."""
        kinds = self._model.get_loop_iterator_types(self._root)
        return any(kinds[loop.loop] is not IteratorType.PARALLEL for loop in nest.loops)

    def _plan_producer(
        self,
        op: Operation,
        uses: Sequence[tuple[_Planned, int]],
        nest: TileLoops,
        builder: TileBuilder,
    ) -> _Planned | None:
        """Plan an op that is used in the loops, if it can be computed there."""
        model = self._model_of(op)
        if model is None or len(op.results) != 1 or _is_empty(op):
            return None
        if not computes_elements(op):
            return None
        users = [planned for planned, _ in uses]
        tiles = [planned.operand_tiles[number] for planned, number in uses]
        depth = 1 + min(user.depth for user in users)
        tile = tiles[0]
        if tile is None or any(other != tile for other in tiles):
            return None
        if not isinstance(op, FillOp) and (
            depth > self._options.max_depth
            or _has_more_uses(op, len(uses))
            or builder.loops_of(tile.offsets) != frozenset(nest.indices)
        ):
            return None
        domain_tile = model.get_iteration_domain_tile_from_result_tile(
            op, 0, tile, builder
        )
        if domain_tile is None:
            return None
        operand_tiles = model.get_operand_tiles(op, domain_tile, builder)
        if operand_tiles is None:
            return None
        planned = _Planned(op, model, domain_tile, operand_tiles, depth)
        self._planned[op] = planned
        for user, number in uses:
            user.fused[number] = planned
        return planned

    def _model_of(self, op: Operation) -> TilingInterface | None:
        """How a producer is tiled; None if it is not fused."""
        fused = self._options.fused
        if fused is None or isinstance(op, FillOp):
            return op.get_trait(TilingInterface)
        if op not in fused:
            return None
        return RESHAPES.get(type(op)) or op.get_trait(TilingInterface)

    # Emission.

    def _emit(self, nest: TileLoops, root: _Planned, builder: TileBuilder) -> None:
        destinations = self._find_destinations(nest, root, builder)
        values: dict[Operation, Operation] = {}
        # The root was planned first, and every op before what it is made of.
        for planned in reversed(self._planned.values()):
            operands = [
                self._operand(planned, number, values, destinations, builder)
                for number in range(len(planned.op.operands))
            ]
            new_op = planned.model.build_tile(
                planned.op, planned.tile, operands, builder
            )
            values[planned.op] = new_op
        tiles: list[tuple[SSAValue, Tile]] = []
        for result in root.op.results:
            tile = root.operand_tiles[init_number(root.op, result.index)]
            assert tile is not None, "what is tiled is a tensor"
            tiles.append((values[root.op].results[result.index], tile))
        starts = [start for start, _ in destinations.values()]
        if self._nests:
            starts = self._nests[-1].results
        loop = nest.finish(starts, tiles)
        loop.location = root.op.location
        builder.erase_unused()
        self._nests.append(loop)
        self._tiled += values.values()

    def _find_destinations(
        self, nest: TileLoops, root: _Planned, builder: TileBuilder
    ) -> dict[tuple[Operation, int], tuple[SSAValue, SSAValue]]:
        """The operands that are tiles of outputs: what they were, and are in the body.

        The destination of an op is computed by other planned ops, in the same place,
        up to a tensor that is there before the loops.
        """
        found: dict[tuple[Operation, int], tuple[SSAValue, SSAValue]] = {}
        for index, output in enumerate(nest.outputs):
            planned, number = root, init_number(root.op, index)
            while (producer := planned.fused.get(number)) is not None:
                planned, number = producer, init_number(producer.op, 0)
            start = planned.op.operands[number]
            builder.add_alias(output, start)
            found[planned.op, number] = (start, output)
        return found

    def _operand(
        self,
        planned: _Planned,
        number: int,
        values: Mapping[Operation, Operation],
        destinations: Mapping[tuple[Operation, int], tuple[SSAValue, SSAValue]],
        builder: TileBuilder,
    ) -> SSAValue:
        value, tile = planned.op.operands[number], planned.operand_tiles[number]
        producer = planned.fused.get(number)
        if producer is not None:
            return values[producer.op].results[0]
        if (planned.op, number) in destinations:
            _, value = destinations[planned.op, number]
        return value if tile is None else builder.extract(value, *tile)


def _has_more_uses(op: Operation, count: int) -> bool:
    """Whether the result of `op` has more than `count` uses; there may be many."""
    return sum(1 for _ in islice(op.results[0].uses, count + 1)) > count


def _results(op: Operation) -> range:
    return range(len(op.results))

"""A structured op on tensors in tiles: new loops over tiles, and new indexing maps.

    loops (m, n, k), operands [m, k], [k, n], [m, n]
        -> loops (M, N, K, m, n, k), operands [M, K, m, k], [N, K, k, n], [M, N, m, n]

A tile loop is added for each loop that is cut, and the operands are indexed by both.
Source: `structured.pack` of https://mlir.llvm.org/docs/Dialects/Transform/
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xdsl_bufferization.dialects.linalg.structure import Structure, result_types_for

from ..common.relayout import Layout


class Loop(NamedTuple):
    """A loop of the new op: over the tiles of an old loop, or inside one of them."""

    old: int
    is_tile: bool


@dataclass(frozen=True)
class PackedLoops:
    """The loops of the new op."""

    order: tuple[Loop, ...]

    @staticmethod
    def tiles_last(outer: Sequence[int], tiled: Sequence[int]) -> "PackedLoops":
        """First the loops over tiles, then those inside them."""
        return PackedLoops(
            (
                *(Loop(old, is_tile=False) for old in outer),
                *(Loop(old, is_tile=True) for old in tiled),
            )
        )

    @cached_property
    def _positions(self) -> Mapping[Loop, int]:
        return {loop: position for position, loop in enumerate(self.order)}

    def iterator_types(self, structure: Structure) -> list[IteratorTypeAttr]:
        """The kinds of the loops: each is of the kind of the old one."""
        return [structure.iterator_types[loop.old] for loop in self.order]

    def map(self, old: AffineMap, layout: Layout) -> AffineMap:
        """How a packed operand is indexed that was indexed by `old`."""
        outer: list[AffineExpr] = [
            AffineDimExpr(self._positions[Loop(dimension, is_tile=False)])
            for dimension in range(old.num_dims)
        ]
        results = [
            old.results[dimension].replace_dims_and_symbols(outer, ())
            for dimension in layout.outer
        ]
        for dimension in layout.dimensions:
            loop = loop_of(old.results[dimension])
            assert loop is not None, "only what is one loop is cut"
            results.append(AffineDimExpr(self._positions[Loop(loop, is_tile=True)]))
        return AffineMap(len(self.order), 0, tuple(results))


def loop_of(expr: AffineExpr) -> int | None:
    """The loop that is the index, or None if the index is computed."""
    return expr.position if isinstance(expr, AffineDimExpr) else None


def packed_op(
    structure: Structure,
    loops: PackedLoops,
    layouts: Sequence[Layout],
    operands: Sequence[SSAValue],
) -> GenericOp:
    """The op that does on packed operands what `structure` does."""
    inputs = operands[: len(structure.inputs)]
    outputs = operands[len(structure.inputs) :]
    maps = [
        AffineMapAttr(loops.map(map_, layout))
        for map_, layout in zip(structure.maps, layouts, strict=True)
    ]
    return GenericOp(
        inputs,
        outputs,
        structure.body.clone(),
        maps,
        loops.iterator_types(structure),
        result_types_for(outputs),
    )

"""Canonicalization patterns of the linalg dialect, by op.

A group of patterns is a module here; the tables are last. An op with tensors has no
effect but its results, so what is no longer used is dead code. Source of the rules: the
folders and canonicalization patterns of MLIR's ops.
"""

from xdsl.pattern_rewriter import RewritePattern

from . import fills, moves, packs, shapes

FOR_ALL: tuple[RewritePattern, ...] = (
    shapes.LookThroughBufferCasts(),
    shapes.SizesOfLoops(),
    shapes.DimsOfResults(),
)
"""The patterns of every op, before its own."""

PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "linalg.broadcast": (
        moves.BroadcastToSameShape(),
        moves.BroadcastOfBroadcast(),
    ),
    "linalg.copy": (moves.CopyToItself(),),
    "linalg.fill": (fills.UseOfFill(),),
    "linalg.generic": (moves.GenericThatMovesNothing(),),
    "linalg.index": (shapes.IndexOfOneIteration(),),
    "linalg.pack": (
        packs.PackOfUnpack(),
        packs.ConstantTilesOfPack(),
        packs.NoPadding(),
        packs.RelayoutOfEqualElements(),
        packs.SizesOfPack(),
    ),
    "linalg.transpose": (
        moves.TransposeToSameOrder(),
        moves.TransposeOfTranspose(),
        moves.TransposeOfBroadcast(),
    ),
    "linalg.unpack": (
        packs.UnpackOfPack(),
        packs.ConstantTilesOfUnpack(),
        packs.RelayoutOfEqualElements(),
        packs.SizesOfUnpack(),
        packs.SliceOfUnpack(),
    ),
}
"""The patterns of each op that has some of its own."""

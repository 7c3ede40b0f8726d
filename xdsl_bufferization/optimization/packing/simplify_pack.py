"""Packs and unpacks that move nothing, or what is moved back.

    pack(unpack(%p)), the same tiles          %p
    unpack(pack(%t)), the same tiles          %t
    pack(tensor.empty())                      where it would be packed to
    pack of 512 elements to 16x32             tensor.expand_shape
    unpack of 16x32 elements to 512           tensor.collapse_shape
    32x32 as 1x1x32x32, and that as 32x32     as it was
    unpack %p into linalg.fill(...)           unpack %p into tensor.empty()

Runs after `propagate-pack-and-unpack`, and again after tiling; what is unused then goes
as well. Of a perceptron one pack is left, of the input, and one unpack.

Source: `simplify-pack` of tpp-mlir, and MLIR's patterns for pack and unpack.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ModuleOp,
)
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Operation, Region
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriterListener,
    RewritePattern,
)

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.simplification.canonicalize import erase_dead
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.common.reshape_algebra import merge_static
from xdsl_bufferization.dialects.common.slices import slice_of
from xdsl_bufferization.dialects.linalg.canonicalization.packs import (
    PackOfUnpack,
    UnpackOfPack,
)
from xdsl_bufferization.dialects.linalg.pack import PackOp, RelayoutOp, UnPackOp
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside
from xdsl_bufferization.support.xdsl_releases.worklists import WalkerFromOps

from ..common.relayout import Layout, empty_like, reassociation


class RelayoutOfEmpty(RewritePattern):
    """What has no contents has none in tiles, or without them, either."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, PackOp | UnPackOp) or (
            isinstance(op, PackOp) and op.padding_value is not None
        ):
            return
        if isinstance(op.source.owner, tensor.EmptyOp):
            rewriter.replace(op, [], [op.dest])


class RelayoutIntoFill(RewritePattern):
    """The destination is filled, and then overwritten: it need not be filled."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, RelayoutOp) and isinstance(op.operands[1].owner, FillOp):
            op.operands[1] = empty_like(ArithBuilder.before(op), op.operands[1])
            rewriter.has_done_action = True


class RelayoutInPlace(RewritePattern):
    """The elements stay in the order in which they are: it is a reshape."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, RelayoutOp):
            return
        groups = _groups(op)
        if groups is None:
            return
        source = op.operands[0]
        if isinstance(op, UnPackOp):
            reshape = tensor.CollapseShapeOp.build(
                operands=[source],
                result_types=[op.unpacked_type],
                properties={"reassociation": reassociation(groups)},
            )
        else:
            reshape = tensor.ExpandShapeOp(
                source,
                [],
                reassociation(groups),
                op.packed_type.get_shape(),
                op.packed_type,
            )
        rewriter.replace(op, reshape)


class SliceOfExpansion(RewritePattern):
    """Sizes of 1 are added, and left out again by a slice of everything."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, tensor.ExtractSliceOp):
            return
        expansion = op.source.owner
        if not isinstance(expansion, tensor.ExpandShapeOp):
            return
        shape = expansion.result.type.get_shape()
        offsets, sizes, _ = slice_of(op)
        is_whole = tuple(sizes) == shape and not any(offsets)
        if is_whole and op.result.type == expansion.src.type:
            rewriter.replace(op, [], [expansion.src])


def _groups(op: RelayoutOp) -> list[list[int]] | None:
    """Per unpacked dimension those of the packed side; None if elements move."""
    layout = Layout.of(op)
    unpacked, packed = op.unpacked_type.get_shape(), op.packed_type.get_shape()
    if layout is None or not op.has_only_full_tiles() or DYNAMIC_INDEX in unpacked:
        return None
    # Dimensions of size 1 may be anywhere; the others must stay in order.
    places = [(dimension, 0) for dimension in layout.outer]
    places += [(dimension, 1) for dimension in layout.dimensions]
    moved = [place for place, size in zip(places, packed, strict=True) if size != 1]
    if moved != sorted(moved):
        return None
    return merge_static(packed, unpacked)


def simplify_packs(module: ModuleOp) -> None:
    """Remove packs and unpacks that move nothing, and what is unused then."""
    _erase_dead(module)
    pairs: list[RewritePattern] = [
        PackOfUnpack(),
        UnpackOfPack(),
        RelayoutOfEmpty(),
    ]
    _rewrite(module, pairs)
    # An unpack that has become a reshape no longer goes away with the pack after it.
    _rewrite(module, [RelayoutInPlace(), RelayoutIntoFill(), SliceOfExpansion()])
    _erase_dead(module)


def _erase_dead(module: ModuleOp) -> None:
    erase_dead(module.body, PatternRewriterListener())


def _rewrite(module: ModuleOp, patterns: list[RewritePattern]) -> None:
    _Walker(GreedyRewritePatternApplier(patterns)).rewrite_module(module)


_is_looked_at = of_classes(RelayoutOp, tensor.ExtractSliceOp)


@dataclass(eq=False, repr=False)
class _Walker(WalkerFromOps):
    """xDSL's walker, which starts with the ops that the patterns are about."""

    @override
    def first_ops(self, region: Region) -> Iterable[Operation]:
        assert region.parent is not None
        return filter(_is_looked_at, reversed(ops_inside(region.parent)))


class SimplifyPackPass(TensorPass):
    """Remove packs and unpacks that move nothing, or that undo each other."""

    name = "simplify-pack"
    rewrite = staticmethod(simplify_packs)

"""Canonicalization patterns of the memref dialect, by op.

A group of patterns is a module here; the table is last. Source of the rules: the
folders and canonicalization patterns of MLIR's ops.
"""

from xdsl.pattern_rewriter import RewritePattern

from ...common import shape_patterns as shapes
from . import allocation, casts, copies, reshapes, scopes, sizes, slices

_THROUGH_CASTS = (casts.LookThroughCasts(),)
_ALLOCATION = (allocation.UnreadAllocation(), allocation.AllocationOfConstantSize())

PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "memref.alloc": _ALLOCATION,
    "memref.alloca": _ALLOCATION,
    "memref.alloca_scope": (scopes.InlineScope(), scopes.HoistOutOfScope()),
    "memref.assume_alignment": (casts.AlignmentIsKnown(),),
    "memref.atomic_rmw": _THROUGH_CASTS,
    "memref.cast": (shapes.ToSameType(), casts.CastOfCast()),
    "memref.collapse_shape": (
        shapes.ToSameType(),
        reshapes.CollapseOfExpand(),
        shapes.CollapseOfCollapse(),
        shapes.OneForCollapseOfExpand(reshapes.have_identity_layouts),
        reshapes.CollapseLooksThroughCast(),
    ),
    "memref.copy": (
        copies.CopyToItself(),
        copies.CopyOfNothing(),
        casts.CopyLooksThroughCasts(),
    ),
    "memref.dealloc": _THROUGH_CASTS,
    "memref.dim": (
        *_THROUGH_CASTS,
        shapes.DimIsKnown(sizes.defined_size),
        sizes.DimOfSameShape(),
        sizes.DimOfTranspose(),
        sizes.DimOfReshape(),
    ),
    "memref.dma_start": _THROUGH_CASTS,
    "memref.dma_wait": _THROUGH_CASTS,
    "memref.expand_shape": (
        shapes.ToSameType(),
        shapes.ExpandOfCollapse(),
        shapes.ExpandOfExpand(),
        reshapes.ExpandLooksThroughCast(),
    ),
    "memref.extract_aligned_pointer_as_index": _THROUGH_CASTS,
    "memref.extract_strided_metadata": (
        # What a cast says is lost once the op looks through the cast.
        sizes.StridedMetadataIsKnown(),
        *_THROUGH_CASTS,
    ),
    "memref.generic_atomic_rmw": _THROUGH_CASTS,
    "memref.load": _THROUGH_CASTS,
    "memref.memory_space_cast": (shapes.LastOfTwo(),),
    "memref.prefetch": _THROUGH_CASTS,
    "memref.rank": (shapes.RankIsKnown(),),
    "memref.realloc": (allocation.UnreadReallocation(),),
    "memref.reinterpret_cast": (
        slices.ReinterpretCastToSameType(),
        slices.ReinterpretCastOfSameMemory(),
        slices.ReinterpretCastOfStridedMetadata(),
        slices.ReinterpretCastOfConstants(),
    ),
    "memref.store": _THROUGH_CASTS,
    "memref.subview": (
        slices.SubviewOfEverything(),
        slices.SubviewOfConstants(),
        slices.SubviewLooksThroughCast(),
    ),
    "memref.transpose": (reshapes.TransposeOfTranspose(),),
    "memref.view": (
        allocation.ViewOfConstantSize(),
        casts.ViewLooksThroughCast(),
        casts.ViewOfEverything(),
    ),
}
"""The patterns of each op that has some."""

"""Canonicalization patterns of the bufferization dialect, by op.

A group of patterns is a module here; the table is last. Source of the rules: the
folders and canonicalization patterns of MLIR's ops.
"""

from xdsl.pattern_rewriter import RewritePattern

from . import allocations, clones, conversions, deallocs

PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "bufferization.alloc_tensor": (
        allocations.DropUnusedAllocTensor(),
        allocations.AllocTensorOfConstantSizes(),
    ),
    "bufferization.clone": (
        clones.DropFreedClone(),
        clones.ReuseFreedBuffer(),
        clones.CloneLooksThroughCast(),
    ),
    "bufferization.dealloc": (
        deallocs.DropEmptyDealloc(),
        deallocs.SimplifyDealloc(),
        deallocs.DropUnusedAlloc(),
    ),
    "bufferization.to_buffer": (
        conversions.ToBufferOfToTensor(),
        conversions.ToBufferOfCast(),
        conversions.LoadsOfToBuffer(),
    ),
    "bufferization.to_tensor": (
        conversions.ToTensorOfToBuffer(),
        conversions.DimsOfToTensor(),
    ),
}
"""The patterns of each op that has some."""

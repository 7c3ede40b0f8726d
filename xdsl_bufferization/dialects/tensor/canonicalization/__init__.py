"""Canonicalization patterns of the tensor dialect, by op.

Here: patterns that fold casts, sizes, slices, reshapes, pads and elements.
Not here: the ops, which are in the files of the room around this one.
"""

from xdsl.dialects import tensor
from xdsl.pattern_rewriter import RewritePattern

from xdsl_bufferization.dialects.tensor.canonicalization import (
    casts,
    concat,
    elements,
    pads,
    reshapes,
    sizes,
    slices,
)
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "tensor.cast": (casts.CastToSameType(), casts.CastOfCast(), casts.CastOfEmpty()),
    "tensor.collapse_shape": (
        reshapes.CollapseNothing(),
        reshapes.CollapseOfExpand(),
        reshapes.CollapseOfCollapse(),
    ),
    "tensor.concat": (concat.ConcatOfOne(),),
    "tensor.dim": (sizes.FoldDim(), sizes.DimOfCast()),
    "tensor.empty": (sizes.EmptyOfConstantSizes(),),
    "tensor.expand_shape": (
        reshapes.ExpandNothing(),
        reshapes.ExpandOfCollapse(),
        reshapes.ExpandOfExpand(),
    ),
    "tensor.extract": (
        elements.ExtractFromElements(),
        elements.ExtractFromConstant(),
        elements.ExtractFromCast(),
    ),
    "tensor.extract_slice": (
        slices.ExtractAll(),
        slices.ExtractWhatWasInserted(),
        slices.ExtractConstantSlice(),
        slices.ExtractFromCast(),
    ),
    "tensor.from_elements": (elements.FromConstantElements(),),
    "tensor.insert": (elements.InsertIntoCast(),),
    "tensor.insert_slice": (
        slices.InsertAll(),
        slices.InsertWhatIsThere(),
        slices.InsertOverInserted(),
        slices.InsertConstantSlice(tensor.InsertSliceOp),
        slices.InsertIntoCast(),
    ),
    "tensor.pad": (pads.PadByNothing(),),
    "tensor.parallel_insert_slice": (
        slices.InsertConstantSlice(ParallelInsertSliceOp),
    ),
    "tensor.rank": (sizes.FoldRank(),),
    "tensor.reshape": (reshapes.ReshapeToSameType(), reshapes.ReshapeOfReshape()),
    "tensor.splat": (sizes.SplatOfConstant(),),
}
"""The patterns of each op that has some."""

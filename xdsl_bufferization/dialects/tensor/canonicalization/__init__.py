"""Canonicalization patterns of the tensor dialect, by op.

Here: patterns that fold casts, sizes, slices, reshapes, pads and elements.
Not here: the ops, which are in the files of the room around this one.
"""

from xdsl.dialects import tensor
from xdsl.pattern_rewriter import RewritePattern

from ...common import shape_patterns as shapes
from ..slices import ParallelInsertSliceOp
from . import (
    casts,
    concat,
    elements,
    pads,
    reshapes,
    sizes,
    slices,
)

PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "tensor.bitcast": (shapes.LastOfTwo(),),
    "tensor.cast": (
        shapes.ToSameType(),
        casts.CastOfCast(),
        casts.CastOfEmpty(),
        casts.CastOfSlice(),
        pads.CastOfPad(),
    ),
    "tensor.collapse_shape": (
        shapes.ToSameType(),
        reshapes.CollapseOfExpand(),
        shapes.CollapseOfCollapse(),
        shapes.OneForCollapseOfExpand(lambda _, __: True),
        reshapes.CollapseOfCast(),
        reshapes.ReshapeOfElements(),
    ),
    "tensor.concat": (concat.ConcatOfOne(), concat.ConcatOfKnownSizes()),
    "tensor.dim": (
        shapes.DimIsKnown(sizes.defined_size),
        sizes.DimOfCast(),
        sizes.DimOfReshape(),
    ),
    "tensor.empty": (sizes.EmptyOfConstantSizes(),),
    "tensor.expand_shape": (
        shapes.ToSameType(),
        shapes.ExpandOfCollapse(),
        shapes.ExpandOfExpand(),
        reshapes.OneForExpandOfCollapse(),
        reshapes.ExpandOfCast(),
        reshapes.ReshapeOfElements(),
    ),
    "tensor.extract": (
        elements.ExtractFromElements(),
        elements.ExtractFromConstant(),
        elements.ExtractFromCast(),
        elements.ExtractFromIndexCast(),
        elements.ExtractFromGenerate(),
    ),
    "tensor.extract_slice": (
        slices.ExtractAll(),
        slices.ExtractWhatWasInserted(),
        slices.ExtractConstantSlice(),
        slices.ExtractFromCast(),
        slices.ExtractFromEqualElements(),
    ),
    "tensor.from_elements": (elements.FromConstantElements(),),
    "tensor.gather": (elements.GatherEqualElements(),),
    "tensor.generate": (elements.GenerateOfConstantSizes(),),
    "tensor.insert": (elements.InsertIntoCast(), elements.InsertSameElement()),
    "tensor.insert_slice": (
        slices.InsertAll(),
        slices.InsertNothing(),
        slices.InsertWhatIsThere(),
        slices.InsertOverInserted(),
        slices.InsertConstantSlice(tensor.InsertSliceOp),
        slices.InsertIntoCast(),
        slices.InsertCast(),
        pads.InsertPadIntoFill(),
    ),
    "tensor.pad": (
        pads.PadByNothing(),
        pads.PadOfConstants(),
        pads.PadOfCast(),
        pads.PadOfPad(),
    ),
    "tensor.parallel_insert_slice": (
        slices.InsertConstantSlice(ParallelInsertSliceOp),
    ),
    "tensor.rank": (shapes.RankIsKnown(),),
    "tensor.reshape": (
        reshapes.ReshapeToSameType(),
        reshapes.ReshapeOfReshape(),
        reshapes.ReshapeOfElements(),
    ),
    "tensor.splat": (sizes.SplatOfConstant(),),
}
"""The patterns of each op that has some."""

"""Ops of MLIR's tensor dialect that xDSL lacks, or defines too narrowly.

The modules are named after what their ops are about; each says what xDSL 0.74 has of
them. `canonicalization/` has the patterns that simplify them.

Source of all definitions: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from xdsl_bufferization.dialects.tensor import (
    casts,
    elements,
    pads,
    regions,
    reshapes,
    sizes,
    slices,
)

OPERATIONS: tuple[type[Operation], ...] = (
    *casts.OPERATIONS,
    *elements.OPERATIONS,
    *regions.OPERATIONS,
    *sizes.OPERATIONS,
    *slices.OPERATIONS,
)
"""Ops that xDSL's dialect lacks."""

DEFINITIONS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    **casts.DEFINITIONS,
    **elements.DEFINITIONS,
    **pads.DEFINITIONS,
    **regions.DEFINITIONS,
    **reshapes.DEFINITIONS,
    **sizes.DEFINITIONS,
    **slices.DEFINITIONS,
}
"""Ops of xDSL's dialect, and what they should be."""

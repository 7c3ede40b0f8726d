"""Ops of MLIR's affine dialect that xDSL lacks, or defines too narrowly.

Not here: whether a value may be a dimension or a symbol where it is used, which
depends on where it is defined; and the ops `dma_start` and `dma_wait`.

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from xdsl_bufferization.dialects.affine import accesses, control, maps

OPERATIONS: tuple[type[Operation], ...] = (
    *accesses.OPERATIONS,
    *control.OPERATIONS,
    *maps.OPERATIONS,
)
"""Ops that xDSL's dialect lacks."""

DEFINITIONS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    **accesses.DEFINITIONS,
    **control.DEFINITIONS,
    **maps.DEFINITIONS,
}
"""Ops of xDSL's dialect, and what they should be."""

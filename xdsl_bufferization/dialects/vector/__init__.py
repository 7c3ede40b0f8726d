"""Ops of MLIR's vector dialect that xDSL lacks, or defines too narrowly.

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation

from xdsl_bufferization.dialects.vector import (
    contractions,
    masks,
    memory,
    shapes,
    transfers,
)
from xdsl_bufferization.dialects.vector.checks import IteratorTypeAttr, PunctuationAttr

OPERATIONS: tuple[type[Operation], ...] = (
    *contractions.OPERATIONS,
    *masks.OPERATIONS,
    *memory.OPERATIONS,
    *shapes.OPERATIONS,
)
"""Ops that xDSL's dialect lacks."""

DEFINITIONS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    **contractions.DEFINITIONS,
    **masks.DEFINITIONS,
    **memory.DEFINITIONS,
    **shapes.DEFINITIONS,
    **transfers.DEFINITIONS,
}
"""Ops of xDSL's dialect, and what they should be."""

ATTRIBUTES: tuple[type[Attribute], ...] = (IteratorTypeAttr, PunctuationAttr)
"""Attributes that xDSL's dialect lacks."""

"""Ops of MLIR's linalg dialect that xDSL lacks, or defines too narrowly.

The named ops are rows of a table (`table.py`), from which `named.py` makes classes; the
ops that a table cannot describe have files of their own.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from xdsl_bufferization.dialects.linalg import (
    aggregates,
    generic,
    mapped,
    named,
    pack,
    user_maps,
)
from xdsl_bufferization.dialects.linalg.attributes import ATTRIBUTES

__all__ = ("ATTRIBUTES", "DEFINITIONS", "OPERATIONS")

OPERATIONS: tuple[type[Operation], ...] = (
    *aggregates.OPERATIONS,
    *mapped.OPERATIONS,
    *named.OPERATIONS,
    *pack.OPERATIONS,
    *user_maps.OPERATIONS,
)
"""Ops that xDSL's dialect lacks."""

DEFINITIONS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    **generic.DEFINITIONS,
    **mapped.DEFINITIONS,
    **named.DEFINITIONS,
}
"""Ops of xDSL's dialect, and what they should do."""

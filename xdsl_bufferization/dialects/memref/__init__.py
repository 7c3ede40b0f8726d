"""Ops of MLIR's memref dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 has no assembly format for many of these ops, asks for more than MLIR does
(`copy` wants equal static sizes), or for less (a `subview` of any type). The classes in
this package are the definitions that xDSL's classes of the same names should have;
`extend.py` puts them there.

    memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>
    %0 = memref.cast %m : memref<2xf32> to memref<?xf32>
    memref.copy %0, %1 : memref<?xf32> to memref<2xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from xdsl_bufferization.dialects.memref import (
    access,
    allocation,
    atomics,
    dma,
    globals,
    queries,
    reshapes,
    slices,
    views,
)

_MODULES = (
    access,
    allocation,
    atomics,
    dma,
    globals,
    queries,
    reshapes,
    slices,
    views,
)

OPERATIONS: tuple[type[Operation], ...] = tuple(
    op_type for module in _MODULES for op_type in module.OPERATIONS
)
"""Ops that xDSL's dialect lacks."""

DEFINITIONS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    op_type: amended
    for module in _MODULES
    for op_type, amended in module.DEFINITIONS.items()
}
"""Ops of xDSL's dialect, and what they should be."""

"""Ops of MLIR's memref dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 has no assembly format for many of these ops, asks for more than MLIR does
(`copy` wants equal static sizes), or for less (a `subview` of any type). The classes
here with the names of xDSL's are MLIR's definitions of these ops.

    memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>
    %0 = memref.cast %m : memref<2xf32> to memref<?xf32>
    memref.copy %0, %1 : memref<?xf32> to memref<2xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

MODULES = (
    "access",
    "allocation",
    "atomics",
    "dma",
    "globals",
    "queries",
    "reshapes",
    "slices",
    "views",
)
"""Where the ops are."""

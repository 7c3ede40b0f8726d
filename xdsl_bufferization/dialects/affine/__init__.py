"""Ops of MLIR's affine dialect that xDSL lacks, or defines too narrowly.

Not here: whether a value may be a dimension or a symbol where it is used, which
depends on where it is defined; and the ops `dma_start` and `dma_wait`.

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Affine/
"""

MODULES = ("accesses", "control", "maps")
"""Where the ops are."""

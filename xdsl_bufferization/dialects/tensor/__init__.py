"""Ops of MLIR's tensor dialect that xDSL lacks, or defines too narrowly.

The modules are named after what their ops are about; each says what xDSL 0.74 has of
them. `canonicalization/` has the patterns that simplify them.

Source of all definitions: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

MODULES = ("casts", "elements", "pads", "regions", "reshapes", "sizes", "slices")
"""Where the ops are."""

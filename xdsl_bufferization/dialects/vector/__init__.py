"""Ops of MLIR's vector dialect that xDSL lacks, or defines too narrowly.

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Vector/
"""

MODULES = ("checks", "contractions", "masks", "memory", "shapes", "slices", "transfers")
"""Where the ops are."""

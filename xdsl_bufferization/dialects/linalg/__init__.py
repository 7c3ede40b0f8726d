"""Ops of MLIR's linalg dialect that xDSL lacks, or defines too narrowly.

The named ops are rows of a table (`table.py`), from which `named.py` makes classes; the
ops that a table cannot describe have files of their own.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

MODULES = (
    "aggregates",
    "attributes",
    "generic",
    "mapped",
    "named",
    "pack",
    "user_maps",
)
"""Where the ops are."""

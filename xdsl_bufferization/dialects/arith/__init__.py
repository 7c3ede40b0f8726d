"""Ops of MLIR's arith dialect that xDSL lacks, or defines too narrowly.

Here: casts, and arithmetic with comparisons and constants.
Not here: ops on indices alone, which are the dialect `index`.
"""

MODULES = ("arithmetic", "casts")
"""Where the ops are."""

"""Ops of MLIR's scf dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 has no `scf.forall`, no text for `scf.parallel`, and only some of the text of
the others; most invariants of their regions it does not verify.

    scf.forall (%i, %j) in (%n, 4) { ... } {mapping = [#gpu.block<x>, #gpu.block<y>]}
    scf.parallel (%i) = (%lb) to (%ub) step (%s) { ... }

Source of all definitions: https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from .forall import ForallOp, InParallelOp

__all__ = ["MODULES", "ForallOp", "InParallelOp"]

MODULES = ("branches", "forall", "loops", "parallel")
"""Where the ops are."""

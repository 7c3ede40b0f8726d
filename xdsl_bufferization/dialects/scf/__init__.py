"""Ops of MLIR's scf dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 has no `scf.forall`, no text for `scf.parallel`, and only some of the text of
the others; most invariants of their regions it does not verify.

    scf.forall (%i, %j) in (%n, 4) { ... } {mapping = [#gpu.block<x>, #gpu.block<y>]}
    scf.parallel (%i) = (%lb) to (%ub) step (%s) { ... }

Source of all definitions: https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from xdsl.dialects import scf
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from xdsl_bufferization.dialects.scf.branches import (
    ExecuteRegionOp,
    IfOp,
    IndexSwitchOp,
    YieldOp,
)
from xdsl_bufferization.dialects.scf.forall import ForallOp, InParallelOp
from xdsl_bufferization.dialects.scf.loops import ForOp, WhileOp
from xdsl_bufferization.dialects.scf.parallel import (
    ParallelOp,
    ReduceOp,
    ReduceReturnOp,
)

__all__ = ["DEFINITIONS", "OPERATIONS", "ForallOp", "InParallelOp"]

OPERATIONS: tuple[type[Operation], ...] = (ForallOp, InParallelOp)
"""Ops that xDSL's dialect lacks."""

DEFINITIONS: dict[type[IRDLOperation], type[IRDLOperation]] = {
    scf.ExecuteRegionOp: ExecuteRegionOp,
    scf.ForOp: ForOp,
    scf.IfOp: IfOp,
    scf.IndexSwitchOp: IndexSwitchOp,
    scf.ParallelOp: ParallelOp,
    scf.ReduceOp: ReduceOp,
    scf.ReduceReturnOp: ReduceReturnOp,
    scf.WhileOp: WhileOp,
    scf.YieldOp: YieldOp,
}
"""Ops of xDSL's dialect, and what they should be."""

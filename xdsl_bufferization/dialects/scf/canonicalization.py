"""Canonicalization patterns of the scf dialect, by op.

Source: the canonicalization patterns of MLIR's scf dialect, those that change what a
later pass of this package finds, https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from xdsl.dialects import scf
from xdsl.pattern_rewriter import RewritePattern

from xdsl_bufferization.dialects.scf.branch_patterns import (
    FoldConstantIndexSwitch,
    FoldIfResults,
    InlineExecuteRegion,
    RemoveEmptyElse,
)
from xdsl_bufferization.dialects.scf.forall_patterns import (
    FoldForallBounds,
    FoldForallDimensions,
    FoldForallOutputs,
)
from xdsl_bufferization.dialects.scf.loop_patterns import (
    FoldForIterArgs,
    HoistConstantsOutOfFor,
    SimplifyTrivialFor,
)
from xdsl_bufferization.dialects.scf.parallel_patterns import FoldParallelDimensions
from xdsl_bufferization.dialects.scf.while_patterns import (
    FoldWhileArguments,
    FoldWhileResults,
)

PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "scf.execute_region": (InlineExecuteRegion(),),
    "scf.for": (SimplifyTrivialFor(), FoldForIterArgs(), HoistConstantsOutOfFor()),
    "scf.forall": (FoldForallBounds(), FoldForallDimensions(), FoldForallOutputs()),
    "scf.if": (
        *scf.IfOpHasCanonicalizationPatternsTrait.get_canonicalization_patterns(),
        FoldIfResults(),
        RemoveEmptyElse(),
    ),
    "scf.index_switch": (FoldConstantIndexSwitch(),),
    "scf.parallel": (FoldParallelDimensions(),),
    "scf.while": (FoldWhileArguments(), FoldWhileResults()),
}
"""The patterns of each op that has some."""

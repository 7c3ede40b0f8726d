"""Canonicalization patterns of the scf dialect, by op.

Source: the canonicalization patterns of MLIR's scf dialect, those that change what a
later pass of this package finds, https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from xdsl.dialects import scf
from xdsl.pattern_rewriter import RewritePattern

from .branch_patterns import (
    DropSwitchResults,
    FoldConstantIndexSwitch,
    FoldIfResults,
    InlineExecuteRegion,
    RemoveEmptyElse,
)
from .combine_patterns import (
    CombineIfs,
    CombineNestedIfs,
    KnowConditionInside,
    SwapNegatedIf,
)
from .execute_region_patterns import ForwardOuterValues, InlineBlocks
from .forall_patterns import FoldForallBounds, FoldForallDimensions, FoldForallOutputs
from .forall_type_patterns import CastBehindForall, DimsOfForall
from .loop_patterns import FoldForIterArgs, HoistConstantsOutOfFor, SimplifyTrivialFor
from .parallel_patterns import FoldParallelDimensions, MergeNestedParallel
from .while_condition_patterns import (
    AlignWhileArguments,
    KnowComparisonInBody,
    KnowConditionInBody,
)
from .while_patterns import FoldWhileArguments, FoldWhileResults

PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "scf.execute_region": (
        InlineExecuteRegion(),
        ForwardOuterValues(),
        InlineBlocks(),
    ),
    "scf.for": (SimplifyTrivialFor(), FoldForIterArgs(), HoistConstantsOutOfFor()),
    "scf.forall": (
        FoldForallBounds(),
        FoldForallDimensions(),
        FoldForallOutputs(),
        CastBehindForall(),
        DimsOfForall(),
    ),
    "scf.if": (
        *scf.IfOpHasCanonicalizationPatternsTrait.get_canonicalization_patterns(),
        FoldIfResults(),
        RemoveEmptyElse(),
        SwapNegatedIf(),
        KnowConditionInside(),
        CombineNestedIfs(),
        CombineIfs(),
    ),
    "scf.index_switch": (FoldConstantIndexSwitch(), DropSwitchResults()),
    "scf.parallel": (FoldParallelDimensions(), MergeNestedParallel()),
    "scf.while": (
        FoldWhileArguments(),
        FoldWhileResults(),
        KnowConditionInBody(),
        KnowComparisonInBody(),
        AlignWhileArguments(),
    ),
}
"""The patterns of each op that has some."""

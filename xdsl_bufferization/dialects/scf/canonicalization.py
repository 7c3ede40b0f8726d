"""Which patterns canonicalize the ops of the scf dialect.

The patterns themselves are imported when something is canonicalized, not when an op is
defined: most programs that parse an scf op never ask for them.

Source: the canonicalization patterns of MLIR's scf dialect, those that change what a
later pass of this package finds, https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from functools import cache
from importlib import import_module

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait


@cache
def _load(module: str, *names: str) -> tuple[RewritePattern, ...]:
    """The patterns of these names in a module beside this one."""
    patterns = import_module(f"{__package__}.{module}")
    return tuple(getattr(patterns, name)() for name in names)


class ForOpCanonicalization(scf.ForOpHasCanonicalizationPatternsTrait):
    """Takes the place of xDSL's patterns, which know no unsigned comparison."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """How `scf.for` is simplified."""
        return _load(
            "loop_patterns",
            "SimplifyTrivialFor",
            "FoldForIterArgs",
            "HoistConstantsOutOfFor",
        )


class WhileOpCanonicalization(HasCanonicalizationPatternsTrait):
    """The patterns of `scf.while`."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """How `scf.while` is simplified."""
        return _load("while_patterns", "FoldWhileArguments", "FoldWhileResults")


class IfOpCanonicalization(scf.IfOpHasCanonicalizationPatternsTrait):
    """Adds to xDSL's patterns."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """How `scf.if` is simplified."""
        ours = _load("branch_patterns", "FoldIfResults", "RemoveEmptyElse")
        return (*super().get_canonicalization_patterns(), *ours)


class IndexSwitchOpCanonicalization(HasCanonicalizationPatternsTrait):
    """The patterns of `scf.index_switch`."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """How `scf.index_switch` is simplified."""
        return _load("branch_patterns", "FoldConstantIndexSwitch")


class ExecuteRegionOpCanonicalization(
    scf.ExecuteRegionOpHasCanonicalizationPatternsTrait
):
    """Takes the place of xDSL's pattern, which knows no `no_inline`."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """How `scf.execute_region` is simplified."""
        return _load("branch_patterns", "InlineExecuteRegion")


class ParallelOpCanonicalization(HasCanonicalizationPatternsTrait):
    """The patterns of `scf.parallel`."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """How `scf.parallel` is simplified."""
        return _load("parallel_patterns", "FoldParallelDimensions")


class ForallOpCanonicalization(HasCanonicalizationPatternsTrait):
    """The patterns of `scf.forall`."""

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """How `scf.forall` is simplified."""
        return _load(
            "forall_patterns",
            "FoldForallBounds",
            "FoldForallDimensions",
            "FoldForallOutputs",
        )

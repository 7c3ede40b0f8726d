"""What is corrected of `scf`: patterns leave alone what xDSL does not know.

    scf.for unsigned %i = ...             // xDSL compares the bounds as signed numbers
    scf.execute_region no_inline { ... }  // xDSL inlines it

Constants stay where an op is that no dialect defines.
"""

from typing_extensions import override
from xdsl.dialects.builtin import IndexType, UnitAttr, UnregisteredOp
from xdsl.dialects.scf import (
    ExecuteRegionOp,
    ExecuteRegionOpHasCanonicalizationPatternsTrait,
    ForOp,
    ForOpHasCanonicalizationPatternsTrait,
    YieldOp,
)
from xdsl.ir import Block, Operation, Region
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.transforms.canonicalization_patterns.scf import (
    RehoistConstInLoops,
    SimplifyTrivialLoops,
    SingleBlockExecuteInliner,
)

from ...common.static_values import index_constant
from ..correction import CorrectedPattern, Correction


class _SignedPatterns(ForOpHasCanonicalizationPatternsTrait):
    @classmethod
    @override
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(
            CorrectedPattern(each, _unless_unsigned)
            for each in super().get_canonicalization_patterns()
        )


class _ForPatterns(_SignedPatterns):
    @classmethod
    @override
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(
            CorrectedPattern(each, _only_known_ops)
            for each in super().get_canonicalization_patterns()
        )


class _ExecuteRegionPatterns(ExecuteRegionOpHasCanonicalizationPatternsTrait):
    @classmethod
    @override
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(
            CorrectedPattern(each, _unless_no_inline)
            for each in super().get_canonicalization_patterns()
        )


def _unless_unsigned(
    pattern: RewritePattern, op: Operation, rewriter: PatternRewriter
) -> None:
    if "unsignedCmp" not in op.properties:
        pattern.match_and_rewrite(op, rewriter)


def _only_known_ops(
    pattern: RewritePattern, op: Operation, rewriter: PatternRewriter
) -> None:
    assert isinstance(pattern, CorrectedPattern)
    moves = isinstance(pattern.pattern, RehoistConstInLoops)
    if not moves or not _has_unknown_ops(op):
        pattern.match_and_rewrite(op, rewriter)


def _has_unknown_ops(op: Operation) -> bool:
    inside = op.regions[0].block.ops if isinstance(op, ForOp) else ()
    return any(isinstance(each, UnregisteredOp) for each in inside)


def _unless_no_inline(
    pattern: RewritePattern, op: Operation, rewriter: PatternRewriter
) -> None:
    if "no_inline" not in op.properties:
        pattern.match_and_rewrite(op, rewriter)


def _moves_unknown_ops() -> bool:
    """Whether xDSL's pattern alone moves an op that no dialect defines."""
    bound = index_constant(1)
    unknown = UnregisteredOp.with_name("unknown.op").create()
    body = Block([unknown, YieldOp()], arg_types=[IndexType()])
    loop = ForOp(bound, bound, bound, (), body)
    Block([bound, loop])
    RehoistConstInLoops().match_and_rewrite(loop, PatternRewriter(loop))
    return unknown.parent is not body


def _compares_as_signed() -> bool:
    """Whether xDSL's pattern alone removes an unsigned loop from 0 to -1."""
    first, last = (index_constant(each) for each in (0, -1))
    step = index_constant(1)
    loop = ForOp(first, last, step, (), Block([YieldOp()], arg_types=[IndexType()]))
    loop.properties["unsignedCmp"] = UnitAttr()
    block = Block([first, last, step, loop])
    SimplifyTrivialLoops().match_and_rewrite(loop, PatternRewriter(loop))
    return block.last_op is not loop


def _inlines_whatever_it_says() -> bool:
    """Whether xDSL's pattern alone inlines an op that has `no_inline`."""
    op = ExecuteRegionOp((), Region(Block([YieldOp()])))
    op.properties["no_inline"] = UnitAttr()
    block = Block([op])
    SingleBlockExecuteInliner().match_and_rewrite(op, PatternRewriter(op))
    return block.last_op is not op


CORRECTIONS: tuple[Correction, ...] = (
    Correction(
        (ForOp,),
        ForOpHasCanonicalizationPatternsTrait,
        _SignedPatterns(),
        SimplifyTrivialLoops.__name__,
        "Patterns for `scf.for` leave `scf.for unsigned` alone. The patterns compare "
        "bounds as signed numbers, and would remove loops that run.",
        "Define the property `unsignedCmp`, and compare as it says.",
        _compares_as_signed,
    ),
    Correction(
        (ForOp,),
        ForOpHasCanonicalizationPatternsTrait,
        _ForPatterns(),
        RehoistConstInLoops.__name__,
        "An op that no dialect defines stays in its loop. xDSL takes the op for a "
        "constant, and moves it in front of the loop and of the ops that it uses.",
        "Ask `has_trait(ConstantLike, value_if_unregistered=False)`.",
        _moves_unknown_ops,
    ),
    Correction(
        (ExecuteRegionOp,),
        ExecuteRegionOpHasCanonicalizationPatternsTrait,
        _ExecuteRegionPatterns(),
        SingleBlockExecuteInliner.__name__,
        "Patterns do not inline a `scf.execute_region` that has `no_inline`.",
        "Define the property `no_inline`, and leave such an op alone.",
        _inlines_whatever_it_says,
    ),
)

"""What is changed for `scf`: patterns leave alone what xDSL does not know.

    scf.for unsigned %i = ...             // xDSL compares the bounds as signed numbers
    scf.execute_region no_inline { ... }  // xDSL inlines it

Constants stay where an op is that no dialect defines.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from typing_extensions import override
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.dialects.scf import (
    ExecuteRegionOpHasCanonicalizationPatternsTrait,
    ForOp,
    ForOpHasCanonicalizationPatternsTrait,
)
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait
from xdsl.transforms.canonicalization_patterns.scf import RehoistConstInLoops

from xdsl_bufferization.upstream.change import Change


@dataclass(frozen=True)
class _Unless(RewritePattern):
    """A pattern of xDSL, for ops without a property that xDSL does not know."""

    prop: str
    pattern: RewritePattern

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if self.prop not in op.properties:
            self.pattern.match_and_rewrite(op, rewriter)


def _unless(prop: str) -> Callable[[Any], Any]:
    def change(in_xdsl: Any) -> Any:
        get_patterns = in_xdsl.__func__

        def get_canonicalization_patterns(
            cls: type[HasCanonicalizationPatternsTrait],
        ) -> tuple[RewritePattern, ...]:
            return tuple(_Unless(prop, pattern) for pattern in get_patterns(cls))

        return classmethod(get_canonicalization_patterns)

    return change


def _only_known_ops(in_xdsl: Callable[..., None]) -> Callable[..., None]:
    def match_and_rewrite(
        self: RehoistConstInLoops, op: Operation, rewriter: PatternRewriter
    ) -> None:
        inside = op.regions[0].block.ops if isinstance(op, ForOp) else ()
        if not any(isinstance(each, UnregisteredOp) for each in inside):
            in_xdsl(self, op, rewriter)

    return match_and_rewrite


CHANGES: tuple[Change, ...] = (
    Change(
        ForOpHasCanonicalizationPatternsTrait,
        "get_canonicalization_patterns",
        _unless("unsignedCmp"),
        "Patterns for `scf.for` leave `scf.for unsigned` alone. The patterns compare "
        "bounds as signed numbers, and would remove loops that run.",
        "Define the property `unsignedCmp`, and compare as it says.",
    ),
    Change(
        RehoistConstInLoops,
        "match_and_rewrite",
        _only_known_ops,
        "An op that no dialect defines stays in its loop. xDSL takes the op for a "
        "constant, and moves it in front of the loop and of the ops that it uses.",
        "Ask `has_trait(ConstantLike, value_if_unregistered=False)`.",
    ),
    Change(
        ExecuteRegionOpHasCanonicalizationPatternsTrait,
        "get_canonicalization_patterns",
        _unless("no_inline"),
        "Patterns do not inline a `scf.execute_region` that has `no_inline`.",
        "Define the property `no_inline`, and leave such an op alone.",
    ),
)

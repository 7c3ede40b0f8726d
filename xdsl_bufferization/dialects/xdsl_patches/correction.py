"""What a correction is: a trait of ops of xDSL, and the trait that takes its place.

    Correction(
        op_types=(cf.BranchOp,),
        kind=BranchOpHasCanonicalizationPatterns,
        trait=BranchPatterns(),
        fault="SimplifyPassThroughBr",
        ...
    )

Classes and methods of xDSL stay as they are. The traits of an op say which patterns and
which folder it has, so that `canonicalize` of xDSL uses the corrected ones as well.
"""

from collections.abc import Callable
from dataclasses import dataclass

from typing_extensions import override
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.traits import OpTrait


@dataclass(frozen=True)
class Correction:
    """A trait that takes the place of one of xDSL's."""

    op_types: tuple[type[Operation], ...]
    """The ops of xDSL that get the trait."""

    kind: type[OpTrait]
    """The class of the trait that xDSL has given them."""

    trait: OpTrait
    """What takes its place."""

    fault: str
    """The pattern or method of xDSL that is corrected."""

    reason: str
    """What the correction is for, in a sentence or two."""

    proposal: str
    """What xDSL could have instead, so that the correction is no longer needed."""

    is_needed: Callable[[], bool] = lambda: True
    """Whether xDSL has the fault, which a program of a few ops shows.

    Other code of xDSL is no sign that the fault is gone: what is corrected could end in
    wrong numbers.
    """


@dataclass(frozen=True)
class CorrectedPattern(RewritePattern):
    """A pattern of xDSL, run by a function that knows when it is right."""

    pattern: RewritePattern
    run: Callable[[RewritePattern, Operation, PatternRewriter], None]

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        self.run(self.pattern, op, rewriter)

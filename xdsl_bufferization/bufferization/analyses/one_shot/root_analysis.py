"""What One-Shot Analysis finds out about one root op, most often a function.

    analysis.reasons[operand]    why %0 of `tensor.insert %f into %0[%i]` is copied

A record: `one_shot.py` fills it, passes and explanations read it.
"""

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.ir import Operation

from ...interfaces.operands import OpOperand
from ..tensor_facts.tensor_facts import TensorFacts
from .alias_sets import AliasSets
from .all_reasons import AllReasons, Reason
from .decisions import Decisions
from .new_buffers import NewBuffers
from .optimum import Optimum
from .permuted_buffers import PermutedBuffers
from .written_in_place import InsertionsInPlace


@dataclass(frozen=True)
class RootAnalysis:
    """The decisions about one root op."""

    root: Operation
    decisions: Decisions
    alias_sets: AliasSets
    insertions: InsertionsInPlace
    new_buffers: NewBuffers
    permuted: PermutedBuffers
    reasons: dict[OpOperand, Reason]
    """Why operands are out of place, for those that are: the first reason found."""

    all_reasons: dict[OpOperand, AllReasons]
    """The same with every reason, if all of them were asked for; otherwise empty."""

    optimum: Optimum | None = None
    """What a search for the best decisions found, if there was one."""

    @property
    def facts(self) -> TensorFacts:
        """What holds whatever is decided."""
        return self.decisions.facts

    @property
    def has_all_reasons(self) -> bool:
        """Whether every reason of each operand out of place is known.

        Then no other option about the search for reasons finds more of them.
        """
        found = map(self.all_reasons.get, self.reasons)
        return all(each is not None and each.is_complete for each in found)

    @property
    def fingerprint(self) -> Hashable:
        """Equal for two analyses of equal ops if all answers about these are equal.

        Answers follow from the operands in place, with the permutations of loops, and
        from the facts. The rest of what the options say is left to the caller.
        """
        facts = self.facts
        uses = [use for op in facts.ops for use in facts.get_uses(op)]
        return (
            tuple(use in self.decisions.in_place for use in uses),
            tuple(use.operand in self.permuted.operands for use in uses),
            tuple(use.operand in facts.permutations.of_init for use in uses),
            self.alias_sets.has_excused,
        )

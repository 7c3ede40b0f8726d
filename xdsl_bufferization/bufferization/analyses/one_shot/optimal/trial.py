"""Trying decisions: which operands can be in place together, and what that costs.

    trial = trials.run([...])    // as many of these operands in place as can be
    trial.cuts                   // of each of these sets, one must be out of place
    trial.bytes                  // what the decisions cost

Trials start from the same facts, and each starts the alias sets anew.
Cost: that of one greedy analysis, without the collecting of facts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from ....interfaces.noted_copies import NotedCopies
from ....interfaces.operands import OpOperand
from ...tensor_facts.subsets import Subsets
from ...tensor_facts.tensor_facts import TensorFacts
from ..alias_sets import AliasSets
from ..deciding import begin, conclude, put_in_place
from ..root_analysis import RootAnalysis
from .alias_paths import AliasPaths, Path
from .copy_bytes import NOTHING, Bytes, CopyBytes
from .equivalences import Plan
from .later_copies import LaterCopy, cost_of_decisions, is_accepted


@dataclass(frozen=True)
class Trial:
    """What came of an attempt: its alias sets hold until the next one."""

    plan: Plan
    bytes: Bytes
    copies: int
    """Operands out of place with contents, and later copies; each counts once."""

    later: Sequence[LaterCopy]
    cuts: Sequence[Path]
    """Sets of operands that cannot all be in place, one for each that was refused."""

    is_accepted: bool
    """Whether the loops can live with the decisions."""

    analysis: RootAnalysis


class Trials:
    """Attempts at deciding about one root op."""

    own: dict[OpOperand, Bytes]
    """What each operand costs out of place."""

    def __init__(
        self, root: Operation, facts: TensorFacts, subsets: Subsets, sets: AliasSets
    ):
        self._root = root
        self._facts = facts
        self._subsets = subsets
        self._sets = sets
        self.paths = AliasPaths(facts)
        self.costs = CopyBytes(facts)
        self.own = self._find_own_costs()
        self.forced = self._find_forced()

    def run(self, order: Iterable[int]) -> Trial:
        """Put operands in place, those first that are first in `order`.

        Operands that are not in `order` are out of place, unless they are forced.
        """
        uses = self.paths.uses
        self._begin()
        paths = self.paths.in_place(self._sets.in_place)
        cuts: dict[Path, None] = {}
        for number in order:
            use = uses[number]
            if use not in self._sets.in_place and (
                reason := put_in_place(use, self._sets)
            ):
                cuts[paths.find_cut(reason, use) - self.forced] = None
        return self._measure(list(cuts))

    def add(self, order: Iterable[int]) -> Trial:
        """Put more operands in place than the last trial did, where that can be."""
        for number in order:
            use = self.paths.uses[number]
            if use not in self._sets.in_place:
                put_in_place(use, self._sets)
        return self._measure(())

    def _measure(self, cuts: Sequence[Path]) -> Trial:
        analysis = conclude(self._root, self._facts, self._subsets, self._sets, {})
        total, later = cost_of_decisions(analysis, self.own, self.costs)
        in_place = analysis.decisions.in_place
        plan = tuple(use in in_place for use in self.paths.uses)
        may_return = self._facts.options.allow_return_allocs_from_loops
        accepted = may_return or is_accepted(analysis)
        copies = len(later) + sum(
            self.own[use.operand].copied > 0
            for use in self.paths.uses
            if use not in in_place
        )
        return Trial(plan, total, copies, later, cuts, accepted, analysis)

    def _begin(self) -> None:
        self._sets.start_anew()
        begin(self._facts, self._sets)

    def _find_forced(self) -> Path:
        self._begin()
        return frozenset(
            n for n, use in enumerate(self.paths.uses) if use in self._sets.in_place
        )

    def _find_own_costs(self) -> dict[OpOperand, Bytes]:
        """The cost of each operand; nothing if its op would not copy it."""
        facts, noted = self._facts, NotedCopies(self._facts)
        for op, model in facts.models.resolving.of(facts.ops):
            model.resolve_conflicts(op, noted)
        special = {op for op, _ in facts.models.resolving.of(facts.ops)}
        return {
            use.operand: self.costs.of_copy(use.operand)
            if use.point.op not in special or use.operand in noted.operands
            else NOTHING
            for use in self.paths.uses
        }


def is_hard_to_copy(operand: OpOperand) -> bool:
    """Whether a copy may be an error: tensors of any rank have no type to allocate."""
    return not isinstance(operand.value.type, TensorType)

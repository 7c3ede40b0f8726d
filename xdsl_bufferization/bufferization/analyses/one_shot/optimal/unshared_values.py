"""Why a yielded value needs a buffer of its own: what gets it is permuted later on.

    scf.for ... iter_args(%a = %x) {
      %r:2 = scf.for ... iter_args(%b = %y, %c = %z) {
        scf.yield %new, %new    // one buffer for %r#0 and %r#1 would do, but
      }
      scf.yield %r#1            // %r#1 is permuted: alone in its buffer
    }

The same holds of a constant instead of another value.

Cost: linear in the operands of an alias set, for each value and what is permuted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from xdsl.ir import BlockArgument, OpResult

from ....interfaces.operands import OpOperand
from ....interfaces.state import CarriedOperand
from ..new_buffers import is_constant
from ..root_analysis import RootAnalysis
from .alias_paths import Path, PathsInPlace
from .equivalences import Equivalences, Plan


class Ties(NamedTuple):
    """Operands in place that cause a copy, or the copy of another operand instead."""

    operands: Path
    instead: tuple[OpOperand, ...] = ()
    breakers: Path = frozenset()
    """Operands that have to be out of place for that, beside others."""


@dataclass(frozen=True)
class UnsharedValues:
    """Finds what ties yielded values to what a loop permutes."""

    analysis: RootAnalysis
    paths: PathsInPlace
    equivalences: Equivalences
    plan: Plan

    def find_ties(self, group: Sequence[CarriedOperand], at: int) -> Ties | None:
        """What ties a yielded value to an earlier one or to a constant.

        The two cannot be one buffer, nor can the value be a constant, if another loop
        permutes what gets one of them. A loop that does not permute a value that is
        another argument's buffer copies the value.
        """
        facts = self.analysis.facts
        operand, _ = group[at]
        start = (facts.get_use(operand).number,)
        to_constant = self.paths.find_path(
            start, lambda number: is_constant(facts.values[number])
        )
        if to_constant is not None:
            ties = self._find_ties_to_permuted(group[at])
            if ties is not None:
                return ties._replace(operands=ties.operands | to_constant)
        for carried in group[:at]:
            path = self.paths.find_path(start, facts.get_use(carried[0]).number.__eq__)
            if path is None:
                continue
            for each in (group[at], carried):
                ties = self._find_ties_to_permuted(each)
                if ties is not None:
                    return ties._replace(
                        operands=ties.operands | path,
                        instead=(carried[0], *ties.instead),
                    )
        return None

    def _find_ties_to_permuted(self, carried: CarriedOperand) -> Ties | None:
        """What ties a value that gets a buffer to one that is permuted or copied."""
        facts, sets = self.analysis.facts, self.analysis.alias_sets
        for value, _ in self.analysis.new_buffers.forwarded.list_successor_inputs(
            *carried
        ):
            for permuted in self.analysis.decisions.permuted:
                use = facts.get_use(permuted)
                if sets.find(use.value) is not sets.find(value):
                    continue
                path = self.paths.find_path(
                    (facts.get_number(value),), use.number.__eq__
                )
                ties = self._find_ties_of_permuted(permuted)
                if path is not None and ties is not None:
                    return ties._replace(operands=ties.operands | path)
        return None

    def _find_ties_of_permuted(self, operand: OpOperand) -> Ties | None:
        """What ties a value to another argument, so that it is permuted or copied."""
        facts, plan = self.analysis.facts, self.plan
        block, loop = operand.owner.parent, operand.owner.parent_op()
        model = None if loop is None else facts.models.carrying[type(loop)]
        if loop is None or model is None:
            return None
        arguments = dict(chain.from_iterable(model.carried_values(loop)))
        argument = arguments.get(operand)
        if argument is None:
            return None

        def is_other(number: int) -> bool:
            value = facts.values[number]
            return (
                isinstance(value, BlockArgument)
                and value.block is block
                and value is not argument
            )

        use = facts.get_use(operand)
        if self._is_made_by_loop(operand):
            inits = self.analysis.decisions.get_aliasing_op_operands(use.value)
            numbers = {
                self.paths.paths.numbers[facts.get_use(i.operand)] for i in inits
            }
            if not any(plan[number] for number in numbers):
                return Ties(frozenset(), (), frozenset(numbers))
        path = self.paths.find_path((use.number,), is_other)
        breakers = self.equivalences.find_breaker_of_pair(argument, use.value, plan)
        if path is None or breakers is None:
            return None
        return Ties(path, (operand,), breakers)

    def _is_made_by_loop(self, operand: OpOperand) -> bool:
        """Whether a loop inside makes what is forwarded, and only that is its buffer.

        With its inits out of place, the result is alone in its alias set, and is
        permuted.
        """
        facts, block = self.analysis.facts, operand.owner.parent
        value = facts.get_use(operand).value
        return (
            isinstance(value, OpResult)
            and value.op.parent is block
            and facts.models.carrying[type(value.op)] is not None
            and value not in facts.permutations.of_value
            and facts.is_writable(value)
            and not any(
                use.aliases
                or (use.point.op is operand.owner and use.operand != operand)
                for use in facts.get_uses_of(value)
            )
        )

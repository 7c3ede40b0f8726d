"""Why a loop does not permute a value: an operand out of place that makes it new.

    %r:2 = scf.for ... iter_args(%a = %x, %b = %y) {
      %c = linalg.add ... outs(%b)    // out of place: %c is not the buffer of %b,
      scf.yield %c, %a                // and is not permuted, whatever else is decided
    }

A value is permuted if it is the buffer of an argument, whichever way branches go. So
one operand out of place is enough, on one of the paths from an argument to the value.

Cost: linear in the values between a loop's arguments and what it forwards.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from ...tensor_facts.tensor_facts import TensorFacts
from ...tensor_facts.tensor_uses import TensorUse, is_equivalent
from ...tensor_facts.yielded_permutations import alternatives
from ..decisions import Decisions
from .alias_paths import AliasPaths, Path
from .equivalences import Plan


@dataclass(frozen=True)
class PermutationBreakers:
    """Finds them for the values that one block forwards."""

    decisions: Decisions
    paths: AliasPaths
    block: Block
    """The body of the loop."""

    taken: Collection[SSAValue]
    """The arguments that get the value anyway."""

    plan: Plan

    @property
    def facts(self) -> TensorFacts:
        """What holds whatever is decided."""
        return self.decisions.facts

    def find(self, value: SSAValue) -> Path | None:
        """Operands out of place for which `value` is no buffer to permute.

        None of them if it never is; None if it is, or if no reason is found.
        """
        todo = [value]
        reached = {value}
        for current in todo:
            new = [use.value for use in self._made_of(current)]
            todo += [each for each in dict.fromkeys(new) if each not in reached]
            reached.update(new)
        found: dict[SSAValue, Path | None] = {}
        # A choice of arguments may be permuted, though one of them is its own.
        taken = () if any(map(alternatives, todo)) else self.taken
        # Each after what it is made of.
        for current in sorted(todo, key=self.facts.get_number):
            is_taken = current in taken
            found[current] = frozenset() if is_taken else self._find(current, found)
        return found[value]

    def _find(
        self, value: SSAValue, found: Mapping[SSAValue, Path | None]
    ) -> Path | None:
        if isinstance(value, BlockArgument):
            may_be = (
                value.block is self.block and value in self.facts.permutations.of_value
            )
            return None if may_be else frozenset()
        if self._is_of_loop_inside(value):
            return None
        uses = self._made_of(value)
        if alternatives(value):
            # What is chosen is permuted only if each of the values is.
            ways = [found[use.value] for use in uses]
            broken = [way for way in ways if way is not None]
            return min(broken, key=len) if broken else (None if ways else frozenset())
        breakers: Path = frozenset()
        for use in uses:
            number = self.paths.numbers[use]
            way = found[use.value] if self.plan[number] else frozenset((number,))
            if way is None:
                return None
            breakers |= way
        return breakers

    def _is_inside(self, value: SSAValue) -> bool:
        points = self.facts.points
        return isinstance(value, OpResult) and points.of_block(self.block).contains(
            points.of_op(value.op)
        )

    def _is_of_loop_inside(self, value: SSAValue) -> bool:
        return (
            isinstance(value, OpResult)
            and self.facts.models.carrying[type(value.op)] is not None
            and self._is_inside(value)
        )

    def _made_of(self, value: SSAValue) -> list[TensorUse]:
        """The operands whose buffer a result in the loop may be, element by element."""
        facts = self.facts
        if not self._is_inside(value) or self._is_of_loop_inside(value):
            return []
        aliases = self.decisions.get_aliasing_op_operands(value)
        uses = [
            (facts.get_use(alias.operand), is_equivalent(alias)) for alias in aliases
        ]
        return [use for use, is_same in uses if is_same or use.hinges]

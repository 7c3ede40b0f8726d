"""Why two values are not one buffer: an operand out of place between them.

    %1 = linalg.fill ins(%f) outs(%0)    // out of place: %1 and %2 are not %0
    %2 = linalg.exp outs(%1)

Were all operands in place, each result would be one buffer with at most one earlier
value. So values form a forest, and two of them are one buffer only if all operands on
the path between them are in place. With other decisions no other paths appear.

The forest is built once. Cost: linear in the values, and then in the paths.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation, OpResult, SSAValue

from ....interfaces.operands import is_tensor
from ....interfaces.subset import WHOLE
from ...tensor_facts.subsets import Subsets
from ...tensor_facts.tensor_facts import TensorFacts
from ...tensor_facts.tensor_uses import is_equivalent
from ..decisions import Decisions
from ..written_in_place import InsertionsInPlace
from .alias_paths import AliasPaths

Pair = tuple[int, int]
"""The numbers of two values."""

Plan = tuple[bool, ...]
"""For each tensor operand, in the order of the ops, whether it is in place."""


@dataclass(frozen=True)
class _Step:
    """From a result to the earlier value that it can be one buffer with."""

    earlier: int
    uses: tuple[int, ...]
    """The operands that have to be in place for that."""

    pairs: tuple[Pair, ...]
    """The values that have to be one buffer for that."""


class Equivalences:
    """What would be one buffer if all operands were in place."""

    def __init__(self, facts: TensorFacts, subsets: Subsets, paths: AliasPaths):
        self._facts = facts
        self._paths = paths
        self._all_in_place = Decisions(facts, paths.uses)
        self._classes = self._all_in_place.classes
        self._steps = {
            facts.get_number(result): step
            for op in facts.ops
            for result in op.results
            if facts.is_known(result) and (step := self._find_step(result))
        }
        insertions = InsertionsInPlace(self._all_in_place, subsets)
        self._views = {
            op: list(insertions.views_of(op))
            for op, _ in facts.models.insertions.of(facts.ops)
        }

    def find_breaker_of_pair(
        self, first: SSAValue, second: SSAValue, plan: Plan
    ) -> frozenset[int] | None:
        """Operands out of place, enough of them to make two values differ.

        None of them, if the two always differ; None if no reason is found.
        """
        facts = self._facts
        pair = facts.get_number(first), facts.get_number(second)
        if not self._can_be_one(pair):
            return frozenset()
        breaker = next(self._find_breakers(pair, plan), None)
        return None if breaker is None else frozenset((breaker,))

    def find_breakers_of_result(
        self, result: OpResult, plan: Plan
    ) -> frozenset[int] | None:
        """The same for the result of a loop, and the buffer that the loop starts with.

        None also if `result` is not that of a loop.
        """
        pairs = list(self._find_carried(result))
        if result in self._facts.permutations.of_value:
            return frozenset()
        for pair in pairs:
            if not self._can_be_one(pair):
                return frozenset()
        breakers = (b for pair in pairs for b in self._find_breakers(pair, plan))
        breaker = next(breakers, None)
        return None if breaker is None else frozenset((breaker,))

    def find_breakers_of_insertion(
        self, insertion: Operation, plan: Plan
    ) -> frozenset[int] | None:
        """The same for what is needed so that a slice lies in its place already.

        None also for a slice of a buffer, which the analysis knows nothing of.
        """
        facts = self._facts
        model = facts.models.insertions[type(insertion)]
        assert model is not None
        operands = [model.get_source(insertion), model.get_container(insertion)]
        if not all(is_tensor(operand.value) for operand in operands):
            return None
        own = [self._paths.numbers[facts.get_use(operand)] for operand in operands]
        source, container = (facts.get_use(operand).number for operand in operands)
        if model.get_subset(insertion) == WHOLE:
            ways = [([*own], [(source, container)])]
            ways = [way for way in ways if self._can_be_one(way[1][0])]
        else:
            ways = [
                self._needs_of_view(view, own, source, container)
                for view in self._views[insertion]
            ]
        breakers: set[int] = set()
        for uses, pairs in ways:
            breaker = next(self._find_broken(uses, pairs, plan), None)
            if breaker is None:
                return None
            breakers.add(breaker)
        return frozenset(breakers)

    def _needs_of_view(
        self, view: Operation, own: list[int], source: int, container: int
    ) -> tuple[list[int], list[Pair]]:
        facts = self._facts
        model = facts.models.extractions[type(view)]
        assert model is not None
        extracted = facts.get_use(model.get_container(view))
        result = facts.get_number(view.results[0])
        uses = [*own, self._paths.numbers[extracted]]
        return uses, [(source, result), (extracted.number, container)]

    def _find_broken(
        self, uses: list[int], pairs: list[Pair], plan: Plan
    ) -> Iterator[int]:
        yield from (number for number in uses if not plan[number])
        for pair in pairs:
            yield from self._find_breakers(pair, plan)

    def _can_be_one(self, pair: Pair) -> bool:
        first, second = map(self._classes.find, pair)
        return first == second

    def _find_breakers(self, pair: Pair, plan: Plan) -> Iterator[int]:
        """The operands out of place between two values that can be one buffer."""
        # Decisions only take ties away from those with all in place, so that the path
        # in the forest is the only one. Two values are one buffer only if each step on
        # it holds: its operands are in place, and its pairs are one buffer. So one
        # operand out of place is enough, whatever else is decided.
        seen: set[Pair] = set()
        todo = [pair]
        while todo:
            first, second = todo.pop()
            if (first, second) in seen:
                continue
            seen.add((first, second))
            while first != second:
                first, second = min(first, second), max(first, second)
                step = self._steps.get(second)
                if step is None:
                    return
                yield from (number for number in step.uses if not plan[number])
                todo += step.pairs
                second = step.earlier

    def _find_step(self, result: SSAValue) -> _Step | None:
        """As `Decisions` unites results, with everything in place."""
        assert isinstance(result, OpResult)
        facts, numbers = self._facts, self._paths.numbers
        aliases = self._all_in_place.get_aliasing_op_operands(result)
        if not aliases or facts.get_model(result.op) is None:
            return None
        for alias in aliases:
            if alias.is_definite and is_equivalent(alias):
                aliases = [alias]
                break
        uses = [facts.get_use(alias.operand) for alias in aliases]
        first = uses[0].number
        if not self._can_be_one((first, facts.get_number(result))):
            return None
        pairs = [(first, use.number) for use in uses[1:]]
        return _Step(
            first,
            tuple(numbers[use] for use in uses),
            (*pairs, *self._find_carried(result)),
        )

    def _find_carried(self, result: OpResult) -> Iterator[Pair]:
        """What a loop has to yield as it got it, so that `result` is its init."""
        facts, op = self._facts, result.op
        branch = facts.get_region_branch(op) if op.regions else None
        if branch is None:
            return
        for region in op.regions:
            block = region.first_block
            end = None if block is None else block.last_op
            if end is None:
                continue
            ways = {
                successor.region: zip(
                    successor.inputs,
                    branch.get_terminator_successor_operands(op, end, successor),
                    strict=True,
                )
                for successor in branch.get_successor_regions(op, region)
            }
            if region not in ways or None not in ways:
                continue
            again = list(ways[region])
            for number, (value, _) in enumerate(ways[None]):
                if value is result and number < len(again):
                    argument, forwarded = again[number]
                    yield (
                        facts.get_number(argument),
                        facts.get_number(forwarded.value),
                    )

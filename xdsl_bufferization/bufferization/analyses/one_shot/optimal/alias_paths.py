"""Why two values are in one alias set: the operands in place that tie them together.

    %1 = tensor.insert %f into %0[%i]    // in place, ties %0 to %1
    %2 = tensor.insert %g into %1[%j]    // in place, ties %1 to %2

From %0 to %2 the path is both operands. If a write of %2 would spoil a read of %0, one
of the operands on the path has to be out of place, or the write. So a path is a *cut*:
one of its operands needs a copy.

Paths are as short as possible. Cost: linear in the operands of an alias set.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass

from ...tensor_facts.shared_results import results_of_one_buffer
from ...tensor_facts.tensor_facts import TensorFacts
from ...tensor_facts.tensor_uses import TensorUse
from ..all_reasons import Reason
from ..conflicts import NotWritable

Path = frozenset[int]
"""Numbers of operands, as `AliasPaths.uses` has them."""


class AliasPaths:
    """The values of a root op as a graph that operands in place tie together."""

    uses: Sequence[TensorUse]
    """All tensor operands, in the order of the ops; numbers count these."""

    numbers: dict[TensorUse, int]

    def __init__(self, facts: TensorFacts):
        self.facts = facts
        self.uses = [use for op in facts.ops for use in facts.get_uses(op)]
        self.numbers = {use: number for number, use in enumerate(self.uses)}
        self._uses_at: list[list[int]] = [[] for _ in facts.values]
        for number, use in enumerate(self.uses):
            for value in {use.number, *use.alias_numbers}:
                self._uses_at[value].append(number)
        self._beside: dict[int, list[int]] = {}
        """Values that are one buffer whatever is decided."""

        for values in results_of_one_buffer(facts):
            numbers = [facts.get_number(value) for value in values]
            for number in numbers:
                self._beside.setdefault(number, []).extend(numbers)

    def in_place(self, in_place: Set[TensorUse]) -> "PathsInPlace":
        """The paths of the operands that are in place, under some decisions."""
        return PathsInPlace(self, in_place)

    def uses_at(self, value: int) -> Sequence[int]:
        """The operands that tie a value to others, were they in place."""
        return self._uses_at[value]

    def beside(self, value: int) -> Sequence[int]:
        """The values that are one buffer with a value, whatever is decided."""
        return self._beside.get(value, ())


@dataclass(frozen=True)
class PathsInPlace:
    """Paths along operands that are in place, among all paths of a root op."""

    paths: AliasPaths
    in_place: Set[TensorUse]

    def find_cut(self, reason: Reason, tried: TensorUse) -> Path:
        """The operands of which one must be out of place, as `tried` cannot be added.

        To be asked before other operands are put in place.
        """
        # Whatever else is in place, operands on a path keep its ends in one alias set,
        # and the rules about a read and a write ask for no decision. So if the path and
        # the write are all in place, the conflict is there: the cut is a rule for all
        # decisions. A shortest path is a cut of few operands, which says more.
        facts = self.paths.facts
        write = facts.get_use(reason.write)
        if isinstance(reason, NotWritable):
            goal = facts.get_number(reason.value)
        else:
            goal = facts.get_use(reason.read).number
        path = self.find_path((write.number, *write.alias_numbers), goal.__eq__, tried)
        assert path is not None, "the write and the read are in one alias set"
        return path | {self.paths.numbers[write]}

    def find_path(
        self,
        starts: Iterable[int],
        is_goal: Callable[[int], bool],
        tried: TensorUse | None = None,
    ) -> Path | None:
        """The fewest operands in place, or `tried`, from a value to another."""
        came_by: dict[int, tuple[int, int] | None] = dict.fromkeys(starts)
        todo = deque(came_by)
        seen: set[int] = set()
        while todo:
            value = todo.popleft()
            if is_goal(value):
                return _follow_back(value, came_by)
            for number in self.paths.uses_at(value):
                use = self.paths.uses[number]
                if number in seen or not (use in self.in_place or use is tried):
                    continue
                seen.add(number)
                for other in (use.number, *use.alias_numbers):
                    if other not in came_by:
                        came_by[other] = value, number
                        todo.append(other)
            for other in self.paths.beside(value):
                if other not in came_by:
                    came_by[other] = value, -1
                    todo.append(other)
        return None


def _follow_back(value: int, came_by: dict[int, tuple[int, int] | None]) -> Path:
    path: set[int] = set()
    step = came_by[value]
    while step is not None:
        value, number = step
        path.add(number)
        step = came_by[value]
    path.discard(-1)
    return frozenset(path)

"""The unknown numbers of type `i1` of a function, and conditions over them.

    %c = func.call @choose() : () -> i1       // a variable, named %c
    scf.for ...                               // has variables for what it carries

A variable stands for one number in one iteration of the loop that it belongs to, its
`Scope`. So a variable is unknown again in each iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, SSAValue

from xdsl_bufferization.support.algorithms.decision_diagrams import DecisionDiagrams
from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets


@dataclass(eq=False)
class Scope:
    """A function, or a loop in it."""

    parent: Scope | None = None
    nodes: Collection[Hashable] = ()
    """Of a loop: its blocks, or its regions."""

    inner: dict[Hashable, Scope] = field(default_factory=dict[Hashable, "Scope"])
    guess: object = None
    """Of a loop: the states that it had when it was visited last."""

    def loop(self, key: Hashable, nodes: Collection[Hashable] = ()) -> Scope:
        """The scope of a loop directly inside, the same in each visit."""
        if key not in self.inner:
            self.inner[key] = Scope(self, nodes)
        return self.inner[key]

    def of(self, *values: SSAValue) -> Scope:
        """The smallest scope around this one in which all of some values are."""
        scope = self
        while scope.parent is not None and not any(map(scope.has, values)):
            scope = scope.parent
        return scope

    def has(self, value: SSAValue) -> bool:
        """Whether a value is another one in each iteration of the loop."""
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        while block is not None:
            if block in self.nodes or block.parent in self.nodes:
                return True
            block = block.parent_block()
        return False

    def is_inside(self, other: Scope) -> bool:
        """Whether this is `other`, or a loop in it."""
        scope: Scope | None = self
        while scope is not None and scope is not other:
            scope = scope.parent
        return scope is other


class Conditions(DecisionDiagrams):
    """Conditions over the unknown numbers of a function."""

    def __init__(self) -> None:
        """Know no variable yet."""
        super().__init__()
        self._numbers: dict[Hashable, int] = {}
        self.scopes: list[Scope] = []
        """By variable: where it belongs."""

        self.names: list[SSAValue | None] = []
        """By variable: the value that it is; None if no value of the program is."""

        self._outside: dict[tuple[Scope, tuple[int, ...]], int] = {}
        self._functions: dict[tuple[int, tuple[int, ...]], Mapping[int, int]] = {}

    def unknown(self, key: Hashable, scope: Scope, name: SSAValue | None = None) -> int:
        """What is known by `key`, the same in each visit of its place."""
        return self.variable(self.number_of(key, scope, name))

    def number_of(
        self, key: Hashable, scope: Scope, name: SSAValue | None = None
    ) -> int:
        """The number of the variable that `unknown` returns."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.scopes)
            self.scopes.append(scope)
            self.names.append(name)
        return number

    def outside_of(
        self, parts: Sequence[int], scope: Scope, values: Mapping[int, int]
    ) -> int:
        """Whether all parts may hold at once, whatever happens in `scope`.

        In the place of some variables there are values for outside. What happens is
        forgotten part by part, so that a hundred parts that have nothing in common are
        never one large condition.

        Visits of a loop in a loop ask again and again, so that answers are kept.
        """
        key = (scope, tuple(parts))
        if key not in self._outside:
            self._outside[key] = self._forget(parts, scope, values)
        return self._outside[key]

    def _forget(
        self, parts: Sequence[int], scope: Scope, values: Mapping[int, int]
    ) -> int:
        is_inside: dict[int, bool] = {}

        def is_free(number: int) -> bool:
            found = is_inside.get(number)
            if found is None:
                found = self.scopes[number].is_inside(scope) and number not in values
                is_inside[number] = found
            return found

        return self.all_of(
            self.exists(self.all_of(group), is_free, values)
            for group in self._connected(parts, is_free)
        )

    def _connected(
        self, parts: Sequence[int], is_free: Callable[[int], bool]
    ) -> Iterable[list[int]]:
        """The parts in groups that have no variable that is free in common."""
        first: dict[int, int] = {}
        same = DisjointSets[int]()
        for place, part in enumerate(parts):
            for number in self.variables_of(part):
                if is_free(number):
                    same.unite(first.setdefault(number, place), place)
        groups = same.groups(range(len(parts)))
        return [[parts[place] for place in group] for group in groups]

    def functions(self, relation: int, numbers: Sequence[int]) -> Mapping[int, int]:
        """For each number a function of those that are free.

        There is one case of these for each state, that is, for each case in which the
        relation holds: see `joins.py`. Answers are kept.
        """
        key = (relation, tuple(numbers))
        if key not in self._functions:
            self._functions[key] = self._functions_of(relation, numbers)
        return self._functions[key]

    def _functions_of(self, relation: int, numbers: Sequence[int]) -> Mapping[int, int]:
        later = set(numbers)
        reached = self.exists(relation, later.__contains__)
        relation = self.disjoin(relation, self.negate(reached))
        found: dict[int, int] = {}
        for number in numbers:
            later.discard(number)
            known = self.exists(relation, later.__contains__)
            low = self.restrict(known, number, False)
            high = self.restrict(known, number, True)
            free = self.disjoin(self.negate(low), self.variable(number))
            found[number] = self.conjoin(high, free)
            if later:
                relation = self.substitute(relation, {number: found[number]})
        return found

    def by_name(self, condition: int) -> dict[SSAValue, bool]:
        """Values of the program in one case in which the condition holds."""
        named = self.exists(condition, lambda number: self.names[number] is None)
        found: dict[SSAValue, bool] = {}
        for number, value in self.shortest_case(named).items():
            name = self.names[number]
            assert name is not None
            found[name] = value
        return found

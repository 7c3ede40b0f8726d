"""Conditions as reduced, ordered binary decision diagrams: equal ones are one number.

    diagrams = DecisionDiagrams()
    a, b = diagrams.variable(0), diagrams.variable(1)
    diagrams.conjoin(a, diagrams.negate(a)) == FALSE
    diagrams.disjoin(a, b) == diagrams.disjoin(b, a)

A condition is the number of a node, so that comparing two of them takes no time. A node
asks one variable. Variables with larger numbers are asked first: a choice by a variable
that is newer than all others adds one node.

Source: R. Bryant, "Graph-based algorithms for Boolean function manipulation", 1986.
Cost: an operation visits each pair of nodes of its operands at most once.

The package `dd` has the same in Python. It counts references, and reorders variables:
conditions of programs need neither, and an operation would take several times as long.
"""

import heapq
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

FALSE = 0
"""The condition that never holds."""

TRUE = 1
"""The condition that always holds."""

_GIVEN = -1
"""In the place of a third node, in what is remembered of `given`."""

_LEAF = -1
"""What both leaves ask: a variable after all others."""

_INFINITE = 1 << 60


class TooManyConditionsError(Exception):
    """The conditions of a program need more nodes, or visits, than there may be."""


class DecisionDiagrams:
    """The nodes of some conditions, each of them once."""

    def __init__(self, limit: int = 500_000, steps: int = 5_000_000):
        """Have at most `limit` nodes, and visit nodes at most `steps` times."""
        self._limit = limit
        self._steps = steps
        self._variables = [_LEAF, _LEAF]
        self._lows = [FALSE, TRUE]
        self._highs = [FALSE, TRUE]
        self._nodes: dict[tuple[int, int, int], int] = {}
        self._choices: dict[tuple[int, int, int], int] = {}

    def variable(self, number: int) -> int:
        """The condition that variable `number` is true."""
        return self._node(number, FALSE, TRUE)

    def choose(self, condition: int, yes: int, no: int) -> int:
        """What `yes` says where `condition` holds, and what `no` says elsewhere."""
        found = self._known_choice(condition, yes, no)
        return self._split(condition, yes, no) if found is None else found

    def _count(self, visits: int) -> None:
        """Note so many visits of nodes, which a few large conditions may add up to."""
        self._steps -= visits
        if self._steps < 0:
            raise TooManyConditionsError

    def _split(self, condition: int, yes: int, no: int) -> int:  # noqa: C901
        """Choose by the variable that is asked first, without a recursion of Python.

        What `_known_choice` says stands here twice more: a fifth of the time of a proof
        is spent in this loop.
        """
        variables, lows, highs = self._variables, self._lows, self._highs
        choices, node_of = self._choices, self._node
        known = choices.get
        asked = (condition, yes, no)
        waiting = [asked]
        while waiting:
            key = waiting[-1]
            f, g, h = key
            asked_f, asked_g, asked_h = variables[f], variables[g], variables[h]
            # Without a call, as this is the loop that takes the time.
            first = asked_f if asked_f > asked_g else asked_g  # noqa: FURB136
            if asked_h > first:
                first = asked_h
            low_f = high_f = f
            low_g = high_g = g
            low_h = high_h = h
            if asked_f == first:
                low_f, high_f = lows[f], highs[f]
            if asked_g == first:
                low_g, high_g = lows[g], highs[g]
            if asked_h == first:
                low_h, high_h = lows[h], highs[h]
            low: int | None
            if low_f == TRUE or low_g == low_h:
                low = low_g
            elif low_f == FALSE:
                low = low_h
            elif low_g == TRUE and low_h == FALSE:
                low = low_f
            else:
                low = known((low_f, low_g, low_h))
                if low is None:
                    waiting.append((low_f, low_g, low_h))
            high: int | None
            if high_f == TRUE or high_g == high_h:
                high = high_g
            elif high_f == FALSE:
                high = high_h
            elif high_g == TRUE and high_h == FALSE:
                high = high_f
            else:
                high = known((high_f, high_g, high_h))
                if high is None:
                    waiting.append((high_f, high_g, high_h))
            if low is not None and high is not None:
                waiting.pop()
                choices[key] = low if low == high else node_of(first, low, high)
                self._steps -= 1
                if self._steps < 0:
                    raise TooManyConditionsError
        return choices[asked]

    def _known_choice(self, condition: int, yes: int, no: int) -> int | None:
        """What `choose` returns, if that is known without asking a variable."""
        if condition == TRUE or yes == no:
            return yes
        if condition == FALSE:
            return no
        if yes == TRUE and no == FALSE:
            return condition
        return self._choices.get((condition, yes, no))

    def conjoin(self, first: int, second: int) -> int:
        """Whether both hold."""
        if first <= TRUE:
            return second if first else FALSE
        if second <= TRUE:
            return first if second else FALSE
        if first == second:
            return first
        # One order of the two, so that either finds what is known of the other.
        if first > second:
            first, second = second, first
        found = self._choices.get((first, second, FALSE))
        return self._split(first, second, FALSE) if found is None else found

    def disjoin(self, first: int, second: int) -> int:
        """Whether one of them holds, or both."""
        if first <= TRUE:
            return TRUE if first else second
        if second <= TRUE:
            return TRUE if second else first
        if first == second:
            return first
        if first > second:
            first, second = second, first
        found = self._choices.get((first, TRUE, second))
        return self._split(first, TRUE, second) if found is None else found

    def all_of(self, conditions: Iterable[int]) -> int:
        """Whether all hold."""
        found = TRUE
        for condition in conditions:
            found = self.conjoin(found, condition)
        return found

    def negate(self, condition: int) -> int:
        """Whether it does not hold."""
        if condition <= TRUE:
            return TRUE - condition
        found = self._choices.get((condition, FALSE, TRUE))
        return self._split(condition, FALSE, TRUE) if found is None else found

    def without(self, first: int, second: int) -> int:
        """Whether `first` holds and `second` does not."""
        if first == FALSE or second == FALSE:
            return first
        return self.choose(second, FALSE, first)

    def equal(self, first: int, second: int) -> int:
        """Whether both hold or neither does."""
        if second <= TRUE:
            return first if second else self.negate(first)
        return self.choose(first, second, self.negate(second))

    def implies(self, first: int, second: int) -> bool:
        """Whether `second` holds wherever `first` does."""
        return self.without(first, second) == FALSE

    def restrict(self, condition: int, number: int, value: bool) -> int:
        """The condition once variable `number` is known."""
        return self._transform(
            condition,
            lambda found, low, high: (
                (high if value else low)
                if found == number
                else self._node(found, low, high)
            ),
        )

    def given(self, condition: int, known: int) -> int:
        """A condition, often a smaller one, that is the same wherever `known` holds.

        Source: O. Coudert, J. Madre, "A unified framework for the formal verification
        of sequential circuits", 1990 (their operator `restrict`).
        """
        if known in (FALSE, TRUE) or condition in (FALSE, TRUE):
            return condition
        if condition == known:
            return TRUE
        key = (condition, known, _GIVEN)
        found = self._choices.get(key)
        if found is None:
            found = self._choices[key] = self._simplify(condition, known)
        return found

    def _simplify(self, condition: int, known: int) -> int:
        self._count(1)
        number = self._variables[condition]
        asked = self._variables[known]
        low, high = self._lows[known], self._highs[known]
        if asked > number:
            return self.given(condition, self.disjoin(low, high))
        if asked == number and FALSE in (low, high):
            half = self._half(condition, number, low == FALSE)
            return self.given(half, high if low == FALSE else low)
        no = self.given(
            self._half(condition, number, False), self._half(known, number, False)
        )
        yes = self.given(
            self._half(condition, number, True), self._half(known, number, True)
        )
        return self._node(number, no, yes)

    def exists(
        self,
        condition: int,
        is_free: Callable[[int], bool],
        values: Mapping[int, int] | None = None,
    ) -> int:
        """Whether it holds for some values of the variables that `is_free` names.

        If there are `values`, these are in the place of other variables, as if by
        `substitute` after that.
        """
        if values:
            return self._transform(
                condition,
                lambda number, low, high: (
                    self.choose(values[number], high, low)
                    if number in values
                    else self.disjoin(low, high)
                    if is_free(number)
                    else self.choose(self.variable(number), high, low)
                ),
            )
        return self._transform(
            condition,
            lambda number, low, high: (
                self.disjoin(low, high)
                if is_free(number)
                else self._node(number, low, high)
            ),
        )

    def substitute(self, condition: int, values: Mapping[int, int]) -> int:
        """The condition with other conditions in the place of variables."""
        return self.exists(condition, lambda _: False, values)

    def shortest_case(self, condition: int) -> dict[int, bool]:
        """The fewest values of variables, in one way to go, that make it hold.

        Raises a `ValueError` if it never holds.
        """
        if condition == FALSE:
            raise ValueError("the condition never holds")
        lengths: dict[int, int] = {TRUE: 0, FALSE: _INFINITE}
        for node in self._children_first(condition):
            lengths[node] = 1 + min(
                lengths[self._lows[node]], lengths[self._highs[node]]
            )
        case: dict[int, bool] = {}
        while condition != TRUE:
            low, high = self._lows[condition], self._highs[condition]
            value = lengths[high] <= lengths[low]
            case[self._variables[condition]] = value
            condition = high if value else low
        return case

    def _transform(
        self, condition: int, rule: Callable[[int, int, int], int], below: int = TRUE
    ) -> int:
        """Rebuild a condition from below: a rule makes each node anew.

        The node `below` counts as true.
        """
        if condition <= TRUE:
            return condition
        low, high = self._lows[condition], self._highs[condition]
        if low <= TRUE and high <= TRUE and below == TRUE:
            return rule(self._variables[condition], low, high)
        made = {FALSE: FALSE, TRUE: TRUE, below: TRUE}
        for node in self._children_first(condition, below):
            made[node] = rule(
                self._variables[node], made[self._lows[node]], made[self._highs[node]]
            )
        return made[condition]

    def _children_first(self, condition: int, below: int = TRUE) -> Iterable[int]:
        """The nodes of a condition; a node has a larger number than its children."""
        lows, highs = self._lows, self._highs
        seen = {FALSE, TRUE, below}
        found: list[int] = []
        waiting = [condition]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                found.append(node)
                waiting.append(lows[node])
                waiting.append(highs[node])
        self._count(len(found))
        found.sort()
        return found

    def factors(self, condition: int) -> list[int]:
        """Conditions without a common variable that all hold where `condition` does.

        Each has the variables of a range, so that a cut below it goes through one node.
        """
        cuts = [condition]
        pending = {condition}
        waiting = [(-self._variables[condition], condition)]
        while pending != {TRUE} and condition != FALSE:
            node = heapq.heappop(waiting)[1]
            pending.discard(node)
            for child in (self._lows[node], self._highs[node]):
                if child != FALSE and child not in pending:
                    pending.add(child)
                    heapq.heappush(waiting, (-self._variables[child], child))
            if len(pending) == 1:
                cuts += pending
        found: list[int] = []
        for top, below in pairwise(cuts):
            found.append(self._transform(top, self._node, below))
        return found or [condition]

    def variables_of(self, condition: int) -> set[int]:
        """The variables that a condition depends on."""
        return {self._variables[node] for node in self._children_first(condition)}

    def _node(self, number: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (number, low, high)
        found = self._nodes.get(key)
        if found is None:
            found = len(self._variables)
            if found > self._limit:
                raise TooManyConditionsError
            self._nodes[key] = found
            self._variables.append(number)
            self._lows.append(low)
            self._highs.append(high)
        return found

    def _half(self, condition: int, number: int, value: bool) -> int:
        if self._variables[condition] != number:
            return condition
        return self._highs[condition] if value else self._lows[condition]

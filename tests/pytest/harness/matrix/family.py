"""A family of forms: the dimensions in which forms of some ops differ.

    Family("generic", ("linalg.generic",), {"body": (...), "element": (...)}, make)

`make` writes the form of one value for each dimension, or says why there is none.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice

from harness.matrix.around import DIMENSIONS, Program, make_program
from harness.matrix.covering import Choice, all_pairs, cover_pairs, pairs_of
from harness.matrix.form import Form, LeftOut

Make = Callable[[Mapping[str, str]], Form | LeftOut]


@dataclass(frozen=True)
class Family:
    """Forms of one op, or of ops that take the same kinds of operands."""

    name: str
    dimensions: Mapping[str, Sequence[str]]
    make: Make
    around: Mapping[str, Sequence[str]] = field(default_factory=lambda: DIMENSIONS)
    """The dimensions of what is around a form."""

    most: int = 100
    """How many forms are tried: each costs about a second."""

    def forms(self) -> Iterator[Form]:
        """Forms with pairs of values, each with a choice of what is around it."""
        choices = cover_pairs(self._all_dimensions(), self._is_possible, self.name)
        for choice in islice(choices, self.most):
            form = self.make(choice)
            assert isinstance(form, Form)
            yield replace(form, choice=choice)

    def left_out(self) -> set[str]:
        """The reasons for which combinations of values have no form."""
        reasons: set[str] = set()

        def remember(choice: Choice) -> bool:
            made = self.make(choice)
            if isinstance(made, LeftOut):
                reasons.add(made.reason)
            return isinstance(made, Form)

        for _ in cover_pairs(self.dimensions, remember, self.name):
            pass
        return reasons

    def programs(self) -> Iterator[Program]:
        """A program for each form."""
        yield from map(make_program, count(), self.forms())

    def pairs(self) -> tuple[int, int]:
        """How many pairs of values there are, and in how many no form is tried.

        The second number has the pairs that are impossible, too.
        """
        left = {*all_pairs(self._all_dimensions())}
        count_of_all = len(left)
        for form in self.forms():
            left -= {*pairs_of({**form.choice}, [*self._all_dimensions()])}
        return count_of_all, len(left)

    def with_values(self, chosen: Mapping[str, str], most: int) -> "Family":
        """At most so many of the forms in which some dimensions have given values."""
        dimensions, around = (
            {
                name: (chosen[name],) if name in chosen else values[name]
                for name in values
            }
            for values in (self.dimensions, self.around)
        )
        return replace(self, dimensions=dimensions, around=around, most=most)

    def _all_dimensions(self) -> Mapping[str, Sequence[str]]:
        return {**self.dimensions, **self.around}

    def _is_possible(self, choice: Choice) -> bool:
        return isinstance(self.make(choice), Form)

"""Random programs whose loops pass on what an iteration has made, often twice.

    scf.for ... iter_args(%a = %x, %b = %y, %c = %z) { ... scf.yield %new, %b, %new }

The rest is as in `random_exchanges`: branches, loops in loops, calls. What is passed on
is new, a constant, or one of two on each path, and everything may be written later.
"""

from typing_extensions import override

from harness.programs.random_exchanges import ExchangeProgram, T


class RenewalProgram(ExchangeProgram):
    """Writes one random program."""

    @override
    def _body(
        self, arguments: list[str], scalars: list[str], outer: list[str], depth: int
    ) -> list[str]:
        carried = list(arguments)
        for _ in range(self._random.randint(0, 2)):
            self._random.choice((self._insert, self._extract, self._combine))(
                carried, scalars
            )
        if depth > 1 and self._random.random() < 0.6:
            self._loop(carried, scalars, depth - 1)
        passed_on = carried[: len(arguments)]
        if self._random.random() < 0.3:
            passed_on = list(arguments)
        for _ in range(self._random.randint(1, 2)):
            new = self._renew(carried, scalars)
            for place in range(len(arguments)):
                if self._random.random() < 0.5:
                    passed_on[place] = new
        return passed_on

    def _renew(self, carried: list[str], scalars: list[str]) -> str:
        """What an iteration makes."""
        kind, new = self._random.randrange(5), self._name()
        if kind == 0:
            numbers = ", ".join(f"{self._random.randint(-4, 4)}.0" for _ in range(4))
            self._emit(f"{new} = arith.constant dense<[{numbers}]> : {T}")
        elif kind == 1:
            self._emit(f"{new}s = tensor.splat {self._pick(scalars)} : {T}")
            self._emit(f"{new} = tensor.insert %f into {new}s[%c1] : {T}")
        elif kind == 2:
            old = self._pick(carried)
            self._emit(f"{new}s = tensor.splat {self._pick(scalars)} : {T}")
            self._emit(f"{new} = arith.select %p, {new}s, {old} : {T}")
        else:
            new = self._make(carried)
        return new


def random_renewals(seed: int) -> str:
    """A module with a function `@main`, the same for the same seed."""
    return RenewalProgram(seed).write()

"""Tridiagonal systems of equations, as LAPACK's `gtsv` solves them.

    d0 u0  0  0           x0     b0
    l1 d1 u1  0     times x1  =  b1       jax.lax.linalg.tridiagonal_solve(l, d, u, b)
     0 l2 d2 u2           x2     b2
     0  0 l3 d3           x3     b3

Each step makes a zero below the diagonal, with the larger one of two neighbouring rows
above the other one. A row that was moved up reaches one column farther to the right,
into a second diagonal above the first. Source: G. Golub and C. Van Loan, Matrix
Computations (4th edition), 3.4 and 4.3.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .loop_text import LoopText, Term, first_fault, sizes_of


def solve_tridiagonal(
    c: LoopText, options: Mapping[str, int], given: Sequence[Term]
) -> Sequence[Term]:
    """What is left of the diagonals, X, and the first row with a 0 on the diagonal.

    The first element of the lower diagonal and the last of the upper one are ignored.
    """
    lower, diagonal, upper, right, d, u, x, info = given
    size, columns = sizes_of(right)
    start, last = c.index(0), c.index(size - 1)
    rows = _Rows(c, start, c.index(columns))
    no_fault = c.op("arith.constant 0 : i32", "i32")

    def copy(i: Term, d: Term, u: Term, x: Term) -> list[Term]:
        d = c.insert(d, c.extract(diagonal, i), i)
        u = c.insert(u, c.extract(upper, i), i)
        return [d, u, rows.changed(x, i, lambda k, _: c.extract(right, i, k))]

    d, u, x = c.loop(start, c.index(size), [d, u, x], copy)
    carried = [lower, d, u, x, no_fault]
    far, d, u, x, fault = c.loop(start, last, carried, rows.eliminate)
    is_right = c.compare("une", c.extract(d, last), c.number(0))
    fault = first_fault(c, fault, is_right, c.number(1), last)
    x = rows.solve(x, last, d, ())
    if size > 1:
        x = rows.solve(x, c.index(size - 2), d, (u,))

    def row(number: Term, x: Term) -> list[Term]:
        i = c.compute("arith.subi", c.index(size - 3), number)
        return [rows.solve(x, i, d, (u, far))]

    (x,) = c.loop(start, c.index(max(size - 2, 0)), [x], row)
    return [far, d, u, x, c.insert(info, fault)]


@dataclass(frozen=True)
class _Rows:
    """Code about the rows of one system."""

    c: LoopText
    start: Term
    width: Term
    """How many columns the right side has."""

    def changed(self, x: Term, i: Term, number: Callable[[Term, Term], Term]) -> Term:
        """X with new numbers in row `i`, made from each column and from X so far."""

        def element(k: Term, x: Term) -> list[Term]:
            return [self.c.insert(x, number(k, x), i, k)]

        return self.c.loop(self.start, self.width, [x], element)[0]

    def eliminate(
        self, i: Term, far: Term, d: Term, u: Term, x: Term, fault: Term
    ) -> list[Term]:
        """Make a zero below the diagonal in row `i`.

        `far` has the second diagonal up to row `i`, and the lower one from there on.
        """
        c, below = self.c, self.c.plus_one(i)
        own, under = c.extract(d, i), c.extract(far, below)
        sizes = (c.compute("math.absf", each) for each in (under, own))
        is_swapped = c.compare("ogt", *sizes)

        def ordered(first: Term, other: Term) -> tuple[Term, Term]:
            upper = c.select(is_swapped, other, first)
            return upper, c.select(is_swapped, first, other)

        pivot, other = ordered(own, under)
        zero, one = c.number(0), c.number(1)
        is_right = c.compare("une", pivot, zero)
        fault = first_fault(c, fault, is_right, one, i)
        factor = c.compute("arith.divf", other, c.select(is_right, pivot, one))

        def put(target: Term, above: Term, number: Term, *column: Term) -> Term:
            product = c.compute("arith.mulf", factor, above)
            rest = c.compute("arith.subf", number, product)
            return c.insert(target, rest, below, *column)

        above, number = ordered(c.extract(u, i), c.extract(d, below))
        d = put(c.insert(d, pivot, i), above, number)
        # Row i ends at its neighbour, unless it is the one that was below.
        nothing, beside = ordered(zero, c.extract(u, below))
        u = put(c.insert(u, above, i), nothing, beside)
        far = c.insert(far, nothing, i)

        def element(k: Term, x: Term) -> list[Term]:
            above, number = ordered(c.extract(x, i, k), c.extract(x, below, k))
            return [put(c.insert(x, above, i, k), above, number, k)]

        (x,) = c.loop(self.start, self.width, [x], element)
        return [far, d, u, x, fault]

    def solve(self, x: Term, i: Term, d: Term, above: Sequence[Term]) -> Term:
        """X with row `i`, from the rows after it and the diagonals above `d`."""
        c = self.c
        divisor = c.extract(d, i)

        def number(k: Term, x: Term) -> Term:
            found, row = c.extract(x, i, k), i
            for diagonal in above:
                row = c.plus_one(row)
                factors = c.extract(diagonal, i), c.extract(x, row, k)
                found = c.compute(
                    "arith.subf", found, c.compute("arith.mulf", *factors)
                )
            return c.compute("arith.divf", found, divisor)

        return self.changed(x, i, number)

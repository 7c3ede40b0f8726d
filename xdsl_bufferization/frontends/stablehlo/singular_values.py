"""LAPACK's `gesdd`, singular values and vectors, as loops.

    A = U diag(s) V^T       jnp.linalg.svd, lstsq, pinv, matrix_rank

One-sided Jacobi, of J. Demmel and K. Veselic (1992): the columns of A are rotated until
each two are orthogonal. Their lengths are the singular values. A tall matrix is
transposed first, and a wide one has its rows rotated. The signs of vectors
are other ones than LAPACK's, which leaves them open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .loop_text import LoopText, Term, sizes_of

_SWEEPS: Final = 15
"""Of rotations over all pairs of columns. Each doubles the digits once they are few."""


@dataclass
class _Matrix:
    """A matrix, or its transpose, that is written element by element."""

    code: LoopText
    term: Term
    is_transposed: bool

    def read(self, row: Term, column: Term) -> Term:
        return self.code.extract(self.term, *self._place(row, column))

    def after(self, value: Term, row: Term, column: Term) -> Term:
        """What the matrix is with another element."""
        return self.code.insert(self.term, value, *self._place(row, column))

    def now(self, term: Term) -> "_Matrix":
        """The same form of another value."""
        return _Matrix(self.code, term, self.is_transposed)

    def product(self, p: Term, q: Term, last: Term) -> Term:
        """The inner product of two columns."""
        return self.code.total(
            self.code.index(0), last, lambda i: (self.read(i, p), self.read(i, q))
        )

    def _place(self, row: Term, column: Term) -> tuple[Term, Term]:
        return (column, row) if self.is_transposed else (row, column)


def singular_values(
    c: LoopText, options: Mapping[str, int], given: Sequence[Term]
) -> Sequence[Term]:
    """What is left of A, the values in descending order, U, V^T, and no fault."""
    a, values, u, vt, info = given
    rows, columns = sizes_of(a)
    is_wide = rows < columns
    count, length = min(rows, columns), max(rows, columns)
    has_vectors = options["mode"] != ord("N")
    start, end, last = c.index(0), c.index(count), c.index(length)
    # What is turned are rows: those of A^T, or of A if it is wide; and those of V^T or
    # U^T. The elements of a row are neighbours in memory.
    work = a if is_wide else c.transposed(a, c.new(count, length))
    turned = c.new(count, count) if is_wide else vt
    if has_vectors:
        turned = c.unit(turned)

    def sweep(_: Term, end: Term, *state: Term) -> list[Term]:
        def first(p: Term, *state: Term) -> list[Term]:
            def second(
                q: Term, has_moved: Term, work: Term, turned: Term
            ) -> list[Term]:
                moves, work, turned = _orthogonalized(
                    c, (work, turned), (p, q), length, count if has_vectors else 0
                )
                return [c.either(has_moved, moves), work, turned]

            return c.loop(c.plus_one(p), end, state, second)

        has_moved = c.op("arith.constant false", "i1")
        has_moved, work, turned = c.loop(start, end, [has_moved, *state], first)
        # Where nothing moves, the sweeps that are left are over no rows.
        return [c.select(has_moved, end, start), work, turned]

    _, work, turned = c.loop(start, c.index(_SWEEPS), [end, work, turned], sweep)

    def length_of(j: Term, values: Term) -> list[Term]:
        total = _product(c, work, j, j, last)
        return [c.insert(values, c.compute("math.sqrt", total), j)]

    (values,) = c.loop(start, end, [values], length_of)

    def place(j: Term, *state: Term) -> list[Term]:
        return _with_largest_at(c, state, j, (length, count if has_vectors else 0))

    work, turned, values = c.loop(start, end, [work, turned, values], place)
    made = vt if is_wide else u
    if has_vectors:
        vectors = _Matrix(c, made, is_wide)
        total = sizes_of(made)[0 if is_wide else 1]
        made = _normalized(c, work, values, vectors, count, total, length)
    fault = c.insert(info, c.op("arith.constant 0 : i32", "i32"))
    if not is_wide:
        return [a, values, made, turned, fault]
    if has_vectors:
        u = c.transposed(turned, u)
    return [work, values, u, made, fault]


def _product(c: LoopText, m: Term, p: Term, q: Term, last: Term) -> Term:
    """The inner product of two rows."""

    def pair(i: Term) -> tuple[Term, Term]:
        return c.extract(m, p, i), c.extract(m, q, i)

    return c.total(c.index(0), last, pair)


def _orthogonalized(
    c: LoopText,
    matrices: tuple[Term, Term],
    rows: tuple[Term, Term],
    length: int,
    count: int,
) -> list[Term]:
    """Whether two rows were turned, and both matrices with rows of these lengths."""
    (work, turned), (p, q) = matrices, rows
    last = c.index(length)

    def pairs(i: Term) -> list[tuple[Term, Term]]:
        one, other = c.extract(work, p, i), c.extract(work, q, i)
        return [(one, one), (other, other), (one, other)]

    ones, others, between = c.totals(c.index(0), last, 3, pairs)
    square = c.compute("arith.mulf", between, between)
    sizes = c.compute("arith.mulf", ones, others)
    limit = c.compute("arith.mulf", sizes, c.number(_digits(c) ** 2 * length))
    # So that one element that is not a number makes all of them such.
    moves = c.compare("ugt", square, limit)
    by = c.rotation(ones, others, between)
    ends = [c.select(moves, c.index(n), c.index(0)) for n in (length, count)]
    work, turned = (
        c.turned(each, rows, end, by)
        for each, end in zip((work, turned), ends, strict=True)
    )
    return [moves, work, turned]


def _digits(c: LoopText) -> float:
    """From 1 to the next number of the type."""
    return 2.0 ** (-23 if c.element == "f32" else -52)


def _with_largest_at(
    c: LoopText, state: Sequence[Term], j: Term, lengths: tuple[int, int]
) -> list[Term]:
    """Exchange the row of the largest value that is left with row `j`."""
    *matrices, values = state

    def larger(k: Term, best: Term, at: Term) -> list[Term]:
        number = c.extract(values, k)
        is_larger = c.compare("ogt", number, best)
        return [c.select(is_larger, number, best), c.select(is_larger, k, at)]

    first, (count, _) = c.extract(values, j), sizes_of(matrices[0])
    best, at = c.loop(c.plus_one(j), c.index(count), [first, j], larger)
    swapped = [
        c.swapped(each, j, at, c.index(length))
        for each, length in zip(matrices, lengths, strict=True)
    ]
    return [*swapped, c.insert(c.insert(values, first, at), best, j)]


def _normalized(
    c: LoopText,
    work: Term,
    values: Term,
    vectors: _Matrix,
    count: int,
    total: int,
    length: int,
) -> Term:
    """Columns of length 1; those of no length are made orthogonal to the others."""
    start, last = c.index(0), c.index(length)
    floor = c.compute(
        "arith.mulf", c.extract(values, start), c.number(_digits(c) * length)
    )

    def known(j: Term, made: Term) -> list[Term]:
        value = c.extract(values, j)
        is_there = c.compare("ogt", value, floor)

        def divide(i: Term, made: Term) -> list[Term]:
            number = c.compute("arith.divf", c.extract(work, j, i), value)
            return [vectors.now(made).after(number, i, j)]

        # One of two loops runs over all elements, and the other over none.
        (made,) = c.loop(start, c.select(is_there, last, start), [made], divide)
        rest = c.select(is_there, start, last)
        return [_completed(c, vectors.now(made), j, rest)]

    (made,) = c.loop(start, c.index(count), [vectors.term], known)

    def missing(j: Term, made: Term) -> list[Term]:
        return [_completed(c, vectors.now(made), j, last)]

    return c.loop(c.index(count), c.index(total), [made], missing)[0]


def _completed(c: LoopText, vectors: _Matrix, j: Term, last: Term) -> Term:
    """A column that is orthogonal to all before, made of the unit that is furthest."""
    start, one = c.index(0), c.number(1)

    def products(i: Term, k: Term) -> Term:
        def pair(n: Term) -> tuple[Term, Term]:
            return vectors.read(i, n), vectors.read(k, n)

        return c.total(start, j, pair)

    def further(i: Term, best: Term, at: Term) -> list[Term]:
        rest = c.compute("arith.subf", one, products(i, i))
        is_further = c.compare("ogt", rest, best)
        return [c.select(is_further, rest, best), c.select(is_further, i, at)]

    _, unit = c.loop(start, last, [c.number(-1), start], further)

    def first(i: Term, made: Term) -> list[Term]:
        whole = c.select(c.compare("eq", i, unit), one, c.number(0))
        number = c.compute("arith.subf", whole, products(i, unit))
        return [vectors.now(made).after(number, i, j)]

    (made,) = c.loop(start, last, [vectors.term], first)
    # Once more, for the digits that are lost.
    again = c.select(c.compare("eq", last, start), start, j)

    def without(n: Term, made: Term) -> list[Term]:
        weight = vectors.now(made).product(n, j, last)

        def element(i: Term, made: Term) -> list[Term]:
            now = vectors.now(made)
            product = c.compute("arith.mulf", weight, now.read(i, n))
            return [now.after(c.compute("arith.subf", now.read(i, j), product), i, j)]

        return c.loop(start, last, [made], element)

    (made,) = c.loop(start, again, [made], without)
    size = c.compute("math.sqrt", vectors.now(made).product(j, j, last))

    def scale(i: Term, made: Term) -> list[Term]:
        now = vectors.now(made)
        return [now.after(c.compute("arith.divf", now.read(i, j), size), i, j)]

    return c.loop(start, last, [made], scale)[0]

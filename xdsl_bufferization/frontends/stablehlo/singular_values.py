"""LAPACK's `gesdd`, singular values and vectors, as loops.

    A = U diag(s) V^T       jnp.linalg.svd, lstsq, pinv, matrix_rank

One-sided Jacobi, of J. Demmel and K. Veselic (1992): the columns of A are rotated until
each two are orthogonal. Their lengths are the singular values. A wide matrix is
transposed. The signs of vectors are other ones than LAPACK's, which leaves them open.
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
    work = _Matrix(c, a, is_wide)
    # Of a tall matrix, V^T is turned by rows; of a wide one, U by columns.
    turns = _Matrix(c, u if is_wide else vt, is_wide)
    has_vectors = options["mode"] != ord("N")
    start, end, last = c.index(0), c.index(count), c.index(length)
    zero, one = c.number(0), c.number(1)
    turned = turns.term
    if has_vectors:

        def unit_row(i: Term, turned: Term) -> list[Term]:
            def unit(k: Term, turned: Term) -> list[Term]:
                number = c.select(c.compare("eq", i, k), one, zero)
                return [turns.now(turned).after(number, i, k)]

            return c.loop(start, end, [turned], unit)

        (turned,) = c.loop(start, end, [turned], unit_row)

    def sweep(_: Term, *state: Term) -> list[Term]:
        def first(p: Term, *state: Term) -> list[Term]:
            def second(q: Term, a: Term, turned: Term) -> list[Term]:
                both = work.now(a), turns.now(turned)
                return _orthogonalized(c, *both, p, q, end, last, has_vectors)

            return c.loop(c.plus_one(p), end, state, second)

        return c.loop(start, end, state, first)

    a, turned = c.loop(start, c.index(_SWEEPS), [a, turned], sweep)

    def length_of(j: Term, values: Term) -> list[Term]:
        total = _product(c, work.now(a), j, j, last)
        return [c.insert(values, c.compute("math.sqrt", total), j)]

    (values,) = c.loop(start, end, [values], length_of)
    state = [a, turned, values]

    def place(j: Term, a: Term, turned: Term, values: Term) -> list[Term]:
        both = work.now(a), turns.now(turned)
        return _with_largest_at(c, *both, values, j, end, last, has_vectors)

    a, turned, values = c.loop(start, end, state, place)
    made = vt if is_wide else u
    if has_vectors:
        vectors = _Matrix(c, made, is_wide)
        made_sizes = sizes_of(made)
        total = made_sizes[0 if is_wide else 1]
        made = _normalized(c, work.now(a), values, vectors, count, total, length)
    fault = c.insert(info, c.op("arith.constant 0 : i32", "i32"))
    return [a, values, *((turned, made) if is_wide else (made, turned)), fault]


def _product(c: LoopText, m: _Matrix, p: Term, q: Term, last: Term) -> Term:
    """The inner product of two columns."""

    def pair(i: Term) -> tuple[Term, Term]:
        return m.read(i, p), m.read(i, q)

    return c.total(c.index(0), last, pair)


def _orthogonalized(
    c: LoopText,
    work: _Matrix,
    turns: _Matrix,
    p: Term,
    q: Term,
    end: Term,
    last: Term,
    has_vectors: bool,
) -> list[Term]:
    """Rotate two columns, and two rows of what collects the rotations."""
    start = c.index(0)
    ones, others, between = (
        _product(c, work, *pair, last) for pair in ((p, p), (q, q), (p, q))
    )
    cosine, sine = c.rotation(ones, others, between)

    def turn(m: _Matrix, x: tuple[Term, Term], y: tuple[Term, Term]) -> Term:
        one, other = m.read(*x), m.read(*y)
        left = c.compute("arith.mulf", cosine, one)
        right = c.compute("arith.mulf", sine, other)
        m = m.now(m.after(c.compute("arith.subf", left, right), *x))
        left = c.compute("arith.mulf", sine, one)
        right = c.compute("arith.mulf", cosine, other)
        return m.after(c.compute("arith.addf", left, right), *y)

    def column(i: Term, a: Term) -> list[Term]:
        return [turn(work.now(a), (i, p), (i, q))]

    def row(k: Term, turned: Term) -> list[Term]:
        return [turn(turns.now(turned), (p, k), (q, k))]

    (a,) = c.loop(start, last, [work.term], column)
    turned = turns.term
    if has_vectors:
        (turned,) = c.loop(start, end, [turned], row)
    return [a, turned]


def _with_largest_at(
    c: LoopText,
    work: _Matrix,
    turns: _Matrix,
    values: Term,
    j: Term,
    end: Term,
    last: Term,
    has_vectors: bool,
) -> list[Term]:
    """Swap the column of the largest value that is left with column `j`."""

    def larger(k: Term, best: Term, at: Term) -> list[Term]:
        number = c.extract(values, k)
        is_larger = c.compare("ogt", number, best)
        return [c.select(is_larger, number, best), c.select(is_larger, k, at)]

    first = c.extract(values, j)
    best, at = c.loop(c.plus_one(j), end, [first, j], larger)
    values = c.insert(c.insert(values, first, at), best, j)

    def swapped(m: _Matrix, x: tuple[Term, Term], y: tuple[Term, Term]) -> Term:
        one, other = m.read(*x), m.read(*y)
        return m.now(m.after(other, *x)).after(one, *y)

    def column(i: Term, a: Term) -> list[Term]:
        return [swapped(work.now(a), (i, j), (i, at))]

    def row(k: Term, turned: Term) -> list[Term]:
        return [swapped(turns.now(turned), (j, k), (at, k))]

    (a,) = c.loop(c.index(0), last, [work.term], column)
    turned = turns.term
    if has_vectors:
        (turned,) = c.loop(c.index(0), end, [turned], row)
    return [a, turned, values]


def _normalized(
    c: LoopText,
    work: _Matrix,
    values: Term,
    vectors: _Matrix,
    count: int,
    total: int,
    length: int,
) -> Term:
    """Columns of length 1; those of no length are made orthogonal to the others."""
    # Between 1 and the next number of the type.
    digits = 2.0 ** (-23 if c.element == "f32" else -52)
    start, last = c.index(0), c.index(length)
    floor = c.compute("arith.mulf", c.extract(values, start), c.number(digits * length))

    def known(j: Term, made: Term) -> list[Term]:
        value = c.extract(values, j)
        is_there = c.compare("ogt", value, floor)

        def divide(i: Term, made: Term) -> list[Term]:
            number = c.compute("arith.divf", work.read(i, j), value)
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
        weight = _product(c, vectors.now(made), n, j, last)

        def element(i: Term, made: Term) -> list[Term]:
            now = vectors.now(made)
            product = c.compute("arith.mulf", weight, now.read(i, n))
            return [now.after(c.compute("arith.subf", now.read(i, j), product), i, j)]

        return c.loop(start, last, [made], element)

    (made,) = c.loop(start, again, [made], without)
    size = c.compute("math.sqrt", _product(c, vectors.now(made), j, j, last))

    def scale(i: Term, made: Term) -> list[Term]:
        now = vectors.now(made)
        return [now.after(c.compute("arith.divf", now.read(i, j), size), i, j)]

    return c.loop(start, last, [made], scale)[0]

"""LAPACK's `syevd`, eigenvalues and vectors of a symmetric matrix, as loops.

    A = V diag(w) V^T       jnp.linalg.eigh, eigvalsh

Reflections make A tridiagonal, of which rotations make eigenvalues: G. Golub and C. Van
Loan, Matrix Computations (4th edition), 8.3.1 and 8.3.3. All loops are about rows, as
the elements of a row are neighbours in memory. The signs of vectors are other ones than
LAPACK's, which leaves them open.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from .loop_text import LoopText, Term, sizes_of

_ROTATED: Final = 60
"""How often all rows below one are rotated at most. Three times are usual."""


def symmetric_eigen(
    c: LoopText, options: Mapping[str, int], given: Sequence[Term]
) -> Sequence[Term]:
    """Eigenvectors as columns, eigenvalues in ascending order, and no fault."""
    a, values, info = given
    size = sizes_of(a)[0]
    is_lower = options["uplo"] == ord("L")
    work, scale = _scaled(c, a, is_lower)
    vectors, values, beside = _tridiagonal(c, work, values, size)
    vectors, values = _diagonal(c, vectors, values, beside, size)
    vectors, values = _in_order(c, vectors, values, scale, size)
    fault = c.insert(info, c.op("arith.constant 0 : i32", "i32"))
    return [c.transposed(vectors, a), values, fault]


def _scaled(c: LoopText, a: Term, is_lower: bool) -> tuple[Term, Term]:
    """Both halves of a matrix whose largest element is 1, and what it was.

    Squares are then neither too large nor too small. If an element is no number, or
    infinite, all become NaN.
    """
    size = sizes_of(a)[0]
    start, end, zero, one = c.index(0), c.index(size), c.number(0), c.number(1)

    def place(i: Term, k: Term) -> tuple[Term, Term]:
        is_given = c.compare("uge" if is_lower else "ule", i, k)
        return c.select(is_given, i, k), c.select(is_given, k, i)

    def largest_of_row(i: Term, largest: Term) -> list[Term]:
        def larger(k: Term, largest: Term) -> list[Term]:
            size = c.compute("math.absf", c.extract(a, *place(i, k)))
            return [c.compute("arith.maximumf", largest, size)]

        return c.loop(start, end, [largest], larger)

    (largest,) = c.loop(start, end, [zero], largest_of_row)
    scale = c.select(c.compare("oeq", largest, zero), one, largest)
    rest = c.compute("arith.subf", scale, scale)

    def row(i: Term, work: Term) -> list[Term]:
        def element(k: Term, work: Term) -> list[Term]:
            number = c.compute("arith.divf", c.extract(a, *place(i, k)), scale)
            return [c.insert(work, c.compute("arith.addf", number, rest), i, k)]

        return c.loop(start, end, [work], element)

    return c.loop(start, end, [c.new(size, size)], row)[0], scale


def _tridiagonal(c: LoopText, work: Term, values: Term, size: int) -> list[Term]:
    """The transposed reflections, the diagonal, and the one beside it."""
    start, end = c.index(0), c.index(size)
    count = c.index(max(size - 2, 0))
    beside, factors, product = (c.new(size) for _ in range(3))

    def step(j: Term, *state: Term) -> list[Term]:
        work, beside, factors, product = state
        work, corner, factor = _reflection(c, work, j, end)
        beside, factors = c.insert(beside, corner, j), c.insert(factors, factor, j)
        work, product = _reflected(c, work, product, (j, factor), end)
        return [work, beside, factors, product]

    work, beside, factors, _ = c.loop(
        start, count, [work, beside, factors, product], step
    )

    def diagonal(i: Term, values: Term) -> list[Term]:
        return [c.insert(values, c.extract(work, i, i), i)]

    (values,) = c.loop(start, end, [values], diagonal)

    def last(i: Term, beside: Term) -> list[Term]:
        return [c.insert(beside, c.extract(work, i, c.plus_one(i)), i)]

    (beside,) = c.loop(count, c.index(max(size - 1, 0)), [beside], last)
    vectors = c.unit(c.new(size, size))

    def back(number: Term, vectors: Term) -> list[Term]:
        """Multiply by a reflection from the right."""
        j = c.compute("arith.subi", c.index(max(size - 3, 0)), number)
        below, factor = c.plus_one(j), c.extract(factors, j)

        def row(i: Term, vectors: Term) -> list[Term]:
            def pair(k: Term) -> tuple[Term, Term]:
                return c.extract(vectors, i, k), c.extract(work, j, k)

            total = c.total(below, end, pair)
            weight = c.compute("arith.mulf", factor, total)

            def element(k: Term, vectors: Term) -> list[Term]:
                part = c.compute("arith.mulf", weight, c.extract(work, j, k))
                number = c.compute("arith.subf", c.extract(vectors, i, k), part)
                return [c.insert(vectors, number, i, k)]

            return c.loop(below, end, [vectors], element)

        return c.loop(below, end, [vectors], row)

    (vectors,) = c.loop(start, count, [vectors], back)
    return [vectors, values, beside]


def _reflection(c: LoopText, work: Term, j: Term, end: Term) -> tuple[Term, Term, Term]:
    """The vector of a reflection in row `j`, what is left of the row, and the factor.

    The vector starts behind the diagonal.
    """
    below, zero, one = c.plus_one(j), c.number(0), c.number(1)

    def squares(k: Term) -> tuple[Term, Term]:
        x = c.extract(work, j, k)
        return x, x

    first = c.extract(work, j, below)
    rest = c.total(c.plus_one(below), end, squares)
    is_done = c.compare("oeq", rest, zero)
    whole = c.compute("arith.addf", rest, c.compute("arith.mulf", first, first))
    norm = c.compute("math.copysign", c.compute("math.sqrt", whole), first)
    # The vector is the row with `first + norm` in front; its square is the divisor.
    head = c.compute("arith.addf", first, norm)
    divisor = c.compute("arith.addf", rest, c.compute("arith.mulf", head, head))
    factor = c.compute("arith.divf", c.number(2), c.select(is_done, one, divisor))
    factor = c.select(is_done, zero, factor)
    corner = c.select(is_done, first, c.compute("arith.negf", norm))
    return c.insert(work, head, j, below), corner, factor


def _reflected(
    c: LoopText, work: Term, product: Term, which: tuple[Term, Term], end: Term
) -> tuple[Term, Term]:
    """The rows and columns below `j` reflected, by `A - v w^T - w v^T`."""
    j, factor = which
    below = c.plus_one(j)

    def vector(k: Term) -> Term:
        return c.extract(work, j, k)

    def row_times_vector(i: Term, product: Term) -> list[Term]:
        total = c.total(below, end, lambda k: (c.extract(work, i, k), vector(k)))
        return [c.insert(product, c.compute("arith.mulf", factor, total), i)]

    (product,) = c.loop(below, end, [product], row_times_vector)
    both = c.total(below, end, lambda k: (c.extract(product, k), vector(k)))
    half = c.compute("arith.mulf", c.number(0.5), factor)
    weight = c.compute("arith.mulf", half, both)

    def without(k: Term, product: Term) -> list[Term]:
        part = c.compute("arith.mulf", weight, vector(k))
        number = c.compute("arith.subf", c.extract(product, k), part)
        return [c.insert(product, number, k)]

    (product,) = c.loop(below, end, [product], without)

    def row(i: Term, work: Term) -> list[Term]:
        one, other = c.extract(work, j, i), c.extract(product, i)

        def element(k: Term, work: Term) -> list[Term]:
            left = c.compute("arith.mulf", one, c.extract(product, k))
            right = c.compute("arith.mulf", other, c.extract(work, j, k))
            part = c.compute("arith.addf", left, right)
            number = c.compute("arith.subf", c.extract(work, i, k), part)
            return [c.insert(work, number, i, k)]

        return c.loop(below, end, [work], element)

    (work,) = c.loop(below, end, [work], row)
    return work, product


def _diagonal(
    c: LoopText, vectors: Term, values: Term, beside: Term, size: int
) -> list[Term]:
    """Eigenvectors as rows, and eigenvalues, of a tridiagonal matrix."""
    if size < 2:
        return [vectors, values]
    start, last = c.index(0), c.index(size - 1)

    def each(first: Term, *state: Term) -> list[Term]:
        def goes_on(number: Term, end: Term, *_: Term) -> Term:
            is_open = c.compare("ne", end, first)
            has_time = c.compare("ult", number, c.index(_ROTATED))
            return c.compute("arith.andi", is_open, has_time)

        def rotate(number: Term, end: Term, *state: Term) -> list[Term]:
            vectors, values, beside = _rotated(c, state, (first, end), size)
            end = _end_of_block(c, values, beside, first, last)
            return [c.plus_one(number), end, vectors, values, beside]

        _, values, beside = state
        end = _end_of_block(c, values, beside, first, last)
        return c.repeat([start, end, *state], goes_on, rotate)[2:]

    return c.loop(start, last, [vectors, values, beside], each)[:2]


def _end_of_block(
    c: LoopText, values: Term, beside: Term, first: Term, last: Term
) -> Term:
    """The first row from `first` on that nothing beside the diagonal leads out of.

    What is no number counts as nothing.
    """
    digits = 2.0 ** (-24 if c.element == "f32" else -53)

    def leads_on(i: Term) -> Term:
        is_inside = c.compare("ult", i, last)
        at = c.select(is_inside, i, first)
        size = c.compute("math.absf", c.extract(beside, at))
        both = c.compute(
            "arith.addf",
            c.compute("math.absf", c.extract(values, at)),
            c.compute("math.absf", c.extract(values, c.plus_one(at))),
        )
        limit = c.compute("arith.mulf", c.number(digits), both)
        limit = c.compute("arith.addf", limit, c.number(digits * digits))
        return c.compute("arith.andi", is_inside, c.compare("ogt", size, limit))

    def next_one(i: Term) -> list[Term]:
        return [c.plus_one(i)]

    return c.repeat([first], leads_on, next_one)[0]


def _rotated(
    c: LoopText, state: Sequence[Term], block: tuple[Term, Term], size: int
) -> list[Term]:
    """One implicit step of QL, with Wilkinson's shift, on the rows of a block."""
    vectors, values, beside = state
    first, end = block
    zero, one, two = c.number(0), c.number(1), c.number(2)
    edge, corner = c.extract(beside, first), c.extract(values, first)
    # `edge` is not 0, or there would be no block.
    double = c.compute("arith.mulf", two, edge)
    below = c.extract(values, c.plus_one(first))
    slope = c.compute("arith.divf", c.compute("arith.subf", below, corner), double)
    square = c.compute("arith.mulf", slope, slope)
    root = c.compute("math.sqrt", c.compute("arith.addf", square, one))
    signed = c.compute("math.copysign", root, slope)
    part = c.compute("arith.divf", edge, c.compute("arith.addf", slope, signed))
    start = c.compute("arith.subf", c.extract(values, end), corner)
    start = c.compute("arith.addf", start, part)

    def step(number: Term, *carried: Term) -> list[Term]:
        vectors, values, beside, g, sine, cosine, p = carried
        next_ = c.compute("arith.subi", end, number)
        i = c.compute("arith.subi", next_, c.index(1))
        old = c.extract(beside, i)
        f, b = c.compute("arith.mulf", sine, old), c.compute("arith.mulf", cosine, old)
        squares = (c.compute("arith.mulf", each, each) for each in (f, g))
        length = c.compute("math.sqrt", c.compute("arith.addf", *squares))
        is_zero = c.compare("oeq", length, zero)
        safe = c.select(is_zero, one, length)
        sine = c.compute("arith.divf", f, safe)
        cosine = c.select(is_zero, one, c.compute("arith.divf", g, safe))
        beside = c.insert(beside, length, next_)
        g = c.compute("arith.subf", c.extract(values, next_), p)
        above = c.compute("arith.subf", c.extract(values, i), g)
        change = c.compute(
            "arith.addf",
            c.compute("arith.mulf", above, sine),
            c.compute("arith.mulf", c.compute("arith.mulf", two, cosine), b),
        )
        p = c.compute("arith.mulf", sine, change)
        values = c.insert(values, c.compute("arith.addf", g, p), next_)
        g = c.compute("arith.subf", c.compute("arith.mulf", cosine, change), b)
        vectors = c.turned(vectors, (i, next_), c.index(size), (cosine, sine))
        return [vectors, values, beside, g, sine, cosine, p]

    count = c.compute("arith.subi", end, first)
    vectors, values, beside, g, _, _, p = c.loop(
        c.index(0), count, [vectors, values, beside, start, one, one, zero], step
    )
    corner = c.compute("arith.subf", c.extract(values, first), p)
    values = c.insert(values, corner, first)
    beside = c.insert(c.insert(beside, g, first), zero, end)
    return [vectors, values, beside]


def _in_order(
    c: LoopText, vectors: Term, values: Term, scale: Term, size: int
) -> list[Term]:
    """The rows of `vectors`, and `values` times a scale, in ascending order."""
    start, end = c.index(0), c.index(size)

    def place(i: Term, vectors: Term, values: Term) -> list[Term]:
        def smaller(k: Term, best: Term, at: Term) -> list[Term]:
            number = c.extract(values, k)
            is_smaller = c.compare("olt", number, best)
            return [c.select(is_smaller, number, best), c.select(is_smaller, k, at)]

        first = c.extract(values, i)
        least, at = c.loop(c.plus_one(i), end, [first, i], smaller)
        values = c.insert(values, first, at)
        values = c.insert(values, c.compute("arith.mulf", least, scale), i)
        return [c.swapped(vectors, i, at, end), values]

    return c.loop(start, end, [vectors, values], place)

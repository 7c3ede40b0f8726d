"""Functions of LAPACK, which JAX calls for `jax.numpy.linalg`, as loops.

    lapack_spotrf_ffi     Cholesky's factor            jnp.linalg.cholesky
    lapack_strsm_ffi      a triangular system          jax.scipy.linalg.solve_triangular
    lapack_sgetrf_ffi     L, U and the pivots          jnp.linalg.solve, inv, det
    lapack_sgeqrf_ffi     R and reflections            jnp.linalg.qr
    lapack_sorgqr_ffi     Q of the reflections         jnp.linalg.qr
    lapack_ssyevd_ffi     eigenvalues and vectors      jnp.linalg.eigh
    lapack_sgesdd_ffi     singular values and vectors  jnp.linalg.svd
    lapack_sgtsv_ffi      a tridiagonal system         jax.lax.linalg.tridiagonal_solve

Each is the textbook's algorithm, of G. Golub and C. Van Loan, Matrix Computations (4th
edition): 4.2.5, 3.1, 3.4.1 and 5.2.1. The signs of Q and R are LAPACK's.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from .eigenvalues import symmetric_eigen
from .loop_text import LoopText, Term, first_fault, function_text, sizes_of
from .singular_values import singular_values
from .tridiagonal import solve_tridiagonal

Write = Callable[[LoopText, Mapping[str, int], Sequence[Term]], Sequence[Term]]
"""From options of LAPACK, and the operands and empty results of one matrix, results."""


def cholesky(
    c: LoopText, options: Mapping[str, int], given: Sequence[Term]
) -> Sequence[Term]:
    """The lower factor, and the first column whose root is of no positive number."""
    a, info = given
    start, end = c.index(0), c.index(sizes_of(a)[0])
    no_fault = c.op("arith.constant 0 : i32", "i32")

    def column(j: Term, a: Term, fault: Term) -> list[Term]:
        def squares(k: Term) -> tuple[Term, Term]:
            x = c.extract(a, j, k)
            return x, x

        rest = c.compute("arith.subf", c.extract(a, j, j), c.total(start, j, squares))
        fault = first_fault(c, fault, c.compare("ugt", rest, c.number(0)), rest, j)
        root = c.compute("math.sqrt", rest)
        a = c.insert(a, root, j, j)

        def row(i: Term, a: Term) -> list[Term]:
            def products(k: Term) -> tuple[Term, Term]:
                return c.extract(a, i, k), c.extract(a, j, k)

            total = c.total(start, j, products)
            rest = c.compute("arith.subf", c.extract(a, i, j), total)
            return [c.insert(a, c.compute("arith.divf", rest, root), i, j)]

        (a,) = c.loop(c.plus_one(j), end, [a], row)
        return [a, fault]

    a, fault = c.loop(start, end, [a, no_fault], column)
    return [a, c.insert(info, fault)]


def solve_triangular(
    c: LoopText, options: Mapping[str, int], given: Sequence[Term]
) -> Sequence[Term]:
    """X of op(A) X = B, or of X op(A) = B."""
    a, b = given
    is_left, has_ones = options["side"] == ord("L"), options["diag"] == ord("U")
    is_transposed = options["trans_x"] != ord("N")
    # X op(A) = B is op(A)^T X^T = B^T.
    is_lower = (options["uplo"] == ord("L")) ^ is_transposed ^ (not is_left)
    size, (rows, columns) = sizes_of(a)[0], sizes_of(b)
    start, end = c.index(0), c.index(size)
    others = c.index(columns if is_left else rows)
    is_swapped = is_transposed ^ (not is_left)

    def factor(i: Term, k: Term) -> Term:
        return c.extract(a, k, i) if is_swapped else c.extract(a, i, k)

    def place(i: Term, other: Term) -> tuple[Term, Term]:
        return (i, other) if is_left else (other, i)

    def row(step: Term, x: Term) -> list[Term]:
        i = step if is_lower else _from_the_end(c, size, step)
        bounds = (start, i) if is_lower else (c.plus_one(i), end)

        def subtract(k: Term, x: Term) -> list[Term]:
            number = factor(i, k)

            def element(other: Term, x: Term) -> list[Term]:
                product = c.compute(
                    "arith.mulf", number, c.extract(x, *place(k, other))
                )
                old = c.extract(x, *place(i, other))
                new = c.compute("arith.subf", old, product)
                return [c.insert(x, new, *place(i, other))]

            return c.loop(start, others, [x], element)

        (x,) = c.loop(*bounds, [x], subtract)
        if has_ones:
            return [x]
        divisor = factor(i, i)

        def divide(other: Term, x: Term) -> list[Term]:
            old = c.extract(x, *place(i, other))
            return [
                c.insert(x, c.compute("arith.divf", old, divisor), *place(i, other))
            ]

        return c.loop(start, others, [x], divide)

    return c.loop(start, end, [b], row)


def _from_the_end(c: LoopText, size: int, step: Term) -> Term:
    return c.compute("arith.subi", c.index(size - 1), step)


def lu(
    c: LoopText, options: Mapping[str, int], given: Sequence[Term]
) -> Sequence[Term]:
    """L and U in one matrix, the row that each row was swapped with, from 1."""
    a, pivots, info = given
    rows, columns = sizes_of(a)
    start, last, width = c.index(0), c.index(rows), c.index(columns)
    no_fault = c.op("arith.constant 0 : i32", "i32")

    def step(j: Term, a: Term, pivots: Term, fault: Term) -> list[Term]:
        def larger(i: Term, best: Term, at: Term) -> list[Term]:
            size = c.compute("math.absf", c.extract(a, i, j))
            is_larger = c.compare("ogt", size, best)
            return [c.select(is_larger, size, best), c.select(is_larger, i, at)]

        first = c.compute("math.absf", c.extract(a, j, j))
        _, pivot = c.loop(c.plus_one(j), last, [first, j], larger)
        number = c.op(
            f"arith.index_cast {c.plus_one(pivot).name} : index to i32", "i32"
        )
        pivots = c.insert(pivots, number, j)

        def swap(k: Term, a: Term) -> list[Term]:
            one, other = c.extract(a, j, k), c.extract(a, pivot, k)
            return [c.insert(c.insert(a, other, j, k), one, pivot, k)]

        (a,) = c.loop(start, width, [a], swap)
        divisor = c.extract(a, j, j)
        zero, one = c.number(0), c.number(1)
        is_right = c.compare("une", divisor, zero)
        fault = first_fault(c, fault, is_right, one, j)
        divisor = c.select(is_right, divisor, one)

        def row(i: Term, a: Term) -> list[Term]:
            factor = c.compute("arith.divf", c.extract(a, i, j), divisor)
            a = c.insert(a, factor, i, j)

            def element(k: Term, a: Term) -> list[Term]:
                product = c.compute("arith.mulf", factor, c.extract(a, j, k))
                new = c.compute("arith.subf", c.extract(a, i, k), product)
                return [c.insert(a, new, i, k)]

            return c.loop(c.plus_one(j), width, [a], element)

        (a,) = c.loop(c.plus_one(j), last, [a], row)
        return [a, pivots, fault]

    count = c.index(min(rows, columns))
    a, pivots, fault = c.loop(start, count, [a, pivots, no_fault], step)
    return [a, pivots, c.insert(info, fault)]


def qr(
    c: LoopText, options: Mapping[str, int], given: Sequence[Term]
) -> Sequence[Term]:
    """R, below it the vectors of the reflections, and their factors."""
    a, factors = given
    rows, columns = sizes_of(a)
    last, width = c.index(rows), c.index(columns)
    # Reflections are about columns, whose elements are neighbours in A^T.
    work = c.transposed(a, c.new(columns, rows))

    def step(j: Term, a: Term, factors: Term) -> list[Term]:
        below, zero, one = c.plus_one(j), c.number(0), c.number(1)

        def squares(i: Term) -> tuple[Term, Term]:
            x = c.extract(a, j, i)
            return x, x

        rest, first = c.total(below, last, squares), c.extract(a, j, j)
        is_done = c.compare("oeq", rest, zero)
        whole = c.compute("arith.addf", rest, c.compute("arith.mulf", first, first))
        norm = c.compute("math.sqrt", whole)
        corner = c.compute("arith.negf", c.compute("math.copysign", norm, first))
        difference = c.compute("arith.subf", corner, first)
        # Of what is zero below its first element, nothing is reflected.
        safe = c.select(is_done, one, corner)
        factor = c.select(is_done, zero, c.compute("arith.divf", difference, safe))
        corner = c.select(is_done, first, corner)
        divisor = c.select(is_done, one, c.compute("arith.negf", difference))

        def scale(i: Term, a: Term) -> list[Term]:
            new = c.compute("arith.divf", c.extract(a, j, i), divisor)
            return [c.insert(a, new, j, i)]

        (a,) = c.loop(below, last, [a], scale)
        a = c.insert(a, corner, j, j)

        def column(k: Term, a: Term) -> list[Term]:
            return [_reflected(c, a, a, j, k, factor, last)]

        (a,) = c.loop(below, width, [a], column)
        return [a, c.insert(factors, factor, j)]

    count = c.index(min(rows, columns))
    work, factors = c.loop(c.index(0), count, [work, factors], step)
    return [c.transposed(work, a), factors]


def _reflected(
    c: LoopText, a: Term, vectors: Term, j: Term, k: Term, factor: Term, last: Term
) -> Term:
    """A matrix whose row `k` is reflected by the vector of row `j`."""
    below = c.plus_one(j)

    def products(i: Term) -> tuple[Term, Term]:
        return c.extract(vectors, j, i), c.extract(a, k, i)

    total = c.compute("arith.addf", c.extract(a, k, j), c.total(below, last, products))
    weight = c.compute("arith.mulf", total, factor)
    corner = c.compute("arith.subf", c.extract(a, k, j), weight)
    in_place = vectors is a
    a = c.insert(a, corner, k, j)

    def element(i: Term, a: Term) -> list[Term]:
        vector = c.extract(a if in_place else vectors, j, i)
        product = c.compute("arith.mulf", weight, vector)
        new = c.compute("arith.subf", c.extract(a, k, i), product)
        return [c.insert(a, new, k, i)]

    return c.loop(below, last, [a], element)[0]


def orthogonal(
    c: LoopText, options: Mapping[str, int], given: Sequence[Term]
) -> Sequence[Term]:
    """The first columns of Q, from the vectors of the reflections and their factors."""
    vectors, factors = given
    rows, columns = sizes_of(vectors)
    (count,) = (int(n) for n in factors.type.removeprefix("tensor<").split("x")[-2:-1])
    start, last, width = c.index(0), c.index(rows), c.index(columns)
    turned = c.transposed(vectors, c.new(columns, rows))
    q = c.unit(c.new(columns, rows))

    def step(number: Term, q: Term) -> list[Term]:
        j = _from_the_end(c, count, number)
        factor = c.extract(factors, j)

        def column(k: Term, q: Term) -> list[Term]:
            return [_reflected(c, q, turned, j, k, factor, last)]

        return c.loop(j, width, [q], column)

    (q,) = c.loop(start, c.index(count), [q], step)
    return [c.transposed(q, vectors)]


class _Function(NamedTuple):
    """How a function of LAPACK is written."""

    write: Write
    in_place: int = 0
    """The operand in whose place the first result is."""

    rank: int = 2
    """The rank of the first operand without a batch."""


FUNCTIONS: Final[Mapping[str, _Function]] = {
    "geqrf": _Function(qr),
    "gesdd": _Function(singular_values),
    "getrf": _Function(lu),
    "gtsv": _Function(solve_tridiagonal, rank=1),
    "orgqr": _Function(orthogonal),
    "potrf": _Function(cholesky),
    "syevd": _Function(symmetric_eigen),
    "trsm": _Function(solve_triangular, in_place=1),
}


_OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "gesdd": {"mode": "ASN"},
    "potrf": {"uplo": "L"},
    "syevd": {"uplo": "LU"},
    "trsm": {"side": "LR", "uplo": "LU", "trans_x": "NTC", "diag": "NU"},
}
"""The options of functions, and the letters that they may be."""


def _has_options(function: str, options: Mapping[str, int]) -> bool:
    return all(
        name in options and chr(options[name]) in letters
        for name, letters in _OPTIONS.get(function, {}).items()
    )


def can_write(
    function: str,
    options: Mapping[str, int],
    operands: Sequence[str],
    results: Sequence[str],
) -> bool:
    """Whether a call of a function of LAPACK has such options and types."""
    if function not in FUNCTIONS or not _has_options(function, options):
        return False
    shapes = [each.removeprefix("tensor<").split("x") for each in operands]
    rank = FUNCTIONS[function].rank
    if not shapes or len(shapes[0]) <= rank or shapes[0][-1] not in ("f32>", "f64>"):
        return False
    types = [*operands, *results]
    if function == "gtsv":
        return types == _types_of_system(shapes)
    return _fits_matrices(function, options, shapes, types)


def _types_of_system(shapes: Sequence[Sequence[str]]) -> list[str]:
    """The types of three diagonals and a right side, before and after, and of a row."""
    *batch, size, element = shapes[0]
    diagonal = _tensor(*batch, size, element)
    system = [*[diagonal] * 3, _tensor(*batch, size, shapes[-1][-2], element)]
    return [*system, *system, _tensor(*batch, "i32>")]


def _tensor(*words: str) -> str:
    return f"tensor<{'x'.join(words)}"


def _fits_matrices(
    function: str,
    options: Mapping[str, int],
    shapes: Sequence[Sequence[str]],
    types: Sequence[str],
) -> bool:
    """Whether operands and results of a function of matrices have these types."""
    *batch, rows, columns, element = shapes[0]

    def tensor(*sizes: str) -> str:
        return _tensor(*batch, *sizes)

    count = str(min(int(rows), int(columns)))
    matrix, info = tensor(rows, columns, element), tensor("i32>")
    is_square = rows == columns
    match function:
        case "potrf":
            return is_square and types == [matrix, matrix, info]
        case "syevd":
            wanted = [matrix, matrix, tensor(rows, element), info]
            return is_square and types == wanted
        case "gesdd":
            is_all = chr(options["mode"]) == "A"
            inner = (rows, columns) if is_all else (count, count)
            u, vt = tensor(rows, inner[0], element), tensor(inner[1], columns, element)
            wanted = [matrix, matrix, tensor(count, element), u, vt, info]
            has_none = chr(options["mode"]) == "N"
            return types == wanted or (has_none and types[:3] == wanted[:3])
        case "getrf":
            return types == [matrix, matrix, tensor(count, "i32>"), info]
        case "geqrf":
            return types == [matrix, matrix, tensor(count, element)]
        case "orgqr":
            fits = len(shapes) == 2 and len(shapes[1]) == len(shapes[0]) - 1
            number = shapes[1][-2] if fits else "0"
            wanted = [matrix, tensor(number, element), matrix]
            is_tall = int(number) <= int(columns) <= int(rows)
            return fits and is_tall and types == wanted
        case _:
            fits = len(shapes) == 2 and len(shapes[1]) == len(shapes[0])
            sizes = shapes[1][-3:-1] if fits else ["0", "0"]
            size = sizes[0 if chr(options["side"]) == "L" else 1]
            other = tensor(*sizes, element)
            return is_square and size == rows and types == [matrix, other, other]


def factorization_text(
    name: str,
    function: str,
    options: Mapping[str, int],
    operands: Sequence[str],
    results: Sequence[str],
) -> str:
    """The text of a function of LAPACK for operands and results of some types."""
    write, in_place, rank = FUNCTIONS[function]
    arguments = [Term(f"%arg{n}", type_) for n, type_ in enumerate(operands)]
    code = LoopText(operands[0].rpartition("x")[2][:-1])
    others = [code.op(f"tensor.empty() : {type_}", type_) for type_ in results[1:]]
    batch = operands[0].removeprefix("tensor<").split("x")[: -rank - 1]

    def body(*carried: Term) -> Sequence[Term]:
        given = [*arguments]
        given[in_place] = carried[0]
        return write(code, options, [*given, *carried[1:]])

    carried = [arguments[in_place], *others]
    values = code.for_each_of([int(size) for size in batch], carried, body)
    return function_text(name, arguments, code.lines, values)

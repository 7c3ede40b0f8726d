"""Products of a matrix and a column, in f32 or f64: dot products on vectors of sums.

    for each strip of as many rows as a vector has lanes:
      for each matrix of the batch, for each vector of k:
        vector of B: one load
        sum[row] += vector of A * vector of B
      the sums of all lanes, row by row, as one vector -> bias -> activation -> C

With a single column, tiles of `gemm_vectors.py` would use one lane of each vector. A
row of A and the column B both lie without gaps, and so must C. Products of one row are
added up in another order than those of `gemm_vectors.py`.
"""

from dataclasses import replace

from ..processors.vector_unit import VectorUnit
from .elements import UNCHANGED, Operand, Repeat
from .emitter import Emitter, Value, vector_type, zeros
from .gemm import Gemm, GemmCode, Tile
from .gemm_vectors import PAGE

SHORTEST = 8
"""From so many columns of A on, vectors of them are worth their sum."""

_COMPETING_ROWS = 4
"""Rows of A at once if they are at a multiple of a page.

There is room for eight lines, also for those which processors fetch ahead.
"""

LEAST_SUMS = 8
"""Vectors of sums at a time: additions to one of them wait for each other."""


def can_build(gemm: Gemm, unit: VectorUnit) -> bool:
    """Whether there is a kernel of this kind for a product."""
    return (
        gemm.n == 1
        and gemm.element in UNCHANGED
        and unit.lanes > 1
        and gemm.k >= SHORTEST
        and gemm.ldb == 1
        and (gemm.ldc == 1 or gemm.m == 1)
        and (gemm.bias is None or _as_row(gemm.bias) is not None)
    )


def build_gemm(gemm: Gemm, unit: VectorUnit) -> str:
    """LLVM IR of `void kernel(ptr A, ptr B, ptr C, [ptr bias], [i64 batch])`."""
    return _ColumnCode(gemm, unit).build()


def _as_row(bias: Operand) -> Operand | None:
    """A bias of one column as one of one row; None if its elements are apart."""
    match bias:
        case Operand(_, Repeat.COLUMN | Repeat.SCALAR):
            return replace(bias, repeat=Repeat.SCALAR)
        case Operand(1, Repeat.NONE | Repeat.ROW):
            return replace(bias, repeat=Repeat.COLUMN)
        case _:
            return None


class _ColumnCode(GemmCode):
    """`self.gemm` is the product with C as a row, which is how C is written."""

    def __init__(self, gemm: Gemm, unit: VectorUnit):
        bias = None if gemm.bias is None else _as_row(gemm.bias)
        super().__init__(replace(gemm, m=1, n=gemm.m, bias=bias), unit)
        self.rows, self.lda = gemm.m, gemm.lda

    def build(self) -> str:
        lanes = self.unit.lanes
        whole = self.rows - self.rows % lanes
        self.code.loop(whole, lanes, [], lambda row, _: self._strip(row, lanes))
        if rest := self.rows - whole:
            self._strip(whole, rest)
        return self.code.finish()

    def _strip(self, row: Value | int, rows: int) -> list[Value]:
        """Compute some elements of C."""
        code, lanes = self.code, self.unit.lanes
        tile = Tile(0, row, 1, (rows,))
        zero = zeros(vector_type(self.type, lanes))
        sets = max(1, LEAST_SUMS // rows)
        by_row: list[Value] = []
        at_once = self._rows_at_once(rows)
        for first in range(0, rows, at_once):
            by_row += self._sums(row, first, min(at_once, rows - first), sets)
        total = across(code, [*by_row, *[zero] * (lanes - rows)])
        if not self.gemm.beta_0:
            total = code.build.fadd(total, self.start(tile)[0])
        self.finish(tile, [total])
        return []

    def _rows_at_once(self, rows: int) -> int:
        """How many rows of a strip are summed at once."""
        is_apart = self.lda * self.element.bytes % PAGE == 0
        return min(rows, _COMPETING_ROWS) if is_apart else rows

    def _sums(
        self, strip: Value | int, first: int, rows: int, sets: int
    ) -> list[Value]:
        """A vector of sums for each of some rows of a strip."""
        row = self.code.add(strip, first)
        zero = zeros(vector_type(self.type, self.unit.lanes))
        sums = self.code.loop(
            self.batch,
            1,
            [zero] * (rows * sets),
            lambda matrix, sums: self._add_product(matrix, row, rows, sums),
        )
        return [self._sum(sums[number::rows]) for number in range(rows)]

    def _add_product(
        self, matrix: Value | int, row: Value | int, rows: int, sums: list[Value]
    ) -> list[Value]:
        code, gemm, lanes = self.code, self.gemm, self.unit.lanes
        start = code.add(
            code.multiply(matrix, gemm.stride_a), code.multiply(row, self.lda)
        )
        a = self.at(self.a, start)
        b = self.at(self.b, code.multiply(matrix, gemm.stride_b))
        step = lanes * (len(sums) // rows)

        def add(k: Value | int, used: int, sums: list[Value]) -> list[Value]:
            vector = self.load_vector(self.at(b, k), used)
            at_k = self.at(a, k)
            return [
                code.fma(
                    self.load_vector(self.at(at_k, number * self.lda), used),
                    vector,
                    sum_,
                )
                for number, sum_ in enumerate(sums)
            ]

        def add_sets(k: Value | int, carried: list[Value]) -> list[Value]:
            result: list[Value] = []
            for first in range(0, len(carried), rows):
                at = code.add(k, first // rows * lanes)
                result += add(at, lanes, carried[first : first + rows])
            return result

        whole = gemm.k - gemm.k % step
        sums = code.loop(whole, step, sums, add_sets)
        for k in range(whole, gemm.k, lanes):
            used = min(lanes, gemm.k - k)
            sums = [*add(k, used, sums[:rows]), *sums[rows:]]
        return sums

    def _sum(self, vectors: list[Value]) -> Value:
        total, *others = vectors
        for vector in others:
            total = self.code.build.fadd(total, vector)
        return total


def across(code: Emitter, vectors: list[Value]) -> Value:
    """The sum of all lanes of each vector, as the lanes of one.

    Halves of two vectors are added to make one, which has both sums in half as many
    lanes, and so on. There are as many vectors as lanes.
    """
    lanes = size = len(vectors)
    while size > 1:
        size //= 2
        lower = [lane for lane in range(2 * lanes) if not lane & size]
        upper = [lane for lane in range(2 * lanes) if lane & size]
        vectors = [
            code.build.fadd(
                code.shuffle(left, right, lower), code.shuffle(left, right, upper)
            )
            for left, right in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]

"""Products of a matrix and some columns of f32 or f64: dot products, as for a column.

    the columns of B -> memory of the kernel, one after the other
    for each strip of rows, with as many sums as a vector has lanes:
      for each vector of k:
        sum[row][column] += vector of A[row] * vector of column
      the sums of all lanes, row by row, as one vector -> activation -> C

With few columns, tiles of `gemm_vectors.py` would use few lanes of each vector. Rows of
B and of C follow each other without gaps, so that a vector of sums is some rows of C.
Each product is added up in the same order, whatever rows are in a strip with it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..processors.vector_unit import VectorUnit
from .elements import UNCHANGED
from .emitter import Value, vector_type, zeros
from .gemm import Gemm, GemmCode, Tile
from .gemm_columns import across
from .gemm_vectors import MOST_ROWS, chains_of

_BYTES: Final = 64 * 1024
"""Of B, at most, on the stack of the kernel."""

_LATENCY: Final = 4
"""Cycles from one addition to a vector to the next one."""

_CYCLES_OF_SUM: Final = 3
"""Cycles that it takes to add up the lanes of vectors, for each of the vectors."""


def can_build(gemm: Gemm, unit: VectorUnit) -> bool:
    """Whether there is such a kernel for a product, and it is faster."""
    return (
        1 < gemm.n <= unit.lanes // 2
        and gemm.element in UNCHANGED
        and gemm.ldb == gemm.ldc == gemm.n
        and not gemm.takes_batch
        and gemm.n * (gemm.k + unit.lanes) * UNCHANGED[gemm.element].bytes <= _BYTES
        and _cycles(gemm, unit) < _cycles_of_tiles(gemm, unit)
    )


def _cycles(gemm: Gemm, unit: VectorUnit) -> float:
    """About how long it takes, where two products a cycle are added to vectors."""
    lanes, n = unit.lanes, gemm.n
    rows = min(lanes // n, gemm.m)
    strips, vectors = -(-gemm.m // rows), -(-gemm.k // lanes)
    products = strips * vectors * max(rows * n / 2, _LATENCY)
    return products + strips * lanes * _CYCLES_OF_SUM + vectors * n * (n + 1)


def _cycles_of_tiles(gemm: Gemm, unit: VectorUnit) -> float:
    """The same for the tiles of `gemm_vectors.py`, one vector wide."""
    waiting = -(-gemm.m // MOST_ROWS) * _LATENCY / chains_of(gemm, unit)
    return gemm.k * max(gemm.m / 2, waiting)


def build_gemm(gemm: Gemm, unit: VectorUnit) -> str:
    """LLVM IR of `void kernel(ptr A, ptr B, ptr C)`."""
    return _FewColumnsCode(gemm, unit).build()


_Body = Callable[[Value, int, list[Value]], list[Value]]
"""From where a vector of k starts, its lanes in use, and values: new values."""


class _FewColumnsCode(GemmCode):
    """`self.gemm` is the product with C as a row, which is how C is written."""

    def __init__(self, gemm: Gemm, unit: VectorUnit):
        super().__init__(replace(gemm, m=1, n=gemm.m * gemm.n), unit)
        self.rows, self.columns = gemm.m, gemm.n
        self.size = -(-gemm.k // unit.lanes) * unit.lanes
        """How long a column is in the memory of the kernel, with zeros at its end."""
        self.packed = self.code.memory(self.columns * self.size, self.type)

    def build(self) -> str:
        """The text of the kernel."""
        self._pack()
        rows = self.unit.lanes // self.columns
        whole = self.rows - self.rows % rows
        self.code.loop(whole, rows, [], lambda row, _: self._strip(row, rows))
        if rest := self.rows - whole:
            self._strip(whole, rest)
        return self.code.finish()

    def _along(self, carried: list[Value], body: _Body) -> list[Value]:
        """Do something for each vector of k, and for the lanes that are left over."""
        lanes, k = self.unit.lanes, self.gemm.k
        whole = k - k % lanes
        carried = self.code.loop(
            whole, lanes, carried, lambda at, each: body(at, lanes, each)
        )
        return body(whole, k - whole, carried) if k > whole else carried

    def _pack(self) -> None:
        code, lanes, n = self.code, self.unit.lanes, self.columns
        zero = zeros(vector_type(self.type, lanes))

        def pack(k: Value | int, used: int, _: list[Value]) -> list[Value]:
            start = self.at(self.b, code.multiply(k, n))
            sources: list[Value] = []
            for first in range(0, lanes * n, lanes):
                there = min(max(used * n - first, 0), lanes)
                place = self.at(start, first)
                sources.append(self.load_vector(place, there) if there else zero)
            for column in range(n):
                place = self.at(self.packed, code.add(k, column * self.size))
                code.store(self._column(sources, column), place, lanes)
            return []

        self._along([], pack)

    def _column(self, sources: list[Value], column: int) -> Value:
        """The elements of one column of rows that follow each other."""
        lanes, n = self.unit.lanes, self.columns
        result, *others = sources
        places = [lane * n + column for lane in range(lanes)]
        order = [place if place < lanes else lane for lane, place in enumerate(places)]
        for number, source in enumerate(others, 1):
            order = [
                lanes + place % lanes if place // lanes == number else lane
                for place, lane in zip(places, order, strict=True)
            ]
            result = self.code.shuffle(result, source, order)
            order = list(range(lanes))
        return result

    def _strip(self, row: Value | int, rows: int) -> list[Value]:
        """Compute some rows of C."""
        code, lanes, n = self.code, self.unit.lanes, self.columns
        zero = zeros(vector_type(self.type, lanes))
        a = self.at(self.a, code.multiply(row, self.gemm.lda))

        def add(k: Value | int, used: int, sums: list[Value]) -> list[Value]:
            b = self.at(self.packed, k)
            columns = [
                self.load_vector(self.at(b, number * self.size)) for number in range(n)
            ]
            at_k = self.at(a, k)
            result: list[Value] = []
            for number in range(rows):
                place = self.at(at_k, number * self.gemm.lda)
                vector = self.load_vector(place, used)
                for column in columns:
                    result.append(code.fma(vector, column, sums[len(result)]))
            return result

        sums = self._along([zero] * (rows * n), add)
        total = across(code, [*sums, *[zero] * (lanes - rows * n)])
        tile = Tile(0, code.multiply(row, n), 1, (rows * n,))
        if not self.gemm.beta_0:
            total = code.build.fadd(total, self.start(tile)[0])
        self.finish(tile, [total])
        return []

"""A product of matrices, C = act(bias + (sum of A[b] B[b] + C)), tile by tile.

What kernels of gemm, brgemm and fused_brgemm share, whoever multiplies: the description
of the product, and how the sums of a tile of C begin and what becomes of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from xdsl_bufferization.support import abi

from ..processors.vector_unit import VectorUnit
from . import elements
from .elements import Operand, Repeat
from .elementwise import BINARY
from .emitter import CACHE_LINE, I64, POINTER, Emitter, Value, vector_type, zeros

_T = TypeVar("_T")

MANY_ROWS = 64
"""Kernels with fewer rows of C end before the memory that they ask for is there."""


_LEAST_BYTES = 16
"""Of a vector that is part of a longer one, at least."""


@dataclass(frozen=True)
class Gemm:
    """Shape and form of a product; matrices are row-major, sizes count in elements."""

    m: int
    n: int
    k: int
    lda: int
    ldb: int
    ldc: int
    stride_a: int = 0
    """The distance from one matrix A of the batch to the next."""
    stride_b: int = 0
    element: str = "f32"
    """The type of all matrices: `f32`, `f64` or `bf16`."""
    is_vnni_b: bool = False
    """B holds pairs of rows, element by element: [k / 2][n][2]."""
    beta_0: bool = False
    """C is not read."""
    bias: Operand | None = None
    """The operand that sums are combined with, before the activation."""
    combination: str = "add"
    """A key of `BINARY`: what is computed of the bias and a sum, in this order."""
    relu: bool = False
    takes_bias: bool = False
    """Whether the kernel has a parameter for the bias."""
    takes_batch: bool = True
    """Whether it has one for the size of the batch, which is 1 otherwise."""


@dataclass(frozen=True)
class Tile:
    """Part of C."""

    row: Value | int
    column: Value | int
    rows: int
    widths: tuple[int, ...]
    """How many lanes of each vector are used."""


@dataclass(frozen=True)
class Share:
    """Which one of all tiles of C a tile is."""

    number: Value | int
    of: int


class GemmCode:
    """The code of a kernel so far, and where its matrices are."""

    def __init__(self, gemm: Gemm, unit: VectorUnit):
        self.gemm = gemm
        self.unit = unit
        pointers = [POINTER] * (4 if gemm.takes_bias else 3)
        self.code = Emitter(
            abi.KERNEL,
            [*pointers, *([I64] if gemm.takes_batch else [])],
            has_masks=unit.has_masks,
        )
        self.a, self.b, self.c, *rest = self.code.arguments
        self.d = rest.pop(0) if gemm.takes_bias else None
        self.batch: Value | int = rest.pop() if gemm.takes_batch else 1
        self.element = elements.element_of_products(gemm.element, unit)
        self.type = self.element.type
        self.has_parts = False
        """Whether a tile is of halves or quarters of vectors if these are enough."""

    def lanes_of(self, tile: Tile) -> int:
        """How many lanes the vectors of a tile have."""
        lanes, used = self.unit.lanes, max(tile.widths)
        least = _LEAST_BYTES // self.element.bytes
        while self.has_parts and lanes > least and 2 * used <= lanes:
            lanes //= 2
        return lanes

    def at(self, pointer: Value, offset: int | Value) -> Value:
        """The address of an element of a matrix so many elements behind another."""
        return self.code.at(pointer, offset, self.type)

    def load_vector(self, pointer: Value, used: int | None = None) -> Value:
        """Elements as they are in memory: the first `used` lanes, or all of them."""
        lanes = self.unit.lanes
        return self.code.load(
            pointer, self.type, lanes, lanes if used is None else used
        )

    def at_each(self, tile: Tile, vector_at: Callable[[int, int, int], _T]) -> list[_T]:
        """What `vector_at` a row, a column and lanes in use gives, row by row."""
        lanes = self.unit.lanes
        return [
            vector_at(row, number * lanes, used)
            for row in range(tile.rows)
            for number, used in enumerate(tile.widths)
        ]

    def start(self, tile: Tile) -> list[Value]:
        """What products are added to: zero, or C."""
        if self.gemm.beta_0:
            zero = zeros(vector_type(self.element.computed, self.lanes_of(tile)))
            return self.at_each(tile, lambda row, column, used: zero)
        return self.load(tile)

    def load(self, tile: Tile) -> list[Value]:
        """A tile of C as it is."""
        place, lanes = self._places(self.c, tile, self.gemm.ldc), self.lanes_of(tile)
        return self.at_each(
            tile,
            lambda row, column, used: self.element.load(
                self.code, place(row, column), lanes, used
            ),
        )

    def ask_for_end(self, tile: Tile, row: Value | int) -> None:
        """Ask for a row of the operands that are used after all products."""
        gemm = self.gemm
        if gemm.beta_0:
            self._ask_for_row(self.c, tile, row, gemm.ldc, is_written=True)
        if isinstance(gemm.bias, Operand) and gemm.bias.repeat is Repeat.NONE:
            self._ask_for_row(self.d, tile, row, gemm.bias.leading, is_written=False)

    def _ask_for_row(
        self,
        base: Value,
        tile: Tile,
        row: Value | int,
        leading: int,
        *,
        is_written: bool,
    ) -> None:
        code, type_ = self.code, self.element.type
        first = self._places(base, tile, leading)(0, 0)
        start = code.at(first, code.multiply(row, leading), type_)
        for column in range(0, sum(tile.widths), CACHE_LINE // self.element.bytes):
            code.prefetch(code.at(start, column, type_), is_written=is_written)

    def share_of(
        self, row: Value | int, column: Value | int, rows: int, columns: int
    ) -> Share:
        """Which one of all tiles of so many rows and columns starts at a place of C."""
        code = self.code
        strips, panels = -(-self.gemm.m // rows), -(-self.gemm.n // columns)
        number = code.add(
            code.multiply(code.divide(column, columns), strips),
            code.divide(row, rows),
        )
        return Share(number, strips * panels)

    def ask_for_next(
        self, share: Share, matrix: Value | int, k: Value | int, size: int
    ) -> None:
        """Ask for some of what comes after the matrices B of the batch.

        In weights that are packed in blocks, these are the next columns, in memory that
        is slower than the caches. All tiles ask, once for each `size` columns of A.
        """
        code, gemm, element = self.code, self.gemm, self.element
        if gemm.m < MANY_ROWS or gemm.stride_b != gemm.k * gemm.ldb:
            return
        rounds = -(-gemm.k // size)
        part = code.add(code.multiply(share.number, rounds), code.divide(k, size))
        size_of_parts = CACHE_LINE * share.of * rounds
        count = -(-gemm.stride_b * element.bytes // size_of_parts)
        line = CACHE_LINE // element.bytes
        next_ = code.multiply(code.add(matrix, self.batch), gemm.stride_b)
        offset = code.add(next_, code.multiply(part, count * line))
        place = code.at(self.b, offset, element.type)
        for number in range(count):
            code.prefetch(code.at(place, number * line, element.type), level=2)

    def factors_of(
        self, matrix: Value | int, row: Value | int, column: Value | int
    ) -> tuple[Value, Value]:
        """Where the row of A and the column of B start for a place of C."""
        code, gemm, type_ = self.code, self.gemm, self.element.type
        start_a = code.add(
            code.multiply(matrix, gemm.stride_a), code.multiply(row, gemm.lda)
        )
        a = code.at(self.a, start_a, type_)
        step = 2 if gemm.is_vnni_b else 1
        start_b = code.add(
            code.multiply(matrix, gemm.stride_b), code.multiply(column, step)
        )
        return a, code.at(self.b, start_b, type_)

    def finish(self, tile: Tile, sums: list[Value]) -> None:
        """Write sums to C, after the bias and the activation."""
        self.store(tile, self.activated(tile, sums))

    def activated(self, tile: Tile, sums: list[Value]) -> list[Value]:
        """Sums with the bias, after the activation."""
        biases, combine = self._biases(tile), BINARY[self.gemm.combination]
        remaining = iter(sums)

        def activate(row: int, column: int, used: int) -> Value:
            value = next(remaining)
            if biases is not None:
                value = combine(self.code, biases(row, column, used), value)
            return elements.relu(self.code, value) if self.gemm.relu else value

        return self.at_each(tile, activate)

    def store(self, tile: Tile, values: list[Value]) -> None:
        """Write a tile of C."""
        place = self._places(self.c, tile, self.gemm.ldc)
        remaining = iter(values)

        def store(row: int, column: int, used: int) -> None:
            self.element.store(self.code, next(remaining), place(row, column), used)

        self.at_each(tile, store)

    def _places(
        self, base: Value, tile: Tile, leading: int
    ) -> Callable[[int, int], Value]:
        """Where the elements of a matrix are that has one for each of the tile's."""
        code, type_ = self.code, self.element.type
        offset = code.add(code.multiply(tile.row, leading), tile.column)
        start = code.at(base, offset, type_)
        return lambda row, column: code.at(start, row * leading + column, type_)

    def _biases(self, tile: Tile) -> Callable[[int, int, int], Value] | None:
        """The vector of the bias for a vector of the tile."""
        code, lanes, element = self.code, self.lanes_of(tile), self.element
        match self.gemm.bias:
            case None:
                return None
            case Operand(leading, Repeat.NONE):
                place = self._places(self.d, tile, leading)
                return lambda row, column, used: element.load(
                    code, place(row, column), lanes, used
                )
            case Operand(_, Repeat.COLUMN):
                start = code.at(self.d, tile.column, element.type)
                row_of_bias = [
                    element.load(
                        code, code.at(start, i * lanes, element.type), lanes, u
                    )
                    for i, u in enumerate(tile.widths)
                ]
                return lambda row, column, used: row_of_bias[column // lanes]
            case Operand(leading, Repeat.ROW):
                offset = code.multiply(tile.row, leading)
                start = code.at(self.d, offset, element.type)
                return lambda row, column, used: element.load_broadcast(
                    code, code.at(start, row * leading, element.type), lanes
                )
            case _:
                value = element.load_broadcast(code, self.d, lanes)
                return lambda row, column, used: value

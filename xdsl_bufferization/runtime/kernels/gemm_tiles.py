"""Products of matrices of bf16 on AMX: tiles of C, A and B in registers of their own.

A tile register holds up to 16 rows of 64 bytes: 16 x 16 sums in f32, 16 rows of A with
32 columns, or 16 pairs of rows of B with 16 columns each. One instruction adds the
product of the latter two to the former.

    for each block of C of up to 2 x 2 tiles:
      tiles = 0
      for each matrix of the batch, for each 32 columns of A:
        load tiles of A and B
        tiles[row][column] += tile of A[row] * tile of B[column]
      tiles -> memory of the kernel -> C, bias, activation -> C

The sizes of tiles are set for all registers at once, which takes as long as several
products. So C is cut into at most nine parts in which they are the same: whole blocks,
one tile that is left over, and what is less than a tile, in both directions. If k is no
multiple of 32, registers are set aside for the last columns of A.

Numbers below the smallest normal one count as 0, as for AVX-512's products of bf16.

Source: Intel's "64 and IA-32 Architectures Optimization Reference Manual", on AMX.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from xdsl_bufferization.runtime.kernels.emitter import (
    F32,
    I8,
    VOID,
    Emitter,
    Value,
)
from xdsl_bufferization.runtime.kernels.gemm import Gemm, GemmCode, Tile
from xdsl_bufferization.runtime.kernels.vector_unit import VectorUnit

ROWS: Final = 16
"""Of a tile, and columns of one of C."""

DEPTH: Final = 32
"""Columns of a tile of A, and rows of one of B."""

ROWS_AT_ONCE: Final = 4
"""Rows of C that are written in one round."""

_BLOCK: Final = 2 * ROWS
_BF16_BYTES: Final = 2
_F32_BYTES: Final = 4
_REGISTERS: Final = 8


def can_build(gemm: Gemm, unit: VectorUnit) -> bool:
    """Whether there are tiles for a product: of bf16, with pairs of rows of B."""
    return unit.multiplies_tiles and gemm.is_vnni_b and gemm.k % 2 == 0


def build_gemm(gemm: Gemm, unit: VectorUnit) -> str:
    """LLVM IR of `void kernel(ptr A, ptr B, ptr C, [ptr bias], [i64 batch])`."""
    return _TileCode(gemm, unit).build()


@dataclass(frozen=True)
class _Part:
    """Part of a dimension of C: `count` blocks of `tiles` times `size`."""

    start: int
    count: int
    tiles: int
    size: int

    @property
    def step(self) -> int:
        return self.tiles * self.size


def _parts(size: int) -> Iterator[_Part]:
    """Whole blocks, a whole tile, and the rest."""
    blocks, rest = divmod(size, _BLOCK)
    if blocks:
        yield _Part(0, blocks, 2, ROWS)
    if rest >= ROWS:
        yield _Part(blocks * _BLOCK, 1, 1, ROWS)
    if rest % ROWS:
        yield _Part(size - rest % ROWS, 1, 1, rest % ROWS)


class _Registers:
    """What the registers of tiles are for, in one part of C."""

    def __init__(self, rows: _Part, columns: _Part, k: int):
        self.rows, self.columns = rows, columns
        numbers = iter(range(_REGISTERS))
        self.sums = {
            (row, column): next(numbers)
            for row in range(rows.tiles)
            for column in range(columns.tiles)
        }
        shapes = dict.fromkeys(
            self.sums.values(), (rows.size, columns.size * _F32_BYTES)
        )
        self.a: dict[int, list[int]] = {}
        """For A, by the depth of products."""
        self.b: dict[int, list[int]] = {}
        depths = [depth for depth in (DEPTH, k % DEPTH) if 0 < depth <= k]
        for depth in depths:
            self.a[depth] = [next(numbers) for _ in range(2 // len(depths))]
            self.b[depth] = [next(numbers) for _ in range(2 // len(depths))]
            for number in self.a[depth]:
                shapes[number] = rows.size, depth * _BF16_BYTES
            for number in self.b[depth]:
                shapes[number] = depth // 2, columns.size * 2 * _BF16_BYTES
        self.shapes = shapes

    @property
    def configuration(self) -> bytes:
        """As the processor wants it: a palette, bytes a row, and rows."""
        shapes = [self.shapes.get(number, (0, 0)) for number in range(16)]
        row_bytes = (bytes_ for _, bytes_ in shapes)
        rows = (rows for rows, _ in shapes)
        return struct.pack("<B15x16H16B", 1, *row_bytes, *rows)


class _TileCode(GemmCode):
    def __init__(self, gemm: Gemm, unit: VectorUnit):
        super().__init__(gemm, unit)
        self.amx = _Amx(self.code)
        self.scratch = self.code.memory(_BLOCK * _BLOCK, F32)

    def build(self) -> str:
        for columns in _parts(self.gemm.n):
            for rows in _parts(self.gemm.m):
                self._part(_Registers(rows, columns, self.gemm.k))
        self.amx.release()
        return self.code.finish()

    def _part(self, registers: _Registers) -> None:
        code, rows, columns = self.code, registers.rows, registers.columns
        self.amx.configure(registers.configuration)

        def panel(j: Value | int, _: list[Value]) -> list[Value]:
            column = code.add(j, columns.start)

            def block(i: Value | int, _: list[Value]) -> list[Value]:
                self._compute(registers, code.add(i, rows.start), column)
                return []

            return code.loop(rows.count * rows.step, rows.step, [], block)

        code.loop(columns.count * columns.step, columns.step, [], panel)

    def _compute(
        self, registers: _Registers, row: Value | int, column: Value | int
    ) -> None:
        code = self.code
        for number in registers.sums.values():
            self.amx.clear(number)
        code.loop(
            self.batch,
            1,
            [],
            lambda matrix, _: self._add_product(registers, row, column, matrix),
        )
        for (tile_row, tile_column), number in registers.sums.items():
            offset = (tile_row * _BLOCK + tile_column) * ROWS
            place = code.at(self.scratch, offset, F32)
            self.amx.store(number, place, _BLOCK * _F32_BYTES)
        self._write(registers, row, column)

    def _add_product(
        self,
        registers: _Registers,
        row: Value | int,
        column: Value | int,
        matrix: Value | int,
    ) -> list[Value]:
        """Add the product of one pair of matrices of the batch."""
        code, gemm = self.code, self.gemm
        start_a = code.add(
            code.multiply(matrix, gemm.stride_a), code.multiply(row, gemm.lda)
        )
        a = code.at(self.a, start_a, self.element.type)
        start_b = code.add(
            code.multiply(matrix, gemm.stride_b), code.multiply(column, 2)
        )
        b = code.at(self.b, start_b, self.element.type)

        def add(k: Value | int, depth: int) -> list[Value]:
            self._add_step(
                registers,
                depth,
                code.at(a, k, self.element.type),
                code.at(b, code.multiply(k, gemm.ldb), self.element.type),
            )
            return []

        rest = gemm.k % DEPTH
        code.loop(gemm.k - rest, DEPTH, [], lambda k, _: add(k, DEPTH))
        return add(gemm.k - rest, rest) if rest else []

    def _add_step(self, registers: _Registers, depth: int, a: Value, b: Value) -> None:
        """Add the products of some columns of A and as many rows of B."""
        code, gemm, type_ = self.code, self.gemm, self.element.type
        holds: dict[int, tuple[str, int]] = {}

        def load(kind: str, tile: int) -> int:
            numbers = (registers.a if kind == "a" else registers.b)[depth]
            number = numbers[tile % len(numbers)]
            if holds.get(number) == (kind, tile):
                return number
            holds[number] = kind, tile
            if kind == "a":
                place = code.at(a, tile * ROWS * gemm.lda, type_)
                self.amx.load(number, place, gemm.lda * _BF16_BYTES)
            else:
                place = code.at(b, tile * ROWS * 2, type_)
                self.amx.load(number, place, gemm.ldb * 2 * _BF16_BYTES)
            return number

        # To and fro, so that what is loaded is used twice.
        order = sorted(registers.sums, key=lambda at: (at[0], at[1] ^ at[0]))
        for tile_row, tile_column in order:
            sums = registers.sums[tile_row, tile_column]
            factor, factors = load("a", tile_row), load("b", tile_column)
            self.amx.multiply(sums, factor, factors)

    def _write(
        self, registers: _Registers, row: Value | int, column: Value | int
    ) -> None:
        """Take the sums from memory to C."""
        code = self.code
        widths = (registers.columns.size,) * registers.columns.tiles
        count = registers.rows.step
        whole = count - count % ROWS_AT_ONCE

        def write(first: Value | int, rows: int) -> list[Value]:
            tile = Tile(code.add(row, first), column, rows, widths)
            start = code.at(self.scratch, code.multiply(first, _BLOCK), F32)
            sums = self.at_each(
                tile,
                lambda row, column, used: code.load(
                    code.at(start, row * _BLOCK + column, F32),
                    F32,
                    self.unit.lanes,
                    used,
                ),
            )
            if not self.gemm.beta_0:
                old = self.start(tile)
                sums = [code.build.fadd(*pair) for pair in zip(sums, old, strict=True)]
            self.finish(tile, sums)
            return []

        code.loop(whole, ROWS_AT_ONCE, [], lambda i, _: write(i, ROWS_AT_ONCE))
        if rest := count - whole:
            write(whole, rest)


class _Amx:
    """The instructions on tiles."""

    def __init__(self, code: Emitter):
        self._code = code

    def configure(self, configuration: bytes) -> None:
        """Set the shapes of all registers, and clear them."""
        self._do("ldtilecfg", self._code.bytes(configuration))

    def release(self) -> None:
        """Be done with tiles: what a thread leaves in them has to be saved."""
        self._do("tilerelease")

    def clear(self, register: int) -> None:
        """Set to zero."""
        self._do("tilezero", self._number(register))

    def load(self, register: int, place: Value, stride: int) -> None:
        """Read rows that start `stride` bytes apart."""
        words = place, self._code.index(stride)
        self._do("tileloadd64", self._number(register), *words)

    def store(self, register: int, place: Value, stride: int) -> None:
        """Write rows that start `stride` bytes apart."""
        words = place, self._code.index(stride)
        self._do("tilestored64", self._number(register), *words)

    def multiply(self, sums: int, a: int, b: int) -> None:
        """Add the product of two registers to a third."""
        self._do("tdpbf16ps", *map(self._number, (sums, a, b)))

    def _number(self, register: int) -> Value:
        return self._code.constant(I8, register)

    def _do(self, name: str, *operands: Value) -> None:
        self._code.intrinsic(f"llvm.x86.{name}", VOID, list(operands))

"""Products of matrices of bf16 on AMX: tiles of C, A and B in registers of their own.

    for each block of C of up to 2 x 2 tiles:
      tiles = 0
      for each matrix of the batch, for each 32 columns of A:
        load tiles of A and B
        tiles[row][column] += tile of A[row] * tile of B[column]
      tiles -> memory of the kernel -> C, bias, activation -> C

The sizes of tiles are set for all registers at once, which takes as long as several
products. So C is cut into at most nine parts, each with tiles of one size. In both
directions there are whole blocks, one tile that is left over, and less than a tile. If
k is no multiple of 32, registers are set aside for the last columns of A.

The unit that stores tiles is slow to start after a pause. It took 240 ns if it had not
been used for 600 ns, and nothing if it had been used 400 ns ago. So long sums store a
tile now and then, into memory that nobody reads.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..processors.vector_unit import VectorUnit
from .amx import DEPTH, REGISTERS, ROWS, Amx
from .emitter import F32, Body, Value
from .gemm import Gemm, GemmCode, Share, Tile

ROWS_AT_ONCE: Final = 4
"""Rows of C that are written in one iteration."""

_STEPS_AWAKE: Final = 10
"""Steps of a sum after which a tile is stored; each takes at least 64 cycles."""

_BLOCK: Final = 2 * ROWS
_BF16_BYTES: Final = 2
_F32_BYTES: Final = 4


def can_build(gemm: Gemm, unit: VectorUnit) -> bool:
    """Whether there are tiles for a product: of bf16, with pairs of rows of B.

    A row of a tile of C has to be a vector.
    """
    has_tiles = unit.multiplies_tiles and unit.lanes == ROWS
    return has_tiles and gemm.is_vnni_b and gemm.k % 2 == 0


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
        numbers = iter(range(REGISTERS))
        self.sums = {
            (row, column): next(numbers)
            for row in range(rows.tiles)
            for column in range(columns.tiles)
        }
        of_sums = rows.size, columns.size * _F32_BYTES
        self.shapes = dict.fromkeys(self.sums.values(), of_sums)
        self.a: dict[int, list[int]] = {}
        """For A, by the depth of products."""
        self.b: dict[int, list[int]] = {}
        depths = [depth for depth in (DEPTH, k % DEPTH) if 0 < depth <= k]
        for depth in depths:
            self.a[depth] = [next(numbers) for _ in range(2 // len(depths))]
            self.b[depth] = [next(numbers) for _ in range(2 // len(depths))]
            for number in self.a[depth]:
                self.shapes[number] = rows.size, depth * _BF16_BYTES
            for number in self.b[depth]:
                self.shapes[number] = depth // 2, columns.size * 2 * _BF16_BYTES

    @property
    def is_several(self) -> bool:
        """Whether the part has more than one block."""
        return self.rows.count * self.columns.count > 1

    @property
    def rows_at_once(self) -> int:
        """How many rows of a block are written at once."""
        return math.gcd(self.rows.step, ROWS_AT_ONCE)


@dataclass(frozen=True)
class _Block:
    """Tiles of C that are computed at once."""

    registers: _Registers
    row: Value | int
    column: Value | int
    share: Share


class _TileCode(GemmCode):
    def __init__(self, gemm: Gemm, unit: VectorUnit):
        super().__init__(gemm, unit)
        self.amx = Amx(self.code)
        self.scratch = self.code.memory(_BLOCK * _BLOCK, F32)
        self.unread = self.code.memory(ROWS * ROWS, F32)

    def build(self) -> str:
        for columns in _parts(self.gemm.n):
            for rows in _parts(self.gemm.m):
                self._part(_Registers(rows, columns, self.gemm.k))
        self.amx.release()
        return self.code.finish()

    def _part(self, registers: _Registers) -> None:
        """Compute part of C, and write each block while the next is computed."""
        code, rows, columns = self.code, registers.rows, registers.columns
        self.amx.configure(registers.shapes)

        def block(row: Value, column: Value, before: list[Value]) -> list[Value]:
            share = self.share_of(row, column, _BLOCK, _BLOCK)
            self._compute(_Block(registers, row, column, share), before)
            return [code.index(0), code.index(row), code.index(column)]

        def along(part: _Part, before: list[Value], body: Body) -> list[Value]:
            def at(i: Value | int, before: list[Value]) -> list[Value]:
                return body(code.add(i, part.start), before)

            return code.loop(part.count * part.step, part.step, before, at)

        def strip(row: Value, before: list[Value]) -> list[Value]:
            return along(columns, before, lambda column, each: block(row, column, each))

        def panel(column: Value, before: list[Value]) -> list[Value]:
            return along(rows, before, lambda row, each: block(row, column, each))

        before = [code.index(each) for each in (rows.step, 0, 0)]
        if self.gemm.m < self.gemm.n:
            last = along(columns, before, panel)
        else:
            last = along(rows, before, strip)
        self._write_rest(registers, last)

    def _compute(self, block: _Block, before: list[Value]) -> None:
        """Add up a block, and put it into memory in place of the one before.

        `before` is how many rows of that one are in C, and its row and column. The
        others are written among the products: they take other units of the processor.
        """
        code, registers = self.code, block.registers
        for number in registers.sums.values():
            self.amx.clear(number)
        before = code.loop(
            self.batch,
            1,
            before,
            lambda matrix, each: self._add_product(block, matrix, each),
        )
        if registers.is_several:
            self._write_rest(registers, before)
        for (row, column), number in registers.sums.items():
            place = code.at(self.scratch, (row * _BLOCK + column) * ROWS, F32)
            self.amx.store(number, place, _BLOCK * _F32_BYTES)

    # Sums of products.

    def _add_product(
        self, block: _Block, matrix: Value | int, before: list[Value]
    ) -> list[Value]:
        """Add the product of one pair of matrices of the batch."""
        code, gemm = self.code, self.gemm
        a, b = self.factors_of(matrix, block.row, block.column)

        def add(k: Value | int, depth: int, before: list[Value]) -> list[Value]:
            at_a = code.at(a, k, self.element.type)
            at_b = code.at(b, code.multiply(k, gemm.ldb), self.element.type)
            self._add_step(block.registers, depth, at_a, at_b)
            self._stay_awake(block.registers.b[depth][0], matrix, k)
            self.ask_for_next(block.share, matrix, k, DEPTH)
            return self._write_some(block.registers, before)

        rest = gemm.k % DEPTH
        whole = gemm.k - rest
        before = code.loop(whole, DEPTH, before, lambda k, each: add(k, DEPTH, each))
        return add(whole, rest, before) if rest else before

    def _stay_awake(self, register: int, matrix: Value | int, k: Value | int) -> None:
        """Store a tile now and then, so that the stores at the end are quick."""
        code = self.code

        def store(_: list[Value]) -> list[Value]:
            self.amx.store(register, self.unread, ROWS * _F32_BYTES)
            return []

        steps = -(-self.gemm.k // DEPTH)
        step = code.add(code.multiply(matrix, steps), code.divide(k, DEPTH))
        turn = code.remainder(step, _STEPS_AWAKE)
        code.when(turn, "==", _STEPS_AWAKE - 1, [], store)

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

    # From memory to C.

    def _write_some(self, registers: _Registers, before: list[Value]) -> list[Value]:
        """Write some rows of the block before, if there is one with any left."""
        if not registers.is_several:
            return before
        return self.code.when(
            before[0],
            "<",
            registers.rows.step,
            before,
            lambda each: self._write(registers, each),
        )

    def _write_rest(self, registers: _Registers, before: list[Value]) -> None:
        """Write all rows that are left."""
        code = self.code
        left = code.subtract(registers.rows.step, before[0])
        step = registers.rows_at_once
        code.loop(left, step, before, lambda _, each: self._write(registers, each))

    def _write(self, registers: _Registers, before: list[Value]) -> list[Value]:
        """Write some rows of sums."""
        code, lanes, rows = self.code, self.unit.lanes, registers.rows_at_once
        written, row, column = before
        widths = (registers.columns.size,) * registers.columns.tiles
        tile = Tile(code.add(row, written), column, rows, widths)
        start = code.at(self.scratch, code.multiply(written, _BLOCK), F32)
        sums = self.at_each(
            tile,
            lambda row, column, used: code.load(
                code.at(start, row * _BLOCK + column, F32), F32, lanes, used
            ),
        )
        if not self.gemm.beta_0:
            pairs = zip(sums, self.start(tile), strict=True)
            sums = [code.build.fadd(*pair) for pair in pairs]
        self.finish(tile, sums)
        return [code.add(written, rows), row, column]

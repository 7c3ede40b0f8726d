"""Products of matrices whose right factor lies where it is: blocks of its rows.

    for each matrix of the batch, for each block of k:
      for each group of columns:
        several strips: block of B -> memory of the kernel, panel by panel
        for each strip of rows, for each panel of columns:
          tile = 0, or C
          for each k of the block:
            tile += elements of A * row of the panel
          tile -> C, after the last block with bias and activation

The order of `gemm_vectors.py` walks down all rows of B, panel by panel. Rows that are
far apart are each on another page of memory. If their distance is a power of two, they
also compete for the same places in the caches. In blocks, B is read row by row.

- With one strip of rows, each element of B is needed once, where it is.
- With several, a block of B is copied, once, and then lies without gaps in the nearest
  caches, as do the elements of A for the block. It is the order of GotoBLAS, with A
  where it is.
- A long panel of weights, packed beforehand, has no gaps. A block of it stays in the
  nearest cache. All tiles together ask for the next one, which comes meanwhile.

Each element of C is still the sum of its products in the order of k: between two blocks
it is in C, as exact as in a register. So results have the bits of `gemm_vectors.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from typing_extensions import override

from ..processors.vector_unit import VectorUnit
from .elements import UNCHANGED
from .emitter import CACHE_LINE, Value
from .gemm import Gemm, Tile
from .gemm_vectors import PAGE, Run, Slices, VectorCode

_BYTES: Final = 128 * 1024
"""Bytes of B that are packed at a time, on the stack of the kernel."""

_PACKED_ROWS: Final = 512
"""Rows of B that are packed at a time, at most."""

_ROWS: Final = 16
"""Rows of B that are read at a time where they are."""

_COMPETING_ROWS: Final = 8
"""The same if they compete for caches: as many lines as one place of a cache has."""

_ROWS_OF_PANEL: Final = 128
"""The same in a panel without gaps, which then stays in the nearest cache."""

_LONG_PANEL: Final = 192 * 1024
"""Bytes of such a panel: longer ones come from memory, and fill the second cache."""

_LONG_SEVERAL: Final = 32 * 1024
"""The same if one tile is not as wide: its parts of rows are apart, and compete."""

_FEW_ROWS: Final = 2
"""So few rows of A wait for a panel: a page of it is read at a time.

Several tiles that share a row each read a part of it. In one page, what processors
fetch unasked still follows all of them.
"""

_QUARTER_OF_PAGE: Final = 1024
"""Bytes: rows at a multiple of it compete."""

_MANY_STRIPS: Final = 4
"""From so many on, packing is worth its time wherever rows are."""

_WIDE_TILE: Final = 256
"""Bytes of a row of a tile.

Rows of B that compete are fetched again for each strip. To fetch one line of each row
takes longer than to fetch several lines which follow each other.
"""

_FEW_COLUMNS: Final = 512
"""Bytes of a row: so many are walked down as fast, as in packed weights."""

_COLUMNS: Final = 256
"""Bytes of a row that are packed at a time, and multiplied by all rows of A."""

_COLUMNS_OF_FEW_STRIPS: Final = {16: 512, 32: 2048}
"""The same with few strips of rows: so much of a row of B is read at a time.

By the number of registers. With 16, a strip has few rows, and waits for what is packed:
a fourth of it at a time took a fifth less time on Zen 4.
"""

_FEW_SUMS: Final = 128
"""Rows of B whose packed part of `_COLUMNS` is in the nearest cache."""


def can_build(gemm: Gemm, unit: VectorUnit) -> bool:
    """Whether a product is faster in blocks of rows of B."""
    if gemm.element not in UNCHANGED or gemm.k <= _ROWS:
        return False
    code, bytes_of_row = VectorCode(gemm, unit), _bytes(gemm, gemm.n)
    strips = code.strips
    if _is_panel(gemm):
        if gemm.n > code.vectors * unit.lanes:
            return bytes_of_row * gemm.k > _LONG_SEVERAL
        return strips > 1 and bytes_of_row * gemm.k > _LONG_PANEL
    if strips == 1:
        return bytes_of_row > _FEW_COLUMNS
    if _competes(gemm):
        is_wide = _bytes(gemm, code.vectors * unit.lanes) >= _WIDE_TILE
        return strips >= (_MANY_STRIPS if is_wide else 2)
    return strips >= _MANY_STRIPS and gemm.ldb > gemm.n


def _bytes(gemm: Gemm, numbers: int) -> int:
    return UNCHANGED[gemm.element].bytes * numbers


def _is_panel(gemm: Gemm) -> bool:
    """Whether B has few columns, and its rows follow each other."""
    return gemm.ldb == gemm.n and _bytes(gemm, gemm.n) <= _FEW_COLUMNS


def _competes(gemm: Gemm) -> bool:
    return _bytes(gemm, gemm.ldb) % _QUARTER_OF_PAGE == 0


def build_gemm(gemm: Gemm, unit: VectorUnit) -> str:
    """LLVM IR of `void kernel(ptr A, ptr B, ptr C, [ptr bias], [i64 batch])`."""
    return _BlockCode(gemm, unit).build()


@dataclass(frozen=True)
class _Block:
    """Rows of one matrix B of the batch."""

    matrix: Value | int
    start: Value | int
    before: Value | int
    """How many rows came before it, of all matrices."""
    after: Value | int
    """How many come after it; not positive for the last block."""


class _BlockCode(VectorCode):
    def __init__(self, gemm: Gemm, unit: VectorUnit):
        super().__init__(gemm, unit)
        self.is_packed = self.strips > 1 and not _is_panel(gemm)
        self.asks_for_rows = _is_panel(gemm)
        """Whether tiles ask for the next block of B."""
        self.group = self._vectors_of_group()
        columns = self.group * unit.lanes
        self.rows = self._rows_of_block(columns)
        if self.is_packed:
            self.packed = self.code.memory(self.rows * columns, self.type)

    def _vectors_of_group(self) -> int:
        """How many vectors of columns are packed at a time: whole panels."""
        is_read_again = self.strips < _MANY_STRIPS and self.gemm.k > _FEW_SUMS
        wanted = _COLUMNS
        if is_read_again:
            wanted = _COLUMNS_OF_FEW_STRIPS[self.unit.registers]
        panel = _bytes(self.gemm, self.vectors * self.unit.lanes)
        vectors = max(wanted // panel, 1) * self.vectors
        return min(vectors, -(-self.gemm.n // self.unit.lanes))

    def _rows_of_block(self, columns: int) -> int:
        """So many rows that blocks are about equally long."""
        k, steps = self.gemm.k, self.steps(self.gemm.k)
        most = _COMPETING_ROWS if _competes(self.gemm) else _ROWS
        if self.asks_for_rows:
            most = _ROWS_OF_PANEL
            if self.gemm.m <= _FEW_ROWS:
                most = max(PAGE // _bytes(self.gemm, self.gemm.n), 1)
        elif self.is_packed:
            most = min(_PACKED_ROWS, _BYTES // _bytes(self.gemm, columns))
        count = -(-k // most)
        return -(-k // (count * steps)) * steps

    @override
    def build(self) -> str:
        code, k = self.code, self.gemm.k
        last = code.subtract(self.batch, 1)

        def matrix(number: Value | int, _: list[Value]) -> list[Value]:
            later = code.multiply(code.subtract(last, number), k)

            def block(start: Value | int, _: list[Value]) -> list[Value]:
                before = code.add(code.multiply(number, k), start)
                after = code.add(later, code.subtract(k - self.rows, start))
                self._multiply(_Block(number, start, before, after))
                return []

            return code.loop(k, self.rows, [], block)

        code.loop(self.batch, 1, [], matrix)
        if not isinstance(self.batch, int):
            code.when(self.batch, "<=", 0, [], self._without_products)
        return code.finish()

    def _without_products(self, _: list[Value]) -> list[Value]:
        """C of an empty batch."""
        self._each_tile(
            0, self.gemm.n, lambda tile: self.finish(tile, self.start(tile))
        )
        return []

    def _each_tile(
        self, first: Value | int, columns: int, write: Callable[[Tile], None]
    ) -> None:
        """Write code for all tiles of so many columns."""
        for run in self.runs(columns):

            def strip(row: Value | int, rows: int, run: Run = run) -> None:
                def panel(column: Value | int, widths: tuple[int, ...]) -> list[Value]:
                    write(Tile(row, self.code.add(column, first), rows, widths))
                    return []

                self.each_panel(run, panel)

            self.each_strip(run.vectors, strip)

    def _multiply(self, block: _Block) -> None:
        """Add the products of a block to C."""

        def columns(first: Value | int, widths: tuple[int, ...]) -> list[Value]:
            if self.is_packed:
                self._pack(block, first, widths)
            self._each_tile(
                first, sum(widths), lambda tile: self._add_block(tile, block, first)
            )
            return []

        if self.is_packed:
            self.code.loop_panels(self.gemm.n, self.group, self.unit.lanes, columns)
        else:
            columns(0, (self.gemm.n,))

    def _pack(self, block: _Block, first: Value | int, widths: tuple[int, ...]) -> None:
        """Copy some columns of a block of B, panel by panel.

        Lanes behind the last column become zeros. A panel is as wide as its vectors.
        """
        code, gemm, lanes = self.code, self.gemm, self.unit.lanes
        b = self._rows_of_b(block, first)
        size = code.minimum(code.subtract(gemm.k, block.start), self.rows)

        def row(k: Value | int, _: list[Value]) -> list[Value]:
            source = self.at(b, code.multiply(k, gemm.ldb))
            for number, used in enumerate(widths):
                place = self.at(source, number * lanes)
                vector = self.load_vector(place, used)
                to = self._place_in_panels(number, sum(widths), k)
                code.store(vector, self.at(self.packed, to), lanes)
            return []

        code.loop(size, 1, [], row)

    def _place_in_panels(
        self, number: int, columns: int, row: Value | int
    ) -> Value | int:
        """How far the vector `number` of a row is from the first of some panels."""
        lanes = self.unit.lanes
        place = number * lanes
        run = next(run for run in self.runs(columns) if place < run.first + run.columns)
        width = run.vectors * lanes
        inside = (place - run.first) % width
        start = (place - inside) * self.rows + inside
        return self.code.add(self.code.multiply(row, width), start)

    def _rows_of_b(self, block: _Block, column: Value | int) -> Value:
        _, b = self.factors_of(block.matrix, 0, column)
        return self.at(b, self.code.multiply(block.start, self.gemm.ldb))

    def _add_block(self, tile: Tile, block: _Block, first: Value | int) -> None:
        """Add the products of a block to a tile; `first` is the first packed column."""
        code, lanes = self.code, self.unit.lanes
        a, _ = self.factors_of(block.matrix, tile.row, 0)
        a = self.at(a, block.start)
        if self.is_packed:
            widths = (self.lanes_of(tile),) * len(tile.widths)
            read = replace(tile, widths=widths)
            start = code.multiply(code.subtract(tile.column, first), self.rows)
            b = self.at(self.packed, start)
            slices = Slices(a, self.gemm.lda, b, len(widths) * lanes)
        else:
            read = tile
            b = self._rows_of_b(block, tile.column)
            slices = Slices(a, self.gemm.lda, b, self.gemm.ldb)
        sums = self._start(tile, block)
        sums = self._add_rows(read, slices, block, sums)
        self.store(tile, self._end(tile, block, sums))

    def _start(self, tile: Tile, block: _Block) -> list[Value]:
        """Zero for the first block if C is not read; C for the others."""
        first = self.start(tile)
        if not self.gemm.beta_0 or isinstance(block.before, int):
            return first
        return self.code.when(block.before, ">", 0, first, lambda _: self.load(tile))

    def _add_rows(
        self, tile: Tile, slices: Slices, block: _Block, sums: list[Value]
    ) -> list[Value]:
        code, k = self.code, self.gemm.k
        steps = self.steps(k)
        rest = k % steps

        def rounds(at: Value | int, count: int, carried: list[Value]) -> list[Value]:
            if self.asks_for_rows:
                self._ask_for_rows(tile, block, at, count)
            for number in range(count):
                carried = self.add_step(tile, slices, code.add(at, number), carried)
            return carried

        whole = code.minimum(code.subtract(k - rest, block.start), self.rows)
        sums = code.loop(whole, steps, sums, lambda at, each: rounds(at, steps, each))
        if not rest:
            return sums
        if isinstance(block.start, int):
            return rounds(whole, rest, sums)
        return code.when(
            code.add(block.start, self.rows),
            ">=",
            k,
            sums,
            lambda each: rounds(whole, rest, each),
        )

    def _end(self, tile: Tile, block: _Block, sums: list[Value]) -> list[Value]:
        """What is written: after the last block with bias and activation."""
        if self.gemm.bias is None and not self.gemm.relu:
            return sums
        if isinstance(block.after, int):
            return self.activated(tile, sums)
        return self.code.when(
            block.after, "<=", 0, sums, lambda each: self.activated(tile, each)
        )

    def _ask_for_rows(
        self, tile: Tile, block: _Block, at: Value | int, count: int
    ) -> None:
        """Ask for some of the next block of B, in `count` steps from `at` on.

        All tiles share the block. Behind the last one is the next panel.
        """
        code, gemm = self.code, self.gemm
        rows, columns = -(-gemm.m // self.strips), self.vectors * self.unit.lanes
        share = self.share_of(tile.row, tile.column, rows, columns)
        size = -(-gemm.n // share.of)
        step = code.add(code.multiply(share.number, self.rows), at)
        later = code.add(code.multiply(step, size), self.rows * gemm.n)
        start = self.at(self._rows_of_b(block, 0), later)
        for line in range(0, size * count, CACHE_LINE // self.element.bytes):
            code.prefetch(self.at(start, line), level=2)

"""Products of matrices on vectors: a tile of C in registers, a row of B at a time.

The columns of C are cut into panels of some vectors, its rows into strips: a tile of C
stays in registers while all products for it are added up.

    for each panel of columns, for each strip of rows:
      tile = 0, or C
      for each matrix of the batch, for each k:
        row of B: one load per vector of the panel
        element of A: one broadcast per row of the strip
        tile[row][vector] += element of A * vector of B
      tile -> bias -> activation -> C

Vectors that are left over make a panel of their own. Its last vector may be partial.
Strips differ by one row at most.

A tile of R rows and V vectors needs R * V + V + 1 registers. It loads R + V times for R
* V multiplications, and has to hide the latency of these. So a tile is 6 x 4, 8 x 3 or
12 x 2 with 32 registers, and 6 x 2 with 16.

B is read once for each strip, from the second-level cache. It is asked for in advance
unless its rows follow each other. Where bf16 is multiplied as f32, a strip of A is
first written as f32 to memory of the kernel, and B is widened when it is loaded.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..processors.vector_unit import VectorUnit
from . import elements
from .elements import Multiplication
from .emitter import CACHE_LINE, Value, zeros
from .gemm import Gemm, GemmCode, Share, Tile

LONG = 64
"""From so many columns of A on, the loop over those of one row is worth more code."""

MOST_SUMS = 24
"""Vectors of a tile, if there are registers for them."""

MOST_ROWS = 12

_MOST_NARROW_ROWS = 9
"""The same of one vector with 16 registers: LLVM moves more sums to memory and back."""

_ROWS_OF_PARTS = 8
"""From so many rows on, no addition waits in a tile that is one vector wide."""

_SUMS_AT_ONCE = 8
"""So many additions do not wait: two a cycle, which take four."""

WIDEST = 8
"""Vectors of a tile of few rows."""

WIDENED = 256
"""Columns of a strip of A that are widened at a time, for the nearest cache."""

PAGE = 4096
"""Bytes: a nearest cache of 32 KiB has one place for lines at this distance."""

COMPETING_ROWS_OF_A = 8
"""Rows of a strip if they are at a multiple of it: there is room for so many lines."""

STEPS_OF_NARROW_TILES = 8
"""A step of a tile that is one vector wide is short, compared with the loop around."""

BYTES_AHEAD = 4096
"""How far in front of the row of B that is used another is asked for."""


def build_gemm(gemm: Gemm, unit: VectorUnit) -> str:
    """LLVM IR of `void kernel(ptr A, ptr B, ptr C, [ptr bias], [i64 batch])`."""
    return VectorCode(gemm, unit).build()


@dataclass(frozen=True)
class Slices:
    """Columns of a strip of A, and rows of B."""

    a: Value
    lda: int
    b: Value
    ldb: int
    ahead: int = 0
    """How far behind a row of B is what is asked for meanwhile; 0: nothing."""


def chains_of(gemm: Gemm, unit: VectorUnit) -> int:
    """How many sums there are for each element of C, which are added up at the end.

    An addition to a sum waits for the one before. Few sums would do nothing meanwhile.
    Only for a whole product: part of one is added up as the other parts are, so that no
    bit depends on how a product is cut.
    """
    is_whole = gemm.ldb == gemm.ldc == gemm.n
    sums = gemm.m * -(-gemm.n // unit.lanes)
    if gemm.element not in elements.UNCHANGED or gemm.k < LONG or not is_whole:
        return 1
    return max(_SUMS_AT_ONCE // (1 << (sums - 1).bit_length()), 1)


@dataclass(frozen=True)
class Run:
    """Panels of C that are equally wide: so many columns from the first one on."""

    first: int
    columns: int
    vectors: int


class VectorCode(GemmCode):
    """The code of a kernel on vectors; `gemm_blocks.py` has another order of loops."""

    def __init__(self, gemm: Gemm, unit: VectorUnit):
        super().__init__(gemm, unit)
        self.product: Multiplication = elements.product_of(
            gemm.element, gemm.is_vnni_b, unit
        )
        has_few_columns = 2 * gemm.n <= unit.lanes
        has_rest = unit.takes_halves and gemm.m >= _ROWS_OF_PARTS
        is_unchanged = gemm.element in elements.UNCHANGED
        self.has_parts = is_unchanged and (has_few_columns or has_rest)
        self.widened = None
        """Memory for columns of a strip of A as f32, if A is widened ahead."""
        if (factor_type := self.product.factors.type) is not self.element.type:
            self.widened = self.code.memory(MOST_ROWS * WIDENED, factor_type)

    def build(self) -> str:
        """The text of the kernel."""

        def panel(column: Value | int, widths: tuple[int, ...]) -> list[Value]:
            def strip(row: Value | int, rows: int) -> None:
                self._compute(Tile(row, column, rows, widths))

            self.each_strip(len(widths), strip)
            return []

        for run in self.runs(self.gemm.n):
            self.each_panel(run, panel)
        return self.code.finish()

    @property
    def vectors(self) -> int:
        """How many vectors a tile is wide, where there are so many.

        Few rows make wide tiles: additions to one vector wait for each other. If one
        strip has all rows, B is read once.
        """
        usual = self.product.panel if self.unit.registers >= 32 else 2
        wide = (
            vectors
            for vectors in range(WIDEST, 1, -1)
            if self._most_rows(vectors) >= self.gemm.m
        )
        return min(next(wide, usual), -(-self.gemm.n // self.unit.lanes))

    def runs(self, columns: int) -> Iterator[Run]:
        """All panels of so many columns. Their widths differ by one vector at most.

        With 16 registers, no panel is one vector wide if there are more vectors. Tiles
        of 4 rows and 3 vectors are faster. What is left over of a row may fit in half
        a vector. Where halves are faster, it is a panel of its own.
        """
        lanes = self.unit.lanes
        rest = columns % lanes
        if self.has_parts and 0 < 2 * rest <= lanes:
            if columns > rest:
                yield from self.runs(columns - rest)
            yield Run(columns - rest, rest, 1)
            return
        count = -(-columns // lanes)
        panels = -(-count // self.vectors)
        if self.unit.registers < 32 and panels < count < 2 * panels:
            panels = count // 2
        wide = -(-count // panels)
        first = (count - panels * (wide - 1)) * wide * lanes
        yield Run(0, min(first, columns), wide)
        if first < columns:
            yield Run(first, columns - first, wide - 1)

    def each_panel(
        self,
        run: Run,
        write: Callable[[Value | int, tuple[int, ...]], list[Value]],
    ) -> None:
        """Write code for each panel: its first column, and its used lanes."""
        self.code.loop_panels(
            run.columns,
            run.vectors,
            self.unit.lanes,
            lambda column, widths: write(self.code.add(column, run.first), widths),
        )

    @property
    def strips(self) -> int:
        """How many strips of rows there are."""
        return -(-self.gemm.m // self._most_rows(self.vectors))

    def each_strip(
        self, vectors: int, write: Callable[[Value | int, int], None]
    ) -> None:
        """Write code for all rows: strips of some rows, then those with one row less.

        `write` gets the first row and how many; panels are so many vectors wide.
        """
        m = self.gemm.m
        count = -(-m // self._most_rows(vectors))
        rows = -(-m // count)
        first_shorter = (count - (rows * count - m)) * rows
        for first, end, size in (
            (0, first_shorter, rows),
            (first_shorter, m, rows - 1),
        ):

            def strip(
                row: Value | int, _: list[Value], first: int = first, size: int = size
            ) -> list[Value]:
                write(self.code.add(row, first), size)
                return []

            self.code.loop(end - first, size, [], strip)

    def _most_rows(self, vectors: int) -> int:
        """As many rows as the registers hold, beside a row of B and an element of A.

        A single row needs no register for B: it is multiplied by what is in memory.
        """
        free = self.unit.registers - vectors - self.product.scratch_registers
        most = max(min(MOST_ROWS, min(MOST_SUMS, free) // vectors), 1)
        if vectors == 1 and self.unit.registers < 32:
            most = min(most, _MOST_NARROW_ROWS)
        is_long = self.gemm.k * self.element.bytes > CACHE_LINE
        distance = self.gemm.lda * self.element.bytes
        if vectors == 1 and is_long and distance % PAGE == 0:
            return min(most, COMPETING_ROWS_OF_A)
        return most

    def _compute(self, tile: Tile) -> None:
        share = self.share_of(tile.row, tile.column, tile.rows, sum(tile.widths))
        first = self.start(tile)
        others = [zeros(each.type) for each in first] * (
            chains_of(self.gemm, self.unit) - 1
        )
        sums = self.code.loop(
            self.batch,
            1,
            [*first, *others],
            lambda matrix, carried: self._add_product(tile, share, matrix, carried),
        )
        self.finish(tile, self._added_up(sums, len(first)))

    def _added_up(self, sums: list[Value], count: int) -> list[Value]:
        """So many sums of those of all chains, which are added pair by pair."""
        while len(sums) > count:
            half = len(sums) // 2
            pairs = zip(sums[:half], sums[half:], strict=True)
            sums = [self.code.build.fadd(*pair) for pair in pairs]
        return sums

    # Sums of products.

    def _add_product(
        self, tile: Tile, share: Share, matrix: Value | int, sums: list[Value]
    ) -> list[Value]:
        """Add the product of one pair of matrices of the batch."""
        code, gemm = self.code, self.gemm
        a, b = self.factors_of(matrix, tile.row, tile.column)
        ahead = self._later_row(tile)
        if self.widened is None:
            slices = Slices(a, gemm.lda, b, gemm.ldb, ahead)
            return self._add_slices(
                tile, slices, gemm.k, sums, lambda k: self._ask(tile, share, matrix, k)
            )
        widened = self.widened

        def add_slice(k: Value | int, size: int, carried: list[Value]) -> list[Value]:
            self._widen(code.at(a, k, self.element.type), tile.rows, size, widened)
            rows_of_b = code.at(b, code.multiply(k, gemm.ldb), self.element.type)
            slices = Slices(widened, WIDENED, rows_of_b, gemm.ldb, ahead)
            return self._add_slices(
                tile,
                slices,
                size,
                carried,
                lambda later: self._ask(tile, share, matrix, code.add(k, later)),
            )

        whole = gemm.k - gemm.k % WIDENED
        sums = code.loop(
            whole, WIDENED, sums, lambda k, carried: add_slice(k, WIDENED, carried)
        )
        rest = gemm.k - whole
        return add_slice(whole, rest, sums) if rest else sums

    def _widen(self, a: Value, rows: int, size: int, target: Value) -> None:
        """Write some columns of a strip of A to `target` as f32."""
        code, lanes = self.code, self.unit.lanes

        def widen(row: Value | int, column: Value | int, used: int) -> None:
            offset = code.add(code.multiply(row, self.gemm.lda), column)
            address = code.at(a, offset, self.element.type)
            vector = self.element.load(code, address, lanes, used)
            place = code.add(code.multiply(row, WIDENED), column)
            self.product.factors.store(
                code, vector, code.at(target, place, self.product.factors.type), used
            )

        whole = size - size % lanes

        def widen_row(row: Value | int, _: list[Value]) -> list[Value]:
            for column in range(0, whole, lanes):
                widen(row, column, lanes)
            if size > whole:
                widen(row, whole, size - whole)
            return []

        code.loop(rows, 1, [], widen_row)

    def _ask(
        self, tile: Tile, share: Share, matrix: Value | int, k: Value | int
    ) -> None:
        """Ask for some of what is used later, in the iteration for `k` of a product.

        Each iteration asks for little: loads would wait for many lines at once. All
        iterations of all tiles ask for the next matrix. Those of the first product also
        ask for the place of the sums, and for the bias.
        """
        code, gemm = self.code, self.gemm
        size = self.steps(gemm.k) * self.product.k_step
        self.ask_for_next(share, matrix, k, size)

        def ask_for_end(_: list[Value]) -> list[Value]:
            row = code.divide(code.multiply(k, tile.rows), gemm.k)
            self.ask_for_end(tile, row)
            return []

        code.when(matrix, "==", 0, [], ask_for_end)

    def steps(self, size: int) -> int:
        """How many steps of a sum are written out; all of them take LLVM too long."""
        if self.vectors == 1:
            return STEPS_OF_NARROW_TILES
        return 4 if size >= LONG and self.gemm.m == 1 else 2

    def _add_slices(
        self,
        tile: Tile,
        slices: Slices,
        size: int,
        sums: list[Value],
        ask: Callable[[Value | int], None],
    ) -> list[Value]:
        """Add the product of some columns of a strip of A and as many rows of B.

        Calls `ask` once for each iteration.
        """
        code, step = self.code, self.product.k_step

        def rounds(k: Value | int, count: int, carried: list[Value]) -> list[Value]:
            ask(k)
            size = tile.rows * len(tile.widths)
            for number in range(count):
                at = code.add(k, number * step)
                start = number * size % len(carried)
                chain = carried[start : start + size]
                carried = list(carried)
                carried[start : start + size] = self.add_step(tile, slices, at, chain)
            return carried

        steps = self.steps(size)
        unrolled = steps * step
        whole = size - size % unrolled
        sums = code.loop(
            whole, unrolled, sums, lambda k, carried: rounds(k, steps, carried)
        )
        rest = (size - whole) // step
        return rounds(whole, rest, sums) if rest else sums

    def add_step(
        self, tile: Tile, slices: Slices, k: Value | int, sums: list[Value]
    ) -> list[Value]:
        """Add an element of A, or a pair, times a row of B, or a pair of rows."""
        code, lanes, step = self.code, self.lanes_of(tile), self.product.k_step
        offset_b = code.multiply(k, slices.ldb)
        row_of_b = code.at(slices.b, offset_b, self.element.type)
        later_lines = self._lines_later(tile, row_of_b, slices.ahead)
        vectors = [
            self.product.load_row(
                code,
                code.at(row_of_b, number * lanes * step, self.element.type),
                lanes,
                used,
            )
            for number, used in enumerate(tile.widths)
        ]
        at_k = code.at(slices.a, k, self.product.factors.type)
        result: list[Value] = []
        for row in range(tile.rows):
            address = code.at(at_k, row * slices.lda, self.product.factors.type)
            factor = self.product.load_factor(code, address, lanes)
            # One at a time, among the multiplications: loads would wait for several.
            for line in later_lines[row :: tile.rows]:
                code.prefetch(line)
            for vector in vectors:
                sum_ = sums[len(result)]
                result.append(self.product.add(code, factor, vector, sum_))
        return result

    def _lines_later(self, tile: Tile, row_of_b: Value, ahead: int) -> list[Value]:
        """Where the cache lines start of what is so far behind part of a row of B."""
        code, lanes, step = self.code, self.unit.lanes, self.product.k_step
        if not ahead:
            return []
        width = lanes * step
        vector_bytes = width * self.element.bytes
        later = code.at(row_of_b, ahead, self.element.type)
        return [
            code.at(later, number * width, self.element.type)
            for number in range(len(tile.widths))
            if number * vector_bytes % CACHE_LINE == 0
        ]

    def _later_row(self, tile: Tile) -> int:
        """How far behind part of a row of B another is that is used later.

        It is a later row, perhaps of the next matrix of the batch. Of one matrix of few
        rows it is the part of the next panel. None is asked for if rows follow each
        other: processors fetch those unasked.
        """
        gemm, step = self.gemm, self.product.k_step
        if gemm.ldb == sum(tile.widths):
            return 0
        width = len(tile.widths) * self.unit.lanes * step
        rows = max(1, BYTES_AHEAD // (width * self.element.bytes)) * step
        has_few = not gemm.takes_batch and gemm.k <= rows
        return width if has_few else rows * gemm.ldb

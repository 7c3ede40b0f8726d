"""Sums over a window: convolutions and pooling, some pixels of an image at a time.

    for each panel of channels, for each strip of pixels:
      sums = 0, or C
      for each step of the window (blocks of channels, rows, columns, channels):
        product:      sums[pixel] += element of A * vector of B
        depthwise:    sums[pixel] += vector of A * vector of B
        add, max:     sums[pixel]  = sums[pixel] + vector of A, or the larger one
      sums -> bias -> E -> ReLU -> bounds -> C

Channels of C are vectors. In a product, elements of A are broadcast. So A may lie in
memory in any way: each loop has a distance of its own in A and in B. Loops that go on
where the next inner one ends are one loop. Pixels are rows and columns of an
image; if rows follow each other, they are one row.
"""

from collections.abc import Callable, Sequence
from typing import Final

from xdsl_bufferization.support import abi

from ..processors.vector_unit import VectorUnit
from . import elements
from .emitter import (
    CACHE_LINE,
    F32,
    POINTER,
    Emitter,
    Value,
    byte_size,
    splat,
    vector_type,
    zeros,
)
from .window import Limit, Strip, Window, with_long_loops
from .window_zeros import steps_inside, sums_of_zeros

MOST_VECTORS: Final = 4
"""Of a panel of a product, if there are 32 registers."""

MOST_PIXELS: Final = 28
"""Of a strip; more are more code, and not faster."""

WRITTEN_OUT: Final = 8
"""Up to so many steps, the innermost loop is written out."""

FEWEST_SUMS: Final = 7
"""So many vectors of sums are computed at once, or additions wait for each other."""

MANY_WEIGHTS: Final = 32 * 1024
"""Bytes of B: with more, the nearest cache does not hold the next one in advance."""

UNROLLED: Final = 4
"""How many steps of a longer loop are written out."""


def build_window(window: Window, unit: VectorUnit) -> str:
    """LLVM IR of `void kernel(ptr A, ptr B, ptr C, ptr D, ptr E)`."""
    return WindowCode(with_long_loops(window), unit).build()


class WindowCode:
    """The code of a kernel; `window_blocks.py` has another order of loops."""

    def __init__(self, window: Window, unit: VectorUnit):
        self.window = window
        self.unit = unit
        self.code = Emitter(abi.KERNEL, [POINTER] * 5, has_masks=unit.has_masks)
        self.a, self.b, self.c, self.d, self.e = self.code.arguments
        self.weights = max(step.iterations * step.b for step in self.window.steps)
        """How many elements of B a product walks through: of all, or of a block."""
        self.block = self.b
        """Where these begin."""
        is_long = self.weights * byte_size(F32) > MANY_WEIGHTS
        self.asks_for_weights = window.is_product and is_long

    def build(self) -> str:
        """All panels of channels."""
        self._each_strip(self._compute)
        return self.code.finish()

    def _each_strip(self, write: Callable[[Strip], None]) -> None:
        """Write code for all strips of all panels."""
        lanes, channels = self.unit.lanes, self.window.channels
        most = 1
        if self.window.is_product:
            most = MOST_VECTORS if self.unit.registers >= 32 else 2
        vectors = -(-channels // lanes)
        vectors = -(-vectors // -(-vectors // most))

        def panel(channel: Value | int, widths: tuple[int, ...]) -> list[Value]:
            self._strips(channel, widths, write)
            return []

        self.code.loop_panels(channels, vectors, lanes, panel)

    def _most_pixels(self, vectors: int) -> int:
        """As many as the registers hold the sums of, beside vectors of B and of A."""
        others = vectors + 1
        if not self.window.is_product:
            # A step of the window needs a vector of A and one of B.
            steps = self._steps_at_once()
            others = steps + (0 if self._has_no_factors else steps)
        return max(1, min(MOST_PIXELS, (self.unit.registers - others) // vectors))

    @property
    def _has_no_factors(self) -> bool:
        return self.window.kind in ("add", "max")

    def _steps_at_once(self) -> int:
        """How many steps are written out.

        If the sums of a product fill 32 registers, one step is long enough. Of several,
        LLVM loads for the later ones too early, and the sums leave the registers.
        """
        if self.window.is_product and self.unit.registers >= 32:
            return 1
        count = self.window.steps[-1].iterations
        return count if count <= WRITTEN_OUT else UNROLLED

    # Strips of pixels.

    def _strips(
        self,
        channel: Value | int,
        widths: tuple[int, ...],
        write: Callable[[Strip], None],
    ) -> None:
        """Write code for all pixels of one panel of channels."""
        code, (rows, columns) = self.code, self.window.sizes
        most = self._most_pixels(len(widths))

        def along_row(row: Value | int, _: list[Value]) -> list[Value]:
            for first, count, size in _cut(columns, most):

                def part(
                    at: Value | int,
                    _: list[Value],
                    first: int = first,
                    size: int = size,
                ) -> list[Value]:
                    column = code.add(at, first)
                    write(Strip(row, column, 1, size, channel, widths))
                    return []

                code.loop(count * size, size, [], part)
            return []

        at_once = most // columns
        if self.window.has_zeros:
            # A row of pixels alone leaves out more than several together.
            at_once = min(at_once, -(-FEWEST_SUMS // (columns * len(widths))))
        if at_once <= 1:
            code.loop(rows, 1, [], along_row)
            return
        for first, count, size in _cut(rows, at_once):

            def whole_rows(
                at: Value | int, _: list[Value], first: int = first, size: int = size
            ) -> list[Value]:
                row = code.add(at, first)
                write(Strip(row, 0, size, columns, channel, widths))
                return []

            code.loop(count * size, size, [], whole_rows)

    def _compute(self, strip: Strip) -> None:
        a, b = self._factors(strip)
        asked = self._first_asked(strip)
        sums = self._nest(strip, 0, a, b, asked, self._initial(strip, b))
        self._finish(strip, sums)

    def _factors(self, strip: Strip) -> tuple[Value, Value]:
        """Where a strip begins in A, and its channels in B."""
        code = self.code
        a, b = self._start(self.a, strip, 0), self.b
        if not self.window.is_product:
            a = code.at(a, strip.channel, F32)
        if not self._has_no_factors:
            b = code.at(b, strip.channel, F32)
        return a, b

    def _start(self, base: Value, strip: Strip, operand: int) -> Value:
        """Where the first pixel of a strip is in A, C or E."""
        code, window = self.code, self.window
        offset = code.add(
            code.multiply(strip.row, window.rows[operand]),
            code.multiply(strip.column, window.columns[operand]),
        )
        return code.at(base, offset, F32)

    def _places(self, base: Value, strip: Strip, operand: int) -> list[list[Value]]:
        """For each pixel, where its vectors are in C or E."""
        code, lanes = self.code, self.unit.lanes
        start = code.at(self._start(base, strip, operand), strip.channel, F32)
        return [
            [
                code.at(start, self._offset(pixel, operand) + number * lanes, F32)
                for number in range(len(strip.widths))
            ]
            for pixel in strip.pixels()
        ]

    def _offset(self, pixel: tuple[int, int], operand: int) -> int:
        row, column = pixel
        window = self.window
        return row * window.rows[operand] + column * window.columns[operand]

    def _load(self, places: Sequence[Value], strip: Strip) -> list[Value]:
        return [
            self.code.load(place, F32, self.unit.lanes, used)
            for place, used in zip(places, strip.widths, strict=True)
        ]

    def _initial(self, strip: Strip, b: Value) -> list[Value]:
        """What the sums start with, pixel by pixel."""
        if self.window.beta_0:
            start = [zeros(vector_type(F32, self.unit.lanes))] * len(strip.widths)
            if self.window.has_zeros:
                start = sums_of_zeros(self.code, self.window, strip, b, self.unit.lanes)
            return start * (strip.rows * strip.columns)
        places = self._places(self.c, strip, 1)
        return [each for pixel in places for each in self._load(pixel, strip)]

    def _finish(self, strip: Strip, sums: Sequence[Value]) -> None:
        """Write the sums of a strip, after what is added to them."""
        code, width = self.code, len(strip.widths)
        residuals = self._places(self.e, strip, 2) if self.window.residual else []
        added = [self._bias(strip)] if self.window.bias else []
        for pixel, places in enumerate(self._places(self.c, strip, 1)):
            values = list(sums[pixel * width : (pixel + 1) * width])
            terms = list(added)
            if residuals:
                terms.append(self._load(residuals[pixel], strip))
            for term in terms:
                pairs = zip(values, term, strict=True)
                values = [code.build.fadd(*pair) for pair in pairs]
            if self.window.relu:
                values = [elements.relu(code, value) for value in values]
            for limit in self.window.limits:
                values = [self._limited(value, limit) for value in values]
            for value, place, used in zip(values, places, strip.widths, strict=True):
                code.store(value, place, used)

    def _limited(self, value: Value, limit: Limit) -> Value:
        build, lanes = self.code.build, self.unit.lanes
        bound = splat(F32, lanes, limit.bound)
        match limit.kind:
            case "larger":
                return build.select(build.fcmp_ordered(">", value, bound), value, bound)
            case "at_least":
                return build.select(build.fcmp_ordered(">", bound, value), bound, value)
            case "smaller":
                return build.select(build.fcmp_ordered("<", value, bound), value, bound)
            case _:
                return build.select(build.fcmp_ordered("<", bound, value), bound, value)

    def _bias(self, strip: Strip) -> list[Value]:
        """A number for each channel."""
        code, lanes = self.code, self.unit.lanes
        start = code.at(self.d, strip.channel, F32)
        places = [code.at(start, at * lanes, F32) for at in range(len(strip.widths))]
        return self._load(places, strip)

    # The window.

    def _nest(
        self,
        strip: Strip,
        depth: int,
        a: Value,
        b: Value,
        asked: Value | int,
        sums: list[Value],
    ) -> list[Value]:
        """Add all steps of the loops from `depth` on."""
        code, step = self.code, self.window.steps[depth]
        asked_step = self._asked(strip, step.b)

        def at(number: Value | int) -> tuple[Value, Value, Value | int]:
            return (
                code.at(a, code.multiply(number, step.a), F32),
                code.at(b, code.multiply(number, step.b), F32),
                code.add(asked, code.multiply(number, asked_step)),
            )

        if depth < len(self.window.steps) - 1:
            first, end = steps_inside(code, self.window, strip, step)
            return code.loop(
                code.subtract(end, first),
                1,
                sums,
                lambda i, carried: self._nest(
                    strip, depth + 1, *at(code.add(first, i)), carried
                ),
            )
        add = self._add_products if self.window.is_product else self._add_vectors

        def steps(first: Value | int, count: int, carried: list[Value]) -> list[Value]:
            a_here, b_here, asked_here = at(first)
            if self.asks_for_weights:
                self._ask(strip, count, asked_here)
            return add(strip, count, a_here, b_here, carried)

        size = self._steps_at_once()
        whole = step.iterations - step.iterations % size
        sums = code.loop(whole, size, sums, lambda i, carried: steps(i, size, carried))
        rest = step.iterations - whole
        return steps(whole, rest, sums) if rest else sums

    def _asked(self, strip: Strip, weights: int) -> int:
        """For how many elements of the next B a strip asks, of so many."""
        if not self.asks_for_weights:
            return 0
        rows, columns = self.window.sizes
        part = strip.rows * strip.columns * sum(strip.widths)
        return -(-weights * part // (rows * columns * self.window.channels))

    def _first_asked(self, strip: Strip) -> Value | int:
        """Where in the next B it begins what a strip asks for."""
        if not self.asks_for_weights:
            return 0
        code, window, (_, columns) = self.code, self.window, self.window.sizes
        pixel = code.add(code.multiply(strip.row, columns), strip.column)
        one = strip._replace(rows=1, columns=1)
        return code.add(
            code.multiply(strip.channel, -(-self.weights // window.channels)),
            code.multiply(pixel, self._asked(one, self.weights)),
        )

    def _ask(self, strip: Strip, count: int, asked: Value | int) -> None:
        """Ask for some of the weights that follow, in so many steps.

        In packed weights these are the next channels, in memory that is slower than the
        caches. All strips share them.
        """
        code, step = self.code, self.window.steps[-1]
        start = code.at(self.block, code.add(asked, self.weights), F32)
        size = count * self._asked(strip, step.b)
        for line in range(0, size, CACHE_LINE // byte_size(F32)):
            code.prefetch(code.at(start, line, F32), level=2)

    def _add_products(
        self, strip: Strip, count: int, a: Value, b: Value, sums: list[Value]
    ) -> list[Value]:
        """Add some elements of A, each times a vector of B."""
        code, lanes, step = self.code, self.unit.lanes, self.window.steps[-1]
        for number in range(count):
            row = [
                code.at(b, number * step.b + vector * lanes, F32)
                for vector in range(len(strip.widths))
            ]
            factors = self._load(row, strip)
            remaining, sums = iter(sums), []
            for pixel in strip.pixels():
                place = code.at(a, number * step.a + self._offset(pixel, 0), F32)
                element = code.broadcast(code.load_scalar(place, F32), lanes)
                sums += [code.fma(element, each, next(remaining)) for each in factors]
        return sums

    def _add_vectors(
        self, strip: Strip, count: int, a: Value, b: Value, sums: list[Value]
    ) -> list[Value]:
        """Add some vectors of A, each times one of B if there is a B."""
        code, step = self.code, self.window.steps[-1]
        loaded: dict[int, Value] = {}
        factors: list[Value] = []
        if not self._has_no_factors:
            places = [code.at(b, number * step.b, F32) for number in range(count)]
            factors = [self._load([place], strip)[0] for place in places]
        results: list[Value] = []
        for pixel, sum_ in zip(strip.pixels(), sums, strict=True):
            for number in range(count):
                offset = number * step.a + self._offset(pixel, 0)
                if offset not in loaded:
                    place = code.at(a, offset, F32)
                    (loaded[offset],) = self._load([place], strip)
                vector = loaded[offset]
                if factors:
                    sum_ = code.fma(vector, factors[number], sum_)
                elif self.window.kind == "add":
                    sum_ = code.build.fadd(sum_, vector)
                else:
                    sum_ = code.maximum(sum_, vector)
            results.append(sum_)
        return results


def _cut(size: int, most: int) -> list[tuple[int, int, int]]:
    """Cut into parts of at most `most`: starts, counts and sizes of equal parts.

    Sizes differ by one at most.
    """
    count = -(-size // most)
    larger = -(-size // count)
    fewer = larger * count - size
    first = (count - fewer) * larger
    parts = [(0, count - fewer, larger), (first, fewer, larger - 1)]
    return [part for part in parts if part[1]]

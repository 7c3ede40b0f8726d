"""Sums over a window with many weights, which are walked through block by block.

    sums = 0, or C
    for each step of the outermost loop, for each panel of channels, for each strip:
      sums[strip] += products of the inner loops
    sums -> bias -> E -> ReLU -> bounds -> C

In the order of `window_vectors.py`, each strip of pixels walks through all weights of
its channels. The nearest cache does not hold them, so that each strip reads them from
the second one, and the first strip from memory. A block of them stays in the nearest
cache for all strips, which ask for the next block meanwhile.

Each sum has its products in the same order. Between two blocks it is on the stack, as
exact as in a register. So results have the bits of `window_vectors.py`.
"""

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from ..processors.vector_unit import VectorUnit
from .emitter import F32, Value, byte_size
from .window import Strip, Window, with_long_loops
from .window_vectors import WindowCode

MANY_WEIGHTS: Final = 192 * 1024
"""Bytes of B; fewer stay in the second cache, beside all else."""

_LARGEST_BLOCK: Final = 48 * 1024
"""Bytes of B that a step of the outermost loop walks through, at most."""

_MOST_SUMS: Final = 64 * 1024
"""Bytes of sums, at most."""


def can_build(window: Window, unit: VectorUnit) -> bool:
    """Whether there is such a kernel for a window, and it is faster."""
    window = with_long_loops(window)
    first, *others = window.steps
    if not (window.is_product and others) or first.inside is not None:
        return False
    item = byte_size(F32)
    return (
        first.iterations * first.b * item > MANY_WEIGHTS
        and all(each.iterations * each.b <= first.b for each in others)
        and first.b * item <= _LARGEST_BLOCK
        and _sums_of(window, unit) * item <= _MOST_SUMS
    )


def build_window(window: Window, unit: VectorUnit) -> str:
    """LLVM IR of `void kernel(ptr A, ptr B, ptr C, ptr D, ptr E)`."""
    return _BlocksCode(with_long_loops(window), unit).build()


def _sums_of(window: Window, unit: VectorUnit) -> int:
    """The number of all sums, in whole vectors."""
    rows, columns = window.sizes
    return rows * columns * -(-window.channels // unit.lanes) * unit.lanes


class _BlocksCode(WindowCode):
    def __init__(self, window: Window, unit: VectorUnit):
        super().__init__(window, unit)
        self.weights = window.steps[0].b
        rows, columns = window.sizes
        sums = _sums_of(window, unit)
        self.sums = self.code.memory(sums, F32)
        self.sums_of_pixel = sums // (rows * columns)

    @override
    def build(self) -> str:
        code, first = self.code, self.window.steps[0]

        def begin(strip: Strip) -> None:
            _, b = self._factors(strip)
            self._keep(strip, self._initial(strip, b))

        def block(number: Value | int, _: list[Value]) -> list[Value]:
            offset_a = code.multiply(number, first.a)
            offset_b = code.multiply(number, first.b)
            self.block = code.at(self.b, offset_b, F32)

            def add(strip: Strip) -> None:
                a, b = self._factors(strip)
                a, b = code.at(a, offset_a, F32), code.at(b, offset_b, F32)
                asked = self._first_asked(strip)
                sums = self._nest(strip, 1, a, b, asked, self._kept(strip))
                self._keep(strip, sums)

            self._each_strip(add)
            return []

        self._each_strip(begin)
        code.loop(first.iterations, 1, [], block)
        self._each_strip(lambda strip: self._finish(strip, self._kept(strip)))
        return code.finish()

    def _keep(self, strip: Strip, sums: Sequence[Value]) -> None:
        for place, value in zip(self._places_of_sums(strip), sums, strict=True):
            self.code.store(value, place, self.unit.lanes)

    def _kept(self, strip: Strip) -> list[Value]:
        lanes = self.unit.lanes
        places = self._places_of_sums(strip)
        return [self.code.load(place, F32, lanes, lanes) for place in places]

    def _places_of_sums(self, strip: Strip) -> list[Value]:
        code, (_, columns) = self.code, self.window.sizes
        pixel = code.add(code.multiply(strip.row, columns), strip.column)
        first = code.add(code.multiply(pixel, self.sums_of_pixel), strip.channel)
        start = code.at(self.sums, first, F32)
        return [
            code.at(
                start,
                (row * columns + column) * self.sums_of_pixel
                + number * self.unit.lanes,
                F32,
            )
            for row, column in strip.pixels()
            for number in range(len(strip.widths))
        ]

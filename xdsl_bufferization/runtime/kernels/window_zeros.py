"""Products with rows of zeros around an image, which a sum over a window leaves out.

    rows of A, of which - are zeros: - - 0 1 2 3 4 - -      a window of 5 rows
    pixels of row 0 are sums over rows 2, 3 and 4 of the window
    pixels of row 1 are sums over rows 1, 2, 3 and 4, and so on

A product that is left out is 0, unless its weight is infinite or NaN: then it is NaN.
So sums start with 0 * weight + 0 * weight + ..., over all weights of the rows that are
left out. Pixels of a strip share these weights: this is one product for all of them.
"""

from typing import Final

from .emitter import F32, Emitter, Value, vector_type, zeros
from .window import Step, Strip, Window

CHAINS: Final = 4
"""So many vectors are added to in turns, as an addition waits for the one before."""


def steps_inside(
    code: Emitter, window: Window, strip: Strip, step: Step
) -> tuple[Value | int, Value | int]:
    """The first iteration of a loop that counts for pixels of `strip`, and the end."""
    if step.inside is None:
        return 0, step.iterations
    first_row = code.multiply(strip.row, window.rows.a)
    last_row = code.add(first_row, (strip.rows - 1) * window.rows.a)

    def steps_to(place: int, row: Value | int) -> Value | int:
        distance = code.subtract(place, code.minimum(row, place))
        steps = code.divide(code.add(distance, step.a - 1), step.a)
        return code.minimum(steps, step.iterations)

    first, end = step.inside
    return steps_to(first, last_row), steps_to(end, first_row)


def sums_of_zeros(
    code: Emitter, window: Window, strip: Strip, b: Value, lanes: int
) -> list[Value]:
    """The sums of the products left out, a vector for each of `strip.widths`."""
    width = len(strip.widths)
    products = _Products(code, window, strip, lanes)
    sums = products.add(0, b, [products.zero] * (width * -(-CHAINS // width)))
    total = sums[:width]
    for start in range(width, len(sums), width):
        pairs = zip(total, sums[start : start + width], strict=True)
        total = [code.build.fadd(*pair) for pair in pairs]
    return total


class _Products:
    """Adds products with zeros to sums, of which each vector of B has several."""

    def __init__(self, code: Emitter, window: Window, strip: Strip, lanes: int):
        self._code = code
        self._window = window
        self._strip = strip
        self._lanes = lanes
        self.zero = zeros(vector_type(F32, lanes))

    def add(self, depth: int, b: Value, sums: list[Value]) -> list[Value]:
        """Add what the loops from `depth` on leave out."""
        code, step = self._code, self._window.steps[depth]
        parts: list[tuple[Value | int, Value | int]] = [(0, step.iterations)]
        if step.inside is not None:
            first, end = steps_inside(code, self._window, self._strip, step)
            parts = [(0, first), (end, code.subtract(step.iterations, end))]
        for start, count in parts:
            place = code.at(b, code.multiply(start, step.b), F32)
            sums = self._add_steps(depth, place, count, sums)
        return sums

    def _add_steps(
        self, depth: int, b: Value, count: Value | int, sums: list[Value]
    ) -> list[Value]:
        code, step = self._code, self._window.steps[depth]

        def at(number: Value | int) -> Value:
            return code.at(b, code.multiply(number, step.b), F32)

        if depth < len(self._window.steps) - 1:
            return code.loop(
                count, 1, sums, lambda i, carried: self.add(depth + 1, at(i), carried)
            )
        assert isinstance(count, int), "no rows are left out of the innermost loop"
        size = len(sums) // len(self._strip.widths)
        whole = count - count % size
        sums = code.loop(
            whole,
            size,
            sums,
            lambda i, carried: self._add_products(at(i), size, carried),
        )
        return self._add_products(at(whole), count - whole, sums)

    def _add_products(self, b: Value, count: int, sums: list[Value]) -> list[Value]:
        """Add the products of some steps, each to vectors of its own."""
        code, step = self._code, self._window.steps[-1]
        added: list[Value] = []
        for number in range(count):
            for vector, used in enumerate(self._strip.widths):
                place = code.at(b, number * step.b + vector * self._lanes, F32)
                weights = code.load(place, F32, self._lanes, used)
                added.append(code.fma(self.zero, weights, sums[len(added)]))
        return [*added, *sums[len(added) :]]

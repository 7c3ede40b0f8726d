"""Speed over size of products as SVG: a dot for each product and who computed it.

    plot([Point(2_000_000, "ours", 80.0), ...])   ->   "<svg ..."

Both axes are logarithmic. Ours are filled circles, others are rings.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 820, 460
LEFT, RIGHT, TOP, BOTTOM = 70, 24, 56, 56

COLORS = {"ours": "#0b6e4f", "oneDNN": "#5b4b9a", "PyTorch": "#a3333d"}

_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#333}"
    ".small{font-size:11px;fill:#666}"
    ".title{font-size:15px;font-weight:600}"
)


class Point(NamedTuple):
    """How fast somebody computed a product."""

    flops: float
    who: str
    speed: float
    """GFLOP/s."""


def plot(points: Sequence[Point]) -> str:
    """The plot as the text of an SVG file."""
    x = _Axis(
        min(p.flops for p in points), max(p.flops for p in points), LEFT, WIDTH - RIGHT
    )
    y = _Axis(
        min(p.speed for p in points), max(p.speed for p in points), HEIGHT - BOTTOM, TOP
    )
    parts = [*_grid(x, y), *(_dot(x, y, point) for point in points), *_legend(points)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-label="Speed of products by their size">'
        f"<style>{_STYLE}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


class _Axis:
    """A logarithmic axis from powers of ten to powers of ten."""

    def __init__(self, low: float, high: float, start: float, end: float):
        self.first = math.floor(math.log10(low))
        self.last = max(math.ceil(math.log10(high)), self.first + 1)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        share = (math.log10(value) - self.first) / (self.last - self.first)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> Iterator[float]:
        return (10.0**power for power in range(self.first, self.last + 1))


def _grid(x: _Axis, y: _Axis) -> Iterator[str]:
    title = "Speed of products by their size"
    yield f'<text class="title" x="{LEFT}" y="24">{title}</text>'
    for tick in x.ticks():
        at = x.at(tick)
        yield _line(at, TOP, at, HEIGHT - BOTTOM)
        place = f'x="{at:.0f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle"'
        yield f"<text {place}>{tick:g}</text>"
    for tick in y.ticks():
        at = y.at(tick)
        yield _line(LEFT, at, WIDTH - RIGHT, at)
        yield f'<text x="{LEFT - 8}" y="{at + 4:.0f}" text-anchor="end">{tick:g}</text>'
    yield f'<text class="small" x="8" y="{TOP - 8}">GFLOP/s</text>'
    end = f'x="{WIDTH - RIGHT}" y="{HEIGHT - 14}" text-anchor="end"'
    yield f'<text class="small" {end}>multiplications and additions</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return (
        f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="#eee"/>'
    )


def _dot(x: _Axis, y: _Axis, point: Point) -> str:
    return _circle(x.at(point.flops), y.at(point.speed), point.who)


def _circle(x: float, y: float, who: str) -> str:
    color = COLORS[who]
    fill = color if who == "ours" else "none"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{color}"/>'


def _legend(points: Sequence[Point]) -> Iterator[str]:
    present = {point.who for point in points}
    for number, who in enumerate(who for who in COLORS if who in present):
        x = LEFT + 12 + 110 * number
        yield _circle(x, 42, who)
        yield f'<text x="{x + 10}" y="46">{who}</text>'

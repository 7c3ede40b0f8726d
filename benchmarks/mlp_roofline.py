"""A roofline as SVG: speed over flops per byte, under what the processor can do.

    roofline([Roof(1, 150, 12)], [Point("a", "ours", 1, 40, 130)])   ->   "<svg ..."

Both axes are logarithmic. A roof is a line of memory bandwidth up to the peak of
multiply-add. Ours are filled circles, others are rings; names stand beside ours.
"""

import html
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 820, 526
LETTER, LINE = 5.2, 12
LEFT, RIGHT, TOP, BOTTOM = 70, 24, 66, 56

COLORS = {
    "ours": "#0b6e4f",
    "C on LIBXSMM": "#b5542c",
    "oneDNN, prepacked": "#5b4b9a",
    "NumPy": "#8a6d00",
    "PyTorch eager": "#a3333d",
    "PyTorch compiled": "#c76b8a",
    "JAX": "#2c6fb5",
}


class Roof(NamedTuple):
    """What the processor can do on so many threads."""

    threads: int
    peak: float
    """GFLOP/s."""
    bandwidth: float
    """GB/s."""
    kind: str = "f32"
    """What is multiplied, and where."""


class Point(NamedTuple):
    """How fast somebody ran a program."""

    program: str
    who: str
    threads: int
    intensity: float
    """Flops per byte."""
    speed: float
    """GFLOP/s."""


def roofline(roofs: Sequence[Roof], points: Sequence[Point]) -> str:
    """The plot as the text of an SVG file."""
    scale = _Scale(roofs, points)
    parts = [*_frame(scale), *_roofs(scale, roofs), *_points(scale, points)]
    parts += _legend({point.who for point in points})
    style = (
        "text{font:13px system-ui,sans-serif;fill:#333}"
        ".small{font-size:11px;fill:#666}"
        ".title{font-size:15px;font-weight:600}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-label="Roofline of the perceptrons"><style>{style}</style>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


class _Scale:
    """Where numbers are in the plot."""

    def __init__(self, roofs: Sequence[Roof], points: Sequence[Point]):
        xs = [point.intensity for point in points]
        ys = [point.speed for point in points] + [roof.peak for roof in roofs]
        self.x = (2.0 ** math.floor(math.log2(min(xs) / 2)), 2 * max(xs))
        self.y = (2.0 ** math.floor(math.log2(min(ys) / 1.3)), 1.4 * max(ys))

    def at_x(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * _share(value, *self.x)

    def at_y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(value, *self.y)


def _share(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low)


def _ticks(low: float, high: float) -> Iterator[float]:
    tick = 2.0 ** math.ceil(math.log2(low))
    while tick <= high:
        yield tick
        tick *= 2


def _frame(scale: _Scale) -> Iterator[str]:
    yield '<text class="title" x="70" y="24">Speed over flops per byte</text>'
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for tick in _ticks(*scale.x):
        x = scale.at_x(tick)
        yield _line(x, TOP, x, bottom, "#eee")
        at = f'x="{x:.0f}" y="{bottom + 20}"'
        yield f'<text {at} text-anchor="middle">{tick:g}</text>'
    for tick in _ticks(*scale.y):
        y = scale.at_y(tick)
        yield _line(LEFT, y, right, y, "#eee")
        yield f'<text x="{LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{tick:g}</text>'
    yield (
        f'<text class="small" x="{right}" y="{HEIGHT - 12}" text-anchor="end">'
        "flops per byte that has to be moved</text>"
    )
    yield f'<text class="small" x="8" y="{TOP - 8}">GFLOP/s</text>'


def _roofs(scale: _Scale, roofs: Sequence[Roof]) -> Iterator[str]:
    for roof in roofs:
        ridge = roof.peak / roof.bandwidth
        low, high = scale.x
        start = max(low, scale.y[0] / roof.bandwidth)
        if start < ridge:
            yield _line(
                scale.at_x(start),
                scale.at_y(start * roof.bandwidth),
                scale.at_x(ridge),
                scale.at_y(roof.peak),
                "#555",
            )
        top = scale.at_y(roof.peak)
        yield _line(scale.at_x(max(low, ridge)), top, scale.at_x(high), top, "#555")
        threads = f"{roof.threads} thread{'s' if roof.threads > 1 else ''}"
        what = f"peak of {roof.kind}, {threads}: {roof.peak:.0f}"
        yield (
            f'<text class="small" x="{scale.at_x(high) - 4:.0f}" y="{top - 6:.0f}" '
            f'text-anchor="end">{what}</text>'
        )


def _label(scale: _Scale, point: Point, others: Sequence[Point]) -> str:
    """The name of one of ours: beside it where no other is, and below one above it."""
    x, y = scale.at_x(point.intensity), scale.at_y(point.speed)
    across = [scale.at_x(other.intensity) - x for other in others]
    down = [y - scale.at_y(other.speed) for other in others]
    near = list(zip(across, down, strict=True))
    name = f"({point.program}) x {point.threads}"
    width = 10 + LETTER * len(name)
    is_left = any(0 < right < width and abs(dy) < LINE for right, dy in near)
    below = max((LINE - dy for dx, dy in near if dx == 0 and 0 < dy < LINE), default=0)
    place = f'x="{x - 10 if is_left else x + 10:.0f}" y="{y + 4 + below:.0f}"'
    anchor = ' text-anchor="end"' if is_left else ""
    return f'<text class="small" {place}{anchor}>{html.escape(name)}</text>'


def _points(scale: _Scale, points: Sequence[Point]) -> Iterator[str]:
    ours = [point for point in points if point.who == "ours"]
    for point in points:
        x, y = scale.at_x(point.intensity), scale.at_y(point.speed)
        color = COLORS.get(point.who, "#333")
        is_ours = point.who == "ours"
        fill, radius = (color, 6) if is_ours else ("none", 4.5)
        title = html.escape(
            f"({point.program}) {point.who}, {point.threads} threads: "
            f"{point.speed:.0f} GFLOP/s"
        )
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" '
            f'stroke="{color}" stroke-width="2"><title>{title}</title></circle>'
        )
        if is_ours:
            yield _label(scale, point, ours)


def _legend(names: set[str]) -> Iterator[str]:
    x = LEFT + 6.0
    for name in (each for each in COLORS if each in names):
        fill = COLORS[name] if name == "ours" else "none"
        yield (
            f'<circle cx="{x}" cy="44" r="4.5" fill="{fill}" stroke="{COLORS[name]}" '
            f'stroke-width="2"/><text class="small" x="{x + 8}" y="48">{name}</text>'
        )
        x += 26 + 6.2 * len(name)


def _line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{color}"/>'
    )

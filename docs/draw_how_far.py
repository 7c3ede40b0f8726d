"""Draw the table of `docs/how_far.md`: how far decisions are from the bound.

    python docs/draw_how_far.py

writes `docs/assets/how_far.svg`, with a row for each kind of programs, and a dot for
each way to decide. A dot is as far to the right as its bytes are percent above the
bound.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).parent
PAGE: Final = HERE / "how_far.md"
PICTURE: Final = HERE / "assets" / "how_far.svg"

COLOURS: Final = {
    "bottom-up": "#8a8a8a",
    "best order": "#b5542c",
    "optimal": "#0b6e4f",
}
"""What is drawn, by the heads of columns."""

WIDTH, LEFT, RIGHT, TOP, ROW = 820, 150, 40, 76, 34
MOST: Final = 18
"""Percent at the right end."""


class Row(NamedTuple):
    """A row of the table."""

    kind: str
    functions: str
    percent: dict[str, float]
    """Above the bound."""


def rows(page: str) -> Iterator[Row]:
    """The rows of the table whose columns are bytes."""
    (table,) = re.findall(
        r"^\| functions \| bottom-up .*\n(?:\|.*\n)+", page, re.MULTILINE
    )
    head, _, *lines = (
        [*map(str.strip, line.split("|")[1:-1])] for line in table.splitlines()
    )
    for name, *cells in lines:
        numbers = (int(cell.replace(",", "")) for cell in cells)
        found = dict(zip(head[1:], numbers, strict=True))
        kind, _, count = name.rstrip(")").partition(" (")
        percent = {each: (found[each] / found["bound"] - 1) * 100 for each in COLOURS}
        yield Row(kind, count, percent)


def draw(page: str) -> str:
    """The picture, as the text of an SVG file."""
    found = [*rows(page)]
    height = TOP + ROW * len(found) + 36
    parts = [
        _text(16, 26, "title", "Bytes copied, in percent above the bound"),
        _text(16, 44, "small", "0 is best: no decisions copy less than the bound"),
    ]
    bottom = height - 36
    for percent in range(0, MOST + 1, 3):
        x = _x(percent)
        parts.append(f'<path d="M{x} {TOP - 8}V{bottom}" stroke="#ddd"/>')
        parts.append(_text(x, bottom + 18, "small middle", f"{percent} %"))
    for number, row in enumerate(found):
        y = TOP + ROW * number + ROW // 2
        parts.append(_text(16, y - 1, "", row.kind))
        parts.append(_text(16, y + 12, "small", f"{row.functions} functions"))
        ends = [_x(each) for each in row.percent.values()]
        parts.append(f'<path d="M{min(ends)} {y}H{max(ends)}" stroke="#bbb"/>')
        for name, percent in row.percent.items():
            title = f"{row.kind}, {name}: {percent:.2f} percent above the bound"
            parts.append(
                f'<circle cx="{_x(percent)}" cy="{y}" r="6" fill="{COLOURS[name]}">'
                f"<title>{title}</title></circle>"
            )
    for number, (name, colour) in enumerate(COLOURS.items()):
        x = 480 + 110 * number
        parts.append(f'<circle cx="{x}" cy="40" r="6" fill="{colour}"/>')
        parts.append(_text(x + 12, 44, "small", name))
    style = (
        "text{font:13px system-ui,sans-serif;fill:#333}"
        ".small{font-size:11px;fill:#666}"
        ".middle{text-anchor:middle}"
        ".title{font-size:15px;font-weight:600}"
    )
    label = "How many percent more bytes than the bound decisions copy"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="{label}">'
        f'<style>{style}</style><rect width="{WIDTH}" height="{height}" '
        f'fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _x(percent: float) -> float:
    return round(LEFT + percent * (WIDTH - LEFT - RIGHT) / MOST, 1)


def _text(x: float, y: float, kind: str, text: str) -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{text}</text>'


if __name__ == "__main__":
    PICTURE.write_text(draw(PAGE.read_text()))

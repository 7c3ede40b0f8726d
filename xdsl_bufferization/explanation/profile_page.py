"""A profile as one HTML file that refers to no other: the program, and what took time.

The page is `profile_page.html` beside this file, with these in place of its marks:

    <!-- title -->      the name of the program
    <!-- figures -->    the time of a call
    <!-- nests -->      a row for each nest, the slowest first
    <!-- lines -->      a row for each line of the program, with its share of the time
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from .profile import TimedNest, format_milliseconds


def render_profile(
    title: str, text: str, nests: Sequence[TimedNest], calls: int, seconds: float
) -> str:
    """The whole page; `nests` and `seconds` are of all `calls` together."""
    template = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    figures = f"{calls} calls, {format_milliseconds(seconds / calls)} ms each"
    return (
        template.replace("<!-- title -->", escape(title))
        .replace("<!-- figures -->", escape(figures))
        .replace("<!-- nests -->", "\n".join(_rows(nests, calls, seconds)))
        .replace("<!-- lines -->", "\n".join(_lines(text, nests, seconds)))
    )


def _rows(nests: Sequence[TimedNest], calls: int, seconds: float) -> Iterator[str]:
    for nest in nests:
        links = " ".join(f'<a href="#l{line}">{line}</a>' for line in nest.lines)
        cells = (
            f"{_share(nest.seconds, seconds):.1f}",
            format_milliseconds(nest.seconds / calls),
            f"{nest.runs / calls:g}",
        )
        yield (
            f'<tr class="{nest.kind}">'
            + "".join(f'<td class="n">{escape(cell)}</td>' for cell in cells)
            + f"<td>{nest.kind}</td><td>{links}</td><td>{escape(nest.what)}</td></tr>"
        )


def _lines(text: str, nests: Sequence[TimedNest], seconds: float) -> Iterator[str]:
    """Each line of the program, with the time of the nests that it is the first of."""
    of_line: defaultdict[int, float] = defaultdict(float)
    for nest in nests:
        if nest.lines:
            of_line[nest.lines[0]] += nest.seconds
    for number, line in enumerate(text.splitlines(), 1):
        share = _share(of_line[number], seconds)
        bar = f'<i style="width:{share:.1f}%"></i>{share:.1f}' if share >= 0.05 else ""
        yield (
            f'<tr id="l{number}"><td class="n">{number}</td><td class="bar">{bar}</td>'
            f'<td class="code">{escape(line)}</td></tr>'
        )


def _share(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0

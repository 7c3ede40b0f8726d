"""The programs of the documents: for links to the playground, and for its menu.

    list_programs()        the programs of all pages, with names
    link_to(program)       playground/index.html#program=...

A program has a function. What stands below the name of a pass is opened with that pass,
or with the passes of a line such as "With `cse`:".
"""

import base64
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from xdsl_bufferization.pipelines.pass_files import ROOMS

DOCS: Final = Path(__file__).parent
PAGE: Final = "playground/index.html"
"""The playground, as a page of the site names it."""

RESULT: Final = "deallocation"
"""The tab with what all passes leave."""

_PART: Final = re.compile(
    r"^(?P<fragment><!-- not run: [^\n]+ -->\n)?"
    r"```mlir(?: title=\"(?P<title>[^\"\n]+)\")?[^\n]*\n(?P<text>.*?)^```$"
    r"|^```.*?^```$"
    r"|^#+ (?P<heading>[^\n]+)$"
    r"|^With `(?P<passes>[^`\n]+)`:$",
    re.MULTILINE | re.DOTALL,
)
"""A block of MLIR, another block, a heading, or the passes of the next block."""

_TO_PAGE: Final = re.compile(rf"\[([^\]\n]+)\]\(\.\./{re.escape(PAGE)}\)")
_FUNCTION: Final = re.compile(r"\bfunc\.func\b")
_PASSES: Final = frozenset(name for names in ROOMS.values() for name in names)


@dataclass(frozen=True)
class Program:
    """A program that stands in a page."""

    group: str
    """The heading of the page."""
    title: str
    """Its file, or the heading above it."""
    text: str
    passes: str = ""
    """Those that it is shown with; empty for the usual ones."""
    tab: str = ""
    """The tab that is opened; empty for the first one."""


def add_links(markdown: str) -> str:
    """A page with a link to the playground below each program.

    A link to the source of the playground's page leads to the page itself.
    """
    markdown = _TO_PAGE.sub(rf'<a href="{PAGE}">\1</a>', markdown)
    parts: list[str] = []
    end = 0
    for program, at in _programs_of(markdown):
        parts += (
            markdown[end:at],
            f'\n\n<p class="playground"><a href="{link_to(program)}">'
            "open in the playground</a></p>\n",
        )
        end = at
    return "".join([*parts, markdown[end:]])


def link_to(program: Program) -> str:
    """The playground with a program; `playground/src/links.js` reads it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(program.text.encode()) + packer.flush()
    parts = {
        "program": base64.urlsafe_b64encode(packed).decode().rstrip("="),
        "passes": quote(program.passes, safe=""),
        "tab": program.tab,
    }
    return f"{PAGE}#" + "&amp;".join(f"{k}={v}" for k, v in parts.items() if v)


def list_programs() -> Iterator[Program]:
    """The programs of all pages: those of the first one, then by the pages' names."""
    pages = sorted(DOCS.glob("*.md"), key=lambda page: (page.name != "index.md", page))
    for page in pages:
        yield from (program for program, _ in _programs_of(page.read_text()))


def _programs_of(markdown: str) -> Iterator[tuple[Program, int]]:
    """The programs of a page, and where their blocks end."""
    heading = group = passes = ""
    numbers: Counter[str] = Counter()
    for found in _PART.finditer(markdown):
        if found["heading"] is not None:
            heading = found["heading"].strip("`* ")
            group = group or heading
            passes = heading if heading in _PASSES else ""
        elif found["passes"] is not None:
            passes = found["passes"]
        elif (text := found["text"]) is not None:
            if found["fragment"] is not None or not _FUNCTION.search(text):
                continue
            title = found["title"] or heading
            numbers[title] += 1
            more = f" ({numbers[title]})" if numbers[title] > 1 else ""
            tab = RESULT if passes else ""
            yield Program(group, title + more, text, passes, tab), found.end()
            # The next program is what the passes make of this one.
            passes = ""

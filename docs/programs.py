"""The programs of the documents: for links to the playground, and for its menu.

    list_programs()                 the programs of all pages, with names
    link_to("func.func ...")        playground/index.html#program=...
"""

import base64
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parent
PAGE = "playground/index.html"
"""The playground, as a page of the site names it."""

_PART = re.compile(
    r"^(?P<whole>(?P<fragment><!-- not run: .+? -->\n)?"
    r"^```mlir(?: title=\"(?P<title>[^\"]+)\")?[^\n]*\n(?P<text>.*?)^```$)"
    r"|^(?P<other>```.*?^```)$"
    r"|^#+ (?P<heading>[^\n]+)$",
    re.MULTILINE | re.DOTALL,
)
"""A block of MLIR, another block, or a heading."""


@dataclass(frozen=True)
class Program:
    """A program that stands in a page."""

    group: str
    """The heading of the page."""
    title: str
    """Its file, or the heading above it."""
    text: str


def add_links(markdown: str) -> str:
    """A page with a link to the playground below each program."""

    def add(found: re.Match[str]) -> str:
        if found["text"] is None or found["fragment"] is not None:
            return found[0]
        return (
            f'{found[0]}\n\n<p class="playground"><a href="{link_to(found["text"])}">'
            "open in the playground</a></p>\n"
        )

    return _PART.sub(add, markdown)


def link_to(text: str) -> str:
    """The playground with a program; `playground/src/links.js` reads it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(text.encode()) + packer.flush()
    return f"{PAGE}#program={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def list_programs() -> Iterator[Program]:
    """The programs of all pages, in the order of the pages' names, the first one first."""
    pages = sorted(DOCS.glob("*.md"), key=lambda page: (page.name != "index.md", page))
    for page in pages:
        yield from _programs_of(page.read_text())


def _programs_of(markdown: str) -> Iterator[Program]:
    heading = group = ""
    numbers: Counter[str] = Counter()
    for found in _PART.finditer(markdown):
        if found["heading"] is not None:
            heading = found["heading"].strip("`* ")
            group = group or heading
        elif found["text"] is not None and found["fragment"] is None:
            title = found["title"] or heading
            numbers[title] += 1
            more = f" ({numbers[title]})" if numbers[title] > 1 else ""
            yield Program(group, title + more, found["text"])

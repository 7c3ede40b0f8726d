"""Take pictures of the pages that commands write, of the programs beside them.

    python docs/generate_pages.py
    python docs/generate_pages.py --check       takes none, and says which are old

A picture of each page of `PICTURES`, in light and in dark colours, and a line in
`docs/assets/pages.txt` that says from which page it was taken. A picture is old once
another page is written.

Taking pictures needs Chromium, and Playwright of the extra `test`.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from xdsl_bufferization.tools.xbuf import main as xbuf

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT: Final = Path(__file__).parents[1]
ASSETS: Final = ROOT / "docs" / "assets"
SOURCES: Final = ASSETS / "pages.txt"
WIDTH, HEIGHT = 1280, 560

Scheme: TypeAlias = Literal["light", "dark"]
SUFFIXES: Final[dict[Scheme, str]] = {"light": "", "dark": "_dark"}


@dataclass(frozen=True)
class Picture:
    """A picture in a document, of what a command makes of a program in it."""

    name: str
    document: str
    program: str
    """The title of the program in the document."""

    command: Sequence[str] = ("explain",)
    schemes: Sequence[Scheme] = ("light", "dark")


PICTURES: Final = (
    Picture("scale_page", "README.md", "scale.mlir", schemes=("light",)),
    Picture("explain_page", "docs/explain.md", "swapped.mlir"),
    Picture("memory_page", "docs/memory_page.md", "step.mlir"),
)


def program_of(picture: Picture) -> str:
    """The program beside a picture."""
    text = (ROOT / picture.document).read_text()
    title = re.escape(picture.program)
    block = re.compile(
        rf'^```mlir title="{title}"\n(.*?)^```$', re.MULTILINE | re.DOTALL
    )
    found = block.search(text)
    assert found is not None, f"{picture.document} has no {picture.program}"
    return found[1]


def page_of(picture: Picture, folder: Path) -> Path:
    """The page that the command of the document writes."""
    program = folder / picture.program
    program.write_text(program_of(picture))
    page = program.with_suffix(".html")
    code = xbuf([*picture.command, str(program), "--html", str(page)])
    assert code == 0, f"{picture.name}: no page is written"
    return page


def source_of(picture: Picture, page: Path) -> str:
    """A line that says from which page a picture is taken."""
    # The page names the file in a folder that is another one each time.
    text = page.read_text().replace(f"{page.parent}/", "")
    return f"{picture.name} {sha256(text.encode()).hexdigest()}\n"


def sources() -> str:
    """The lines of all pictures, as they are if no picture is old."""
    with TemporaryDirectory() as folder:
        pages = ((each, page_of(each, Path(folder))) for each in PICTURES)
        return "".join(source_of(each, page) for each, page in pages)


def take(picture: Picture, page: Path, browser: "Browser") -> None:
    """Take a picture in each of its colours, with the arrows of the first copy."""
    for scheme in picture.schemes:
        shown = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme
        )
        shown.goto(page.as_uri())
        copies = shown.locator("#program .v.out")
        if copies.count():
            copies.first.click()
        shown.screenshot(path=ASSETS / f"{picture.name}{SUFFIXES[scheme]}.png")


def old_pictures() -> list[str]:
    """The names of pictures that show what is not written any more."""
    known = SOURCES.read_text().splitlines()
    return [line.split()[0] for line in sources().splitlines() if line not in known]


def check() -> int:
    """Say which pictures are old; returns 1 if any is."""
    old = old_pictures()
    for name in old:
        sys.stderr.write(
            f"docs/assets/{name}.png shows an older page; "
            "run python docs/generate_pages.py\n"
        )
    return 1 if old else 0


def main() -> int:
    """Write the pictures, and from what they were taken."""
    if sys.argv[1:] == ["--check"]:
        return check()
    from playwright.sync_api import sync_playwright

    chromium = which("chromium") or which("google-chrome")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        for picture in PICTURES:
            take(picture, page_of(picture, Path(folder)), browser)
        browser.close()
    SOURCES.write_text(sources())
    return 0


if __name__ == "__main__":
    sys.exit(main())

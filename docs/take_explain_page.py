"""Take pictures of what `xbuf explain --html` writes, in light and in dark colours.

    python docs/take_explain_page.py

writes `docs/assets/explain_page.png` and `docs/assets/explain_page_dark.png`, of the
program in `docs/memory_page.md`.

Needs Chromium, and Playwright of the extra `test`. Take the picture again when the page
looks different.
"""

import re
import sys
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import sync_playwright

from xdsl_bufferization.tools.xbuf import main as xbuf

ASSETS = Path(__file__).parent / "assets"
WIDTH, HEIGHT = 1280, 720
SCHEMES: dict[Literal["light", "dark"], str] = {
    "light": "explain_page.png",
    "dark": "explain_page_dark.png",
}

PAGE = Path(__file__).with_name("memory_page.md")
PROGRAM = re.compile(r'```mlir title="(step.mlir)"\n(.*?)```', re.DOTALL)
"""The program of the page that shows the picture."""


def main() -> int:
    """Write the pictures."""
    chromium = which("chromium") or which("google-chrome")
    with TemporaryDirectory() as directory, sync_playwright() as playwright:
        ((name, text),) = PROGRAM.findall(PAGE.read_text())
        program, page = Path(directory, name), Path(directory, "step.html")
        program.write_text(text)
        if code := xbuf(["explain", str(program), "--html", str(page)]):
            return code
        browser = playwright.chromium.launch(executable_path=chromium)
        for scheme, picture in SCHEMES.items():
            shown = browser.new_page(
                viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme
            )
            shown.goto(page.as_uri())
            shown.locator("#program .v.out").first.click()
            shown.screenshot(path=ASSETS / picture)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

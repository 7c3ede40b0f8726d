"""Take pictures of what `xbuf explain --html` writes, in light and in dark colours.

    python docs/take_explain_page.py

writes `docs/assets/explain_page.png` and `docs/assets/explain_page_dark.png`.

Needs Chromium, and Playwright of the extra `test`. Take the picture again when the page
looks different.
"""

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

PROGRAM = """\
func.func @step(%grid: tensor<64x64xf32>, %rate: f32, %n: index)
    -> (tensor<64x64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<64x64xf32>
  %rates = linalg.fill ins(%rate : f32) outs(%empty : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  %last = scf.for %t = %c0 to %n step %c1 iter_args(%now = %grid)
      -> tensor<64x64xf32> {
    %scaled = linalg.mul
      ins(%now, %rates : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%now : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %scaled : tensor<64x64xf32>
  }
  %twice = tensor.concat dim(0) %last, %rates
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  %corner = tensor.extract %twice[%c0, %c0] : tensor<128x64xf32>
  %first = tensor.extract %grid[%c0, %c0] : tensor<64x64xf32>
  %sum = arith.addf %corner, %first : f32
  return %last, %sum : tensor<64x64xf32>, f32
}
"""


def main() -> int:
    """Write the pictures."""
    chromium = which("chromium") or which("google-chrome")
    with TemporaryDirectory() as directory, sync_playwright() as playwright:
        program, page = Path(directory, "step.mlir"), Path(directory, "step.html")
        program.write_text(PROGRAM)
        if code := xbuf(["explain", str(program), "--html", str(page)]):
            return code
        browser = playwright.chromium.launch(executable_path=chromium)
        for scheme, name in SCHEMES.items():
            shown = browser.new_page(
                viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme
            )
            shown.goto(page.as_uri())
            shown.locator("#program .v.out").first.click()
            shown.screenshot(path=ASSETS / name)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Pages about stages and about time can be read in narrow windows."""

from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from harness.pages.browser import start_chromium
from playwright.sync_api import Page

from xdsl_bufferization.tools.xbuf import main

Show = Callable[[str, int], Page]

PROGRAM = """
func.func @f(%a: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32) {
  %i = arith.constant 2 : index
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %y = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}
"""


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Show]:
    """Show a page of a folder that has a program."""
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)
    with start_chromium() as browser:

        def run(name: str, width: int) -> Page:
            page = browser.new_page(viewport={"width": width, "height": 800})
            page.goto((tmp_path / name).as_uri())
            return page

        yield run


def width_of(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["width"]


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_a_line_of_a_stage_has_room_for_a_program(show: Show, width: int) -> None:
    assert main(["stages", "in.mlir", "--html"]) == 0
    page = show("stages/index.html", width)
    assert width_of(page, "section:not([hidden]) td.c >> visible=true") > 150


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_a_profile_has_most_of_the_width_for_the_program(
    show: Show, width: int
) -> None:
    assert main(["profile", "in.mlir", "--calls", "1", "--html", "time.html"]) == 0
    page = show("time.html", width)
    assert width_of(page, "section") > width / 2

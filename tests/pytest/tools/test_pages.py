"""The pages that commands write: on a phone, on a desk, by keyboard, and in words."""

from collections.abc import Generator
from pathlib import Path

import pytest
from harness.pages.browser import (
    LITTLE_CONTRAST,
    PAGE_WIDTH,
    UNNAMED,
    UNREACHED,
    Open,
)
from playwright.sync_api import Page

from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp
from xdsl_bufferization.tools.xbuf import main

WIDTHS = (390, 1280)
KINDS = ("explain", "profile", "stages")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages about a perceptron, with its long lines."""
    folder = tmp_path_factory.mktemp("pages")
    program = folder / "mlp.mlir"
    options = MlpOptions(batch=64, layers=(32, 64, 64), bias=True, relu=True)
    program.write_text(mlp(options))
    found = {kind: folder / f"{kind}.html" for kind in KINDS[:2]}
    assert main(["explain", str(program), "--html", str(found["explain"])]) == 0
    profile = ["--calls", "2", "--html", str(found["profile"])]
    assert main(["profile", str(program), *profile]) == 0
    stages = folder / "stages"
    assert main(["stages", str(program), "--html", "--out", str(stages)]) == 0
    return {**found, "stages": stages / "index.html"}


def views(page: Page, kind: str) -> Generator[None]:
    """What there is to be seen, one after the other."""
    yield
    if kind == "stages":
        for number in range(1, page.locator("nav a").count()):
            page.locator("nav a").nth(number).click()
            yield


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_pages_do_not_scroll_sideways(
    kind: str, width: int, pages: dict[str, Path], show: Open
) -> None:
    page = show(pages[kind], width)
    for _ in views(page, kind):
        assert page.evaluate(PAGE_WIDTH) == width
        # A column of a program has room for words, not for letters.
        narrow = page.evaluate("""
            [...document.querySelectorAll(".row code, td.c, td.code")]
              .filter((each) => each.textContent.length > 40 && each.checkVisibility())
              .filter((each) => each.clientWidth < 200).length
        """)
        assert narrow == 0


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_texts_have_enough_contrast(
    kind: str, is_dark: bool, pages: dict[str, Path], show: Open
) -> None:
    page = show(pages[kind], WIDTHS[1], is_dark=is_dark)
    for _ in views(page, kind):
        assert page.evaluate(LITTLE_CONTRAST) == []


@pytest.mark.parametrize("kind", KINDS[1:])
def test_all_that_can_be_clicked_is_reached_by_tab(
    kind: str, pages: dict[str, Path], show: Open
) -> None:
    """The explain page has arrow keys, which its own tests try."""
    page = show(pages[kind], WIDTHS[1])
    for _ in views(page, kind):
        assert page.evaluate(UNREACHED) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_screen_reader_has_words_for_all(
    kind: str, pages: dict[str, Path], show: Open
) -> None:
    page = show(pages[kind], WIDTHS[1])
    for _ in views(page, kind):
        assert page.evaluate(UNNAMED) == []
        assert page.evaluate("document.documentElement.lang") == "en"


def test_a_profile_shows_its_table_first_on_a_phone(
    pages: dict[str, Path], show: Open
) -> None:
    page = show(pages["profile"], WIDTHS[0])
    parts, program = (page.get_by_label(name) for name in ("Parts", "Program"))
    first, second = parts.bounding_box(), program.bounding_box()
    assert first is not None
    assert second is not None
    assert first["y"] < second["y"]


def test_the_input_of_stages_is_shown_once(pages: dict[str, Path], show: Open) -> None:
    """The page begins there, and nothing was before it."""
    page = show(pages["stages"], WIDTHS[1])
    cells = page.locator("section:not([hidden]) td.c:visible")
    assert cells.count() == page.locator("section:not([hidden]) .diff tr").count()


def test_a_diff_on_a_phone_has_signs(pages: dict[str, Path], show: Open) -> None:
    page = show(pages["stages"], WIDTHS[0])
    page.get_by_role("link", name="one-shot-bufferize").first.click()
    sign = "(each) => getComputedStyle(each, '::before').content"
    for kind, expected in (("gone", "\u2212\xa0"), ("new", "+\xa0")):
        cells = page.locator(f"section:not([hidden]) td.{kind}:visible")
        assert cells.first.evaluate(sign) == f'"{expected}"'


SMALL = """
func.func @f(%a: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32) {
  %i = arith.constant 2 : index
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %y = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}
"""


def width_of(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["width"]


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_a_program_has_room_in_pages_of_stages_and_times(
    width: int, show: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(SMALL)
    assert main(["stages", "in.mlir", "--html"]) == 0
    stages = show(tmp_path / "stages" / "index.html", width)
    assert width_of(stages, "section:not([hidden]) td.c >> visible=true") > 150
    assert main(["profile", "in.mlir", "--calls", "1", "--html", "time.html"]) == 0
    assert width_of(show(tmp_path / "time.html", width), "section") > width / 2

"""The page in a browser: what it shows, and what it does with mouse and keyboard."""

import json
import re
from dataclasses import dataclass, replace
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from harness.pages.browser import (
    LITTLE_CONTRAST,
    PAGE_WIDTH,
    Open,
)
from harness.programs.random_programs import Shape, random_program
from playwright.sync_api import Page

import xdsl_bufferization
from xdsl_bufferization.explanation.page import render_for_notebook
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp
from xdsl_bufferization.tools.xbuf import main

WIDTHS = (1280, 1920)
PHONE = 390
LIMIT = 1_000_000
"""Bytes of a page for 1,000 ops."""

SWAPPED = """\
func.func @f(%a: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %r = tensor.extract %a[%i] : tensor<8xf32>
  return %b, %r : tensor<8xf32>, f32
}
"""


@dataclass(frozen=True)
class Pages:
    """The pages of three programs."""

    mlp: Path
    """A perceptron of the size in tpp-mlir's documents: no copies."""

    conflicts: Path
    """Loops, branches and calls with many copies."""

    large: Path
    """A perceptron of more than a thousand ops."""

    swapped: Path
    """A write before the read of what it overwrites: one copy."""


PIPELINE = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map},"
    "canonicalize,buffer-deallocation-pipeline"
)


def write_page(directory: Path, name: str, text: str, *more: str) -> Path:
    """The page that `xbuf explain --html` writes for a program."""
    program, page = directory / f"{name}.mlir", directory / f"{name}.html"
    program.write_text(text)
    options = ["--pipeline", PIPELINE, "--html", str(page), *more]
    assert main(["explain", str(program), *options]) == 0
    return page


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    directory = tmp_path_factory.mktemp("pages")
    small = MlpOptions(batch=256, layers=(128, 256, 512), bias=True, relu=True, seed=7)
    large = MlpOptions(
        batch=8, layers=(16,) * 141, bias=True, relu=True, constants=False
    )
    shape = Shape(ops=14, calls=True, writable_arguments=False)
    return Pages(
        write_page(directory, "mlp", mlp(small)),
        write_page(directory, "conflicts", random_program(8, shape)),
        write_page(directory, "large", mlp(large)),
        write_page(directory, "swapped", SWAPPED),
    )


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


def data_of(page: Path) -> dict[str, Any]:
    """What the page's script is given."""
    found = re.search(r'id="data">(.*?)</script>', page.read_text(), re.DOTALL)
    assert found is not None
    return json.loads(found[1])


# --- without a browser ---------------------------------------------------------------


def test_the_page_of_a_thousand_ops_is_small(pages: Pages) -> None:
    steps = data_of(pages.large)["memory"][0]["functions"][0]["steps"]
    ops = sum(
        " = " in "".join(map(str, line)) for line in data_of(pages.large)["lines"]
    )
    assert ops >= 1000
    assert len(steps) >= 500
    assert pages.large.stat().st_size < LIMIT


def test_the_page_refers_to_no_other_file(pages: Pages) -> None:
    text = pages.conflicts.read_text()
    text = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"""https?:|//[a-z]|@import|\burl\(|\bsrc=""", text)


def test_large_constants_are_cut_short(pages: Pages) -> None:
    assert pages.mlp.stat().st_size < 100_000
    assert "131072 bytes" in pages.mlp.read_text()


def test_the_program_is_shown_as_written(pages: Pages) -> None:
    lines = data_of(pages.swapped)["lines"]
    shown = [
        "".join(each if isinstance(each, str) else each[0] for each in line)
        for line in lines
    ]
    assert shown == SWAPPED.splitlines()


def test_names_stand_for_tensors_and_operands_for_decisions(pages: Pages) -> None:
    data = data_of(pages.swapped)
    insertion = data["lines"][1]
    assert insertion[1:4:2] == [["%b", 1], ["%a", 0, 1, 0]]
    assert data["verdicts"][1] == "copied"
    # The index and the number are no tensors.
    assert "%f into " in insertion[2]
    (decision,) = data["decisions"]
    (reason,) = decision["reasons"]
    assert [reason[name][0] for name in ("defined", "written", "read")] == [1, 2, 3]


def test_every_copy_is_marked_at_its_operand(pages: Pages) -> None:
    data = data_of(pages.conflicts)
    segments = chain.from_iterable(data["lines"])
    marked = [
        int(each[3]) for each in segments if not isinstance(each, str) and each[3:]
    ]
    assert sorted(marked) == list(range(len(data["decisions"])))
    assert len(marked) >= 10


def test_a_program_cannot_end_the_script(tmp_path: Path) -> None:
    text = SWAPPED.replace("func.func @f", 'func.func @"</script><b>"')
    page = write_page(tmp_path, "script", text).read_text()
    assert "</script><b>" not in page


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    explanation = xdsl_bufferization.explain(xdsl_bufferization.parse(SWAPPED))
    frame = render_for_notebook(explanation)
    assert getattr(explanation, "_repr_html_")() == frame  # noqa: B009, as notebooks do
    found = re.fullmatch(r'<iframe srcdoc="([^"]*)".*></iframe>', frame, re.DOTALL)
    assert found is not None
    assert unescape(found[1]).startswith("<!DOCTYPE html>")
    assert "copy of" in unescape(found[1])


def test_a_notebook_stores_no_megabytes() -> None:
    explanation = xdsl_bufferization.explain(xdsl_bufferization.parse(SWAPPED))
    assert repr(explanation) == (
        f"<explanation of a program\n  {explanation.functions[0].summary()}>"
    )
    assert explanation.functions[0].summary().startswith("@f: ")
    large = replace(explanation, text="func" * 500_000)
    html = getattr(large, "_repr_html_")()  # noqa: B009, as notebooks do
    assert len(html) < 2000
    assert "explanation.page()" in html
    many = replace(explanation, functions=explanation.functions * 10)
    assert repr(many).endswith("and 2 more functions>")


def test_a_page_that_cannot_be_written_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "in.mlir"
    program.write_text(SWAPPED)
    missing = tmp_path / "missing" / "out.html"
    assert main(["explain", str(program), "--html", str(missing)]) == 1
    assert "missing/out.html: error: No such file" in capsys.readouterr().err


# --- in a browser --------------------------------------------------------------------


MARKS = {
    "in": (".key .in", ".v.in"),
    "copied": (".key .out:not(.new)", ".v.out:not(.new, .moved)"),
    "new or moved": (".key .new", ":is(.v.new, .v.moved)"),
    "set": (".key .set", "#program .v:not(.in, .out)"),
}
"""The selectors of a mark, in the legend and in the program."""


@pytest.mark.parametrize("mark", MARKS)
def test_the_legend_draws_marks_as_the_program(
    show: Open, pages: Pages, mark: str
) -> None:
    page = show(pages.conflicts, WIDTHS[0])
    style = (
        "e => [getComputedStyle(e).borderStyle, getComputedStyle(e).textDecorationLine]"
    )
    legend, program = (page.locator(each).first for each in MARKS[mark])
    assert legend.evaluate(style) == program.evaluate(style)


LINES = {".key .line": "#chart .mark", ".key .low": "#chart .low"}
"""The selectors of a line of the chart, in the legend and in the chart."""


@pytest.mark.parametrize("is_dark", [False, True])
def test_the_legend_has_the_colours_of_the_page(
    show: Open, pages: Pages, is_dark: bool
) -> None:
    page = show(pages.conflicts, WIDTHS[0], is_dark=is_dark)
    for legend, chart in LINES.items():
        drawn = page.locator(chart).evaluate("e => getComputedStyle(e).stroke")
        shown = page.locator(legend).first.evaluate(
            "e => getComputedStyle(e).borderTopColor"
        )
        assert shown == drawn
    page.evaluate("choose(0)")
    arrow = page.locator(".arrows .tip").first.evaluate("e => getComputedStyle(e).fill")
    assert page.locator(".key .to").evaluate("e => getComputedStyle(e).color") == arrow


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["mlp", "conflicts", "large"])
def test_nothing_overflows_and_nothing_goes_wrong(
    name: str, width: int, pages: Pages, show: Open
) -> None:
    page = show(getattr(pages, name), width)
    too_wide = page.evaluate("""
        [document.documentElement, ...document.querySelectorAll("body *")]
          .filter((each) => each.namespaceURI !== SVG && each.offsetParent !== null)
          .filter((each) => !each.closest(".lane span, footer output"))
          .filter((each) => each.scrollWidth > each.clientWidth + 1
            && getComputedStyle(each).display !== "inline")
          .map((each) => each.outerHTML.slice(0, 80))
    """)
    assert too_wide == []
    assert page.evaluate("innerWidth") == width
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    outside = page.evaluate("""
        [...document.querySelectorAll("text, .bars u, .row, .lane, .note")]
          .map((each) => each.getBoundingClientRect())
          .filter((box) => box.left < 0 || box.right > innerWidth + .5).length
    """)
    assert outside == 0


@pytest.mark.parametrize("name", ["mlp", "conflicts", "swapped"])
def test_a_phone_scrolls_in_one_direction(name: str, pages: Pages, show: Open) -> None:
    page = show(getattr(pages, name), PHONE)
    assert page.evaluate(PAGE_WIDTH) == PHONE
    copies = page.locator("#program .v.out")
    if copies.count():
        copies.first.click()
    outside = page.evaluate("""
        [...document.querySelectorAll("text, .bars u, .row, .lane, .note, .key span")]
          .map((each) => each.getBoundingClientRect())
          .filter((box) => box.left < 0 || box.right > innerWidth + .5).length
    """)
    assert outside == 0
    # Nothing but the window scrolls: a panel in a panel is hard to use by touch.
    assert page.evaluate("by('program').scrollHeight <= by('program').clientHeight")
    crossing = page.evaluate("""
        [...document.querySelectorAll(".note > *")].filter((note) => {
          const box = note.getBoundingClientRect();
          const arrows = [...document.querySelectorAll(".arrows path")];
          return box.width > 0 && arrows.some((path) =>
            path.getBoundingClientRect().right > box.left);
        }).length
    """)
    assert crossing == 0


def test_remedies_can_be_read_without_a_click(pages: Pages, show: Open) -> None:
    page = show(pages.conflicts, WIDTHS[0])
    missing = page.evaluate("""
        data.decisions.flatMap((decision, at) => decision.reasons
          .filter((reason) => reason.remedy)
          .filter((reason) => !notes[at].innerText.includes(reason.remedy)))
    """)
    assert missing == []


def test_the_legend_has_what_occurs(pages: Pages, show: Open) -> None:
    shown = "[...document.querySelectorAll('.key [data-of]:not([hidden])')]"
    kinds = f"{shown}.map((each) => each.dataset.of)"
    page = show(pages.mlp, WIDTHS[0])
    assert page.evaluate(kinds) == ["in", "sets", *["memory"] * 3, "tensors"]
    page = show(pages.swapped, WIDTHS[0])
    found = page.evaluate(kinds)
    assert {"in", "copied", "arrows"} <= set(found)
    assert not {"allocated", "moved", "low", "others"} & set(found)


def test_hovering_a_value_lights_its_set(pages: Pages, show: Open) -> None:
    page = show(pages.swapped, WIDTHS[0])
    assert page.evaluate("document.querySelectorAll('.lit').length") == 0
    page.locator("#program .v").nth(0).hover()
    lit = page.evaluate(
        "[...document.querySelectorAll('.v.lit')].map((v) => v.textContent)"
    )
    assert lit == ["%a", "%a", "%a"]
    assert "set A has 1 value" in page.evaluate("by('status').textContent")
    page.locator("footer").first.hover()
    assert page.evaluate("document.querySelectorAll('.lit').length") == 0


def test_clicking_a_copy_draws_arrows(pages: Pages, show: Open) -> None:
    page = show(pages.swapped, WIDTHS[0])
    page.locator("#program .v.out").first.click()
    roles = "[...arrows.querySelectorAll('[data-role]')].map((a) => a.dataset.role)"
    assert page.evaluate(roles) == ["defined", "written", "read"]
    tags = page.evaluate("""
        [...document.querySelectorAll(".tag")]
          .map((each) => [each.closest(".row").line, each.textContent])
    """)
    assert tags == [[1, "defined: %a"], [2, "written: %a"], [3, "read: %a"]]
    tips = page.evaluate("""
        [...document.querySelectorAll(".arrows .tip")].map((each) => {
          const box = each.getBoundingClientRect();
          const at = (box.top + box.bottom) / 2;
          return rows.findIndex((row) => row && row.getBoundingClientRect().top <= at
            && at <= row.getBoundingClientRect().bottom);
        })
    """)
    assert tips == [1, 2, 3]
    assert (
        page.evaluate("document.querySelector('.note button').ariaExpanded") == "true"
    )
    press(page, "Escape")
    assert page.evaluate(roles) == []


def test_arrows_start_at_the_copy_where_tags_need_lines(
    show: Open, pages: Pages
) -> None:
    page = show(pages.swapped, 1400)
    before = page.evaluate("rows[2].offsetTop")
    page.evaluate("choose(0)")
    assert page.evaluate("rows[2].offsetTop") > before
    starts = page.evaluate("""
        [...arrows.querySelectorAll("[data-role=defined], [data-role=read]")]
          .map((each) => each.getPointAtLength(0).y - middle(rows[2]))
    """)
    assert [abs(start) <= 5 for start in starts] == [True, True]


def test_every_copy_of_a_large_program_can_be_opened(pages: Pages, show: Open) -> None:
    page = show(pages.conflicts, WIDTHS[1])
    missing = page.evaluate("""
        data.decisions.filter((decision, at) => {
          choose(at);
          const reason = decision.reasons[0] || {};
          const roles = ["defined", "written", "read"];
          const expected = roles.filter((role) => reason[role]);
          return arrows.querySelectorAll("[data-role]").length !== expected.length;
        }).length
    """)
    assert missing == 0


def test_the_page_is_usable_by_keyboard(pages: Pages, show: Open) -> None:
    page = show(pages.swapped, WIDTHS[0])
    focused = "document.activeElement.textContent"
    press(page, "Tab")
    assert page.evaluate(focused) == "%a"
    assert (
        page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        == "solid"
    )
    press(page, "ArrowDown")
    assert page.evaluate(focused) == "%b"
    press(page, "ArrowRight", "Enter")
    assert page.evaluate("document.querySelectorAll('.arrows .tip').length") == 3
    press(page, "ArrowDown")
    assert page.evaluate(focused).startswith("copy of %a")
    press(page, "Enter")
    assert page.evaluate("document.querySelectorAll('.arrows .tip').length") == 0
    press(page, "Home", "n")
    assert page.evaluate(focused).startswith("copy of %a")
    press(page, "Tab", "ArrowRight")
    assert page.evaluate("data.memory[stage].name") == "freed early"
    press(page, "Tab")
    while page.evaluate("document.activeElement.closest('.zoom') !== null"):
        press(page, "Tab")
    assert page.evaluate("document.activeElement.role") == "option"
    assert page.evaluate("document.activeElement.ariaLabel").startswith("%b, 32 B")
    assert page.evaluate("document.querySelectorAll('.row.alive').length") > 0


def test_arrow_keys_reach_all_values_and_all_copies(pages: Pages, show: Open) -> None:
    page = show(pages.conflicts, WIDTHS[0])
    page.evaluate("mentions[0].focus()")
    count = page.evaluate("visible().length")
    reached = page.evaluate(
        """(count) => {
        const found = new Set();
        for (let at = 0; at < count; at += 1) {
          found.add(document.activeElement);
          const how = { key: "ArrowRight", bubbles: true };
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", how));
        }
        return visible().filter((each) => found.has(each)).length;
    }""",
        count,
    )
    assert reached == count > 50


def test_sets_and_verdicts_are_legible_without_colour(pages: Pages, show: Open) -> None:
    page = show(pages.swapped, WIDTHS[0])
    letters = page.evaluate("mentions.map((each) => each.textContent + each.dataset.s)")
    assert letters == ["%aA", "%bB", "%aA", "%aA", "%bB"]
    labels = page.evaluate("mentions.map((each) => each.ariaLabel)")
    assert labels[2] == "%a, set A, copied, line 2"
    assert labels[3] == "%a, set A, in place, line 3"
    borders = page.evaluate(
        "mentions.map((each) => getComputedStyle(each).borderStyle)"
    )
    assert borders == ["none", "none", "solid", "none", "none"]


def test_switching_stages_shows_their_peaks(pages: Pages, show: Open) -> None:
    page = show(pages.large, WIDTHS[0])
    data = data_of(pages.large)
    peaks = [stage["functions"][0]["peak"] for stage in data["memory"]]
    assert peaks[0] > peaks[1] >= peaks[2]
    for number in range(len(peaks)):
        page.locator("#stages label").nth(number).click()
        assert page.evaluate("stage") == number
        count = page.evaluate("document.querySelectorAll('.lane').length")
        assert count == len(data["memory"][number]["functions"][0]["lanes"])
        label = page.evaluate("document.querySelector('#chart svg').ariaLabel")
        assert page.evaluate(f"bytes({peaks[number]})") in label


def test_zooming_leaves_the_buffers_around_a_place(pages: Pages, show: Open) -> None:
    page = show(pages.large, WIDTHS[0])
    page.locator("#stages label").nth(1).click()
    page.locator(".lane").nth(50).hover()
    name = page.evaluate("document.querySelectorAll('.lane')[50].textContent")
    for _ in range(4):
        page.locator("#closer").first.click()
    names = page.evaluate("laneElements.map((each) => each.textContent)")
    assert name in names
    assert len(names) < 60
    page.locator("#all").first.click()
    assert page.evaluate("laneElements.length") > 100


@pytest.mark.parametrize("is_dark", [False, True])
def test_text_has_enough_contrast(is_dark: bool, pages: Pages, show: Open) -> None:
    page = show(pages.conflicts, WIDTHS[0], is_dark=is_dark)
    assert page.evaluate(LITTLE_CONTRAST) == []


def test_proofs_stand_below_the_figures(show: Open, tmp_path: Path) -> None:
    page = show(write_page(tmp_path, "proven", SWAPPED, "--verify"), 1280)
    lines = page.locator("#proofs p").all_inner_texts()
    assert lines[:2] == ["decisions proven", "deallocations proven"]
    assert [line.partition(" in ")[0] for line in lines[2:]] == [
        "verify-bufferization: proven",
        "verify-deallocation: proven",
    ]


def test_nothing_is_said_of_proofs_unless_asked_for(pages: Pages, show: Open) -> None:
    assert show(pages.swapped, 1280).locator("#proofs p").count() == 0

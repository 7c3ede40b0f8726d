"""The playground in Chromium: what it loads, shows, and does with long programs.

Needs Node.js and npm, which build it.
"""

import json
import re
from collections.abc import Generator
from dataclasses import asdict

import pytest
from harness.pages.documents import ROOT, load_script
from harness.pages.playgrounds import (
    Playground,
    built_playground,
    insertions,
    lonely_browser,
    patience,
)
from harness.pages.static_host import Host
from playwright.sync_api import Browser
from programs import Program, link_to

from xdsl_bufferization.tools.playground.session import Session
from xdsl_bufferization.tools.playground.views import VIEWS

MEGABYTES = 10
CHUNKS = 96
"""Of so many parts of the corpus, `make test` runs some."""

SWAPPED = """\
func.func @f(%a: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  // The old number.
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %r = tensor.extract %a[%i] : tensor<8xf32>
  return %b, %r : tensor<8xf32>, f32
}
"""


@pytest.fixture(scope="module")
def host() -> Generator[Host]:
    with built_playground() as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    with lonely_browser() as started:
        yield started


@pytest.fixture(scope="module")
def opened(host: Host, browser: Browser) -> Generator[Playground]:
    """A page that is there for several tests, as to start Python takes seconds."""
    playground = Playground(browser.new_page(), host)
    playground.visit()
    yield playground
    playground.page.context.close()


@pytest.fixture
def playground(opened: Playground) -> Generator[Playground]:
    opened.problems.clear()
    yield opened
    assert opened.problems == []


def nested(levels: int) -> str:
    """A program of so many branches inside of each other."""
    return "\n".join(
        [
            "func.func @f(%a: tensor<4xf32>, %x: f32, %i: index, %c: i1) {",
            *["scf.if %c {"] * levels,
            "%0 = tensor.insert %x into %a[%i] : tensor<4xf32>",
            "%r = tensor.extract %0[%i] : tensor<4xf32>",
            *["}"] * levels,
            "return\n}\n",
        ]
    )


# --- What is loaded ------------------------------------------------------------------


def test_the_first_result_comes_soon_and_nothing_from_elsewhere(
    host: Host, browser: Browser
) -> None:
    host.sent.clear()
    context = browser.new_context()
    playground = Playground(context.new_page(), host)
    cold = playground.visit()
    assert cold <= 10 * patience()
    assert host.total <= MEGABYTES * 1_000_000
    playground.warm_spare()
    warm = playground.visit()
    assert warm <= 7 * patience()
    # The second visit, and the workers that take over, have all from the browser.
    assert host.total <= MEGABYTES * 1_000_000
    assert [
        url for url in playground.requests if not url.startswith(host.address)
    ] == []
    assert "/rest.zip" not in host.sent
    assert playground.problems == []
    context.close()


def test_a_page_from_a_folder_says_what_it_needs(host: Host, browser: Browser) -> None:
    page = browser.new_page()
    page.goto((ROOT / "build" / "playground" / "index.html").as_uri())
    assert "http.server" in page.inner_text("#status")
    page.context.close()


# --- What is shown -------------------------------------------------------------------


def test_decisions_stand_beside_the_program(playground: Playground) -> None:
    playground.open(SWAPPED)
    page = playground.page
    assert "copy of %a, 32 bytes" in playground.panel()
    assert page.inner_text(".hint-copied") == "copied, 32 bytes, the caller frees it"
    assert page.inner_text(".lens").startswith("1 copy · 32 bytes copied")
    page.hover(".cm-line >> nth=2 >> .tok-keyword >> nth=0")
    page.wait_for_selector(".about >> text=Element insertion operation")


def test_what_avoids_a_copy_is_done_by_a_key(playground: Playground) -> None:
    playground.open(SWAPPED)
    page = playground.page
    page.click(".hint-copied")
    page.keyboard.press("Control+.")
    page.keyboard.press("Enter")
    playground.wait()
    page.wait_for_selector(".hint-copied", state="detached")
    text: str = page.evaluate("playground.editor.text")
    assert text.index("tensor.extract") < text.index("// The old number.")
    assert page.locator("#remedies-part").is_hidden()


def test_each_error_is_listed_and_leads_to_its_line(playground: Playground) -> None:
    wrong = "func.func @f() {\n  %0 = foo.bar\n  return\n}\n"
    playground.open(wrong + wrong.replace("@f", "@g"))
    page = playground.page
    assert page.locator("#faults button").count() == 2
    page.click("#faults button >> nth=1")
    page.keyboard.press("Shift+Home")
    assert page.evaluate("getSelection().toString()").strip() == "%0 ="
    assert playground.panel().startswith("line 2, column 8: Operation foo.bar")


def test_all_tabs_can_be_reached_by_keys(playground: Playground) -> None:
    playground.open(SWAPPED)
    page = playground.page
    page.focus("#tab-decisions")
    shown: dict[str, str] = {}
    for name in VIEWS:
        playground.wait()
        assert page.evaluate("document.activeElement.dataset.tab") == name
        frame = page.query_selector("#panel iframe")
        inside = frame.content_frame() if frame is not None else None
        if inside is not None:
            inside.wait_for_selector("h1")
        shown[name] = (
            playground.panel() if inside is None else inside.inner_text("body")
        )
        page.keyboard.press("ArrowRight")
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 50))")
    playground.wait()
    assert page.evaluate("document.activeElement.dataset.tab") == "decisions"
    assert "memref.copy" in shown["buffers"]
    assert "freed late" in shown["memory"]
    assert "one-shot-bufferize" in shown["stages"]
    assert "nothing is cheaper" in shown["compare"] or "*" in shown["compare"]


def test_passes_that_few_programs_need_are_fetched(playground: Playground) -> None:
    playground.open(insertions(2), passes="verify-mlir-22,cse", tab="deallocation")
    assert playground.panel().startswith("builtin.module")
    assert "/rest.zip" in playground.host.sent
    playground.open(insertions(2), passes="no-such-pass", tab="deallocation")
    assert "there is no pass 'no-such-pass'" in playground.panel()


def test_a_phone_shows_all_of_it(playground: Playground) -> None:
    """Nothing stands beside the window, whichever tab is chosen; all can be read."""
    page = playground.page
    page.set_viewport_size({"width": 390, "height": 800})
    playground.open(SWAPPED)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for name in VIEWS:
            page.click(f"#tab-{name}")
            playground.wait()
            # A bar to scroll may take some of it.
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert [each for each in page.evaluate(CONTRASTS) if each[0] < 4.5] == []
    page.set_viewport_size({"width": 1280, "height": 800})


CONTRASTS = """(() => {
  const canvas = document.createElement("canvas");
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  const linear = (part) =>
    part <= 10 ? part / 3294.6 : ((part / 255 + .055) / 1.055) ** 2.4;
  const luminance = (color) => {
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...paint.getImageData(0, 0, 1, 1).data].map(linear);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const ground = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return color.startsWith("rgba") ? ground(element.parentElement) : color;
  };
  const contrast = (element) => {
    const one = luminance(getComputedStyle(element).color);
    const other = luminance(ground(element));
    return (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
  };
  const texts = [...document.querySelectorAll("body *")].filter((element) =>
    element.checkVisibility() &&
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return texts.map((element) => [contrast(element), element.outerHTML.slice(0, 200)])
    .sort(([one], [other]) => one - other).slice(0, 5);
})()"""


# --- What CPython says ---------------------------------------------------------------


NEED_NUMPY = {
    "constant-fold-pack",
    "convert-xsmm-to-func,link-xsmm-kernels",
    'stablehlo-refine-shapes{types="tensor<3x4xf32>"}',
}
"""Passes of examples that say that NumPy is not there."""


def corpus() -> list[Program]:
    """The programs of the menu, and what is hard for a browser."""
    script = load_script(ROOT / "scripts" / "build_playground.py")
    return [
        *(each for each in script.examples() if each.passes not in NEED_NUMPY),
        Program("", "200 levels", nested(200)),
        Program("", "emojis", SWAPPED.replace("old", "\N{PARTY POPPER}")),
    ]


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_program_gives_what_cpython_gives(chunk: int, playground: Playground) -> None:
    programs = corpus()[chunk::CHUNKS]
    session = Session()
    for program in programs:
        for question in questions_about(program):
            expected = json.loads(session.answer(json.dumps(question)))
            found = json.loads(playground.ask(**question))
            assert without_times(found) == without_times(expected), program.title


def questions_about(program: Program) -> list[dict[str, object]]:
    text, passes = program.text, program.passes
    word = text.find("tensor.")
    return [
        {"do": "read", "text": text, "pipeline": passes},
        {"do": "explain"},
        {"do": "hover", "at": max(0, word)},
        {"do": "complete", "at": max(0, word + len("tensor."))},
        *({"do": "show", "tab": tab} for tab in VIEWS),
    ]


TIME = re.compile(r"[\d.]+&nbsp;ms|(?<=<dt>ms</dt><dd>)[\d.]+")


def without_times(answer: dict[str, str]) -> dict[str, str]:
    """An answer but for what passes took, which the page of stages says."""
    if answer.get("kind") != "page":
        return answer
    return answer | {"text": TIME.sub("", answer["text"])}


def test_what_needs_numpy_says_so(playground: Playground) -> None:
    script = load_script(ROOT / "scripts" / "build_playground.py")
    examples = [each for each in script.examples() if each.passes in NEED_NUMPY]
    assert len(examples) == len(NEED_NUMPY)
    for each in examples:
        playground.open(each.text, each.passes, each.tab)
        assert playground.panel() == "this needs numpy, which is not installed"


def test_200_levels_are_shown(playground: Playground) -> None:
    playground.open(nested(200))
    assert "@f: 2 tensor operands" in playground.panel()
    playground.open(nested(1000))
    assert "nested more than 220 levels deep" in playground.panel()


def test_a_stack_that_overflows_once_is_no_fault_of_the_program(
    playground: Playground,
) -> None:
    page = playground.page
    python = "playground.python"
    try:
        # Until Python is stopped, which is once, or does not end it.
        for ask_again in (f"delete {python}.ask", ""):
            page.evaluate(
                f"""() => {{
                  delete {python}.stop;
                  const stop = {python}.stop.bind({python});
                  {python}.stop = (why) => {{ stop(why); {ask_again} }};
                  {python}.ask = () => Promise.reject(Error("RangeError: full"));
                }}"""
            )
            playground.open(SWAPPED)
            assert (playground.status() == "Ready") == bool(ask_again)
        assert "nested too deeply for this browser" in playground.status()
    finally:
        page.evaluate(f"delete {python}.ask && delete {python}.stop")
    playground.open(SWAPPED)
    assert playground.status() == "Ready"
    assert "copy of %a, 32 bytes" in playground.panel()


# --- How long it takes ---------------------------------------------------------------


@pytest.mark.parametrize(("ops", "seconds"), [(20, 0.2), (500, 2.0)])
def test_an_edit_is_answered_soon(
    ops: int, seconds: float, playground: Playground
) -> None:
    text = insertions(ops)
    playground.open(text)
    playground.warm_spare()
    took = [
        playground.open(
            f"{text}// {n}\n".replace("%x into %1[", f"%x into %1{' ' * n}[")
        )
        for n in range(1, 6)
    ]
    assert sorted(took)[2] <= seconds * patience()


def test_a_program_that_runs_away_is_stopped(playground: Playground) -> None:
    playground.open(SWAPPED)
    playground.warm_spare()
    page = playground.page
    page.evaluate("(text) => playground.open({ text })", insertions(20_000))
    page.click("#stop")
    took = playground.open(SWAPPED)
    assert took <= 1 * patience()
    assert "copy of %a, 32 bytes" in playground.panel()
    assert page.locator("#stop").is_hidden()


def test_a_program_that_takes_too_long_is_stopped(playground: Playground) -> None:
    playground.open(SWAPPED)
    playground.warm_spare()
    page = playground.page
    page.evaluate("playground.python.limit = 1000")
    playground.open(insertions(20_000))
    page.evaluate("playground.python.limit = 30000")
    assert "stopped: this took too long" in playground.status()
    playground.open(SWAPPED)
    assert playground.status() == "Ready"


# --- Links ---------------------------------------------------------------------------


def test_links_of_all_examples_survive(playground: Playground) -> None:
    programs = corpus()
    read = playground.page.evaluate(
        """async (programs) => {
          const all = [];
          for (const { link, program } of programs) {
            const written = await playground.writeLink(program);
            all.push([
              await playground.readLink(link), await playground.readLink(written),
            ]);
          }
          return all;
        }""",
        [
            {
                "link": link_to(each).partition("#")[2].replace("&amp;", "&"),
                "program": asdict(each),
            }
            for each in programs
        ],
    )
    expected = [
        {"passes": each.passes, "tab": each.tab, "text": each.text} for each in programs
    ]
    assert read == [[each, each] for each in expected]


def test_a_link_opens_its_program(playground: Playground) -> None:
    program = Program("", "", SWAPPED, "cse", "deallocation")
    fragment = link_to(program).partition("#")[2].replace("&amp;", "&")
    playground.page.evaluate("(fragment) => { location.hash = fragment }", fragment)
    playground.page.wait_for_selector("#tab-deallocation[aria-selected=true]")
    playground.wait()
    assert playground.panel().startswith("builtin.module")
    assert playground.page.input_value("#passes") == "cse"
    playground.page.evaluate("location.hash = 'program=AAAA'")
    playground.page.wait_for_selector("#status >> text=This link is broken")

"""Pages in Chromium: shown at a width, in light or dark colours, and looked at.

with start_chromium() as browser, showing(browser) as show:
    page = show(file, 390, is_dark=True)
    page.evaluate(PAGE_WIDTH)             390 unless the page scrolls sideways
    page.evaluate(LITTLE_CONTRAST)        texts that are hard to read
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from playwright.sync_api import Browser, Page, sync_playwright

from harness.oracles.tools import find_oracle

Open: TypeAlias = Callable[..., Page]
"""`show(file, width, is_dark=True)`."""

PAGE_WIDTH = "document.documentElement.scrollWidth"
"""How wide a page is; wider than the window if it scrolls sideways."""

LITTLE_CONTRAST = """(() => {
  const canvas = document.createElement("canvas");
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  const linear = (part) =>
    part <= 10 ? part / 3294.6 : ((part / 255 + .055) / 1.055) ** 2.4;
  const luminance = (colors) => {
    paint.clearRect(0, 0, 1, 1);
    for (const color of colors) { paint.fillStyle = color; paint.fillRect(0, 0, 1, 1); }
    const [red, green, blue] = [...paint.getImageData(0, 0, 1, 1).data].map(linear);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const grounds = (element) => {
    if (!element) return ["Canvas"];
    const own = getComputedStyle(element).backgroundColor;
    return [...grounds(element.parentElement), own];
  };
  const contrast = (element) => {
    const style = getComputedStyle(element);
    const text = element instanceof SVGElement ? style.fill : style.color;
    const behind = grounds(element);
    const [one, other] = [luminance([...behind, text]), luminance(behind)];
    return (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
  };
  const hasText = (element) => [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  return [...document.body.querySelectorAll("*")]
    .filter((each) => !each.matches("script, option, :disabled") && hasText(each))
    .filter((each) => each.checkVisibility({ opacityProperty: true }))
    .map((each) => [contrast(each), each.outerHTML.slice(0, 90)])
    .filter(([ratio]) => ratio < 4.5);
})()"""
"""The texts with less than WCAG's ratio for text of this size, 4.5."""

UNREACHED = """(() => {
  const controls = "a[href], button, input, select, summary, [role=button]";
  return [...document.querySelectorAll(`${controls}, [role=option]`)]
    .filter((each) => each.checkVisibility() && !each.disabled && each.tabIndex < 0)
    .map((each) => each.outerHTML.slice(0, 90));
})()"""
"""What can be clicked, and Tab does not come to."""

UNNAMED = """(() => {
  const controls = "a[href], button, input, select, [role], section, nav, main, table";
  const name = (each) => each.ariaLabel || each.getAttribute("aria-labelledby")
    || (each.labels && each.labels.length) || each.textContent.trim();
  return [...document.querySelectorAll(controls)].filter((each) => !name(each))
    .map((each) => each.outerHTML.slice(0, 90));
})()"""
"""What a screen reader has no word for."""


@contextmanager
def start_chromium(*arguments: str) -> Generator[Browser]:
    """The Chromium of this machine, without a window; a test fails or skips if none."""
    path = find_oracle("chromium", "chromium-browser", "google-chrome")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=arguments)


@contextmanager
def showing(browser: Browser) -> Generator[Open]:
    """Shows files in windows.

    Nothing may be written on the console, and every exception must be caught.
    """
    problems: list[str] = []

    def show(path: Path, width: int, *, is_dark: bool = False) -> Page:
        page = browser.new_page(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if is_dark else "light",
        )
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield show
    for context in browser.contexts:
        context.close()
    assert problems == []

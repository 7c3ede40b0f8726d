"""The playground in a browser, and what a test does with it.

with playground() as (host, browser):
    page = Playground(browser.new_page(), host)
    page.open("func.func ...", tab="buffers")
    page.panel()
"""

import json
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from playwright.sync_api import Browser, Page
from programs import Program

from harness.oracles.tools import find_oracle
from harness.pages.browser import start_chromium
from harness.pages.documents import ROOT, load_script
from harness.pages.static_host import Host, static_host

SECONDS = 60
"""So long a test waits for what comes at once as a rule."""

ONLY_THIS_MACHINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@contextmanager
def built_playground() -> Generator[Host]:
    """A host of the playground, which is built where it is old."""
    for tool in ("node", "npm"):
        find_oracle(tool)
    script = load_script(ROOT / "scripts" / "build_playground.py")
    script.build()
    with static_host(script.TARGET) as host:
        yield host


@contextmanager
def lonely_browser() -> Generator[Browser]:
    """A browser for which there is no other host than this machine."""
    with start_chromium(ONLY_THIS_MACHINE) as browser:
        yield browser


def patience() -> float:
    """How much longer things may take, as others use the processor as well."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def insertions(count: int) -> str:
    """A program of so many ops on tensors."""
    lines = [
        f"  %{n + 1} = tensor.insert %x into %{n}[%i] : tensor<4xf32>"
        for n in range(count)
    ]
    return "\n".join(
        [
            "func.func @f(%0: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {",
            *lines,
            f"  return %{count} : tensor<4xf32>",
            "}\n",
        ]
    )


@dataclass
class Playground:
    """A page with the playground."""

    page: Page
    host: Host

    def __post_init__(self) -> None:
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.set_default_timeout(SECONDS * 1000)
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.context.on(
            "request", lambda request: self.requests.append(request.url)
        )

    def visit(self, fragment: str = "") -> float:
        """Go there; the seconds until the decisions are shown."""
        started = time.perf_counter()
        self.page.goto(f"{self.host.address}/index.html{fragment}")
        self.page.wait_for_selector("#panel > *")
        passed = time.perf_counter() - started
        self.wait()
        return passed

    def wait(self) -> None:
        """Wait until all is done about the program that stands there."""
        self.page.wait_for_selector("body[data-state=done]")

    def open(self, text: str, passes: str = "", tab: str = "") -> float:
        """Open a program as an example; the seconds until all of it is shown."""
        return self.page.evaluate(
            """async (program) => {
              const started = performance.now();
              playground.open(program);
              await playground.settled();
              return (performance.now() - started) / 1000;
            }""",
            asdict(Program("", "", text, passes, tab)),
        )

    def warm_spare(self) -> None:
        """Wait until the worker is ready that would take over."""
        self.page.evaluate("playground.python.spareIsWarm")

    def ask(self, **question: Any) -> str:
        """What Python answers, as JSON with sorted keys."""
        answer = self.page.evaluate(
            "(question) => playground.python.ask(question)", question
        )
        return json.dumps(answer, sort_keys=True)

    def status(self) -> str:
        """What the line at the top says."""
        return self.page.inner_text("#status")

    def panel(self) -> str:
        """What the tab shows as text."""
        return self.page.inner_text("#panel")

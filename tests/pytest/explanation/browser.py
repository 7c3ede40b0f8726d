"""Chromium without a window, driven by its DevTools protocol over two pipes.

    with Browser(directory) as browser:
        browser.open(path, width=1280, height=800)
        browser.hover("#program .v")
        assert browser.evaluate("document.title") == ...

Only what the tests of the page need. Messages are JSON objects with a zero byte after
each; see https://chromedevtools.github.io/devtools-protocol/.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 60

# Chromium reads commands from 3 and writes answers to 4.
_LAUNCH = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
_OPTIONS = (
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--force-device-scale-factor=1",
)
_KEYS = {"Enter": "\r", " ": " ", "+": "+", "-": "-", "n": "n", "p": "p"}
_CODES = {
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}


def find_browser() -> str:
    """The path of Chromium; skips where it is missing, or fails if `CI` is set."""
    for name in NAMES:
        if (path := shutil.which(name)) is not None:
            return path
    message = "there is no Chromium (Debian's package chromium)"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


class Browser:
    """One page in one browser."""

    problems: list[str]
    """Errors and warnings on the console, and exceptions that nobody caught."""

    def __init__(self, directory: Path):
        commands, self._out = _pipe()
        self._in, answers = _pipe()
        options = [*_OPTIONS, f"--user-data-dir={directory}"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", _LAUNCH, str(commands), str(answers)),
                *(find_browser(), *options),
            ],
            pass_fds=(commands, answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self._events: list[dict[str, Any]] = []
        self.problems = []

    def __enter__(self) -> Self:
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait(SECONDS)
        os.close(self._out)
        os.close(self._in)

    # --- the page --------------------------------------------------------------------

    def open(
        self, path: Path, width: int, height: int = 800, *, is_dark: bool = False
    ) -> None:
        """Show a file in a window of some size."""
        self.problems.clear()
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else ""}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self._events.clear()
        self.send("Page.navigate", url=path.as_uri())
        while not any(e["method"] == "Page.loadEventFired" for e in self._events):
            self._receive()

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page's script."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def hover(self, selector: str, number: int = 0) -> None:
        """Move the mouse over an element."""
        self._mouse("mouseMoved", *self._middle(selector, number))

    def click(self, selector: str, number: int = 0) -> None:
        """Move to an element, press the mouse and let go."""
        place = self._middle(selector, number)
        self._mouse("mouseMoved", *place)
        for kind in ("mousePressed", "mouseReleased"):
            self._mouse(kind, *place, button="left", clickCount=1)

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            code = _CODES.get(key, 0)
            common = {"key": key, "windowsVirtualKeyCode": code}
            text = {"text": _KEYS[key]} if key in _KEYS else {}
            self.send("Input.dispatchKeyEvent", type="keyDown", **common, **text)
            self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def take_picture(self, path: Path) -> None:
        """Write what is visible into a file."""
        answer = self.send("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))

    def _middle(self, selector: str, number: int) -> tuple[float, float]:
        """The middle of an element's first line, which is scrolled to."""
        x, y = self.evaluate(f"""(() => {{
            const all = document.querySelectorAll({json.dumps(selector)});
            all[{number}].scrollIntoView({{ block: "center" }});
            const box = all[{number}].getClientRects()[0];
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")
        return x, y

    def _mouse(self, kind: str, x: float, y: float, **rest: Any) -> None:
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **rest)

    # --- the protocol ----------------------------------------------------------------

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command; returns what it answers."""
        self._number += 1
        message: dict[str, Any] = {
            "id": self._number,
            "method": method,
            "params": parameters,
        }
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], SECONDS)
            assert ready, "Chromium does not answer"
            read = os.read(self._in, 1 << 16)
            assert read, "Chromium has ended"
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self._events.append(message)
            self._note(message["method"], message["params"])
        return message

    def _note(self, method: str, parameters: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.problems.append(str(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.problems.append(str(parameters["args"]))
        elif method == "Log.entryAdded":
            self.problems.append(parameters["entry"]["text"])


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are not among the numbers that Chromium wants."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]

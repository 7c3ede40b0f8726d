"""The Chromium of this machine, without a window."""

from collections.abc import Generator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from harness.oracles.tools import find_oracle


@contextmanager
def chromium(*arguments: str) -> Generator[Browser]:
    """A browser; skips or fails where none is installed."""
    path = find_oracle("chromium", "chromium-browser", "google-chrome")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=arguments)

"""Say on a terminal what is going on, once a command takes longer than two seconds."""

import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from xdsl_bufferization.support.escaping import in_terminal

from .colours import wants_colour

SECONDS_UNTIL_SHOWN = 2.0
"""From the start of the command on."""

_SHORTEST_STAGE = 0.2
"""What is done sooner would only flicker."""


class _Command:
    """The command that is running."""

    started = time.monotonic()


def begin() -> None:
    """Note that a command starts now."""
    _Command.started = time.monotonic()


@contextmanager
def stage(what: str) -> Generator[None]:
    """Show `what` on stderr while the body runs, if that is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    # Not needed for anything else, and slow to import.
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True, no_color=not wants_colour(sys.stderr))
    status = console.status(escape(f"{in_terminal(what)} ..."))
    elapsed = time.monotonic() - _Command.started
    delay = max(SECONDS_UNTIL_SHOWN - elapsed, _SHORTEST_STAGE)
    timer = threading.Timer(delay, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()

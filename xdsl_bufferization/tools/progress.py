"""Say on a terminal what is going on, once it takes longer than a second."""

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

SECONDS_UNTIL_SHOWN = 1.0


@contextmanager
def stage(what: str) -> Generator[None]:
    """Show `what` on stderr while the body runs, if that is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    # Not needed for anything else, and slow to import.
    from rich.console import Console

    status = Console(stderr=True).status(f"{what} ...")
    timer = threading.Timer(SECONDS_UNTIL_SHOWN, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()

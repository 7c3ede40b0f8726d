"""Whether output has colours: as the user says, else where somebody looks at it.

    --color=always, --color=never       as told
    --color=auto, or nothing            on a terminal, unless NO_COLOR is set

Source: https://no-color.org
"""

import os
from argparse import ArgumentParser
from typing import Final, Protocol

BOLD: Final = "\033[1m"
RED: Final = "\033[1;31m"
GREEN: Final = "\033[32m"
PLAIN: Final = "\033[0m"

AUTO: Final = "auto"
ALWAYS: Final = "always"
NEVER: Final = "never"
CHOICES: Final = (AUTO, ALWAYS, NEVER)


def add_colour_option(parser: ArgumentParser) -> None:
    """Give a command the option `--color`."""
    parser.add_argument(
        "--color",
        choices=CHOICES,
        default=AUTO,
        help="whether errors and texts have colours; auto: on a terminal, unless the "
        "environment variable NO_COLOR is set; default: auto",
    )


class Stream(Protocol):
    """Where output goes."""

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        ...


class _Choice:
    """What `--color` says in this command."""

    when = AUTO


def choose(when: str) -> None:
    """Let the output of this command have colours: one of `CHOICES`."""
    _Choice.when = when


def wants_colour(stream: Stream) -> bool:
    """Whether what is written to `stream` has colours."""
    if _Choice.when != AUTO:
        return _Choice.when == ALWAYS
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not is_plain

"""The option `--frontend` of `xbuf opt` is the same with each release of xDSL.

    xbuf opt --frontend mlir program.mlir

xDSL 0.74 lists the frontends as choices. From 0.75 on, a frontend may have options of
its own, and xDSL lists the frontends in the help text. `xbuf opt` has the choices.

Can go when the oldest release is 0.75: then xDSL's option is the one of all releases.
"""

from argparse import Action, ArgumentParser
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any


@contextmanager
def frontend_among(frontends: Iterable[str], parser: ArgumentParser) -> Generator[None]:
    """Let the option `--frontend`, when it is added, take one of `frontends`."""
    add = parser.add_argument
    ours: dict[str, Any] = {
        "choices": sorted(frontends),
        "help": "Frontend to be used for the input. If not set, the frontend of the "
        "file extension is used.",
    }

    def add_argument(*names: str, **options: Any) -> Action:
        return add(*names, **(options | ours if "--frontend" in names else options))

    parser.add_argument = add_argument
    try:
        yield
    finally:
        parser.add_argument = add

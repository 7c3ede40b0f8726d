"""Completion of commands, options and passes in a shell, with the extra `completion`.

    pip install 'xdsl-bufferization[completion]'
    eval "$(register-python-argcomplete xbuf)"      # in ~/.bashrc or ~/.zshrc

While a shell asks, it sets an environment variable. Otherwise nothing is loaded.
"""

import os
from argparse import Action, ArgumentParser
from collections.abc import Callable

_ASKED = "_ARGCOMPLETE"


def complete(parser: ArgumentParser, add_words_of_opt: Callable[[], None]) -> None:
    """Answer the shell if it asks what may come next, and end the process then.

    `add_words_of_opt` adds what `xbuf opt` takes, which parses its own arguments.
    """
    if _ASKED not in os.environ:
        return
    try:
        import argcomplete
    except ImportError:
        return
    if os.environ.get("COMP_LINE", "").split()[1:2] == ["opt"]:
        add_words_of_opt()
    argcomplete.autocomplete(parser)


def complete_with_passes(argument: Action) -> None:
    """Let the shell offer the names of passes for an argument."""
    # What argcomplete looks for.
    setattr(argument, "completer", _passes)  # noqa: B010, the class has no such field


def complete_with_pipelines(argument: Action) -> None:
    """Let the shell offer names of passes behind each comma."""
    setattr(argument, "completer", _pipelines)  # noqa: B010, as above


def _pipelines(prefix: str, **_: object) -> list[str]:
    before, comma, last = prefix.rpartition(",")
    return [f"{before}{comma}{name}" for name in _passes(last)]


def _passes(prefix: str, **_: object) -> list[str]:
    return [name for name in names_of_passes() if name.startswith(prefix)]


def names_of_passes() -> list[str]:
    """The names of all passes that are installed."""
    from xdsl.universe import Universe

    return [*Universe.get_multiverse().all_passes]

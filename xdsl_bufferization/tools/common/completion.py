"""Completion of commands and options in a shell, with the extra `completion`.

    pip install 'xdsl-bufferization[completion]'
    eval "$(register-python-argcomplete xbuf)"      # in ~/.bashrc or ~/.zshrc

While a shell asks, it sets an environment variable. Otherwise nothing is loaded.
"""

import os
from argparse import Action, ArgumentParser

_ASKED = "_ARGCOMPLETE"


def complete(parser: ArgumentParser) -> None:
    """Answer the shell if it asks what may come next, and end the process then."""
    if _ASKED not in os.environ:
        return
    try:
        import argcomplete
    except ImportError:
        return
    argcomplete.autocomplete(parser)


def complete_with_passes(argument: Action) -> None:
    """Let the shell offer the names of passes for an argument."""
    # What argcomplete looks for.
    setattr(argument, "completer", _passes)  # noqa: B010, the class has no such field


def _passes(prefix: str, **_: object) -> list[str]:
    from xdsl.universe import Universe

    names = Universe.get_multiverse().all_passes
    return [name for name in names if name.startswith(prefix)]

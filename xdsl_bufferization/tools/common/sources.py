"""The texts that errors may show a line of: those that this command has parsed.

    remember("mlp.mlir", text)      # when a program is parsed
    text_of("mlp.mlir")             # when an error is at mlp.mlir:3:5

A text is kept, and never read again: standard input can be read once, and a file may
have changed. A location in a program may name any other file. Such a file is not
opened, as the program may come from somebody else.
"""

from typing import Final

_TEXTS: Final[dict[str, str]] = {}


def remember(name: str, text: str) -> None:
    """Keep the text that places in `name` speak of; the last one counts."""
    _TEXTS[name] = text


def forget() -> None:
    """Drop all texts, before the next command of the same process."""
    _TEXTS.clear()


def text_of(name: str) -> str | None:
    """The text of that name, or None if nothing of that name was parsed."""
    return _TEXTS.get(name)

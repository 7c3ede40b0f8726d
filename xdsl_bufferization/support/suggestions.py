"""What somebody may have meant who wrote a name that nobody knows.

hint("canonicalise", ["canonicalize", "cse"])    "; do you mean 'canonicalize'?"
hint("zzz", ["canonicalize", "cse"])             ""
no_option("cse", "a", ["b"])     "pass 'cse' has no option 'a'; it has b"
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_LONGEST: Final = 200
"""The time of a comparison grows with the square of the length."""


def hint(name: str, known: Iterable[str]) -> str:
    """The end of a message that says that there is no such name."""
    near = near_name(name, known)
    return f"; do you mean '{near}'?" if near else ""


def near_name(name: str, known: Iterable[str]) -> str:
    """The nearest of the names that are near; empty if none is."""
    return next(iter(get_close_matches(name[:_LONGEST], [*known], 1)), "")


def no_option(pass_name: str, name: str, known: Iterable[str]) -> str:
    """That a pass has no option of a name, of those that its fields are called."""
    names = [each.replace("_", "-") for each in known]
    meant = (
        hint(name.replace("_", "-"), names) or f"; it has {', '.join(names) or 'none'}"
    )
    return f"pass '{pass_name}' has no option '{name}'{meant}"

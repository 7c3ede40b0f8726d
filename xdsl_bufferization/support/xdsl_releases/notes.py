"""Notes on objects of xDSL, which go when the object goes.

    note(module, "decided", analysis)
    noted(module, "decided")      # the analysis, or None

A note may be lost, so that only what can be found out again is noted.
"""

from typing import Any
from weakref import WeakKeyDictionary

from .private_name import PrivateName

TABLE = PrivateName(
    "xdsl.ir.core",
    "Operation",
    "__dict__",
    reason="What is known of an op is kept in the op itself. A table beside would have "
    "to be kept free of ops that are gone.",
    without="Notes are kept in such a table.",
    wish="Nothing: this works as long as ops have a table of attributes.",
)

_beside: "WeakKeyDictionary[object, dict[str, Any]]" = WeakKeyDictionary()


def _table(of: object) -> dict[str, Any]:
    """The notes on an object, beside its own attributes where it has such a table."""
    try:
        return vars(of)
    except TypeError:
        return _table_beside(of)


def _table_beside(of: object) -> dict[str, Any]:
    try:
        return _beside.setdefault(of, {})
    except TypeError:
        return {}


def note(of: object, name: str, value: object = True) -> None:
    """Keep a value with an object, in the place of an earlier one of that name."""
    _table(of)[name] = value


def noted(of: object, name: str) -> Any:
    """The value that was kept; None if there is none."""
    return _table(of).get(name)


def take_note(of: object, name: str) -> Any:
    """The value that was kept, which is forgotten; None if there is none."""
    return _table(of).pop(name, None)

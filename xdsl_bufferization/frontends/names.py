"""The names that a caller can use: of arguments, and of the fields of results.

    results = scale(m=matrix, f=2.0)
    results.new

A name that is no identifier of Python is none of these: see `program_names.py`.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any


@dataclass(frozen=True)
class Names:
    """What a program calls a function, its arguments and its results."""

    name: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    unsigned: tuple[int, ...]
    """The results that are tensors of integers without a sign, by position."""


def make_results(name: str, fields: Sequence[str]) -> Callable[[Iterable[Any]], Any]:
    """What makes a tuple with these fields of the results of a call."""
    title = name if is_usable(name) else "Results"
    kind = namedtuple(title, fields)  # pyright: ignore[reportUntypedNamedTuple]
    # For type checkers, nobody assigns to a method.
    setattr(kind, "__reduce__", _as_plain_tuple)  # noqa: B010
    return kind._make


def _as_plain_tuple(results: tuple[Any, ...]) -> tuple[object, ...]:
    """How results are pickled: a pickle cannot name a class made for one program."""
    return tuple, (tuple(results),)


def is_usable(name: str) -> bool:
    """Whether Python has a field or a keyword of this name."""
    return name.isidentifier() and not iskeyword(name) and not name.startswith("_")

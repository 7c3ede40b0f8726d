"""Make a failing case small, while its failure stays the same.

    400 lines, of which one is wrong   ->   that line

Parts are left out, first half of them, then a quarter, at last one by one: lines, then
tokens, then letters; and arguments of the command line.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from fuzz.case import Case
from fuzz.tokens import tokens_of

_T = TypeVar("_T")

Fails = Callable[[Case], bool]

_MOST_LETTERS: Final = 400
"""So short a text is cut letter by letter."""


def shrink(case: Case, fails: Fails) -> Case:
    """The smallest case found that still fails; each try costs one call of `fails`."""
    while True:
        smaller = _shrink_once(case, fails)
        if smaller == case:
            return case
        case = smaller


def _shrink_once(case: Case, fails: Fails) -> Case:
    case = _without_files(case, fails)
    for name in case.files:
        for split in _splits(case.files[name]):
            case = _shrink_file(case, name, split, fails)
    if case.tool == "program":
        return case
    arguments = shrink_parts(
        case.arguments, lambda parts: fails(replace(case, arguments=tuple(parts)))
    )
    return replace(case, arguments=tuple(arguments))


def _without_files(case: Case, fails: Fails) -> Case:
    for name in case.files:
        files = {other: data for other, data in case.files.items() if other != name}
        if case.tool != "program" and fails(without := replace(case, files=files)):
            case = without
    return case


Split = Callable[[bytes], Sequence[bytes]]


def _splits(data: bytes) -> Iterator[Split]:
    yield lambda data: data.splitlines(keepends=True)
    try:
        data.decode()
    except UnicodeDecodeError:
        pass
    else:
        yield lambda data: [token.encode() for token in tokens_of(data.decode())]
    if len(data) <= _MOST_LETTERS:
        yield lambda data: [data[at : at + 1] for at in range(len(data))]


def _shrink_file(case: Case, name: str, split: Split, fails: Fails) -> Case:
    def with_parts(parts: Sequence[bytes]) -> Case:
        return replace(case, files={**case.files, name: b"".join(parts)})

    return with_parts(
        shrink_parts(split(case.files[name]), lambda parts: fails(with_parts(parts)))
    )


def shrink_parts(
    parts: Sequence[_T], fails: Callable[[Sequence[_T]], bool]
) -> Sequence[_T]:
    """A part of the sequence that still fails, and of which no element can go."""
    size = len(parts)
    while parts:
        at = 0
        while at < len(parts):
            fewer = [*parts[:at], *parts[at + size :]]
            if fails(fewer):
                parts = fewer
            else:
                at += size
        if size == 1:
            break
        size = max(min(size, len(parts)) // 2, 1)
    return parts

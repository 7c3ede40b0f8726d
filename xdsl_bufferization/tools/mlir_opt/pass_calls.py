"""Passes in mlir-opt's spelling: as flags, and as a textual pipeline.

    --canonicalize --one-shot-bufferize="copy-before-write=1"
        -> PassCall("canonicalize", ""), PassCall("one-shot-bufferize", "copy-...")

    builtin.module(func.func(buffer-hoisting),cse)
        -> Nest("builtin.module", (Nest("func.func", (PassCall("buffer-hoisting"),)),
                                   PassCall("cse")))

A pass is named with its options here, and made in `passes.py`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from ..common.diagnostics import UsageError

PASS_PIPELINE = "--pass-pipeline"

_NAME = re.compile(r"[\w.-]+")
_SPACE = re.compile(r"\s*")

_OPENING = {"{": "}", "[": "]", "(": ")"}


@dataclass(frozen=True)
class PassCall:
    """A pass, with the text of its options."""

    name: str
    options: str = ""
    place: str = ""
    """Where errors say that the pass was asked for."""


@dataclass(frozen=True)
class Nest:
    """Steps that run on each op of a name, one op after the other."""

    anchor: str
    steps: "tuple[PassCall | Nest, ...]"
    place: str = ""


Step = PassCall | Nest


def parse_pipeline(text: str) -> tuple[Step, ...]:
    """The steps of a textual pipeline, which names the op that it runs on.

    Raises a `UsageError` with the column.
    """
    reader = _Reader(text)
    steps = reader.steps("")
    if len(steps) != 1 or not isinstance(steps[0], Nest):
        reader.fail(
            "expected the pipeline to be wrapped with the op that it runs on, "
            "such as 'builtin.module(...)'",
            0,
        )
    nest = steps[0]
    if nest.anchor not in {"builtin.module", "any"}:
        reader.fail(f"can't run '{nest.anchor}' pass manager on 'builtin.module' op", 0)
    return nest.steps


def is_nested(text: str) -> bool:
    """Whether a pipeline is in MLIR's spelling, in which an anchor comes first."""
    name = _NAME.match(text.lstrip())
    return name is not None and text.lstrip()[name.end() :].lstrip().startswith("(")


class _Reader:
    """Reads a textual pipeline from left to right."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0

    def steps(self, end: str) -> tuple[Step, ...]:
        """Read steps up to `end`, which is not read; empty is the end of the text."""
        found: list[Step] = []
        while True:
            self._skip()
            if self._next() == end:
                return tuple(found)
            found.append(self._step())
            self._skip()
            if self._next() == ",":
                self.at += 1
            elif self._next() != end:
                expected = f"',' or '{end}'" if end else "','"
                self.fail(f"expected {expected} after a pass")

    def _step(self) -> Step:
        name = _NAME.match(self.text, self.at)
        if name is None:
            self.fail("expected the name of a pass or of an op")
        place = self._place(self.at)
        self.at = name.end()
        self._skip()
        if self._next() == "(":
            self.at += 1
            steps = self.steps(")")
            self.at += 1
            return Nest(name[0], steps, place)
        if self._next() != "{":
            return PassCall(name[0], "", place)
        start = self.at + 1
        self.at = matching_end(self.text, self.at)
        if self.at > len(self.text):
            self.fail("missing '}' of the options of a pass", start - 1)
        return PassCall(name[0], self.text[start : self.at - 1], place)

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _skip(self) -> None:
        space = _SPACE.match(self.text, self.at)
        assert space is not None
        self.at = space.end()

    def _place(self, at: int) -> str:
        return f"{PASS_PIPELINE}:1:{at + 1}"

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        """Stop with an error at a column, or at the one that is reached."""
        raise UsageError(self._place(self.at if at is None else at), message)


def matching_end(text: str, start: int) -> int:
    """Where the bracket or quotation at `start` has ended; beyond the text if never."""
    quote = text[start]
    if quote in "'\"":
        end = text.find(quote, start + 1)
        return end + 1 if end >= 0 else len(text) + 1
    open_brackets: list[str] = []
    at = start
    while at < len(text):
        each = text[at]
        if each in "'\"":
            at = matching_end(text, at)
            continue
        if each in _OPENING:
            open_brackets.append(_OPENING[each])
        elif open_brackets and each == open_brackets[-1]:
            open_brackets.pop()
            if not open_brackets:
                return at + 1
        at += 1
    return len(text) + 1


def split_options(text: str) -> Iterator[tuple[str, str | None]]:
    """The options in a text such as `a=1 b c={d=2}`, each a name and a value.

    The value is None where there is no `=`.
    """
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        start = at
        while at < len(text) and not text[at].isspace():
            if text[at] in "{['\"":
                at = matching_end(text, at)
            else:
                at += 1
        name, equals, value = text[start:at].partition("=")
        yield name, value if equals else None

"""A document in a web page: questions come as JSON, and answers go as JSON.

    {"do": "read", "text": "func.func ..."}     {"faults": [{"from": 3, "to": 9, ...}]}
    {"do": "explain"}                           {"hints": [...], "lenses": [...], ...}
    {"do": "hover", "at": 12}                   {"from": 10, "to": 14, "text": "..."}
    {"do": "show", "tab": "decisions"}          {"text": "...", "kind": "text"}

Places are numbers of UTF-16 units, as those of JavaScript are.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Any

from xdsl_bufferization.editing.answering import Answering
from xdsl_bufferization.editing.completion import complete
from xdsl_bufferization.editing.decisions import Decisions
from xdsl_bufferization.editing.document import Document, Fault
from xdsl_bufferization.editing.hints import (
    describe_decisions_at,
    list_hints,
    list_lenses,
    list_problems,
)
from xdsl_bufferization.editing.hover import hover
from xdsl_bufferization.editing.places import Range
from xdsl_bufferization.editing.remedies import list_remedies

from .views import VIEWS, show

Json = dict[str, Any]


class _Units:
    """Numbers of characters as numbers of UTF-16 units, and back."""

    def __init__(self, text: str) -> None:
        # Only characters such as emojis are two units.
        is_plain = text.isascii() or max(text) <= "\uffff"
        units = () if is_plain else (1 + (each > "\uffff") for each in text)
        self._starts = list(accumulate(units, initial=0))
        self._is_plain = is_plain

    def of(self, position: int) -> int:
        """The units in front of a character."""
        return position if self._is_plain else self._starts[position]

    def character(self, units: int) -> int:
        """The character that has a unit."""
        return units if self._is_plain else bisect_right(self._starts, units) - 1

    def range(self, range: Range) -> Json:
        """A part of the text."""
        return {"from": self.of(range.start), "to": self.of(range.end)}


class Session:
    """What is known about the text that stands in the page."""

    def __init__(self) -> None:
        self._document = Document("")
        self._units = _Units("")
        self._decisions = Decisions()
        self._answering = Answering()
        self._answers: Mapping[str, Callable[[Json], Json]] = {
            "read": self._read,
            "explain": self._explain,
            "hover": self._hover,
            "complete": self._complete,
            "show": self._show,
        }

    def answer(self, question: str) -> str:
        """The answer to a question, both in JSON."""
        asked = json.loads(question)
        return json.dumps(self._answers[asked["do"]](asked))

    def _read(self, asked: Json) -> Json:
        """Take a text, and say what is wrong with it."""
        pipeline = asked.get("pipeline") or None
        if pipeline != self._decisions.chosen:
            self._decisions = Decisions(pipeline)
        self._document.set_text(asked["text"])
        self._units = _Units(self._document.text)
        return {"faults": self._faults(self._document.faults())}

    def _faults(self, faults: Iterable[Fault]) -> list[Json]:
        return [
            {
                **self._units.range(fault.range),
                "text": fault.text,
                "severity": fault.severity.name.lower(),
                "notes": [
                    {**self._units.range(note.range), "text": note.text}
                    for note in fault.notes
                ],
            }
            for fault in faults
        ]

    def _explain(self, _: Json) -> Json:
        """Decide about functions that changed, and say what is decided about all."""
        document, decisions = self._document, self._decisions
        self._decide(Range(0, len(document.text)))
        faults = [*document.faults(), *list_problems(document, decisions)]
        return {
            "faults": self._faults(faults),
            "hints": [
                {"at": self._units.of(hint.position), "label": hint.label}
                | {"verdict": hint.decision.verdict.name if hint.decision else None}
                for hint in list_hints(document, decisions)
            ],
            "lenses": [
                {**self._units.range(lens.range), "title": lens.title}
                for lens in list_lenses(document, decisions)
            ],
            "remedies": self._remedies(),
        }

    def _decide(self, about: Range) -> None:
        """Decide about what has changed in a part of the text."""
        document, decisions = self._document, self._decisions
        waiting = list(decisions.questions(document, about.start))
        while waiting and not decisions.are_known(document, about.start, about.end):
            question = waiting.pop(0)
            found = self._answering.answer(question)
            waiting[:0] = decisions.take(question, found)

    def _remedies(self) -> list[Json]:
        found = list_remedies(
            self._document, self._decisions, 0, len(self._document.text)
        )
        return [
            {
                **self._units.range(remedy.at),
                "title": remedy.title,
                "edits": [
                    {**self._units.range(edit.range), "insert": edit.text}
                    for edit in remedy.edits
                ],
            }
            for remedy in found
        ]

    def _hover(self, asked: Json) -> Json:
        """What is known about a word, and what is decided about it."""
        at = self._units.character(asked["at"])
        found = hover(self._document, at)
        decided = describe_decisions_at(self._document, self._decisions, at)
        texts = [text for text in (decided, found and found.text) if text]
        range = Range(at, at) if found is None else found.range
        return {**self._units.range(range), "text": "\n\n---\n\n".join(texts)}

    def _complete(self, asked: Json) -> Json:
        """What may be written at a place."""
        at = self._units.character(asked["at"])
        return {
            "items": [
                {
                    **self._units.range(item.range),
                    "label": item.label,
                    "kind": item.kind.value,
                    "detail": item.detail,
                }
                for item in complete(self._document, at)
            ]
        }

    def _show(self, asked: Json) -> Json:
        """What a tab shows of the program at a place."""
        document, decisions = self._document, self._decisions
        program = document.program_at(self._units.character(asked.get("at", 0)))
        cuts, view = program.cuts, VIEWS[asked["tab"]]
        lines_before = document.lines.line_of(cuts.start)
        text = "\n" * lines_before + document.text[cuts.start : cuts.end]
        reports = None
        if view.make_known is not None:
            self._decide(Range(cuts.start, cuts.end))
            reports = decisions.reports_of(document, program)
        result = show(asked["tab"], text, decisions.pipeline, reports)
        kind = "page" if view.is_page else "text"
        return {"text": result.text, "kind": "error" if result.is_error else kind}

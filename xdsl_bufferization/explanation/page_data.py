"""What the page shows, as lists and numbers that JSON can hold.

Names are short, and what repeats is given by its number, so that the page of a large
model stays small. The script of `page.html` reads this.

    {"lines": [["  ", ["%b", 1], " = tensor.insert %f into ", ["%a", 0, 1, 4], ...]]}
        %b is value 1; %a is value 0, copied (1) by decision 4
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from .memory import Lane, MemoryTimeline, Span
from .program_text import shorten
from .report import (
    Decision,
    Explanation,
    FunctionReport,
    Position,
    Reason,
    Value,
    Verdict,
)

Json = Any
"""What `json.dumps` takes."""

_MENTION = re.compile(r"(%[\w$.-]+)(?:#(\d+)|:\d+)?")
_COMMENT = "//"
_VERDICTS = list(Verdict)


def make_page_data(explanation: Explanation) -> dict[str, Json]:
    """All that the page shows of an explanation."""
    text = _Text(shorten(explanation.text))
    functions = [_Function(report, text) for report in explanation.functions]
    decisions = list[Json]()
    for function in functions:
        function.mark_operands(len(decisions))
        decisions += map(_decision, function.decisions)
    return {
        "title": explanation.file or "program",
        "pipeline": explanation.pipeline,
        "verdicts": [str(verdict) for verdict in _VERDICTS],
        "lines": [list(text.segments(at)) for at in range(len(text.lines))],
        "values": [_value(value) for value in text.values],
        "decisions": decisions,
        "functions": [_figures(report) for report in explanation.functions],
        "proofCosts": list(explanation.proof_costs),
        "memory": [
            {
                "name": stage.name,
                "meaning": stage.meaning,
                "functions": list(map(_timeline, stage.functions)),
            }
            for stage in explanation.memory
        ],
    }


# --- the program ---------------------------------------------------------------------


@dataclass(eq=False)
class _Mention:
    """A name in the text, and the tensor that it stands for."""

    line: int
    column: int
    end: int
    name: str
    number: int
    """Which of several results, the first is 0."""

    value: int | None = None
    verdict: int | None = None
    decision: int | None = None


@dataclass(eq=False)
class _Text:
    """The lines of the program, the names in them, and the tensors of all functions."""

    text: str
    lines: list[str] = field(init=False)
    mentions: list[list[_Mention]] = field(init=False)
    """By line, from left to right."""

    values: list[Value] = field(default_factory=list[Value])

    def __post_init__(self) -> None:
        self.lines = self.text.removesuffix("\n").split("\n")
        self.mentions = [
            list(_find_mentions(at, line)) for at, line in enumerate(self.lines, 1)
        ]

    def in_lines(self, first: int, last: int) -> Iterator[_Mention]:
        """The names from one line to another one, both included."""
        for mentions in self.mentions[max(first - 1, 0) : last]:
            yield from mentions

    def segments(self, at: int) -> Iterator[Json]:
        """A line as text, and as names of tensors with what there is to say of them."""
        line, start = self.lines[at], 0
        for mention in self.mentions[at]:
            if mention.value is None:
                continue
            if start < mention.column:
                yield line[start : mention.column]
            start = mention.end
            segment: list[Json] = [line[mention.column : start], mention.value]
            if mention.verdict is not None:
                segment += [mention.verdict]
            if mention.decision is not None:
                segment += [mention.decision]
            yield segment
        if start < len(line):
            yield line[start:]


def _find_mentions(line: int, text: str) -> Iterator[_Mention]:
    for found in _MENTION.finditer(text.split(_COMMENT)[0]):
        number = int(found[2] or 0)
        yield _Mention(line, found.start(), found.end(), found[1], number)


class _Function:
    """A function of the text: which of its names are which tensors."""

    def __init__(self, report: FunctionReport, text: _Text):
        self._report = report
        self._text = text
        self._mentions = list(text.in_lines(report.position.line, report.last_line))
        self._places = [(each.line, each.column) for each in self._mentions]
        self._by_name: dict[str, list[tuple[tuple[int, int], list[int]]]] = {}
        """By name: where it is defined, and which values it has there, in order."""

        self._find_values()
        for mention in self._mentions:
            values = self._values_at(mention)
            if mention.number < len(values):
                mention.value = values[mention.number]

    @property
    def decisions(self) -> Iterator[Decision]:
        """Those with something to explain."""
        return filter(_is_out_of_place, self._report.decisions)

    def mark_operands(self, number: int) -> None:
        """Note at the names what was decided; `number` is that of the next decision."""
        for place, decisions in groupby(self._report.decisions, _place_of_op):
            at = bisect_right(self._places, place)
            for decision in decisions:
                found = self._next_operand(at, decision)
                if found is not None:
                    mention, at = self._mentions[found], found + 1
                    mention.verdict = _VERDICTS.index(decision.verdict)
                    if _is_out_of_place(decision):
                        mention.decision = number
                number += _is_out_of_place(decision)

    def _find_values(self) -> None:
        names = dict(zip(self._places, self._mentions, strict=True))
        by_place = groupby(self._report.values, lambda value: _place(value.position))
        for place, group in by_place:
            mention = names.get(place)
            values = self._add(group)
            if mention is not None:
                self._define(mention.name, place, values)
                continue
            # The text does not say it where it is defined: trust the name.
            for each in values:
                self._define(self._text.values[each].name, (place[0], -1), [each])

    def _add(self, values: Iterable[Value]) -> list[int]:
        first = len(self._text.values)
        self._text.values += values
        return list(range(first, len(self._text.values)))

    def _define(self, name: str, place: tuple[int, int], values: list[int]) -> None:
        self._by_name.setdefault(name, []).append((place, values))

    def _values_at(self, mention: _Mention) -> list[int]:
        """What a name stands for: what it was last defined as above."""
        definitions = self._by_name.get(mention.name, [])
        place = mention.line, mention.column
        at = bisect_right(definitions, place, key=lambda each: each[0])
        return definitions[at - 1][1] if at else []

    def _next_operand(self, start: int, decision: Decision) -> int | None:
        """The next mention of what a decision is about, inside of its op."""
        last = decision.position.line + _LINES_OF_OP
        for at in range(start, len(self._mentions)):
            mention = self._mentions[at]
            if mention.line > last:
                break
            if mention.value is not None:
                value = self._text.values[mention.value]
                if value.name == decision.value_name:
                    return at
        return None


_LINES_OF_OP = 4
"""How many lines an op may take up to its last operand."""


def _is_out_of_place(decision: Decision) -> bool:
    return decision.verdict is not Verdict.IN_PLACE


def _place(position: Position) -> tuple[int, int]:
    return position.line, position.column - 1


def _place_of_op(decision: Decision) -> tuple[int, int]:
    return _place(decision.position)


def _value(value: Value) -> Json:
    return [value.name, value.type, value.position.line, value.alias_set]


def _decision(decision: Decision) -> Json:
    return {
        "line": decision.position.line,
        "op": decision.op,
        "name": decision.value_name,
        "verdict": _VERDICTS.index(decision.verdict),
        "size": decision.size,
        "reasons": list(map(_reason, decision.reasons)),
        "more": decision.more_reasons,
        "counted": decision.are_reasons_counted,
    }


def _reason(reason: Reason) -> Json:
    return {
        "kind": str(reason.kind),
        "sentence": reason.sentence,
        "defined": _at(reason.definition),
        "written": _at(reason.write),
        "read": _at(reason.read),
        "remedy": reason.remedy,
    }


def _at(position: Position | None) -> Json:
    return position and [position.line, position.value]


def _figures(report: FunctionReport) -> Json:
    """What there is to say of a function; None is not shown."""
    allocated = report.bytes_allocated if report.allocations else None
    copied = report.bytes_copied if report.copies else None
    return {
        "name": report.name,
        "line": report.position.line,
        "last": report.last_line,
        "proofs": list(report.proofs or ()),
        "figures": [
            ["allocations", report.allocations, 0],
            ["copies", report.copies, 0],
            ["copies for the caller", len(report.caller_copies) or None, 0],
            ["allocated", allocated, 1, report.dynamic_allocations],
            ["copied", copied, 1, report.dynamic_copies],
            ["peak", report.peak, 1],
            ["lower bound", report.lower_bound, 1],
        ],
    }


# --- memory --------------------------------------------------------------------------


def _timeline(timeline: MemoryTimeline) -> Json:
    names = list(dict.fromkeys(step.op for step in timeline.steps))
    numbers = {name: number for number, name in enumerate(names)}
    return {
        "name": timeline.function,
        "names": names,
        "steps": [[numbers[step.op], step.line] for step in timeline.steps],
        "lanes": list(map(_lane, timeline.lanes)),
        "live": _changes(timeline.live),
        "needed": _changes(timeline.needed),
        "peak": timeline.peak,
        "bound": timeline.lower_bound,
        "atMost": timeline.is_upper_bound,
    }


def _lane(lane: Lane) -> Json:
    return {
        "name": lane.name,
        "kind": str(lane.kind),
        "type": lane.type,
        "line": lane.line,
        "bytes": lane.bytes,
        "allocated": _flat(lane.allocated),
        "needed": _flat(lane.needed),
        "freed": lane.is_freed,
    }


def _flat(spans: Iterable[Span]) -> list[int]:
    return [step for span in spans for step in span]


def _changes(numbers: Iterable[int]) -> list[int]:
    """Each step at which the number is another one, followed by the number."""
    last: int | None = None
    changes: list[int] = []
    for step, number in enumerate(numbers):
        if number != last:
            changes += (step, number)
        last = number
    return changes

"""Decisions beside the text: a hint at each operand, a lens over each function.

%b = tensor.insert %x into %a [copied, 16 bytes] [%i] : ...     a hint
2 copies, 32 bytes, peak 64 bytes                               a lens
func.func @f(...)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from xdsl.ir import Operation

from xdsl_bufferization.explanation.report import (
    Buffer,
    Decision,
    Fate,
    FunctionReport,
    Position,
    Verdict,
)
from xdsl_bufferization.support.garbage import without_garbage_collection

from .decisions import MAKES_BUFFER, Decisions, Explained
from .document import Document, Fault, Placed, Severity
from .names import range_of_symbol
from .places import Range
from .reading import Piece, ValueName


class HintsShown(Enum):
    """Which hints are shown."""

    ALL = "all"
    COPIES = "copies"
    """Only of operands for which there is a new buffer."""
    NONE = "none"


@dataclass(frozen=True)
class Hint:
    """A few words behind an operand, or behind a result that is a new buffer."""

    position: int
    label: str
    text: str
    """All of it, in Markdown."""
    decision: Decision | None = None


@dataclass(frozen=True)
class Lens:
    """A line over a function."""

    range: Range
    """The name of the function."""
    name: str
    title: str


@dataclass(frozen=True)
class Decided:
    """A decision, and where the operand is that it is about."""

    explained: Explained
    decision: Decision
    op: Operation
    operand: Range


def place_of(
    document: Document, explained: Explained, position: Position
) -> int | None:
    """The position in the document of what a report speaks of, if it is written there.

    None for ops that passes made.
    """
    place = position.written
    if place is None:
        if explained.passes_before:
            return None
        place = position.line, position.column
    return document.lines.position(place[0] - 1, place[1] - 1)


def decided(
    document: Document,
    explained: Explained,
    is_asked_about: Callable[[Decision, Range], bool] = lambda _, __: True,
) -> Iterator[Decided]:
    """The decisions about a function whose operands are in the text.

    `is_asked_about` may leave out some, by what is decided and where the op is.
    """
    report = explained.report
    if report is None:
        return
    placed = explained.placed
    ops, places = placed.piece.ops_by_name, placed.piece.op_places
    for decision in report.decisions:
        position = place_of(document, explained, decision.position)
        op = None if position is None else ops.get(placed.offset(position))
        if op is None or op.name != decision.op:
            continue
        place = places[op]
        if not is_asked_about(decision, placed.range(place.start, place.end)):
            continue
        name = find_operand(placed.piece, op, decision.operand_number)
        if name is not None:
            at = placed.range(name.start, name.end)
            yield Decided(explained, decision, op, at)


def find_operand(piece: Piece, op: Operation, number: int) -> ValueName | None:
    """Where an operand of an op is written."""
    if number >= len(op.operands):
        return None
    value = op.operands[number]
    uses = [each for each in piece.uses_of(op) if value in each.values]
    before = sum(each is value for each in op.operands[:number])
    return uses[min(before, len(uses) - 1)] if uses else None


# Hints.


@without_garbage_collection()
def list_hints(
    document: Document,
    decisions: Decisions,
    start: int = 0,
    end: int | None = None,
    shown: HintsShown = HintsShown.ALL,
) -> list[Hint]:
    """The hints of a part of a document, in order.

    Where an edit has to be explained yet, ops that it leaves as they were keep theirs.
    """
    if shown is HintsShown.NONE:
        return []
    end = len(document.text) if end is None else end
    found = [
        hint
        for explained in decisions.explained(document, also_old=True)
        if explained.placed.start < end and explained.placed.end > start
        for hint in _hints_of(document, explained, Range(start, end), shown)
        if start <= hint.position <= end
    ]
    return sorted(found, key=lambda hint: hint.position)


def _hints_of(
    document: Document, explained: Explained, around: Range, shown: HintsShown
) -> Iterator[Hint]:
    """The hints of a function in a part of the text, and some of others."""
    report = explained.report
    if report is None:
        return
    buffers = list(report.buffers or ())

    def is_asked_about(decision: Decision, op: Range) -> bool:
        # Each operand takes its buffer: what is left has a hint of its own.
        return decision.verdict in MAKES_BUFFER or (
            op.start <= around.end and op.end >= around.start
        )

    for each in decided(document, explained, is_asked_about):
        decision = each.decision
        buffer = None
        if decision.verdict in MAKES_BUFFER:
            line = document.lines.line_of(each.operand.start) + 1
            buffer = _take_buffer(buffers, line, decision)
        if shown is HintsShown.ALL or decision.verdict is not Verdict.IN_PLACE:
            text = describe_decision(explained, decision, buffer)
            label = _label(decision, buffer)
            yield Hint(each.operand.end, label, text, decision)
    for buffer in buffers:
        hint = _hint_of_buffer(explained.placed, document, buffer)
        if hint is not None:
            yield hint


def _take_buffer(buffers: list[Buffer], line: int, decision: Decision) -> Buffer | None:
    """The buffer that is made for an operand; it is taken out of the list."""
    for buffer in buffers:
        if buffer.line == line and buffer.bytes == decision.bytes:
            buffers.remove(buffer)
            return buffer
    return None


_LABELS = {
    Verdict.IN_PLACE: "in place",
    Verdict.COPIED: "copied",
    Verdict.ALLOCATED: "new buffer",
    Verdict.MOVED: "moved",
}


def _label(decision: Decision, buffer: Buffer | None) -> str:
    label = _LABELS[decision.verdict]
    if decision.verdict is Verdict.IN_PLACE:
        return label
    fate = "" if buffer is None else f", {_describe_fate(buffer)}"
    return f"{label}, {decision.size}{fate}"


def _describe_fate(buffer: Buffer) -> str:
    match buffer.fate:
        case Fate.FREED if buffer.freed_at is not None:
            return f"freed at line {buffer.freed_at}"
        case Fate.FREED:
            return "freed here"
        case Fate.CALLER:
            return "the caller frees it"
        case Fate.NOBODY:
            return "nobody frees it"


def _hint_of_buffer(placed: Placed, document: Document, buffer: Buffer) -> Hint | None:
    """A hint at the op whose result is a new buffer."""
    if buffer.line is None or not 0 < buffer.line <= len(document.lines):
        return None
    start = document.lines.start_of(buffer.line - 1)
    end = document.lines.end_of(buffer.line - 1)
    if not placed.start <= end or start >= placed.end:
        return None
    named = [
        name
        for name in placed.piece.names
        if name.is_definition and start <= placed.place(name.start) <= end
    ]
    if not named:
        return None
    size = "unknown size" if buffer.bytes is None else f"{buffer.bytes:,} bytes"
    label = f"allocated, {size}, {_describe_fate(buffer)}"
    return Hint(placed.place(named[0].end), label, f"`{buffer.name}`: {label}")


# In words.


def describe_decision(
    explained: Explained, decision: Decision, buffer: Buffer | None = None
) -> str:
    """A decision with its reasons and what would avoid it, in Markdown."""
    lines = [f"`{decision.value_name}`: **{_label(decision, buffer)}**"]
    if explained.passes_before and decision.reasons:
        lines.append(
            f"\nLines are those of the program after `{explained.passes_before}`."
        )
    for reason in decision.reasons:
        lines.append(f"\n- {reason.sentence}")
        if reason.remedy is not None:
            lines.append(f"  - to avoid it: {reason.remedy}")
    if decision.more_reasons:
        lines.append(f"- and {decision.more_reasons} more reasons")
    return "\n".join(lines)


def describe_decisions_at(
    document: Document, decisions: Decisions, position: int
) -> str | None:
    """What is decided about the operand at a position, or about those of an op."""
    for explained in decisions.explained(document):
        placed = explained.placed
        if not placed.start <= position <= placed.end:
            continue
        offset = placed.offset(position)
        found = [
            each
            for each in decided(
                document, explained, lambda _, op: op.start <= position <= op.end
            )
            if each.operand.start <= position <= each.operand.end
            or _is_name(placed.piece, each.op, offset)
        ]
        texts = [describe_decision(explained, each.decision) for each in found]
        return "\n\n".join(texts) or None
    return None


def _is_name(piece: Piece, op: Operation, offset: int) -> bool:
    start = piece.op_places[op].name
    return start <= offset <= start + len(op.name)


# Lenses, and what cannot be explained.


def list_lenses(document: Document, decisions: Decisions) -> list[Lens]:
    """A lens over each function that is explained."""
    return [
        Lens(at, explained.name, _figures(explained.figures))
        for explained in decisions.explained(document, also_old=True)
        if explained.figures is not None
        and (at := _name_of_function(explained)) is not None
    ]


def _name_of_function(explained: Explained) -> Range | None:
    for op in explained.placed.piece.op_places:
        named = op.properties.get("sym_name")
        if named is not None and getattr(named, "data", None) == explained.name:
            return range_of_symbol(explained.placed, op)
    return None


def _figures(report: FunctionReport) -> str:
    if report.copies is None:
        return "no figures: the pipeline removes this function"
    unknown = report.dynamic_copies or 0
    parts = [
        f"{report.copies} cop{'y' if report.copies == 1 else 'ies'}",
        f"{report.bytes_copied or 0:,} bytes copied"
        + (f" and {unknown} of unknown size" if unknown else ""),
        f"{report.allocations} allocation{'s' * (report.allocations != 1)}",
        f"peak {report.peak or 0:,} bytes",
    ]
    if report.caller_copies:
        size = sum(each.bytes or 0 for each in report.caller_copies)
        parts.append(f"{len(report.caller_copies)} more for the caller, {size:,} bytes")
    return " · ".join(parts)


def list_problems(document: Document, decisions: Decisions) -> list[Fault]:
    """What keeps functions from being bufferized, as warnings at their places."""
    found: list[Fault] = []
    for explained in decisions.explained(document):
        problem = explained.problem
        if problem is None:
            continue
        at = _name_of_function(explained)
        if problem.line is not None:
            position = document.lines.position(problem.line - 1, problem.column - 1)
            if explained.placed.start <= position <= explained.placed.end:
                line_end = document.lines.end_of(problem.line - 1)
                at = Range(position, max(position + 1, line_end))
        if at is not None:
            found.append(Fault(at, problem.text, Severity.WARNING))
    return list(dict.fromkeys(found))

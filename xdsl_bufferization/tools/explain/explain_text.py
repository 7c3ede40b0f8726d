"""An explanation for a terminal: the program, and under each copy why it is made.

    3 C | %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
        |   copy of %0, 16 bytes: line 4 reads it after line 3 would have ...
        |   to avoid it: move the read before the write: line 4 before line 3

Each tensor operand has a mark beside its line, from left to right. Colour only
underlines what the marks say as well.
"""

from collections.abc import Iterator, Sequence

from xdsl_bufferization.explanation.caller_copies import in_words
from xdsl_bufferization.explanation.report import (
    Decision,
    Explanation,
    FunctionReport,
    Reason,
    Verdict,
)

from ..common.side_by_side import shorten

_MARKS = {
    Verdict.IN_PLACE: "=",
    Verdict.COPIED: "C",
    Verdict.ALLOCATED: "A",
    Verdict.MOVED: "M",
}

LEGEND = (
    "Tensor operands, from left to right: = in place, C copied, A allocated anew, "
    "M moved to its place"
)

_COPIED, _OTHER, _GREY, _PLAIN = "\033[1;31m", "\033[33m", "\033[90m", "\033[0m"
STYLES = (_COPIED, _OTHER, _GREY, _PLAIN)
"""The escape codes in lines of an explanation."""

_COLOURS = {Verdict.COPIED: _COPIED, Verdict.ALLOCATED: _OTHER, Verdict.MOVED: _OTHER}

_TITLES = {
    Verdict.COPIED: "copy of",
    Verdict.ALLOCATED: "new buffer instead of",
    Verdict.MOVED: "copy of the elements of",
}


def format_explanation(explanation: Explanation, colour: bool) -> Iterator[str]:
    """The lines of an explanation."""
    yield LEGEND
    if explanation.passes_before:
        yield f"After {explanation.passes_before}:"
    yield from explanation.changes
    lines = explanation.text.split("\n")
    if not explanation.functions:
        yield ""
        yield "There is no function to explain."
    for function in explanation.functions:
        yield ""
        yield from _format_function(function, lines, colour)
    if explanation.proof_costs:
        yield ""
    yield from explanation.proof_costs


def _format_function(
    function: FunctionReport, lines: Sequence[str], colour: bool
) -> Iterator[str]:
    by_line: dict[int, list[Decision]] = {}
    for decision in function.decisions:
        by_line.setdefault(decision.position.line, []).append(decision)
    marks = {line: _mark(decisions) for line, decisions in by_line.items()}
    width = max(map(len, marks.values()), default=1)
    numbers = len(str(function.last_line))
    margin = f"{'':{numbers + width + 2}}| "
    for line in range(function.position.line, function.last_line + 1):
        mark = marks.get(line, "")
        start = _paint(f"{line:{numbers}} {mark:{width}} |", _colour_of(mark), colour)
        text = shorten(lines[line - 1])
        yield f"{start} {text}".rstrip()
        for decision in by_line.get(line, ()):
            indent = margin + " " * (len(text) - len(text.lstrip()) + 2)
            for each in _format_decision(decision):
                yield _paint(indent + each, _colour_of(mark), colour)
    yield ""
    yield from summarize(function)


def _mark(decisions: Sequence[Decision]) -> str:
    return "".join(_MARKS[decision.verdict] for decision in decisions)


def _colour_of(mark: str) -> str:
    for verdict, colour in _COLOURS.items():
        if _MARKS[verdict] in mark:
            return colour
    return _GREY


def _format_decision(decision: Decision) -> Iterator[str]:
    if decision.verdict is Verdict.IN_PLACE:
        return
    title = f"{_TITLES[decision.verdict]} {decision.value_name}, {decision.size}:"
    if len(decision.reasons) == 1:
        (reason,) = decision.reasons
        yield f"{title} {reason.sentence}"
        yield from _format_remedy(reason)
        return
    yield title
    for reason in decision.reasons:
        yield f"- {reason.sentence}"
        yield from (f"  {line}" for line in _format_remedy(reason))
    if decision.more_reasons:
        least = "" if decision.are_reasons_counted else "at least "
        yield f"- and {least}{decision.more_reasons} reasons more"


def _format_remedy(reason: Reason) -> Iterator[str]:
    if reason.remedy is not None:
        yield f"to avoid it: {reason.remedy}"


def summarize(function: FunctionReport) -> Iterator[str]:
    """What a function costs, in two lines."""
    verdicts = [decision.verdict for decision in function.decisions]
    counts = ", ".join(
        f"{verdicts.count(verdict)} {verdict}"
        for verdict in Verdict
        if verdict in verdicts
    )
    operands = _count(len(verdicts), "tensor operand")
    yield f"@{function.name}: {operands}{counts and ': '}{counts}"
    if function.allocations is not None:
        yield (
            f"  {_count(function.allocations, 'allocation')}, "
            f"{function.bytes_allocated} bytes"
            f"{_unknown(function.dynamic_allocations)}; "
            f"{_count(function.copies, 'copy', 'copies')}, "
            f"{function.bytes_copied} bytes{_unknown(function.dynamic_copies)}; "
            f"peak {function.peak} bytes, lower bound {function.lower_bound} bytes"
        )
    if function.optimum is not None:
        yield f"  {function.optimum}"
    if function.layout_copies:
        copies = _count(function.layout_copies, "copy", "copies")
        yield f"  {copies} only because of a layout"
    if function.later_copies:
        copies = _count(function.later_copies, "copy", "copies")
        yield f"  {copies} by passes behind one-shot-bufferize"
    if function.caller_copies:
        yield f"  {in_words(function.caller_copies)}"
    yield from (f"  {line}" for line in function.proofs or ())


def _count(number: int | None, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _unknown(number: int | None) -> str:
    return f" and {number} of unknown size" if number else ""


def _paint(text: str, colour: str, is_wanted: bool) -> str:
    return f"{colour}{text}{_PLAIN}" if is_wanted else text

"""What avoids a copy, as edits of the text that keep its comments and its layout.

    %b = tensor.insert %x into %a[%i] ...       %y = tensor.extract %a[%i] ...
    // The old number.                     ->   %b = tensor.insert %x into %a[%i] ...
    %y = tensor.extract %a[%i] ...

`explanation/remedies.py` says what would help. Here that is done line by line, as
printing the program anew would lose what is not in it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from xdsl.dialects import arith, bufferization
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.explanation.report import (
    Action,
    ActionKind,
    Position,
    Reason,
    Verdict,
)

from .decisions import Decisions
from .document import Document, Placed
from .hints import Decided, decided, place_of
from .names import Edit
from .places import Range


@dataclass(frozen=True)
class Remedy:
    """Edits that avoid a copy."""

    title: str
    edits: tuple[Edit, ...]
    at: Range = field(compare=False)
    """The operand that is copied."""


def list_remedies(
    document: Document, decisions: Decisions, start: int, end: int
) -> list[Remedy]:
    """What can be done against copies of operands in the lines of a selection."""
    lines = document.lines
    first, last = lines.line_of(start), lines.line_of(end)
    found = [
        remedy
        for each in _copied(
            document, decisions, lines.start_of(first), lines.end_of(last)
        )
        if first <= lines.line_of(each.operand.start) <= last
        for remedy in _remedies_of(document, each)
    ]
    return list(dict.fromkeys(found))


def _copied(
    document: Document, decisions: Decisions, start: int, end: int
) -> Iterator[Decided]:
    """The operands that are copied in functions of a part of the document."""
    for explained in decisions.explained(document):
        if explained.placed.start > end or explained.placed.end < start:
            continue
        for each in decided(document, explained):
            if each.decision.verdict is not Verdict.IN_PLACE:
                yield each


def _remedies_of(document: Document, each: Decided) -> Iterator[Remedy]:
    for reason in each.decision.reasons:
        action = reason.action
        do = None if action is None else _EDITS.get(action.kind)
        if action is None or do is None:
            continue
        edits = do(_Site(document, each), action)
        if edits:
            yield Remedy(_title(each, reason), tuple(edits), each.operand)


def _title(each: Decided, reason: Reason) -> str:
    what = (reason.remedy or "").partition(";")[0]
    return f"Avoid the copy of {each.decision.value_name}: {what}"


@dataclass(frozen=True)
class _Site:
    """Where something is to be done."""

    document: Document
    decided: Decided

    @property
    def placed(self) -> Placed:
        return self.decided.explained.placed

    def op(self, position: Position | None) -> Operation | None:
        """The op of the text that a position speaks of."""
        if position is None:
            return None
        at = place_of(self.document, self.decided.explained, position)
        if at is None:
            return None
        op = self.placed.piece.ops_by_name.get(self.placed.offset(at))
        return op if op is not None and op.name == position.op else None

    def range(self, op: Operation) -> Range:
        place = self.placed.piece.op_places[op]
        return self.placed.range(place.start, place.end)

    def text(self, at: Range) -> str:
        return self.document.text[at.start : at.end]

    def indent_of(self, position: int) -> str:
        line = self.document.lines.text_of(self.document.lines.line_of(position))
        return line[: len(line) - len(line.lstrip())]

    def has_own_lines(self, at: Range) -> bool:
        """Whether nothing else stands in the lines of a range, but a comment behind."""
        lines = self.document.lines
        line_start = lines.start_of(lines.line_of(at.start))
        line_end = lines.end_of(lines.line_of(at.end))
        behind = self.document.text[at.end : line_end].strip()
        return not self.document.text[line_start : at.start].strip() and (
            not behind or behind.startswith("//")
        )

    def lines_of(self, at: Range) -> Range:
        """The whole lines of an op, with the comments above that are about it."""
        lines = self.document.lines
        first, last = lines.line_of(at.start), lines.line_of(at.end)
        while first > 0 and _COMMENT.match(lines.text_of(first - 1)):
            first -= 1
        return Range(lines.start_of(first), lines.start_of(last + 1))


_COMMENT: Final = re.compile(r"\s*//(?! -----| RUN:| CHECK)")


def _move(site: _Site, action: Action) -> list[Edit] | None:
    """Move ops in front of another one of the same block."""
    target = site.op(action.target)
    ops = [site.op(position) for position in action.ops]
    if target is None:
        return None
    found = [op for op in ops if op is not None and op.parent is target.parent]
    if len(found) < len(ops) or not _can_stand_before(found, target):
        return None
    return _moved(site, [site.range(op) for op in found], site.range(target))


def _can_stand_before(ops: Sequence[Operation], target: Operation) -> bool:
    """Whether all that ops use is defined in front of another op, or by one of them."""
    moved = {*ops}
    for op in ops:
        for inner in op.walk():
            for operand in inner.operands:
                owner = operand.owner
                if isinstance(owner, Block) or owner in moved:
                    continue
                if owner.parent is target.parent and not owner.is_before_in_block(
                    target
                ):
                    return False
    return True


def _moved(site: _Site, ranges: Sequence[Range], target: Range) -> list[Edit]:
    if all(site.has_own_lines(each) for each in (*ranges, target)):
        whole = [site.lines_of(each) for each in ranges]
        at = site.lines_of(target).start
        text = "".join(map(_ended, map(site.text, whole)))
        return [Edit(Range(at, at), text), *(Edit(each, "") for each in whole)]
    indent = site.indent_of(target.start)
    text = "".join(f"{site.text(each)}\n{indent}" for each in ranges)
    at = Range(target.start, target.start)
    return [Edit(at, text), *(Edit(each, "") for each in ranges)]


def _ended(text: str) -> str:
    """Lines that end with a line break, as the last one of a text may not."""
    return text if text.endswith("\n") else f"{text}\n"


def _define_in_loop(site: _Site, action: Action) -> list[Edit] | None:
    """Move an op into the body of a loop, if nobody else uses it."""
    loop = site.op(action.target)
    op = site.op(action.ops[0]) if action.ops else None
    if loop is None or op is None or not loop.regions:
        return None
    uses = [use.operation for result in op.results for use in result.uses]
    body = loop.regions[-1].first_block
    first = None if body is None else body.first_op
    inside = all(use is not loop and loop.is_ancestor(use) for use in uses)
    if first is None or not uses or not inside:
        return None
    if not all(_is_inside(use, body) for use in uses):
        return None
    return _moved_in(site, site.range(op), site.range(first))


def _is_inside(op: Operation, block: Block | None) -> bool:
    at: Operation | None = op
    while at is not None:
        if at.parent is block:
            return True
        at = at.parent_op()
    return False


def _moved_in(site: _Site, at: Range, first: Range) -> list[Edit] | None:
    if not site.has_own_lines(at) or not site.has_own_lines(first):
        return None
    whole = site.lines_of(at)
    before, indent = site.indent_of(at.start), site.indent_of(first.start)
    lines = [
        indent + line.removeprefix(before) if line.strip() else line
        for line in _ended(site.text(whole)).splitlines(keepends=True)
    ]
    line = site.document.lines.line_of(first.start)
    start = site.document.lines.start_of(line)
    return [Edit(whole, ""), Edit(Range(start, start), "".join(lines))]


_RESTRICT: Final = re.compile(r"\s+restrict\b")


def _mark_writable(site: _Site, action: Action) -> list[Edit] | None:
    """Add `writable` behind the buffer of a `to_tensor`."""
    op = site.op(action.ops[0])
    if not isinstance(op, bufferization.ToTensorOp):
        return None
    at = site.range(op)
    text = site.text(at)
    found = re.search(r"to_tensor\s+%[\w$.#-]+", text)
    if found is None or text.lstrip("%0123456789 =").startswith('"'):
        return None
    behind = _RESTRICT.match(text, found.end())
    end = at.start + (found.end() if behind is None else behind.end())
    return [Edit(Range(end, end), " writable")]


_NOT_WRITABLE: Final = re.compile(r"bufferization\.writable\s*=\s*false")


def _allow_writes(site: _Site, action: Action) -> list[Edit] | None:
    """Remove `bufferization.writable = false` from the dictionary of an argument."""
    place = action.ops[0]
    explained = site.decided.explained
    if place.written is not None or explained.passes_before:
        return None
    lines = site.document.lines
    start = lines.position(place.line - 1, place.column - 1)
    text = site.document.text
    brace = re.compile(r"%[\w$.-]+\s*:[^%{]*\{").match(text, start)
    found = None if brace is None else _NOT_WRITABLE.search(text, brace.end())
    end = -1 if brace is None else text.find("}", brace.end())
    if brace is None or found is None or found.end() > end:
        return None
    inside = text[brace.end() : end]
    rest = _NOT_WRITABLE.sub("", inside, count=1)
    rest = re.sub(r"^\s*,\s*|\s*,\s*$", "", re.sub(r",\s*,", ",", rest))
    if not rest.strip():
        before = text[: brace.end() - 1].rstrip(" ")
        return [Edit(Range(len(before), end + 1), "")]
    return [Edit(Range(brace.end(), end), rest)]


_SPLAT: Final = re.compile(r"dense<\s*([^<>\[\]\"]+?)\s*>\s*:\s*(tensor<[^<>]*>)")


def _fill(site: _Site, action: Action) -> list[Edit] | None:
    """Let `linalg.fill` make a tensor of its own where a constant would be written."""
    op, user = site.op(action.ops[0]), site.decided.op
    if not isinstance(op, arith.ConstantOp) or op.result is not _operand(site):
        return None
    type_ = op.result.type
    written = _SPLAT.search(site.text(site.range(op)))
    if written is None or not isa(type_, TensorType):
        return None
    element = str(type_.element_type)
    at = site.range(user)
    if element == "i1" or "x0x" in written[2] or not site.has_own_lines(at):
        return None
    line = site.document.lines.line_of(at.start)
    start = site.document.lines.start_of(line)
    indent = site.indent_of(at.start)
    name = _fresh(site, site.text(site.decided.operand))
    tensor = written[2]
    text = (
        f"{indent}{name}_value = arith.constant {written[1]} : {element}\n"
        f"{indent}{name}_empty = tensor.empty() : {tensor}\n"
        f"{indent}{name} = linalg.fill ins({name}_value : {element}) "
        f"outs({name}_empty : {tensor}) -> {tensor}\n"
    )
    return [Edit(Range(start, start), text), Edit(site.decided.operand, name)]


def _operand(site: _Site) -> object:
    return site.decided.op.operands[site.decided.decision.operand_number]


def _fresh(site: _Site, name: str) -> str:
    """A name like that of a value, which nobody has."""
    stem = name.partition("#")[0]
    stem = f"%filled_{stem[1:]}" if stem[1:].isdecimal() else f"{stem}_filled"
    found, number = stem, 0
    while found in site.placed.piece.text:
        number += 1
        found = f"{stem}_{number}"
    return found


def _add_restrict(site: _Site, action: Action) -> list[Edit] | None:
    """Add `restrict` in front of the destination."""
    op = site.op(action.ops[0])
    if op is None:
        return None
    at = site.range(op)
    text = site.text(at)
    found = re.search(r"materialize_in_destination\s+%[\w$.#-]+\s+in\s+", text)
    if found is None:
        return None
    place = at.start + found.end()
    return [Edit(Range(place, place), "restrict ")]


_EDITS: Final[dict[ActionKind, Callable[[_Site, Action], list[Edit] | None]]] = {
    ActionKind.MOVE: _move,
    ActionKind.DEFINE_IN_LOOP: _define_in_loop,
    ActionKind.MARK_WRITABLE: _mark_writable,
    ActionKind.ALLOW_WRITES: _allow_writes,
    ActionKind.FILL: _fill,
    ActionKind.ADD_RESTRICT: _add_restrict,
}
"""How a remedy is done in the text; one that sets an option is not."""

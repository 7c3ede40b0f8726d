"""Faults of all kinds in 1 to 20 functions, opened whole and typed in at random."""

import random
from collections.abc import Iterator

import pytest
from harness.editing.faulty import BODIES, HEADERS, faulty_program, right_and_faulty

from xdsl_bufferization.editing import document as documents
from xdsl_bufferization.editing.document import Document

KINDS = [*BODIES, *HEADERS]
LINE_ENDS = ("\n", "\r\n", " \n", "\t\r\n")


class Layout:
    """How a program is written: its line ends, its blanks, and what is around it."""

    def __init__(self, choose: random.Random) -> None:
        self.line_end = choose.choice(LINE_ENDS)
        self.has_tabs = choose.random() < 0.5
        self.head, self.foot = choose.choice((("", ""), ("module {\n", "}\n")))
        self.indent = "  " if self.head else ""

    def text(self, body: str) -> str:
        """A program with this layout; each line stays where it is."""
        lines = body.split("\n")
        body = "\n".join(self.indent + line if line else line for line in lines)
        text = self.head + body + self.foot
        if self.has_tabs:
            text = text.replace("  ", "\t")
        return text.replace("\n", self.line_end)


def check(document: Document, ranges: list[range], lines_before: int = 0) -> None:
    """One error in each faulty function, and none elsewhere."""
    lines = [
        document.lines.line_of(fault.range.start) - lines_before
        for fault in document.faults()
    ]
    found = [
        [at for at, inside in enumerate(ranges) if each in inside] for each in lines
    ]
    assert found == [[number] for number in range(len(ranges))], document.text


def steps(choose: random.Random, right: str, wrong: str) -> Iterator[str]:
    """The text of a function while somebody types what is wrong with it."""
    length = 0
    while right[length:] and right[length] == wrong[length : length + 1]:
        length += 1
    if choose.random() < 0.5:
        yield right[:length]
    for _ in range(6):
        length += choose.choice((1, 3, 10))
        yield wrong[:length] + choose.choice(("", "\n}\n"))
    yield wrong


def typed_at_random(
    choose: random.Random, parts: list[tuple[str, str]]
) -> Iterator[str]:
    """A right program, and what it is after each edit until all faults are in it."""
    now = [right for right, _ in parts]
    yield "".join(now)
    waiting = [
        (number, steps(choose, right, wrong))
        for number, (right, wrong) in enumerate(parts)
        if right != wrong
    ]
    while waiting:
        number, following = choose.choice(waiting)
        text = next(following, None)
        if text is None:
            waiting.remove((number, following))
        else:
            now[number] = text
            yield "".join(now)


@pytest.mark.parametrize("seed", range(200))
@pytest.mark.volume(sample=4)
def test_each_fault_is_found_however_it_was_written(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = random.Random(seed)
    monkeypatch.setattr(documents, "SPLICED_FROM", choose.choice((0, 500)))
    kinds = choose.choices(KINDS, k=1 + seed % 20)
    body, ranges = faulty_program(kinds)
    layout = Layout(choose)
    lines_before = layout.head.count("\n")
    check(Document(layout.text(body)), ranges, lines_before)
    document = Document("")
    for text in typed_at_random(choose, right_and_faulty(kinds)):
        document.set_text(layout.text(text))
        if choose.random() < 0.7:
            document.faults()
        else:
            document.work_for(0)
        if choose.random() < 0.1:
            assert document.faults() == Document(document.text).faults()
    check(document, ranges, lines_before)


def test_a_brace_too_many_makes_up_for_no_other_brace() -> None:
    kinds = ["no brace", "undefined value", "one brace too many"]
    text, ranges = faulty_program(kinds)
    check(Document(text), ranges)


def test_what_a_broken_function_calls_is_not_broken() -> None:
    """The second call is wrong as well."""
    text, ranges = faulty_program(["no operand", "callee of another type"])
    text = text.replace("arith.addf %x, :", "func.call @right0(%x :")
    check(Document(text), ranges)


def test_functions_of_inner_modules_may_stand_in_one_column() -> None:
    function = "func.func @{}() {{\nreturn\n}}\n"
    for text in (
        "module @inner {\n" + function.format("f") + function.format("g") + "}\n",
        "module {\n" + function.format("f") + function.format("g") + "}\n",
    ):
        assert Document(function.format("main") + text).faults() == []

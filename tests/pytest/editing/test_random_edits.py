"""Random edits: nothing raises, and what is offered leaves a program that is right."""

import random
import re
from collections.abc import Sequence

import numpy as np
import pytest
from harness.editing.edits import random_edit
from harness.editing.explaining import explain
from harness.editing.texts import apply
from harness.oracles.decisions import parse
from harness.programs.random_programs import Shape, random_program
from numpy.typing import NDArray

from xdsl_bufferization.editing.completion import complete
from xdsl_bufferization.editing.decisions import Decisions
from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.highlight import highlight
from xdsl_bufferization.editing.hints import (
    describe_decisions_at,
    list_hints,
    list_lenses,
    list_problems,
)
from xdsl_bufferization.editing.hover import hover
from xdsl_bufferization.editing.names import Edit, RenameError, find_names, rename
from xdsl_bufferization.editing.outline import list_folds, list_symbols
from xdsl_bufferization.editing.remedies import list_remedies
from xdsl_bufferization.editing.results import format_pieces
from xdsl_bufferization.reference.evaluator import evaluate

SIMPLE = "one-shot-bufferize{bufferize-function-boundaries}"
SHAPE = Shape(ops=10, calls=True)


def with_comments(text: str, seed: int) -> str:
    """The program with a comment above or behind some lines."""
    choose = random.Random(seed)
    lines: list[str] = []
    for number, line in enumerate(text.splitlines()):
        if choose.random() < 0.2:
            lines.append(f"  // above {number}")
        behind = f"  // behind {number}" if choose.random() < 0.2 else ""
        lines.append(line + behind)
    return "\n".join(lines) + "\n"


def comments_of(text: str) -> list[str]:
    return sorted(re.findall(r"//.*", text))


def ask_everything(document: Document, decisions: Decisions, position: int) -> None:
    """Ask all that an editor asks at a place."""
    document.faults()
    list(decisions.questions(document))
    hover(document, position)
    complete(document, position)
    find_names(document, position)
    list_symbols(document)
    list_folds(document)
    highlight(document)
    list_hints(document, decisions)
    list_lenses(document, decisions)
    list_problems(document, decisions)
    describe_decisions_at(document, decisions, position)
    format_pieces(document)


def edit_at_random(document: Document, choose: random.Random) -> int:
    """One edit; returns where it is."""
    edit = random_edit(choose, document.text)
    document.change(edit.range.start, edit.range.end, edit.text)
    return min(edit.range.start, len(document.text))


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.volume(sample=4)
def test_a_hundred_random_edits_raise_nothing(seed: int) -> None:
    """10,000 edits in all; the program is made right again from time to time."""
    choose = random.Random(seed)
    right = with_comments(random_program(seed, SHAPE), seed)
    if seed % 2:
        right = "#map = affine_map<(d0) -> (d0)>\nmodule {\n" + right + "}\n"
    document = Document(right)
    decisions = Decisions(SIMPLE)
    for number in range(100):
        if number % 20 == 0:
            document.set_text(right)
            explain(document, decisions)
        else:
            at = edit_at_random(document, choose)
            ask_everything(document, decisions, at)
        if number % 20 == 10:
            explain(document, decisions)
            list_remedies(document, decisions, 0, len(document.text))
    # What was kept on the way gives the same as a new document.
    assert document.faults() == Document(document.text).faults()


Value = NDArray[np.float32] | np.float32 | int


def results_of(text: str, seed: int) -> list[object]:
    choose = np.random.default_rng(seed)
    given: list[Value] = [
        choose.integers(-4, 5, size).astype(np.float32) for size in (8, 8, 4)
    ]
    found: list[object] = []
    for condition in (0, 1):
        arguments = [*(np.copy(each) for each in given), np.float32(3), 3, condition]
        with np.errstate(all="ignore"):
            results = evaluate(parse(text), "main", arguments)
        found += [np.asarray(each).tobytes() for each in results]
    return found


def check(text: str, edits: Sequence[Edit], seed: int) -> str:
    better = apply(text, [*edits])
    assert Document(better).faults() == [], better
    assert comments_of(better) == comments_of(text)
    assert results_of(better, seed) == results_of(text, seed), better
    return better


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.volume(sample=8)
def test_each_remedy_of_a_random_program_keeps_what_it_computes(seed: int) -> None:
    text = with_comments(random_program(seed, SHAPE), seed)
    for _ in range(3):
        document = Document(text)
        decisions = explain(document, Decisions(SIMPLE))
        remedies = list_remedies(document, decisions, 0, len(text))
        for remedy in remedies[:6]:
            check(text, remedy.edits, seed)
        if not remedies:
            break
        text = apply(text, [*remedies[0].edits])


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.volume(sample=8)
def test_each_rename_in_a_random_program_keeps_what_it_computes(seed: int) -> None:
    choose = random.Random(seed)
    text = with_comments(random_program(seed, SHAPE), seed)
    for number in range(5):
        document = Document(text)
        at = choose.choice([*re.finditer(r"[%@^]\w+", text)]).start() + 1
        try:
            edits = rename(document, at, f"renamed_{number}")
        except RenameError:
            continue
        if any(text[e.range.start : e.range.end] == "main" for e in edits):
            continue
        text = check(text, edits, seed)

"""The check of prose finds faults, and leaves plain prose and code alone."""

from pathlib import Path

import pytest
from check_prose import (
    Passage,
    passages,
    problems_of_document,
    problems_of_passage,
    problems_of_program,
    problems_of_source,
)
from check_prose import problems_of_terms as of_terms

HERE = Path(__file__)
LONG = f"It {'really ' * 30}matters."
# In pieces, so that the check finds them where they are tested and not here.
ROUND = "ro" + "und"
WAYS = "on all " + "ways"
LATTER = "the " + "latter"


def messages(text: str) -> list[str]:
    found = (problems_of_passage(HERE, each) for each in passages(text))
    return [problem.message for each in found for problem in each]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LONG, "a sentence of 32 words"),
        ("- " + LONG, "a sentence of 32 words"),
        ("| a |\n|---|\n| " + LONG + " |", "a sentence of 32 words"),
        (f"Each {ROUND} of a loop writes.", f"'{ROUND}': say `iteration`"),
        (f"It is freed {WAYS}.", f"'{WAYS}': say `path`"),
        ("It has two. This is wrong.", "name the thing"),
        (f"Take {LATTER}.", f"'{LATTER}': name the thing"),
        ("One reads. Two write. Three copy. Four free.", "4 short sentences in a row"),
        ("Of two operands, the first that is looked at is.", "say what follows"),
    ],
)
def test_faults_are_found(text: str, expected: str) -> None:
    assert [message for message in messages(text) if message.startswith(expected)]


@pytest.mark.parametrize(
    "text",
    [
        "Each iteration writes to the tensor of the one before. " * 20,
        f"```text\n{LONG}\n```",
        f"    {LONG}",
        "It rounds to even, in a round trip, and not the other way round.",
        "There are two ways to do it.",
        "This pass frees buffers.",
        "One reads. Two write. Three copy, as long as nobody else does so. Four free.",
        "The program stays as it is, and its functions are called as MLIR's are.",
    ],
)
def test_plain_prose_and_code_are_left_alone(text: str) -> None:
    assert messages(text) == []


def of_document(text: str, folder: Path) -> list[str]:
    page = folder / "page.md"
    page.write_text(text)
    return [problem.message for problem in problems_of_document(page)]


@pytest.mark.parametrize("mark", ["", "- ", "1. "])
def test_a_paragraph_does_not_begin_with_a_pronoun(mark: str, tmp_path: Path) -> None:
    found = of_document(f"{mark}It does so.\n\nThe pass runs. It does so.\n", tmp_path)
    assert found == ["name the thing first: It does so...."]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["0.3 s", "2 ms, or less"], ["s, ms"]),
        (["1,017 GFLOP/s", "988"], ["GFLOP/s, none"]),
        (["1 to 2 ms", "3.5 ms"], []),
        (["12", "1.0.3 and later", "-", "`x`", "2 passes"], []),
    ],
)
def test_a_column_has_one_unit(
    cells: list[str], expected: list[str], tmp_path: Path
) -> None:
    rows = "".join(f"| a | {cell} |\n" for cell in cells)
    found = of_document(f"| what | time |\n|---|---|\n{rows}", tmp_path)
    assert found == [f"the column 'time' has several units: {e}" for e in expected]


def terms(text: str) -> list[str]:
    return [problem.message for problem in of_terms(HERE, list(passages(text)))]


def test_first_use_of_a_term_is_linked() -> None:
    assert "alias-set" in "".join(terms("An alias set grows."))
    assert (
        terms("An [alias set](glossary.md#alias-set) has [aliases](glossary.md#alias).")
        == []
    )


def test_terms_without_definition_are_found() -> None:
    assert "the glossary does not define 'phi'" in terms("A phi joins values.")


def test_docstrings_and_messages_are_read(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        f'def f() -> None:\n    """What f does.\n\n    {LONG}\n    """\n'
        f'    raise ValueError("all {ROUND}s of the loop write")\n'
    )
    assert [problem.line for problem in problems_of_source(file)] == [4, 6]


def test_comments_are_read_across_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(f"x = 1\n# Each\n# {ROUND} writes, on\n# all {WAYS[-4:]}.\n")
    assert [problem.line for problem in problems_of_source(file)] == [3, 3]


def test_texts_of_notebooks_are_read(tmp_path: Path) -> None:
    file = tmp_path / "notebook.py"
    file.write_text(f'mo.md(f"""\nIn {{n}} loops, each {ROUND} writes.\n""")\n')
    (problem,) = problems_of_source(file)
    assert problem.message == f"'{ROUND}': say `iteration`"


def test_comments_of_programs_are_read_but_not_what_they_expect(tmp_path: Path) -> None:
    file = tmp_path / "program.mlir"
    file.write_text(
        f"// RUN: one {ROUND}\n\n// Each {ROUND} writes.\n\n"
        f"// CHECK-LABEL: a {ROUND} of\n// THREE: a {ROUND} of\n"
    )
    assert [problem.line for problem in problems_of_program(file)] == [3]


def test_lines_are_those_of_the_sentence() -> None:
    text = f"One.\nTwo.\n{LONG}"
    (problem,) = problems_of_passage(HERE, Passage(10, text))
    assert problem.line == 12

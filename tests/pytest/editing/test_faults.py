"""One fault in each of n functions: n errors, each in its function, and no others."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from harness.editing.faulty import BODIES, HEADERS, faulty_program
from harness.pages.documents import ROOT

from xdsl_bufferization.editing.document import Document, Fault, Settings, Severity

KINDS = [*BODIES, *HEADERS]


def lines_of_faults(text: str) -> list[tuple[int, str]]:
    document = Document(text)
    return [
        (document.lines.line_of(fault.range.start), fault.text)
        for fault in document.faults()
    ]


def check(text: str, ranges: list[range], lines_before: int = 0) -> None:
    found = lines_of_faults(text)
    numbers = [
        [number for number, lines in enumerate(ranges) if line - lines_before in lines]
        for line, _ in found
    ]
    assert numbers == [[number] for number in range(len(ranges))], found


@pytest.mark.parametrize("kind", KINDS)
def test_one_fault_is_one_error(kind: str) -> None:
    check(*faulty_program([kind]))


@pytest.mark.parametrize("kind", KINDS)
def test_one_fault_inside_of_a_module_is_one_error(kind: str) -> None:
    text, ranges = faulty_program([kind], indent="  ")
    check(f"module {{\n{text}}}\n", ranges, lines_before=1)


def test_each_fault_of_many_is_found() -> None:
    check(*faulty_program(KINDS))


@pytest.mark.parametrize("count", [2, 20, 100])
def test_n_functions_of_one_kind(count: int) -> None:
    check(*faulty_program(["unknown op"] * count))
    check(*faulty_program(["no brace"] * count))


def test_several_rules_that_are_broken_in_one_function_are_several_errors() -> None:
    found = lines_of_faults(
        "func.func @f() {\n"
        "  func.call @one() : () -> ()\n"
        "  func.call @other() : () -> ()\n"
        "  return\n}\n"
    )
    assert [line for line, _ in found] == [1, 2]


def test_callers_of_a_broken_function_are_right() -> None:
    text = (
        "func.func @caller() {\n  func.call @f() : () -> ()\n  return\n}\n"
        "func.func @f() {\n  %0 = arith.\n  return\n}\n"
    )
    assert [line for line, _ in lines_of_faults(text)] == [5]


def test_what_uses_a_broken_alias_is_not_blamed() -> None:
    text = (
        "#map = affine_map<(d0 -> (d0)>\n"
        "func.func @f() {\n  %0 = test.op {a = #map}\n  return\n}\n"
    )
    assert [line for line, _ in lines_of_faults(text)] == [0]


def test_a_module_that_does_not_end_is_one_error() -> None:
    text = "module {\n  func.func @f() {\n    return\n  }\n"
    assert [line for line, _ in lines_of_faults(text)] == [3]


@pytest.mark.parametrize("text", ["# 1", "\N{SNOWMAN}", "%", '"', "\\", "1.e"])
def test_a_text_that_begins_with_no_word_is_one_error(text: str) -> None:
    assert [line for line, _ in lines_of_faults(text)] == [0]


def test_chunks_are_programs_of_their_own() -> None:
    text = "func.func @f() {\n  return\n}\n// -----\n" * 2
    assert lines_of_faults(text) == []


def test_a_changed_callee_is_noticed_by_its_caller() -> None:
    document = Document(
        "func.func private @f(f32)\n"
        "func.func @g(%x: f32) {\n  func.call @f(%x) : (f32) -> ()\n  return\n}\n"
    )
    assert document.faults() == []
    at = document.text.index("f32")
    document.change(at, at + 3, "f64")
    (fault,) = document.faults()
    assert document.lines.line_of(fault.range.start) == 2
    document.change(at, at + 3, "f32")
    assert document.faults() == []


def test_notes_have_places_in_other_pieces() -> None:
    document = Document(
        "\n\nfunc.func private @f(f32)\n"
        "func.func @g(%x: f64) {\n  func.call @f(%x) : (f64) -> ()\n  return\n}\n"
    )
    (fault,) = document.faults()
    assert [document.lines.line_of(note.range.start) for note in fault.notes] == [2]


def test_numbers_of_lines_in_messages_stay_right() -> None:
    document = Document("func.func @f() {\n  return\n")
    (fault,) = document.faults()
    assert "begins at 1:16" in fault.text
    document.change(0, 0, "// one line more\n")
    (fault,) = document.faults()
    assert "begins at 2:16" in fault.text


def test_ops_of_unknown_dialects_are_warnings_where_asked() -> None:
    text = 'func.func @f() {\n  "foreign.op"() : () -> ()\n  return\n}\n'
    (fault,) = Document(text).faults()
    assert fault.severity is Severity.ERROR
    (fault,) = Document(text, Settings(unregistered="warning")).faults()
    assert fault.severity is Severity.WARNING
    assert "dialect 'foreign' is not known" in fault.text
    assert Document(text, Settings(unregistered="allowed")).faults() == []


def test_xdsls_text_is_read_where_asked() -> None:
    text = (
        "func.func @f(%x: f32) {\n  %0 = tensor.generate {\n"
        "    tensor.yield {test.a} %x : f32\n  } : tensor<f32>\n  return\n}\n"
    )
    assert Document(text).faults()
    assert Document(text, Settings(is_mlirs=False)).faults() == []


CORPUS = sorted(
    file
    for folder in ("tests/filecheck", "tests/data")
    for file in (ROOT / folder).rglob("*.mlir")
)


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
@pytest.mark.volume(sample=60)
def test_faults_are_the_errors_of_xbuf_opt(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same errors, at the same lines; none for a program that is accepted."""
    from xdsl_bufferization.tools.opt import opt

    text = file.read_text()
    arguments = [str(file), "--split-input-file", "-o", "/dev/null"]
    if "allow-unregistered-dialect" in text:
        arguments.append("--allow-unregistered-dialect")
    code = opt(arguments)
    said = capsys.readouterr().err
    errors = re.findall(r"^.*?:(\d+):\d+: error: (.*)$", said, re.MULTILINE)
    document = Document(text)
    found = [
        (document.lines.line_of(fault.range.start) + 1, " ".join(fault.text.split()))
        for fault in document.faults()
    ]
    assert bool(found) == bool(code)
    last = {chunk.cuts.end for chunk in document.programs}
    ends = {document.lines.line_of(end) + 1 for end in last}
    for line, message in errors:
        # What is missing at the end of a program is said at its last word.
        lines = {at for at, text in found if text == message}
        assert int(line) in lines or (lines and int(line) in ends), (line, message)


def test_the_room_needs_neither_numpy_nor_the_compiler() -> None:
    """A web page has to load all of it."""
    code = (
        "import sys, pkgutil, importlib\n"
        "import xdsl_bufferization.editing as room\n"
        "for each in pkgutil.iter_modules(room.__path__):\n"
        "    importlib.import_module(f'{room.__name__}.{each.name}')\n"
        "from xdsl_bufferization.editing.document import Document\n"
        "Document('func.func @f() {').faults()\n"
        "names = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(names & {'numpy', 'llvmlite', 'pygls', 'lsprotocol'}))\n"
        "print([name for name in sys.modules if name.endswith('frontends.jit')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n[]\n"


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.volume(sample=4)
def test_errors_of_syntax_are_known_before_all_is_read(seed: int) -> None:
    """What is said on the way is never taken back."""
    kinds = random.Random(seed).choices(KINDS, k=12)
    text, _ = faulty_program(kinds)
    text = "#broken = affine_map<(d0) ->\n" * (seed % 2) + text
    document = Document(text)
    all_of_them = Document(text).faults()
    said: list[Fault] = []
    steps = 0
    while not document.work_for(0):
        found = document.faults_so_far()
        assert {*said} <= {*found} <= {*all_of_them}
        said, steps = found, steps + 1
    assert steps > 20
    assert said
    assert document.faults_so_far() == document.faults() == all_of_them


def test_what_is_near_is_read_first() -> None:
    text, _ = faulty_program(["no operand"] * 9)
    middle = text.index("@faulty4")
    document = Document(text, near=middle)
    while not (found := document.faults_so_far()):
        document.work_for(0)
    (fault,) = found
    assert document.lines.line_of(fault.range.start) == text.count("\n", 0, middle) + 1


def test_a_text_that_changes_while_it_is_read_is_read_to_its_end() -> None:
    text, _ = faulty_program(["no operand"] * 9)
    document = Document(text)
    for number in range(5):
        document.work_for(0)
        document.change(0, 0, f"// {number}\n")
    assert document.faults() == Document(document.text).faults()


def test_a_text_whose_run_line_changes_is_read_anew() -> None:
    """Without the option, an unknown op is an error again."""
    run = "// RUN: xbuf opt --allow-unregistered-dialect %s\n"
    document = Document(run + '"a.b"() : () -> ()\n')
    assert document.faults() == []
    document.change(0, len(run), "")
    (fault,) = document.faults()
    assert "a.b is not registered" in fault.text


@pytest.mark.parametrize("is_mlirs", [False, True])
def test_deep_nesting_is_read_or_refused_in_plain_words(is_mlirs: bool) -> None:
    loops = (f"scf.for %j{number} = %i to %i step %i {{\n" for number in range(200))
    text = "func.func @f(%i: index) {\n" + "".join(loops) + "}\n" * 200 + "return\n}\n"
    found = [fault.text for fault in Document(text, Settings(is_mlirs)).faults()]
    too_deep = "the program is nested too deeply to be parsed"
    assert found == ([] if is_mlirs else [too_deep])


def test_an_unknown_op_changes_no_short_name_elsewhere() -> None:
    """`return` outside of a function is unknown, and inside it is `func.return`."""
    right = "func.func @f() {\n  return\n}\n"
    document = Document("return\n" + right, Settings(unregistered="warning"))
    (fault,) = document.faults()
    assert fault.range.start == 0
    document.change(0, len("return\n"), "")
    document.change(0, 0, "// Another text.\n")
    assert document.faults() == []


def test_errors_of_syntax_are_kept_without_their_tracebacks() -> None:
    """Python would free thousands of places in calls inside of each other."""
    for text in ("scf.if %c {\n" * 200, "^\n"):
        document = Document(text)
        assert document.faults()
        for _, placed in document.pieces():
            error = placed.piece.error
            assert error is not None
            assert error.__traceback__ is None


@pytest.mark.parametrize("levels", [100, 300, 1000])
def test_an_error_deep_inside_is_at_its_op(levels: int) -> None:
    """An error prints what is around its op, which takes room."""
    wrong = "%0 = tensor.extract %a[%i, %i] : tensor<4xf32>"
    text = "\n".join(
        [
            "func.func @f(%a: tensor<4xf32>, %i: index, %c: i1) {",
            *["scf.if %c {"] * levels,
            wrong,
            *["}"] * levels,
            "return\n}\n",
        ]
    )
    (fault,) = Document(text).faults()
    assert "incorrect number of indices" in fault.text
    assert text[fault.range.start : fault.range.end] == "tensor.extract"

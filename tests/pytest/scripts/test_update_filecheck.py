"""Expectations of file checks are rewritten where they fail, and nowhere else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import update_filecheck
from expectations import escaped, rewrite

PRINTED = """\
builtin.module {
  func.func @f(%i: index) -> f32 {
    %a = memref.alloc() : memref<4xf32>
    %x = memref.load %a[%i] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    func.return %x : f32
  }
  func.func @g() {
    func.return
  }
}
"""


def rewritten(text: str, printed: str = PRINTED) -> list[str]:
    result = rewrite(text.splitlines(), "CHECK", printed)
    assert not result.left
    return list(result.lines)


def problems(text: str) -> tuple[str, ...]:
    lines = text.splitlines()
    result = rewrite(lines, "CHECK", PRINTED)
    assert list(result.lines) == lines
    return result.left


EXACT = """\
// CHECK-LABEL: func.func @f
// CHECK-NEXT: %a = memref.alloc() : memref<4xf32>
// Why there is a load.
// CHECK-NEXT: memref.load
// CHECK: func.return
func.func @f() {}
"""


def test_what_holds_stays_as_it_is():
    assert rewritten(EXACT) == EXACT.splitlines()


def test_a_line_that_is_no_longer_printed_is_replaced():
    text = EXACT.replace("%a = memref.alloc() : memref<4xf32>", "memref.alloca()")
    assert rewritten(text) == EXACT.splitlines()


def test_a_line_that_is_new_is_written_before_the_next_one():
    text = EXACT.replace("// CHECK-NEXT: %a = memref.alloc() : memref<4xf32>\n", "")
    lines = EXACT.splitlines()
    assert rewritten(text) == [lines[0], lines[2], lines[1], *lines[3:]]


def test_a_line_too_many_goes_and_comments_stay():
    text = EXACT.replace("// Why", "// CHECK-NEXT: memref.copy\n// Why")
    assert rewritten(text) == EXACT.splitlines()


def test_the_end_of_a_function_is_written_without_the_braces_around():
    text = "// CHECK-LABEL: @f\n// CHECK: memref.load\n// CHECK-NEXT: func.return %a\n"
    assert rewritten(text) == [
        "// CHECK-LABEL: @f",
        "// CHECK: memref.load",
        "// CHECK-NEXT: memref.dealloc %a : memref<4xf32>",
        "// CHECK-NEXT: func.return %x : f32",
    ]


def test_a_part_that_holds_stays_where_another_fails():
    held = "// CHECK-LABEL: @f\n// CHECK: memref.{{load|store}}\n"
    failing = "// CHECK-LABEL: @g\n// CHECK-NEXT: func.call\n"
    assert rewritten(held + failing) == [
        *held.splitlines(),
        "// CHECK-LABEL: @g",
        "// CHECK-NEXT: func.return",
    ]


def test_variables_and_what_is_not_printed_stay_around_a_line_that_fails():
    text = (
        "// CHECK-LABEL: func.func @f\n"
        "// CHECK-NEXT: [[A:%.*]] = memref.alloc\n"
        "// CHECK-NOT: memref.store\n"
        "// CHECK-NEXT: memref.copy\n"
        "// CHECK-NEXT: memref.dealloc [[A]]\n"
    )
    load = "%x = memref.load %a[%i] : memref<4xf32>"
    assert rewritten(text) == text.replace("memref.copy", load).splitlines()


def test_a_blank_line_is_no_next_line():
    assert rewritten("// CHECK: c\n", "a\n\nb\n") == [
        "// CHECK: a",
        "// CHECK: b",
    ]


def test_without_a_label_the_first_line_is_anywhere():
    assert rewritten("// CHECK: memref.copy\n", "a\nb\n") == [
        "// CHECK: a",
        "// CHECK-NEXT: b",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "CHECK-NEXT: %{{.*}} = memref.alloca",
        "CHECK-NEXT: [[A:%.*]] = memref.alloca",
        "CHECK-NOT: memref.load",
        "CHECK-NEXT: memref.store [[A:%.*]], [[B]]",
        "CHECK-DAG: memref.alloca",
        "CHECK-SAME: f64",
    ],
)
def test_patterns_that_fail_are_left_and_named(line: str):
    (problem,) = problems(f"// CHECK-LABEL: func.func @f\n// {line}\n")
    assert "'func.func @f'" in problem


def test_a_label_that_is_not_printed_is_named():
    (problem,) = problems("// CHECK-LABEL: func.func @h\n// CHECK: memref.load\n")
    assert problem == "nothing is printed for 'func.func @h'"


def test_a_file_without_expectations_gets_all_that_is_printed():
    program = "func.func @f() {\n}\n\nfunc.func @g() {\n}\n"
    assert rewritten(program) == [
        "// CHECK-LABEL: func.func @f",
        "// CHECK-NEXT: %a = memref.alloc() : memref<4xf32>",
        "// CHECK-NEXT: %x = memref.load %a[%i] : memref<4xf32>",
        "// CHECK-NEXT: memref.dealloc %a : memref<4xf32>",
        "// CHECK-NEXT: func.return %x : f32",
        "func.func @f() {",
        "}",
        "",
        "// CHECK-LABEL: func.func @g",
        "// CHECK-NEXT: func.return",
        "func.func @g() {",
        "}",
    ]


def test_a_file_without_functions_gets_its_lines_behind_the_commands():
    run = "// RUN: xbuf opt %s | filecheck %s"
    assert rewritten(f"{run}\n\nprogram\n", "a\n\n  b\n") == [
        run,
        "// CHECK: a",
        "// CHECK: b",
        "",
        "program",
    ]


def test_an_output_without_lines_is_named():
    result = rewrite(["program"], "CHECK", "")
    assert result.lines == ("program",)
    assert result.left == ("what is printed says nothing of the program",)


@pytest.mark.parametrize("text", ["a {{b}} c", "x [[y]] z", "[[0, 1], [2]]", "{{"])
def test_text_that_looks_like_a_pattern_is_found(text: str):
    line = f"// CHECK: {escaped(text)}"
    assert rewritten(line, f"{text}\n") == [line]
    assert rewritten("// CHECK: something else", f"{text}\n") == [line]


RUN = "// RUN: xdsl-opt -t mlir-22 -p canonicalize %s | filecheck %s\n"
PROGRAM = """\
func.func @f(%a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  return %1 : i32
}
"""


def update(path: Path) -> subprocess.CompletedProcess[str]:
    """Rewrite files as `make update-filecheck` does."""
    return subprocess.run(
        [sys.executable, update_filecheck.__file__, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_files_are_rewritten_and_shown(tmp_path: Path):
    right = "// CHECK-LABEL: @f\n// CHECK-NEXT: func.return %a : i32\n"
    wrong = "// CHECK-LABEL: @f\n// CHECK-NEXT: arith.addi\n"
    pattern = "// CHECK-LABEL: @f\n// CHECK-NEXT: %{{.*}} = arith.addi\n"
    texts = {
        name: RUN + expected + PROGRAM
        for name, expected in {"a": right, "b": wrong, "c": pattern}.items()
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.mlir").write_text(text)
    shown = update(tmp_path)
    assert shown.returncode == 1
    changed = {f"{name}.mlir": text for name, text in texts.items()}
    changed["b.mlir"] = RUN + right + PROGRAM
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == changed
    assert "-// CHECK-NEXT: arith.addi\n" in shown.stdout
    assert "+// CHECK-NEXT: func.return %a : i32\n" in shown.stdout
    assert shown.stdout.count("@@") == 2
    assert "c.mlir: left as it is: '@f' has patterns" in shown.stderr
    again = update(tmp_path / "b.mlir")
    assert (again.returncode, again.stdout) == (0, "")


def test_a_command_that_fails_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "a.mlir"
    file.write_text(RUN.replace("canonicalize", "no-such-pass") + PROGRAM)
    assert update_filecheck.main([str(file)]) == 1
    assert "left as it is: its command fails: " in capsys.readouterr().err


def test_several_prefixes_for_one_output_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "a.mlir"
    run = RUN.replace("filecheck %s", "filecheck %s --check-prefixes=CHECK,ALSO")
    right = "// CHECK-LABEL: @f\n// ALSO-NEXT: func.return %a : i32\n"
    file.write_text(run + right + PROGRAM)
    assert update_filecheck.main([str(file)]) == 0
    file.write_text(run + right.replace("%a", "%b") + PROGRAM)
    assert update_filecheck.main([str(file)]) == 1
    assert "CHECK and ALSO are for one output" in capsys.readouterr().err


def test_a_variable_of_another_part_is_left_and_named():
    text = "// CHECK-LABEL: @f\n// CHECK-NEXT: [[A]] = memref.alloc\n"
    assert problems(text)


def test_braces_of_options_are_no_list_of_the_shell(tmp_path: Path):
    file = tmp_path / "a.mlir"
    file.write_text("")
    environment = {**os.environ}
    printed = update_filecheck.execute("echo a{b,c}", file, tmp_path, environment)
    assert printed == "a{b,c}\n"


def test_lines_run_are_read_as_lit_reads_them():
    text = (
        "// RUN: xbuf gen --relu > %t.mlir\n"
        "// RUN: xbuf opt %t.mlir \\\n// RUN: | filecheck %s --check-prefix=A\n"
        "// RUN: filecheck %s --check-prefixes B,C < %t.mlir\n"
        "// RUN: not xbuf opt %s 2>&1 | filecheck %s\n"
    )
    runs = [(each.command, each.prefixes) for each in update_filecheck.runs_in(text)]
    assert runs == [
        ("xbuf gen --relu > %t.mlir", ()),
        ("xbuf opt %t.mlir", ("A",)),
        ("cat  %t.mlir", ("B", "C")),
        ("not xbuf opt %s 2>&1", ("CHECK",)),
    ]

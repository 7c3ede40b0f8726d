"""What `make new-pass` and `make new-model` write works at once, as its checks say."""

import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from shutil import copytree, ignore_patterns

import new_model
import new_pass
import pytest

ROOT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, as far as the scripts read and write it."""
    root = tmp_path_factory.mktemp("copy")
    for name in ("xdsl_bufferization", "scripts", "docs"):
        copytree(ROOT / name, root / name, ignore=ignore_patterns("__pycache__"))
    for name in ("dialects/math", "transforms/one-shot-bufferize"):
        copytree(ROOT / "tests/filecheck" / name, root / "tests/filecheck" / name)
    (root / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    return root


def run(copy: Path, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """A command in the copy, whose package stands before the one that is installed."""
    environment = {
        "PATH": f"{BIN}:/usr/bin:/bin",
        "PYTHONPATH": str(copy),
        "XBUF_CACHE": "off",
    }
    return subprocess.run(
        words, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )


def written_by(copy: Path, *words: str) -> tuple[str, str]:
    """The two files that a script writes."""
    done = run(copy, [sys.executable, *words])
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    source, check = (
        line for line in lines if line.endswith((".py", ".mlir")) and " " not in line
    )
    return source, check


def check(copy: Path, source: str, file: str) -> None:
    """Format, lint, prose and the file check of what was written."""
    for words in (
        ["ruff", "format", "--check", source],
        ["ruff", "check", source],
        [sys.executable, "docs/check_prose.py", source],
    ):
        done = run(copy, words)
        assert done.returncode == 0, done.stdout + done.stderr
    (command,) = [
        line.removeprefix("// RUN: ").replace("%s", file)
        for line in (copy / file).read_text().splitlines()
        if line.startswith("// RUN: ")
    ]
    done = run(copy, ["bash", "-c", f"set -o pipefail; {command}"])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "room", sorted(["optimization.simplify", "codegen", "bufferization/placement"])
)
def test_a_new_pass_works(copy: Path, room: str) -> None:
    name = f"fold-xors-{room.partition('.')[0].partition('/')[0]}"
    words = ["scripts/new_pass.py", name, "--room", room]
    source, file = written_by(copy, *words)
    check(copy, source, file)
    table = (copy / "xdsl_bufferization/pipelines/pass_files.py").read_text()
    assert f'"{name}"' in table
    assert run(copy, [sys.executable, *words]).stderr == (
        f"new-pass: error: there is a pass '{name}'\n"
    )


def commands_of(document: Path, target: str) -> list[list[str]]:
    """What a document gives to a target of make, in the words of the script."""
    lines = re.findall(rf"^make {target} (.+)$", document.read_text(), re.MULTILINE)
    return [[each.partition("=")[2] for each in line.split()] for line in lines]


def test_what_the_document_for_contributors_writes_works(copy: Path) -> None:
    """And it writes the files that the document names."""
    document = ROOT / "CONTRIBUTING.md"
    text = document.read_text()
    for target, script in (("new-pass", "new_pass.py"), ("new-model", "new_model.py")):
        (words,) = commands_of(document, target)
        files = written_by(copy, f"scripts/{script}", *words)
        check(copy, *files)
        for file in files:
            assert f"`{file}`" in text
            (copy / file).unlink()
    (step,) = re.findall(r"step\(\"([\w-]+)\"", text)
    assert f"make new-pass NAME={step}\n" in text


@pytest.mark.parametrize("op", ["math.absf", "math.isnan"])
def test_a_new_model_works(copy: Path, op: str) -> None:
    source, file = written_by(copy, "scripts/new_model.py", op)
    assert source.endswith("models/bufferizable/math.py")
    check(copy, source, file)
    text = (copy / file).read_text()
    assert "CHECK-NEXT: %" in text
    assert op in text


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["Fold"], "'Fold' is no name of a pass; use two or more words: fold-xors"),
        (["cse"], "'cse' is no name of a pass; use two or more words: fold-xors"),
        (["buffer-reuse"], "there is a pass 'buffer-reuse'"),
        (
            ["op-order", "--room=bufferization.bufferize"],
            "there is a file xdsl_bufferization/bufferization/bufferize/op_order.py",
        ),
        (["a-b", "--room", "kitchen"], "there is no folder xdsl_bufferization/kitchen"),
    ],
)
def test_a_pass_that_cannot_be_written_says_why(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new_pass.main(arguments) == 2
    assert capsys.readouterr().err == f"new-pass: error: {problem}\n"


@pytest.mark.parametrize(
    ("op", "problem"),
    [
        ("math.nothing", "there is no op 'math.nothing'"),
        ("tensor.insert", "'tensor.insert' has a model"),
        (
            "math.log10",
            "no file of tests/filecheck/dialects/math has 'math.log10' on "
            "tensors; write one first",
        ),
        (
            "arith.addui_extended",
            "'arith.addui_extended' is not computed element by "
            "element; see docs/bufferize_your_op.md",
        ),
    ],
)
def test_a_model_that_cannot_be_written_says_why(
    op: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new_model.main([op]) == 2
    assert capsys.readouterr().err == f"new-model: error: {problem}\n"


def test_a_model_joins_those_of_its_dialect() -> None:
    text = import_module("xdsl_bufferization.bufferization.models.bufferizable.check")
    before = Path(text.__file__ or "").read_text()
    example = new_model.find_example("math.absf", new_model.get_context())
    after = new_model.add_model(before, example)
    assert after.startswith(before.partition("\n")[0])
    assert "    AbsFOp: AbsFOpBufferization(),\n    ExpectAlmostEqOp: " in after

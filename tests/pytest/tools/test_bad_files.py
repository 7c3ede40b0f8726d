"""Programs that are no text, files that are none, and outputs with no place."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from harness.oracles.tools import find_oracle
from harness.running.command_line import PROGRAM, line_of_failure

from xdsl_bufferization.tools.xbuf import main

XBUF = [sys.executable, "-m", "xdsl_bufferization.tools.xbuf"]

READERS = [["run"], ["explain"], ["stages"], ["compare"], ["build", "-o", "out.o"]]


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ok.mlir").write_text(PROGRAM)


@pytest.mark.parametrize("command", [*READERS, ["opt"]])
@pytest.mark.parametrize(
    "content",
    [
        b"\0" * 100,
        PROGRAM.replace("index", "in\0dex").encode(),
        b"\xff\xfe" + PROGRAM.encode("utf-16"),
        b"\xff" + PROGRAM.encode(),
        b"\xef\xbb\xbf" + PROGRAM.encode(),
        b"\x7fELF\x02\x01\x01",
        b'"\xed\xa0\x80"',
    ],
    ids=["zeros", "zero", "utf-16", "latin", "bom", "elf", "half"],
)
def test_what_is_no_program_is_refused_in_one_line(
    content: bytes, command: list[str], capsys: pytest.CaptureFixture[str]
):
    Path("bad.mlir").write_bytes(content)
    line = line_of_failure(capsys, [*command, "bad.mlir"])
    assert line.startswith("bad.mlir:")
    assert line.isprintable()


@pytest.mark.volume(sample=12)
@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    "break_", [b"\r\n", b"\r", b"\x0c\n", b"\x1c\n", b"\xc2\x85\n", b"\xe2\x80\xa8\n"]
)
def test_lines_may_end_in_many_ways(break_: bytes, command: list[str]):
    """What no parser of MLIR counts as a line moves no line of the program."""
    Path("a.mlir").write_bytes(b"// a comment" + break_ + PROGRAM.encode())
    assert main([*command, "a.mlir"]) == 0


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    "file",
    [".", "missing", "ok.mlir/x", "loop", "x" * 300, "", "/proc/self/mem", "/dev/zero"],
)
def test_what_is_no_file_is_named(
    file: str, command: list[str], capsys: pytest.CaptureFixture[str]
):
    Path("loop").symlink_to("loop")
    line = line_of_failure(capsys, [*command, file])
    assert line.startswith(f"{file}: error: ")


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("name", [b"\xff.mlir", b"\x1b[31m.mlir"])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_file_may_have_any_name(name: bytes, encoding: str):
    os.rename(b"ok.mlir", name)  # noqa: PTH104, a path has no bytes.
    for command in ("explain", "stages --html --out stages", "compare", "run --json"):
        first, *others = command.split()
        done = subprocess.run(
            [*XBUF, first, name, *others],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": encoding},
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"\x1b" not in done.stdout


OUTPUTS = [
    ["run", "ok.mlir", "--outputs"],
    ["explain", "ok.mlir", "--html"],
    ["opt", "ok.mlir", "-o"],
]


@pytest.mark.volume(sample=6)
@pytest.mark.parametrize("command", OUTPUTS)
@pytest.mark.parametrize(
    "file", [".", "no/file", "ok.mlir/x", "loop", "x" * 300, "/dev/full"]
)
def test_an_output_that_has_no_place_is_named(
    file: str, command: list[str], capsys: pytest.CaptureFixture[str]
):
    Path("loop").symlink_to("loop")
    line = line_of_failure(capsys, [*command, file])
    assert line.startswith(f"{file}: error: ")


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("command", OUTPUTS)
def test_an_output_may_be_a_device_or_a_stream(
    command: list[str], capsys: pytest.CaptureFixture[str]
):
    assert main([*command, "/dev/null"]) == 0
    done = subprocess.run(
        [*XBUF, *command, "/dev/stdout"], capture_output=True, check=True
    )
    assert len(done.stdout) > 100


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ([*OUTPUTS[0], "out"], "out"),
        ([*OUTPUTS[1], "out"], "out"),
        ([*OUTPUTS[2], "out"], "out"),
        (["build", "ok.mlir", "-o", "out.o"], "out.o"),
        (["build", "ok.mlir", "-o", "out.s"], "out.s"),
        (["build", "ok.mlir", "-o", "out.ll"], "out.ll"),
        (["stages", "ok.mlir", "--out", "."], "00-input.mlir"),
        (["opt", "ok.mlir", "-p", 'memory-stats{file="out"}'], "out"),
    ],
)
def test_a_full_disk_leaves_the_old_file(
    command: list[str], file: str, capsys: pytest.CaptureFixture[str]
):
    Path(file).write_text("old")
    Path(".xbuf-stages").write_text("00-input.mlir\n")
    before = sorted(Path().iterdir())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, hard))
    try:
        code = main(command)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    error = capsys.readouterr().err
    assert (code, error.count("\n")) == (1, 1)
    assert file in error
    assert "File too large" in error
    assert (Path(file).read_text(), sorted(Path().iterdir())) == ("old", before)


def test_an_error_of_a_pass_leaves_the_old_output(capsys: pytest.CaptureFixture[str]):
    Path("out").write_text("old")
    Path("bad.mlir").write_text(PROGRAM.replace("return %0 : tensor<4xf32>", "return"))
    line_of_failure(capsys, ["opt", "bad.mlir", "-o", "out"])
    assert Path("out").read_text() == "old"


@pytest.mark.parametrize("name", ["@out.so", "-out.so", "a b.so", "ä.so"])
def test_a_library_may_have_any_name(name: str):
    find_oracle("gcc")
    Path("out.so").write_text("what the compiler driver would read for @out.so")
    assert main(["build", "ok.mlir", f"-o{name}"]) == 0
    assert Path(name).read_bytes().startswith(b"\x7fELF")
    assert os.access(name, os.X_OK)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gen", "--batch", "-1"], "argument --batch: '-1' is not a number of digits"),
        (["gen", "--batch", "9" * 5000], "a number has at most 18 digits"),
        (["gen", "--layers", ""], "argument --layers: '' is not a number of digits"),
        (["gen", "--layers", "1,,1"], "argument --layers: '' is not a number"),
        (["gen", "--layers", "9" * 19 + ",1"], "a number has at most 18 digits"),
        (["run", "ok.mlir", "--repeat", "0"], "argument --repeat: 0 is not positive"),
        (["run", "ok.mlir", "--threads", "-1"], "--threads: '-1' is not a number"),
        (["run", "ok.mlir", "--entry", "\x1b"], r"no public function @\x1b"),
        (["run", "ok.mlir", "--pipeline", "a{" * 100], "--pipeline:1:"),
        (["run", "ok.mlir", "--pipeline", "\x1b[31m"], "--pipeline:1:1: error: "),
        (
            ["opt", "ok.mlir", "-p", "nope"],
            "--passes:1:1: error: there is no pass 'nope'",
        ),
        (["opt", "ok.mlir", "-p", "cse,csee"], "'csee'; do you mean 'cse'?"),
        (["opt", "ok.mlir", "-p", "cse{"], "--passes:1:5: error: Expected argument"),
        (
            ["opt", "ok.mlir", "-p", "cse{a=1}"],
            "--passes:1:5: error: pass 'cse' has no",
        ),
        (
            ["opt", "ok.mlir", "-p", "one-shot-bufferize{bufferize-function-boundary}"],
            "boundary'; do you mean 'bufferize-function-boundaries'?",
        ),
        (
            ["opt", "ok.mlir", "-p", "one-shot-bufferize{copy-before-write=yes}"],
            "copy-before-write is 'yes'; expected true or false",
        ),
        (
            ["opt", "ok.mlir", "-one-shot-bufferize=buffer-alignment=wide"],
            "buffer-alignment is 'wide'; expected a whole number",
        ),
        (["stages", "ok.mlir", "--out", "ok.mlir"], "ok.mlir"),
        (["stages", "ok.mlir", "--out", "ok.mlir/x"], "Not a directory"),
    ],
)
def test_a_bad_command_line_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert message in line_of_failure(capsys, arguments)

"""The option `--cpu` of `xbuf`, and what `XBUF_CPU` says."""

import json
import os
from pathlib import Path

import pytest
from harness.running.command_line import PROGRAM, line_of_failure

from xdsl_bufferization.runtime.processors.processor import VARIABLE, processor_named
from xdsl_bufferization.tools.xbuf import main

AVX2 = "x86-64-v3"
needs_avx2 = pytest.mark.skipif(
    not processor_named("native").has >= {"avx2", "fma", "bmi2"},
    reason="the processor here has no AVX2",
)


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are named without a directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    Path("ok.mlir").write_text(PROGRAM)


@needs_avx2
def test_a_run_says_which_processor_its_code_is_for(
    capsys: pytest.CaptureFixture[str],
):
    assert main(["run", "ok.mlir", "--cpu", AVX2, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cpu"] == AVX2
    assert VARIABLE not in os.environ
    assert main(["run", "ok.mlir", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cpu"] is None


@needs_avx2
def test_the_environment_is_as_good_as_the_option(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv(VARIABLE, AVX2)
    assert main(["run", "ok.mlir", "--check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split(maxsplit=1) == [
        "cpu",
        "x86-64-v3, the processor that the code is for",
    ]
    assert main(["run", "ok.mlir", "--cpu", "native", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cpu"] is None
    assert os.environ[VARIABLE] == AVX2


@needs_avx2
@pytest.mark.parametrize("command", ["build", "profile"])
def test_other_commands_that_compile_know_it(
    command: str, capsys: pytest.CaptureFixture[str]
):
    more = ["-o", "out.s"] if command == "build" else []
    assert main([command, "ok.mlir", "--cpu", AVX2, *more]) == 0
    capsys.readouterr()
    if more:
        assert "zmm" not in Path("out.s").read_text()


def test_another_target_has_a_processor_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    arguments = ["build", "ok.mlir", "--target", "aarch64", "-o"]
    assert main([*arguments, "out.s"]) == 0
    monkeypatch.setenv(VARIABLE, "nonsense")
    assert main([*arguments, "again.s"]) == 0
    assert Path("out.s").read_text() == Path("again.s").read_text()
    assert line_of_failure(capsys, [*arguments, "out.s", "--cpu", AVX2], 2) == (
        "--cpu: error: --target aarch64 says which processor the code is for: leave "
        "out one of both"
    )


@pytest.mark.parametrize("command", ["run", "profile"])
def test_an_unknown_name_is_refused(
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    said = "there is no processor 'haswel'; did you mean haswell?"
    arguments = [command, "ok.mlir"]
    assert line_of_failure(capsys, [*arguments, "--cpu", "haswel"], 2) == (
        f"--cpu: error: {said}"
    )
    monkeypatch.setenv(VARIABLE, "haswel")
    assert line_of_failure(capsys, arguments, 2) == f"XBUF_CPU: error: {said}"

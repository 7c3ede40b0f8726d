"""The fuzzer finds what is planted, makes it small, and can be repeated."""

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from fuzz.archives import random_archive
from fuzz.case import Case, Verdict
from fuzz.command_lines import random_command_line
from fuzz.corpus import Corpus, read_corpus
from fuzz.driver import Options, fuzz
from fuzz.judge import judge
from fuzz.runner import Job, Runner
from fuzz.shrink import shrink, shrink_parts
from fuzz.targets import (
    ArchiveTarget,
    CommandLineTarget,
    KeptTarget,
    ProgramTarget,
    TextTarget,
)
from fuzz.text import mutate
from harness.running.command_line import PROGRAM

import xdsl_bufferization.tools.commands as commands
import xdsl_bufferization.tools.opt as opt
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)

CORPUS = Corpus((PROGRAM, PROGRAM.replace("4x", "?x")), ("func.func @f(",))

TARGETS = {
    each.name: each
    for each in (
        TextTarget(CORPUS),
        ArchiveTarget(),
        CommandLineTarget(CORPUS),
        ProgramTarget(),
        KeptTarget(CORPUS, CORPUS),
    )
}


@dataclass(frozen=True)
class Lines:
    """A target whose programs have four lines, one of them with a number."""

    name: str = "lines"
    weight: int = 1

    def make(self, rng: Random) -> Case:
        lines = ["nothing"] * 4
        lines[rng.randrange(4)] = f"a {rng.randrange(10)} here"
        return Case(self.name, "xbuf", ("x",), {"in": "\n".join(lines).encode()})


def planted(case: Case, folder: Path) -> Verdict:
    """A tool with three mistakes."""
    text = case.files.get("in", b"").decode()
    if "3" in text:
        return Verdict("three", "a detail")
    if "5" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    while "7" in text:
        time.sleep(0)  # It hangs, and lets others run.
    return Verdict(message=text[:1])


def test_what_is_planted_is_found_and_shrunk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    # A slow machine needs time for a case, and for all that hang.
    options = Options(
        seed=3,
        seconds=600,
        folder=tmp_path,
        most={"lines": 30},
        case_seconds=0.4,
        shrink_seconds=300,
    )
    findings = fuzz([Lines()], planted, options)
    assert findings.cases == {"lines": 30}
    assert set(findings.failures) == {"three", "crash: SIGKILL x", "hang x"}
    shrunk = {
        folder.name: Case.load(folder) for folder in (tmp_path / "found").iterdir()
    }
    contents = [case.files["in"] for case in shrunk.values()]
    assert sorted(contents) == [b"3", b"5", b"7"]
    assert "found" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["compare", "opt"])
def test_a_failure_of_the_tools_is_found(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: object) -> int:
        raise KeyError("planted")

    monkeypatch.setattr(commands, "compare", broken)
    monkeypatch.setattr(opt, "parse_spec", broken)
    monkeypatch.chdir(tmp_path)
    case = Case("text", "xbuf", (command, "in.mlir"), {"in.mlir": b""})
    verdict = judge(case, tmp_path)
    assert verdict.failure.startswith("internal error: KeyError in ")
    assert "planted" in verdict.detail


@pytest.mark.parametrize("kind", ["slices", "kernels"])
def test_wrong_numbers_are_found(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from fuzz.programs import KINDS

    monkeypatch.chdir(tmp_path)
    text = KINDS[kind].write(1)
    case = Case("program", "program", (kind, "1"), {"in.mlir": text.encode()})
    assert not judge(case, tmp_path).failure
    monkeypatch.setattr("numpy.testing.assert_allclose", fail)
    monkeypatch.setattr("numpy.testing.assert_array_equal", fail)
    assert judge(case, tmp_path).failure.startswith(f"{kind}: AssertionError in ")


LOST = """
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (f32, f32) {
  %new = tensor.insert %x into %t[%i] : tensor<4xf32>
  %a = tensor.extract %t[%i] : tensor<4xf32>
  %b = tensor.extract %new[%i] : tensor<4xf32>
  return %a, %b : f32, f32
}
"""


@pytest.mark.parametrize(
    ("broken", "method", "check"),
    [
        (OneShotAnalysis, "is_in_place", "decisions"),
        (BufferDeallocationPipelinePass, "apply", "deallocations"),
    ],
)
def test_a_proof_that_fails_is_found(
    broken: type,
    method: str,
    check: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    """No code runs here: nobody would see other numbers, or a leak."""
    monkeypatch.chdir(tmp_path)
    files = {"in.mlir": LOST.encode()}
    bufferized = Case("text", "xbuf", ("explain", "in.mlir"), files)
    read = Case("text", "xbuf", ("opt", "in.mlir"), files)
    assert judge(bufferized, tmp_path).proofs == (
        "decisions proven",
        "deallocations proven",
    )
    monkeypatch.setattr(broken, method, always)
    assert judge(bufferized, tmp_path).failure.startswith(f"proof of {check}: ")
    assert judge(read, tmp_path) == Verdict(message="('opt',) no error")


def always(*_: object) -> bool:
    return True


def fail(*_: object, **__: object) -> None:
    raise AssertionError("other numbers")


@pytest.mark.parametrize("name", TARGETS)
def test_a_seed_gives_the_same_inputs(name: str):
    jobs = [Job(name, seed, index) for seed in (1, 2) for index in range(20)]
    cases = [job.make(TARGETS) for job in jobs]
    assert cases == [job.make(TARGETS) for job in jobs]
    assert len({repr(case) for case in cases}) > 20


def test_mutators_raise_no_errors():
    texts = ["", "\n", '"', "{}", PROGRAM, "é\U0001d518\0", "<" * 50]
    for seed in range(600):
        rng = Random(seed)
        mutate(rng, texts[seed % len(texts)], CORPUS).encode("utf-8", "surrogatepass")
        random_archive(rng)
        _, arguments = random_command_line(rng, CORPUS)
        assert not any("/" in each or "\0" in each for each in arguments)


def test_the_corpus_has_programs_of_all_kinds():
    corpus = read_corpus()
    assert len(corpus.valid) > 300
    assert corpus.refused
    assert {"number", "operation", "word", "%", "@", '"'} <= set(corpus.tokens)


def test_nothing_is_written_elsewhere(tmp_path: Path):
    outside = tmp_path / "outside"
    runner = Runner({}, writes_to_first_argument)
    try:
        for action in ("write", "rename", "start"):
            verdict = runner.run(Case("", "xbuf", (action, str(outside)), {}))
            assert verdict.message == "PermissionError"
        assert runner.run(Case("", "xbuf", ("write", "inside"), {})).message == "done"
    finally:
        runner.close()
    assert not outside.exists()


def writes_to_first_argument(case: Case, folder: Path) -> Verdict:
    action, name = case.arguments
    try:
        if action == "start":
            subprocess.run(["touch", name], check=True)
        elif action == "rename":
            (folder / "a").write_text("a")
            (folder / "a").rename(name)
        else:
            (folder / name).write_text("a")
    except OSError as error:
        return Verdict(message=type(error).__name__)
    return Verdict(message="done")


def test_what_can_go_goes():
    assert shrink_parts(range(100), lambda parts: {3, 70} <= set(parts)) == [3, 70]
    assert shrink_parts([1, 2], lambda parts: True) == []
    assert shrink_parts([1, 2], lambda parts: False) == [1, 2]
    case = Case("", "xbuf", ("opt", "-p", "cse"), {"a": b"1\n2 x\n", "b": b"\xff"})
    small = shrink(case, lambda each: b"x" in each.files.get("a", b""))
    assert small == Case("", "xbuf", (), {"a": b"x"})


def test_a_case_can_be_read_again(tmp_path: Path):
    case = Case("text", "xbuf", ("opt", "\udcff\n"), {"a": b"\xff"})
    case.save(tmp_path / "x")
    assert Case.load(tmp_path / "x") == case

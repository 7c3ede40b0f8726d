"""`xbuf build`: what it writes, and how it fails."""

import ctypes
from pathlib import Path

import numpy as np
import pytest
from harness.oracles.tools import find_oracle
from harness.running.command_line import PROGRAM, Fails, line_of_failure

from xdsl_bufferization.codegen.targets import target
from xdsl_bufferization.tools.xbuf import main


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are named without a directory."""
    monkeypatch.chdir(tmp_path)
    Path("ok.mlir").write_text(PROGRAM)


@pytest.fixture
def fails(capsys: pytest.CaptureFixture[str]) -> Fails:
    """`fails(...)` is the first line that `xbuf build` writes."""

    def run(*arguments: str, code: int | None = None) -> str:
        return line_of_failure(capsys, ["build", *arguments], code)

    return run


@pytest.mark.parametrize(
    ("suffix", "start"),
    [("o", b"\x7fELF"), ("s", b"\t"), ("ll", b"; ModuleID")],
)
def test_the_ending_says_what_is_written(suffix: str, start: bytes):
    assert main(["build", "ok.mlir", "-o", f"out.{suffix}"]) == 0
    assert Path(f"out.{suffix}").read_bytes().startswith(start)
    assert "_mlir_ciface_entry" in Path("out.h").read_text()


def test_for_another_machine():
    assert main(["build", "ok.mlir", "-o", "out.s", "--target", "riscv64"]) == 0
    assert "rv64i" in Path("out.s").read_text()


def test_the_same_file_can_be_built_again():
    for _ in range(2):
        assert main(["build", "ok.mlir", "-o", "out.o"]) == 0


def test_a_header_of_somebody_elses_is_kept(fails: Fails):
    Path("out.h").write_text("/* by hand */")
    assert fails("ok.mlir", "-o", "out.o") == (
        "out.h: error: this header was not written by xbuf build; choose another output"
    )
    assert Path("out.h").read_text() == "/* by hand */"


def test_an_unknown_ending(fails: Fails):
    assert fails("ok.mlir", "-o", "out.exe", code=2) == (
        "out.exe: error: the output must end in one of .o, .so, .s, .ll"
    )


def test_an_unknown_target(fails: Fails):
    assert "invalid choice: 'vax'" in fails("ok.mlir", "-o", "a.o", "--target", "vax")


def test_tensors_that_are_left(fails: Fails):
    message = fails("ok.mlir", "-o", "out.o", "--pipeline", "one-shot-bufferize")
    assert message.startswith("ok.mlir:1:1: error: argument 0 of @entry is still a")


def test_no_compiler_to_link_with(fails: Fails, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    assert fails("ok.mlir", "-o", "out.so") == (
        "ok.mlir: error: linking for native needs a C compiler driver, and there is "
        "no cc or gcc or clang; install one (Debian's package gcc), or build an object "
        "(.o)"
    )


def test_no_emulator_to_run_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PATH", "")
    name = "aarch64" if target.platform.machine() == "riscv64" else "riscv64"
    assert line_of_failure(capsys, ["run", "ok.mlir", "--target", name]) == (
        f"ok.mlir:1:1: error: programs for {name} run in qemu-{name}, which is not "
        "installed (Debian's package qemu-user)"
    )


def test_xdsls_back_end_is_for_riscv_alone(fails: Fails):
    assert fails("ok.mlir", "-o", "a.s", "--backend", "xdsl") == (
        "--backend: error: xDSL's own generates code for riscv64 only"
    )


STATIC = ("--target", "riscv64", "--backend", "xdsl")


def test_xdsls_back_end_makes_no_llvm_ir(fails: Fails):
    Path("ok.mlir").write_text(PROGRAM.replace("@entry", "@set"))
    assert "makes no LLVM IR" in fails("ok.mlir", "-o", "a.ll", *STATIC)


def test_xdsls_back_end_takes_addresses():
    Path("ok.mlir").write_text(PROGRAM.replace("@entry", "@set"))
    assert main(["build", "ok.mlir", "-o", "a.s", *STATIC]) == 0
    assert "float *set(float *t, float x);" in Path("a.h").read_text()
    assert "call " in Path("a.s").read_text()


def test_what_xdsls_back_end_cannot_do_is_refused_where_it_stands(fails: Fails):
    sqrt = "%1 = math.sqrt %x : f32\n  %0 = tensor.insert %1 into"
    Path("bad.mlir").write_text(PROGRAM.replace("%0 = tensor.insert %x into", sqrt))
    message = fails("bad.mlir", "-o", "a.s", *STATIC)
    assert message.startswith("bad.mlir:3:8: error: 'math.sqrt' cannot be compiled by")


@pytest.mark.oracle
def test_a_library_brings_the_threads_that_it_needs():
    find_oracle("gcc")
    Path("loop.mlir").write_text("""\
func.func @entry(%m: memref<100xindex>) {
  scf.forall (%i) in (100) {
    %x = arith.muli %i, %i : index
    memref.store %x, %m[%i] : memref<100xindex>
  }
  return
}
""")
    pipeline = ["--pipeline", "parallel-loops-to-openmp"]
    assert main(["build", "loop.mlir", *pipeline, "-o", "loop.so"]) == 0
    numbers = np.zeros(100, np.int64)
    address = numbers.ctypes.data
    descriptor = (ctypes.c_int64 * 5)(address, address, 0, 100, 1)
    entry = ctypes.CDLL(str(Path("loop.so").resolve()))._mlir_ciface_entry
    entry(ctypes.byref(descriptor))
    np.testing.assert_array_equal(numbers, np.arange(100) ** 2)

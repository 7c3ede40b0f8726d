"""`xbuf run --checked`, and what programs say that nobody catches."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from xdsl_bufferization.tools.xbuf import main

PROGRAM = """func.func @entry(%t: tensor<32x32xf32>, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = linalg.matmul ins(%t, %t : tensor<32x32xf32>, tensor<32x32xf32>)
    outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %x = tensor.extract %p[%i, %i] : tensor<32x32xf32>
  return %x : f32
}
"""

PIPELINES = {
    "default": (),
    "kernels": ("--pipeline", "default-tpp-passes"),
    "threads": ("--threads", "2"),
}


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "a.mlir"
    file.write_text(PROGRAM)
    for name, index in (("right", 31), ("wrong", 32)):
        matrix = np.eye(32, dtype=np.float32)
        np.savez(tmp_path / name, arg0=matrix, arg1=np.int64(index))
    return str(file)


@pytest.mark.parametrize("options", PIPELINES.values(), ids=PIPELINES)
def test_what_is_wrong_is_one_line(
    program: str, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    inputs = str(Path(program).with_name("wrong.npz"))
    assert main(["run", program, "--checked", "--inputs", inputs, *options]) == 1
    line, *excerpt = (
        each for each in capsys.readouterr().err.splitlines() if "remark" not in each
    )
    assert re.fullmatch(
        r".*a\.mlir:7:8: error: 'tensor\.extract': index 32 is out of bounds: "
        r"dimension [01] has size 32",
        line,
    )
    assert excerpt == [PROGRAM.splitlines()[6], "       ^"]


@pytest.mark.parametrize("options", PIPELINES.values(), ids=PIPELINES)
def test_what_is_right_runs(program: str, options: tuple[str, ...]) -> None:
    inputs = str(Path(program).with_name("right.npz"))
    assert main(["run", program, "--checked", "--inputs", inputs, *options]) == 0


@pytest.mark.parametrize("way", ["--check", "--checked"])
def test_an_index_that_was_drawn_at_random_is_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    file = tmp_path / "a.mlir"
    file.write_text("""func.func @entry(%k: tensor<99xi32>, %t: tensor<1xf32>) -> f32 {
  %c = arith.constant 0 : index
  %n = arith.constant 99 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c to %n step %one iter_args(%sum = %zero) -> f32 {
    %k0 = tensor.extract %k[%i] : tensor<99xi32>
    %at = arith.index_cast %k0 : i32 to index
    %x = tensor.extract %t[%at] : tensor<1xf32>
    scf.yield %x : f32
  }
  return %r : f32
}
""")
    assert main(["run", str(file), way]) == 1
    error, _, _, note, *_ = capsys.readouterr().err.splitlines()
    assert f"{file}:9:10: error:" in error
    assert "out of bounds" in error
    assert note == (
        f"{file}:1:1: note: the arguments are random numbers; --inputs gives others"
    )


def test_memory_that_is_not_there_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.mlir"
    file.write_text("""func.func @entry(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
}
""")
    np.savez(tmp_path / "in", arg0=np.int64(1 << 50))
    assert main(["run", str(file), "--inputs", str(tmp_path / "in.npz")]) == 1
    assert capsys.readouterr().err == (
        f"{file}:2:8: error: 'memref.alloc': there is no memory for 4503599627370496 "
        "bytes\n"
        "  %m = memref.alloc(%n) : memref<?xf32>\n"
        "       ^\n"
    )


ABORTS = """
from xdsl_bufferization import parse
from xdsl_bufferization.pipelines.compile import translate
from xdsl_bufferization.runtime.engine import compile_llvm_ir
program = translate(parse('''func.func @f(%n: index, %c: i1) -> memref<?xf32> {
  vector.print str "before"
  cf.assert %c, "100% {sure}"
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
}'''))
assert not program.failures
compile_llvm_ir(program.text, program.signatures)["f"](ARGUMENTS)
"""

LINES = {
    "1, False": "<string>:3:3: error: 'cf.assert': 100% {sure}\n",
    "1 << 50, True": "<string>:4:8: error: 'memref.alloc': there is no memory for "
    "4503599627370496 bytes\n",
    "1 << 62, True": "<string>:4:8: error: 'memref.alloc': no memory has the size of "
    "memref<?xf32> with 4611686018427387904 for '?'\n",
}


@pytest.mark.parametrize("arguments", LINES)
def test_code_for_c_prints_one_line_and_aborts(arguments: str) -> None:
    script = ABORTS.replace("ARGUMENTS", arguments)
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert run.returncode == -signal.SIGABRT
    assert run.stderr == LINES[arguments]


CALLS_AN_OBJECT = """
import ctypes
import sys
from pathlib import Path
from xdsl_bufferization.runtime.llvm import load
library = load(Path(sys.argv[1]).read_bytes(), {}, ["_mlir_ciface_share"])
share = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(library["_mlir_ciface_share"])
print(share(int(sys.argv[2])), flush=True)
"""


@pytest.mark.parametrize(("people", "outcome"), [(2, 0), (0, -signal.SIGABRT)])
def test_a_checked_object_aborts_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, people: int, outcome: int
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text("""func.func @share(%people: index) -> index {
  %c8 = arith.constant 8 : index
  %each = arith.divsi %c8, %people : index
  return %each : index
}
""")
    assert main(["build", "a.mlir", "--checked", "-o", "a.o"]) == 0
    run = subprocess.run(
        [sys.executable, "-c", CALLS_AN_OBJECT, "a.o", str(people)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (outcome, "" if outcome else "4\n")
    assert run.stderr == (
        "a.mlir:3:11: error: 'arith.divsi': division by zero\n" if outcome else ""
    )


def test_the_other_back_end_checks_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--checked", "--target", "riscv64", "--backend", "xdsl"]
    assert main(["build", "a.mlir", "-o", str(tmp_path / "a.s"), *options]) == 2
    assert "--checked is for --backend llvm" in capsys.readouterr().err

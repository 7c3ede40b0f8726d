"""Programs that go all the way, and what a run reports about them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness.oracles.tools import find_oracle

from xdsl_bufferization.reference import evaluator
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.tools.common.diagnostics import UserError
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp
from xdsl_bufferization.tools.run.run import RunOptions, RunReport, run
from xdsl_bufferization.tools.xbuf import main

PROGRAMS = {
    "insert into an argument": """
    func.func @entry(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
      %c1 = arith.constant 1 : index
      %0 = tensor.insert %x into %t[%c1] : tensor<4xf32>
      return %0 : tensor<4xf32>
    }""",
    "read after write": """
    func.func @entry(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32) {
      %c1 = arith.constant 1 : index
      %e = tensor.empty() : tensor<4xf32>
      %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %y = arith.addf %x, %x : f32
      %0 = tensor.insert %y into %f[%c1] : tensor<4xf32>
      %1 = tensor.extract %f[%c1] : tensor<4xf32>
      return %0, %1 : tensor<4xf32>, f32
    }""",
    "weights are passed like other arguments": """
    func.func @entry(%a: tensor<33x20xf32>, %w: tensor<20x200xf32> {xbuf.weight})
        -> tensor<33x200xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<33x200xf32>
      %c = linalg.fill ins(%zero : f32) outs(%e : tensor<33x200xf32>)
        -> tensor<33x200xf32>
      %d = linalg.matmul ins(%a, %w : tensor<33x20xf32>, tensor<20x200xf32>)
        outs(%c : tensor<33x200xf32>) -> tensor<33x200xf32>
      return %d : tensor<33x200xf32>
    }""",
    "a slice is read, scaled and put back": """
    func.func @entry(%t: tensor<8x6xf32>, %x: f32) -> tensor<8x6xf32> {
      %s = tensor.extract_slice %t[2, 1] [3, 4] [2, 1]
        : tensor<8x6xf32> to tensor<3x4xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(d0, d1) -> ()>,
                           affine_map<(d0, d1) -> (d0, d1)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x : f32) outs(%s : tensor<3x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %m = arith.mulf %in, %out : f32
        linalg.yield %m : f32
      } -> tensor<3x4xf32>
      %1 = tensor.insert_slice %0 into %t[2, 1] [3, 4] [2, 1]
        : tensor<3x4xf32> into tensor<8x6xf32>
      return %1 : tensor<8x6xf32>
    }""",
    "a loop with a branch": """
    func.func @entry(%t: tensor<8xi32>, %c: i1) -> tensor<8xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %t) -> (tensor<8xi32>) {
        %1 = scf.if %c -> (tensor<8xi32>) {
          %x = tensor.extract %a[%i] : tensor<8xi32>
          %y = arith.muli %x, %x : i32
          %2 = tensor.insert %y into %a[%i] : tensor<8xi32>
          scf.yield %2 : tensor<8xi32>
        } else {
          scf.yield %a : tensor<8xi32>
        }
        scf.yield %1 : tensor<8xi32>
      }
      return %0 : tensor<8xi32>
    }""",
    "one of two tensors": """
    func.func @entry(%a: tensor<4xf64>, %b: tensor<4xf64>, %c: i1, %x: f64)
        -> (tensor<4xf64>, tensor<4xf64>) {
      %c2 = arith.constant 2 : index
      %0 = arith.select %c, %a, %b : tensor<4xf64>
      %1 = tensor.insert %x into %0[%c2] : tensor<4xf64>
      return %1, %a : tensor<4xf64>, tensor<4xf64>
    }""",
    "calls": """
    func.func private @put(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
      %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @entry(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %0 = call @put(%t, %x, %c1)
        : (tensor<4xf32>, f32, index) -> tensor<4xf32>
      %1 = call @put(%t, %x, %c2)
        : (tensor<4xf32>, f32, index) -> tensor<4xf32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    }""",
    "an argument is returned": """
    func.func @entry(%t: tensor<4xf32>) -> tensor<4xf32> {
      return %t : tensor<4xf32>
    }""",
    "numbers only": """
    func.func @entry(%x: f32, %n: i64) -> (f32, i64) {
      %0 = arith.addf %x, %x : f32
      %1 = arith.muli %n, %n : i64
      return %0, %1 : f32, i64
    }""",
    "nothing at all": "func.func @entry() {\n  return\n}",
}


def run_text(tmp_path: Path, text: str) -> RunReport:
    file = tmp_path / "program.mlir"
    file.write_text(text)
    result = run(RunOptions(file=str(file), check=True, repeat=2, seed=5))
    assert result.problem is None
    return result.report


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_right_and_nothing_is_left(tmp_path: Path, name: str):
    report = run_text(tmp_path, PROGRAMS[name])
    assert report.max_rel_error is not None
    assert report.max_rel_error <= 1e-6
    assert report.live_bytes == 0
    assert report.frees <= report.allocs
    assert len(report.seconds) == 2


def test_a_perceptron_needs_no_copy_and_keeps_only_its_result(tmp_path: Path):
    options = MlpOptions(batch=16, layers=(8, 32, 24), bias=True, relu=True, seed=7)
    report = run_text(tmp_path, mlp(options))
    assert report.max_rel_error is not None
    assert report.max_rel_error < 1e-5
    assert (report.copies, report.live_bytes) == (0, 0)
    assert report.frees == report.allocs - 1
    # Each allocation may be longer by its alignment.
    assert 0 <= report.peak_bytes - 16 * (32 + 24) * 4 <= 2 * 64
    assert report.gflops is not None
    assert report.compile_seconds > 0


def test_copies_are_counted_where_they_run(tmp_path: Path):
    report = run_text(
        tmp_path,
        """
    func.func @entry(%x: f32) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %e = tensor.empty() : tensor<4xf32>
      %t = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
        %1 = tensor.insert %x into %a[%c1] : tensor<4xf32>
        %2 = tensor.extract %a[%c0] : tensor<4xf32>
        %3 = tensor.extract %1[%c1] : tensor<4xf32>
        %4 = arith.addf %2, %3 : f32
        %5 = tensor.extract %a[%c1] : tensor<4xf32>
        %6 = arith.addf %4, %5 : f32
        %7 = tensor.insert %6 into %a[%c0] : tensor<4xf32>
        scf.yield %7 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }""",
    )
    assert report.copies == 5


def test_arguments_are_not_changed_by_the_run(tmp_path: Path):
    source, target = tmp_path / "in.npz", tmp_path / "out"
    t = np.arange(4, dtype=np.float32)
    np.savez(source, arg0=t, arg1=np.float32(9))
    file = tmp_path / "program.mlir"
    file.write_text(PROGRAMS["insert into an argument"])
    pipeline = "one-shot-bufferize{bufferize-function-boundaries=true}"
    options = RunOptions(
        str(file),
        pipeline=pipeline,
        inputs=str(source),
        outputs=str(target),
        check=True,
    )
    assert run(options).problem is None
    with np.load(target) as loaded:
        assert loaded.files == ["result0"]
        assert loaded["result0"].tolist() == [0, 9, 2, 3]


def test_a_wrong_result_is_a_problem_of_the_entry(tmp_path: Path):
    # What is read was never written: not the same integer in both.
    text = """
    func.func @entry() -> i64 {
      %c0 = arith.constant 0 : index
      %e = tensor.empty() : tensor<4xi64>
      %0 = tensor.extract %e[%c0] : tensor<4xi64>
      return %0 : i64
    }"""
    file = tmp_path / "program.mlir"
    file.write_text(text)
    result = run(RunOptions(str(file), check=True))
    assert result.problem is not None
    assert result.problem.place == f"{file}:2:5"
    assert "the results differ from the reference" in result.problem.message


@pytest.mark.parametrize(
    ("options", "name"),
    [({"xsmm": "libxsmm"}, "--xsmm"), ({"threads": 2}, "--threads")],
)
def test_what_needs_this_process_is_refused_for_others(
    options: dict[str, Any], name: str
) -> None:
    with pytest.raises(UserError, match=f"{name} is for programs that run in this"):
        run(RunOptions("any.mlir", target="riscv64", **options))


BUFFERS = """
    func.func @entry(%a: memref<2x3xbf16, strided<[1, 4], offset: 5>>,
        %b: memref<?xi32>, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = memref.load %a[%c1, %n] : memref<2x3xbf16, strided<[1, 4], offset: 5>>
      memref.store %x, %a[%c0, %n] : memref<2x3xbf16, strided<[1, 4], offset: 5>>
      %y = memref.load %b[%n] : memref<?xi32>
      memref.store %y, %b[%c1] : memref<?xi32>
      return %y : i32
    }"""


@pytest.mark.parametrize("target", ["native", "riscv64"])
def test_what_is_in_buffers_comes_out(tmp_path: Path, target: str):
    if target != "native":
        find_oracle("riscv64-linux-gnu-gcc")
        find_oracle("qemu-riscv64")
    source, outputs = tmp_path / "in.npz", tmp_path / "out.npz"
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.savez(source, arg0=a, arg1=np.arange(4, dtype=np.int32) + 7, arg2=2)
    file = tmp_path / "program.mlir"
    file.write_text(BUFFERS)
    options = RunOptions(
        str(file), inputs=str(source), outputs=str(outputs), target=target
    )
    assert run(options).problem is None
    with np.load(outputs) as loaded:
        assert loaded.files == ["result0", "arg0", "arg1"]
        assert loaded["result0"] == 9
        assert loaded["arg0"].tolist() == [[0, 1, 5], [3, 4, 5]]
        assert loaded["arg1"].tolist() == [7, 9, 9, 10]


def test_buffers_are_filled_at_random(tmp_path: Path):
    file, outputs = tmp_path / "program.mlir", tmp_path / "out.npz"
    file.write_text("func.func @f(%a: memref<3x4xf32>) { return }")
    assert run(RunOptions(str(file), outputs=str(outputs))).problem is None
    with np.load(outputs) as loaded:
        assert np.unique(loaded["arg0"]).size == 12


def test_a_program_on_buffers_is_checked(tmp_path: Path):
    """What buffers hold afterwards is compared, unless the program lends them."""
    file, outputs = tmp_path / "program.mlir", tmp_path / "out.npz"
    file.write_text(
        """
    func.func @f(%a: memref<3x4xf32>, %t: tensor<3x4xf32>, %w: memref<2xbf16>,
                 %o: memref<3x4xf32, strided<[6, 1], offset: ?>>) -> f32 {
      %c0 = arith.constant 0 : index
      %x = bufferization.to_tensor %a restrict writable
        : memref<3x4xf32> to tensor<3x4xf32>
      %y = linalg.add ins(%x, %t : tensor<3x4xf32>, tensor<3x4xf32>)
        outs(%x : tensor<3x4xf32>) -> tensor<3x4xf32>
      bufferization.materialize_in_destination %y in restrict writable %o
        : (tensor<3x4xf32>, memref<3x4xf32, strided<[6, 1], offset: ?>>) -> ()
      %b = bufferization.to_buffer %t : tensor<3x4xf32> to memref<3x4xf32>
      %v = memref.load %b[%c0, %c0] : memref<3x4xf32>
      %q = memref.load %w[%c0] : memref<2xbf16>
      %r = arith.addf %q, %q : bf16
      memref.store %r, %w[%c0] : memref<2xbf16>
      return %v : f32
    }"""
    )
    done = run(RunOptions(str(file), outputs=str(outputs), check=True))
    assert done.problem is None
    assert done.report.max_rel_error == 0


def _store_nothing(*_: Any) -> list[Any]:
    return []


def test_a_buffer_that_differs_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "program.mlir"
    file.write_text(
        """
    func.func @f(%a: memref<4xf32>, %x: f32, %i: i8) {
      %c1 = arith.constant 1 : index
      memref.store %x, %a[%c1] : memref<4xf32>
      return
    }"""
    )
    handlers = {**evaluator.HANDLERS, "memref.store": _store_nothing}
    monkeypatch.setattr(evaluator, "HANDLERS", handlers)
    problem = run(RunOptions(str(file), check=True)).problem
    assert problem is not None and "differ from the reference" in str(problem)


def test_wrong_frees_are_a_problem_and_not_the_end(tmp_path: Path):
    file = tmp_path / "program.mlir"
    file.write_text(
        """
    func.func @f(%a: memref<4096xf32>, %x: f32) {
      %c0 = arith.constant 0 : index
      memref.store %x, %a[%c0] : memref<4096xf32>
      memref.dealloc %a : memref<4096xf32>
      return
    }"""
    )
    result = run(RunOptions(str(file), pipeline="canonicalize"))
    assert result.problem is not None
    assert "memory that is not its own (1 times)" in result.problem.message
    assert len(result.report.seconds) == 3


@pytest.mark.parametrize("pipeline", [None, "default-tpp-passes", "bufferize"])
def test_a_returned_argument_is_a_result(tmp_path: Path, pipeline: str | None):
    file = tmp_path / "program.mlir"
    file.write_text(
        """
    func.func @f(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
                         outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    }"""
    )
    result = run(RunOptions(str(file), pipeline=pipeline, check=True, repeat=2))
    assert result.problem is None
    assert list(result.outputs) == ["result0"]


PRINTS = """
    func.func private @printMemrefF32(tensor<*xf32>) attributes {llvm.emit_c_interface}
    func.func @f(%t: tensor<2xf32>) -> tensor<2xf32> {
      %0 = arith.addf %t, %t : tensor<2xf32>
      %1 = tensor.cast %0 : tensor<2xf32> to tensor<*xf32>
      call @printMemrefF32(%1) : (tensor<*xf32>) -> ()
      %n = arith.constant 7 : index
      vector.print %n : index
      return %0 : tensor<2xf32>
    }"""


def test_a_program_prints_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "program.mlir"
    file.write_text(PRINTS)
    assert run(RunOptions(str(file), check=True, repeat=5)).problem is None
    printed = capsys.readouterr().out
    assert printed.count("Unranked Memref") == printed.count("\n7\n") == 1


def test_nobody_reads_what_is_printed(tmp_path: Path):
    file = tmp_path / "program.mlir"
    file.write_text(PRINTS)
    shell = f"'{sys.executable}' -m xdsl_bufferization.tools.xbuf run '{file}' | true"
    done = subprocess.run(
        shell, shell=True, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


def test_only_the_entry_is_called_from_outside(tmp_path: Path):
    file = tmp_path / "program.mlir"
    file.write_text("""
    func.func @not_exchangeable(%x: f32) -> vector<2xf32> {
      %0 = vector.broadcast %x : f32 to vector<2xf32>
      return %0 : vector<2xf32>
    }
    func.func @f(%x: f32) -> f32 {
      %0 = call @not_exchangeable(%x) : (f32) -> vector<2xf32>
      %1 = vector.extract %0[1] : f32 from vector<2xf32>
      return %1 : f32
    }""")
    assert run(RunOptions(str(file), entry="f")).problem is None
    with pytest.raises(OperationError, match="which Python cannot exchange"):
        run(RunOptions(str(file), entry="not_exchangeable"))


COMPLEX = """
func.func @f(%t: tensor<3xcomplex<f32>>, %z: complex<f64>, %m: memref<2xcomplex<f32>>)
    -> (tensor<3xcomplex<f32>>, complex<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %m[%c0] : memref<2xcomplex<f32>>
  memref.store %x, %m[%c1] : memref<2xcomplex<f32>>
  %r = tensor.insert %x into %t[%c1] : tensor<3xcomplex<f32>>
  %w = complex.mul %z, %z : complex<f64>
  return %r, %w : tensor<3xcomplex<f32>>, complex<f64>
}
func.func @g(%z: complex<f32>) -> complex<f32> {
  %r = complex.conj %z : complex<f32>
  return %r : complex<f32>
}"""


@pytest.mark.parametrize("target", ["native", "riscv64", "aarch64"])
def test_complex_numbers_go_in_and_come_out(tmp_path: Path, target: str):
    if target != "native":
        find_oracle(f"{target}-linux-gnu-gcc")
        find_oracle(f"qemu-{target}")
    source, outputs = tmp_path / "in.npz", tmp_path / "out.npz"
    t, m = np.array([1, 2j, 3], np.complex64), np.array([4 - 5j, 6], np.complex64)
    np.savez(source, arg0=t, arg1=1 + 2j, arg2=m)
    file = tmp_path / "program.mlir"
    file.write_text(COMPLEX)
    options = RunOptions(
        str(file), "f", inputs=str(source), outputs=str(outputs), target=target
    )
    assert run(options).problem is None
    with np.load(outputs) as loaded:
        assert loaded["result0"].tolist() == [1, 4 - 5j, 3]
        assert loaded["result1"] == -3 + 4j
        assert loaded["arg2"].tolist() == [4 - 5j] * 2
    np.savez(source, arg0=np.complex64(1.5 + 2j))
    options = RunOptions(
        str(file), "g", inputs=str(source), outputs=str(outputs), target=target
    )
    assert run(options).problem is None
    with np.load(outputs) as loaded:
        assert loaded["result0"] == 1.5 - 2j


def test_kernels_are_the_default_and_can_be_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mlp.mlir"
    file.write_text(mlp(MlpOptions(32, (32, 32), relu=True)))
    requested: list[bool] = []
    for flags in ([], ["--no-optimize"]):
        assert main(["run", str(file), "--check", "--json", *flags]) == 0
        requested.append(bool(json.loads(capsys.readouterr().out)["kernels"]))
    assert requested == [True, False]
    with pytest.raises(SystemExit):
        main(["run", str(file), "--no-optimize", "--pipeline", "cse"])
    assert "not allowed with argument --no-optimize" in capsys.readouterr().err

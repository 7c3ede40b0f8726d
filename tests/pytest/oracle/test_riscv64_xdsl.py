"""Programs on RISC-V, through xDSL's own back end, in an emulator."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from harness.oracles.tools import find_oracle
from harness.programs import random_riscv
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.targets.emulate import ProgramCall, run_program
from xdsl_bufferization.codegen.targets.target import target_named
from xdsl_bufferization.pipelines.build import build_riscv_module
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp
from xdsl_bufferization.tools.run.run import RunOptions, run
from xdsl_bufferization.tools.xbuf import main as xbuf

Parse = Callable[[str], ModuleOp]

PROGRAMS = {
    "subviews": """
func.func @entry(%x: tensor<8x12xf32>, %y: tensor<3x4xf32>) -> tensor<8x12xf32> {
  %0 = tensor.extract_slice %x[2, 4] [4, 6] [1, 1]
    : tensor<8x12xf32> to tensor<4x6xf32>
  %1 = tensor.insert_slice %y into %0[1, 1] [3, 4] [1, 1]
    : tensor<3x4xf32> into tensor<4x6xf32>
  %2 = tensor.insert_slice %1 into %x[4, 0] [4, 6] [1, 1]
    : tensor<4x6xf32> into tensor<8x12xf32>
  return %2 : tensor<8x12xf32>
}
""",
    "calls": """
func.func private @twice(%x: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.add ins(%x, %x : tensor<5xf64>, tensor<5xf64>)
    outs(%e : tensor<5xf64>) -> tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @entry(%x: tensor<5xf64>, %y: tensor<5xf64>) -> tensor<5xf64> {
  %0 = func.call @twice(%x) : (tensor<5xf64>) -> tensor<5xf64>
  %1 = func.call @twice(%y) : (tensor<5xf64>) -> tensor<5xf64>
  %e = tensor.empty() : tensor<5xf64>
  %2 = linalg.sub ins(%0, %1 : tensor<5xf64>, tensor<5xf64>)
    outs(%e : tensor<5xf64>) -> tensor<5xf64>
  %3 = func.call @twice(%2) : (tensor<5xf64>) -> tensor<5xf64>
  return %3 : tensor<5xf64>
}
""",
    "loops": """
func.func @entry(%x: tensor<8xf32>) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %tenth = arith.constant 0.1 : f32
  %0:3 = scf.for %i = %c0 to %c8 step %c1
      iter_args(%t = %x, %a = %zero, %b = %tenth) -> (tensor<8xf32>, f32, f32) {
    %1 = tensor.extract %t[%i] : tensor<8xf32>
    %2 = arith.addf %1, %a : f32
    %3 = tensor.insert %2 into %t[%i] : tensor<8xf32>
    scf.yield %3, %b, %2 : tensor<8xf32>, f32, f32
  }
  return %0#0, %0#1 : tensor<8xf32>, f32
}
""",
    "constants": """
func.func @entry(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %same = arith.constant dense<2.5> : tensor<4x4xf32>
  %other = arith.constant dense<[[1.0, -0.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0],
    [9.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.mul ins(%x, %other : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.add ins(%0, %same : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
""",
    "integers": """
func.func @entry(%x: tensor<6xi32>) -> (tensor<6xf32>, i32) {
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%x : tensor<6xi32>) outs(%e : tensor<6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %1 = arith.sitofp %in : i32 to f32
    linalg.yield %1 : f32
  } -> tensor<6xf32>
  %2 = tensor.extract %x[%c2] : tensor<6xi32>
  %mask = arith.constant -6 : i32
  %3 = arith.xori %2, %mask : i32
  return %0, %3 : tensor<6xf32>, i32
}
""",
}


@pytest.fixture(autouse=True)
def emulator() -> None:
    """What this needs."""
    find_oracle("riscv64-linux-gnu-gcc")
    find_oracle("qemu-riscv64")


def check(file: Path) -> None:
    result = run(
        RunOptions(str(file), check=True, repeat=2, target="riscv64", backend="xdsl")
    )
    assert result.problem is None
    assert result.report.live_bytes == 0


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_are_right(name: str, tmp_path: Path):
    file = tmp_path / f"{name}.mlir"
    file.write_text(PROGRAMS[name])
    check(file)


@pytest.mark.oracle
@pytest.mark.parametrize("constants", [True, False])
def test_an_mlp(tmp_path: Path, constants: bool):
    file = tmp_path / "mlp.mlir"
    layers = (8, 16, 12)
    options = MlpOptions(16, layers, bias=True, relu=True, seed=7, constants=constants)
    file.write_text(mlp(options))
    check(file)


def run_entry(parse: Parse, text: str, *arguments: object) -> ProgramCall:
    target = target_named("riscv64")
    built = build_riscv_module(parse(text), target, counting_heap=True)
    image, header = built.code.object(), built.header("program.o")
    (call,) = run_program(image, built.signatures[0], header, [arguments], target)
    return call


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(8))
def test_random_programs_compute_what_they_do_here(parse: Parse, seed: int):
    text = random_riscv.generate(seed)
    x = np.random.default_rng(seed).normal(size=(6, 8)).astype(np.float32)
    try:
        call = run_entry(parse, text, x, 5, 0.75)
    except OperationError as error:
        assert "needs more registers than" in error.message
        return
    wanted = compile_module(parse(text), opt_level=1)["entry"](x, 5, 0.75)
    np.testing.assert_allclose(call.results[0], wanted, 1e-5, 1e-5)


@pytest.mark.oracle
def test_nan_and_signed_zero_are_as_ieee_has_them(parse: Parse):
    text = """
    func.func @entry(%x: memref<5xf32>, %y: memref<5xf32>, %max: memref<5xf32>,
                     %min: memref<5xf32>) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      scf.for %i = %c0 to %c5 step %c1 {
        %0 = memref.load %x[%i] : memref<5xf32>
        %1 = memref.load %y[%i] : memref<5xf32>
        %2 = arith.maximumf %0, %1 : f32
        %3 = arith.minimumf %0, %1 : f32
        memref.store %2, %max[%i] : memref<5xf32>
        memref.store %3, %min[%i] : memref<5xf32>
      }
      %zero = arith.constant -0.0 : f64
      return %zero : f64
    }
    """
    copies = (
        "memref.alloc() : memref<5xf32>\n      memref.copy",
        "memref<5xf32> to memref<5xf32>",
    )
    text = text.replace(
        "%zero = arith",
        f"%r = {copies[0]} %max, %r : {copies[1]}\n"
        f"      %s = {copies[0]} %min, %s : {copies[1]}\n      %zero = arith",
    )
    buffers = text.replace("-> f64 {", "-> (memref<5xf32>, memref<5xf32>) {").replace(
        "return %zero : f64", "return %r, %s : memref<5xf32>, memref<5xf32>"
    )
    x = np.array([np.nan, 1, 0.0, -0.0, np.inf], np.float32)
    y = np.array([1, np.nan, -0.0, 0.0, -np.inf], np.float32)
    out = np.zeros_like(x), np.zeros_like(x)
    most, least = run_entry(parse, buffers, x, y, *out).results
    np.testing.assert_array_equal(most, [np.nan, np.nan, 0.0, 0.0, np.inf])
    np.testing.assert_array_equal(np.signbit(most[2:4]), [False, False])
    np.testing.assert_array_equal(least, [np.nan, np.nan, 0.0, 0.0, -np.inf])
    np.testing.assert_array_equal(np.signbit(least[2:4]), [True, True])
    (zero,) = run_entry(parse, text, x, y, *out).results
    assert zero == 0 and np.signbit(zero)


C = """
#include <stdio.h>
#include "program.h"
int main(void) {
  float numbers[8] = {9, 9, 1, 2, 3, 4, 5, 6};
  MemRef1D_f32 x = {numbers, numbers, 2, {4}, {1}}, result;
  _mlir_ciface_plus(&result, &x, 0.5f);
  float *direct = plus(numbers, 0.25f);
  printf("%g %g %g\\n", result.aligned[0], result.aligned[3], direct[0]);
  return 0;
}
"""

PLUS = """
func.func @plus(%x: tensor<4xf32>, %y: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%y : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.add ins(%x, %f : tensor<4xf32>, tensor<4xf32>)
    outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


@pytest.mark.oracle
def test_a_c_program_calls_it_by_addresses_and_by_descriptors(tmp_path: Path):
    source, main_c = tmp_path / "program.mlir", tmp_path / "main.c"
    source.write_text(PLUS)
    main_c.write_text(C)
    object_, program = tmp_path / "program.o", tmp_path / "main"
    target = ["--target", "riscv64", "--backend", "xdsl"]
    assert xbuf(["build", str(source), "-o", str(object_), *target]) == 0
    gcc = find_oracle("riscv64-linux-gnu-gcc")
    command = [gcc, "-static", "-Wall", "-Werror", main_c, object_, "-o", program]
    subprocess.run(command, check=True)
    run_it = [find_oracle("qemu-riscv64"), program]
    printed = subprocess.run(run_it, check=True, capture_output=True, text=True)
    assert printed.stdout == "1.5 4.5 9.25\n"

"""Programs may use names of C: they are neither taken for C's, nor called by C."""

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from harness.oracles.tools import find_oracle
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.names_of_c import is_name_of_c
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.tools.xbuf import main

Parse = Callable[[str], ModuleOp]

PLUS_ONE = """
func.func {visibility} @{name}(%x: {type}) -> {type} {{
  %one = arith.constant 1.0 : {type}
  %y = arith.addf %x, %one : {type}
  return %y : {type}
}}
func.func @entry(%x: {type}) -> ({type}, {type}, {type}) {{
  %two = arith.constant 2.0 : {type}
  %0 = func.call @{name}(%two) : ({type}) -> {type}
  %1 = func.call @{name}(%x) : ({type}) -> {type}
  %2 = {op} %x : {type}
  return %0, %1, %2 : {type}, {type}, {type}
}}
"""


@pytest.mark.parametrize("visibility", ["", "private"])
@pytest.mark.parametrize(
    ("name", "type_", "op"),
    [
        ("exp", "f64", "math.exp"),
        ("expf", "f32", "math.exp"),
        ("sin", "f64", "math.sin"),
        ("floorf", "f32", "math.floor"),
        ("tgamma", "f64", "math.sqrt"),
        ("main", "f64", "math.sqrt"),
    ],
)
def test_a_function_is_the_programs_and_an_op_is_cs(
    parse: Parse, visibility: str, name: str, type_: str, op: str
):
    text = PLUS_ONE.format(visibility=visibility, name=name, type=type_, op=op)
    known, own, cs = compile_module(parse(text))["entry"](2.25)
    function = getattr(np, op.removeprefix("math."))
    assert (known, own) == (3, 3.25)
    assert cs == pytest.approx(float(function(2.25)))


COPIES = """
{names}
func.func @entry(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) {{
  %zero = arith.constant 0.0 : f32
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<?xf32>)
  return
}}
"""
CALLED_BY_LLVM = ("memcpy", "memset", "memmove")
FUNCTIONS = "\n".join(
    f"func.func {visibility} @{name}(%x: index) -> index {{ return %x : index }}"
    for name, visibility in zip(CALLED_BY_LLVM, ("", "private", ""), strict=True)
)
GLOBALS = "\n".join(
    f"memref.global {visibility} @{name} : memref<4xf32> = dense<1.0>"
    for name, visibility in zip(CALLED_BY_LLVM, ("", '"private"', ""), strict=True)
)


@pytest.mark.parametrize("names", [FUNCTIONS, GLOBALS], ids=["functions", "globals"])
def test_what_llvm_calls_is_cs(parse: Parse, names: str):
    x = np.arange(5000, dtype=np.float32)
    y, z = np.zeros_like(x), np.ones_like(x)
    compile_module(parse(COPIES.format(names=names)))["entry"](x, y, z)
    assert y.tolist() == x.tolist()
    assert not z.any()


LIBRARY = """
memref.global @environ : memref<4xf32> = dense<2.0>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @memcpy(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y = arith.addf %x, %one : f64
  return %y : f64
}
func.func @printf(%x: f64) -> f64 {
  %y = func.call @memcpy(%x) : (f64) -> f64
  return %y : f64
}
func.func @_start(%x: f64) -> f64 {
  return %x : f64
}
func.func @scale(%x: f64) -> f64 {
  return %x : f64
}
"""
CALLER = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "out.h"

int main(int count, char **arguments) {
  char text[64];
  float numbers[4] = {1, 2, 3, 4};
  MemRef1D_f32 x = {numbers, numbers, 0, {4}, {1}}, result;
  memcpy(text, arguments[1], strlen(arguments[1]) + 1);
  _mlir_ciface_main(&result, &x);
  printf("%s %g %g %g %d\\n", text, _mlir_ciface_memcpy(1), _mlir_ciface_printf(2),
         result.aligned[3], getenv("PATH") != 0);
  free(result.allocated);
  return 0;
}
"""


@pytest.mark.oracle
@pytest.mark.parametrize("linked", [("out.o",), ("out.o", "-static"), ("out.so",)])
def test_c_keeps_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linked: tuple[str, ...]
):
    gcc = find_oracle("gcc")
    monkeypatch.chdir(tmp_path)
    Path("program.mlir").write_text(LIBRARY)
    Path("caller.c").write_text(CALLER)
    assert main(["build", "program.mlir", "-o", linked[0]]) == 0
    command = [gcc, "-fno-builtin", "caller.c", *linked, "-Wl,-rpath,.", "-o", "caller"]
    subprocess.run(command, check=True)
    done = subprocess.run(["./caller", "hello"], capture_output=True, check=True)
    assert done.stdout == b"hello 2 3 8 1\n"


@pytest.mark.oracle
def test_a_library_has_no_name_of_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    find_oracle("gcc")
    monkeypatch.chdir(tmp_path)
    Path("program.mlir").write_text(LIBRARY)
    assert main(["build", "program.mlir", "-o", "out.so"]) == 0
    library = ctypes.CDLL("./out.so")
    in_c = ctypes.cast(ctypes.CDLL(None).memcpy, ctypes.c_void_p).value
    assert ctypes.cast(library.memcpy, ctypes.c_void_p).value == in_c
    for name in ("main", "_start"):
        assert not hasattr(library, name)
        assert hasattr(library, f"_mlir_ciface_{name}")
    assert hasattr(library, "scale")  # By which MLIR's code calls it.


def test_which_names_are_cs():
    cs = "main memcpy printf exp expf powl sinf128 malloc free environ exit _exit __x"
    others = (
        "entry f forward scale softmax matmul main_graph memory f32 __constant_4xf32"
    )
    assert all(map(is_name_of_c, cs.split()))
    assert not any(map(is_name_of_c, others.split()))

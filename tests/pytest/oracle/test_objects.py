"""Objects in programs of others: C here and on RISC-V, and code of mlir-opt 22's."""

import subprocess
from pathlib import Path

import pytest
from harness.oracles import tool_runs
from harness.oracles.mlir_runner import runner_libraries
from harness.oracles.tools import find_oracle

from xdsl_bufferization.tools.xbuf import main

PROGRAM = """\
func.func private @helper(%t: tensor<?xf32>) -> tensor<?xf32> {
  return %t : tensor<?xf32>
}
// Two results: a new buffer, and a number that C must find sign-extended.
func.func @scale(%x: tensor<?xf32>, %by: f32) -> (tensor<?xf32>, i32) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %product = arith.mulf %in, %by : f32
    linalg.yield %product : f32
  } -> tensor<?xf32>
  %1 = func.call @helper(%0) : (tensor<?xf32>) -> tensor<?xf32>
  %minus = arith.constant -5 : i32
  return %1, %minus : tensor<?xf32>, i32
}
func.func @narrow(%x: i8, %y: i1) -> i8 {
  %0 = arith.extui %y : i1 to i8
  %1 = arith.addi %x, %0 : i8
  return %1 : i8
}
"""

C = """\
#include <stdio.h>
#include <stdlib.h>
#include "program.h"

/* Not that of the object, which is its own business. */
int helper(void) { return 1; }

int main(void) {
  float x[6] = {0, 1, 2, 3, 4, 5};
  /* Every second element, from the second on. */
  MemRef1D_f32 input = {x, x, 1, {3}, {2}};
  scale_results results;
  _mlir_ciface_scale(&results, &input, 2.0f);
  MemRef1D_f32 *output = &results.r0;
  for (int i = 0; i < output->sizes[0]; ++i)
    printf("%g ", output->aligned[output->offset + i * output->strides[0]]);
  long as_long = results.r1;
  long narrow = _mlir_ciface_narrow(127, 1);
  printf("%ld %ld %d\\n", as_long, narrow, helper());
  free(output->allocated);
  return 0;
}
"""

PIPELINE = (
    "one-shot-bufferize{bufferize-function-boundaries=true},"
    "buffer-deallocation-pipeline"
)
"""Arguments may have any layout."""

COMPILERS = {
    "native": ("gcc", None),
    "riscv64": ("riscv64-linux-gnu-gcc", "qemu-riscv64"),
    "aarch64": ("aarch64-linux-gnu-gcc", "qemu-aarch64"),
}


def run_tool(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(directory: Path, text: str, output: str, *options: str) -> Path:
    source = directory / "program.mlir"
    source.write_text(text)
    out = directory / output
    assert main(["build", str(source), "-o", str(out), *options]) == 0
    return out


@pytest.mark.oracle
@pytest.mark.parametrize("target", COMPILERS)
def test_a_c_program_calls_an_object(tmp_path: Path, target: str):
    compiler, emulator = COMPILERS[target]
    compile_ = [find_oracle(compiler), "-static", "-O2", "-Wall", "-Werror"]
    run = [] if emulator is None else [find_oracle(emulator)]
    options = ["--target", target, "--pipeline", PIPELINE]
    object_ = build(tmp_path, PROGRAM, "program.o", *options)
    source, program = tmp_path / "main.c", tmp_path / "main"
    source.write_text(C)
    run_tool(*compile_, source, object_, "-o", program)
    assert run_tool(*run, program) == "2 6 10 -5 -128 1\n"


@pytest.mark.oracle
def test_a_c_program_calls_a_shared_library(tmp_path: Path):
    gcc = find_oracle("gcc")
    library = build(tmp_path, PROGRAM, "libprogram.so", "--pipeline", PIPELINE)
    source, program = tmp_path / "main.c", tmp_path / "main"
    source.write_text(C.replace("program.h", "libprogram.h"))
    run_tool(gcc, "-O2", source, library, "-o", program)
    assert run_tool("env", f"LD_LIBRARY_PATH={tmp_path}", program).startswith("2 6 10")


@pytest.mark.oracle
def test_the_header_is_c_and_cplusplus(tmp_path: Path):
    build(tmp_path, PROGRAM, "program.ll")
    source = tmp_path / "main.c"
    source.write_text('#include "program.h"\n#include "program.h"\n')
    gcc = find_oracle("gcc")
    strict = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
    run_tool(gcc, "-std=c99", *strict, source)
    run_tool(gcc, *strict, source)


PRINTING = """
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @rtclock() -> f64
func.func @show(%x: memref<3xf32>) -> f64 {
  %0 = memref.cast %x : memref<3xf32> to memref<*xf32>
  call @printMemrefF32(%0) : (memref<*xf32>) -> ()
  %1 = call @rtclock() : () -> f64
  return %1 : f64
}
"""

PRINTING_MAIN = """
#include "program.h"
int main(void) {
  float data[] = {1, 2.5, -3};
  MemRef1D_f32 x = {data, data, 0, {3}, {1}};
  return _mlir_ciface_show(&x) < 1;
}
"""


@pytest.mark.oracle
def test_an_object_calls_what_mlir_offers_to_programs(tmp_path: Path):
    object_ = build(tmp_path, PRINTING, "program.o")
    (tmp_path / "main.c").write_text(PRINTING_MAIN)
    libraries, program = runner_libraries(), tmp_path / "main"
    run_tool(
        *(find_oracle("gcc"), tmp_path / "main.c", object_, "-o", program),
        *(f"-Wl,-rpath,{libraries[0].parent}", *libraries),
    )
    assert run_tool(program).endswith(" data = \n[1,  2.5,  -3]\n")


CALLER = """\
func.func private @scale(memref<?xf32>, f32) -> (memref<?xf32>, i32) ATTRIBUTES
memref.global "private" constant @numbers : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
func.func @call_it(%result: memref<4xf32>) attributes {llvm.emit_c_interface} {
  %two = arith.constant 2.0 : f32
  %x = memref.get_global @numbers : memref<3xf32>
  %0 = memref.cast %x : memref<3xf32> to memref<?xf32>
  %1:2 = func.call @scale(%0, %two) : (memref<?xf32>, f32) -> (memref<?xf32>, i32)
  %2 = memref.cast %1#0 : memref<?xf32> to memref<3xf32>
  %3 = memref.subview %result[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
  memref.copy %2, %3 : memref<3xf32> to memref<3xf32, strided<[1]>>
  %c3 = arith.constant 3 : index
  %4 = arith.sitofp %1#1 : i32 to f32
  memref.store %4, %result[%c3] : memref<4xf32>
  memref.dealloc %1#0 : memref<?xf32>
  return
}
"""

CALLER_MAIN = """\
#include <stdint.h>
#include <stdio.h>
struct { float *allocated, *aligned; int64_t offset, size, stride; } typedef Buffer;
void _mlir_ciface_call_it(Buffer *);
int main(void) {
  float numbers[4];
  Buffer result = {numbers, numbers, 0, 4, 1};
  _mlir_ciface_call_it(&result);
  for (int i = 0; i < 4; ++i) printf("%g ", numbers[i]);
  return 0;
}
"""

LOWERING = (
    "-expand-strided-metadata",
    "-finalize-memref-to-llvm",
    "-convert-arith-to-llvm",
    "-convert-func-to-llvm",
    "-convert-cf-to-llvm",
    "-reconcile-unrealized-casts",
)


@pytest.mark.oracle
@pytest.mark.parametrize("attributes", ["", "attributes {llvm.emit_c_interface}"])
def test_code_of_mlir_opt_calls_an_object(tmp_path: Path, attributes: str):
    """By descriptors in registers as MLIR's functions do, and by the C interface."""
    object_ = build(tmp_path, PROGRAM, "program.o")
    caller = tmp_path / "caller.mlir"
    caller.write_text(CALLER.replace("ATTRIBUTES", attributes))
    lowered = tool_runs.run_tool([find_oracle("mlir-opt-22"), *LOWERING, caller])
    translate = [find_oracle("mlir-translate-22"), "--mlir-to-llvmir"]
    translated = tool_runs.run_tool(translate, lowered.stdout)
    (tmp_path / "caller.ll").write_text(translated.stdout)
    theirs, program = tmp_path / "caller.o", tmp_path / "main"
    llc = [find_oracle("llc-22"), "-filetype=obj", "-relocation-model=pic"]
    run_tool(*llc, tmp_path / "caller.ll", "-o", theirs)
    (tmp_path / "main.c").write_text(CALLER_MAIN)
    run_tool(find_oracle("gcc"), tmp_path / "main.c", theirs, object_, "-o", program)
    assert run_tool(program) == "2 4 6 -5 "

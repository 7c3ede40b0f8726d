"""No two threads use memory in a way that depends on which is first.

LLVM's own tool instruments the generated code for ThreadSanitizer. Each iteration of a
loop has a thread, as far as 16 threads go. So iterations are compared with each other,
not only shares of iterations. A program that does have a race shows that a race is
found.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.oracles.tools import find_oracle
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

from xdsl_bufferization import bufferize, deallocate
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.compile import compile_module, llvm_ir
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

pytestmark = pytest.mark.oracle

THREADS = 16
RACE_FOUND = 66
PARALLEL_SEEDS = (2, 6, 7, 8)  # Those whose loops are not removed as dead.
RUNTIME = Path(__file__).parents[2] / "data" / "threads" / "runtime.c"

PRELUDE = """
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
struct memref1 { float *allocated, *aligned; int64_t offset, sizes[1], strides[1]; };
struct memref2 { float *allocated, *aligned; int64_t offset, sizes[2], strides[2]; };
"""

RANDOM_MAIN = (
    PRELUDE
    + """
void _mlir_ciface_entry(void *, void *, void *, void *, float, int64_t, bool);
int main(void) {
  static float a[8], b[8], c[4];
  static int64_t results[1024];
  for (int run = 0; run < 3; run++) {
    struct memref1 x = {a, a, 0, {8}, {1}}, y = {b, b, 0, {8}, {1}};
    struct memref1 z = {c, c, 0, {4}, {1}};
    _mlir_ciface_entry(results, &x, &y, &z, 1.5f, run + 2, run == 1);
  }
  return 0;
}
"""
)

SUM_MAIN = (
    PRELUDE
    + """
float _mlir_ciface_entry(void *);
int main(void) {
  static float a[1000];
  struct memref1 x = {a, a, 0, {1000}, {1}};
  for (int i = 0; i < 1000; i++)
    a[i] = i;
  printf("%g\\n", _mlir_ciface_entry(&x));
  return 0;
}
"""
)

PERCEPTRON_MAIN = (
    PRELUDE
    + """
void _mlir_ciface_entry(void *, void *);
int main(void) {
  static float a[16 * 16];
  struct memref2 x = {a, a, 0, {16, 16}, {16, 1}}, y;
  for (int i = 0; i < 16 * 16; i++)
    a[i] = i % 7 * 0.25f;
  _mlir_ciface_entry(&y, &x);
  for (int i = 0; i < 16 * 8; i++)
    printf("%.9g\\n", y.aligned[y.offset + i]);
  return 0;
}
"""
)

Run = Callable[[ModuleOp, str], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a module with a `main` in C, on many threads and under ThreadSanitizer."""
    tools = [find_oracle(name) for name in ("opt-22", "llc-22", "gcc")]

    def run(module: ModuleOp, main: str) -> "subprocess.CompletedProcess[str]":
        program = _build(tmp_path, llvm_ir(module, threads=THREADS), main, tools)
        result = _run(program)
        if "unexpected memory mapping" in result.stderr:
            # Addresses are too random for the sanitizer of an older compiler.
            setarch = shutil.which("setarch")
            assert setarch is not None
            result = _run(setarch, "-R", program)
        return result

    return run


def _build(directory: Path, ir: str, main: str, tools: Sequence[str]) -> str:
    opt, llc, gcc = tools
    # Only functions with this attribute are instrumented.
    lines = [
        f"{line} sanitize_thread" if line.startswith("define ") else line
        for line in ir.splitlines()
    ]
    text, bitcode, code = (directory / f"code.{end}" for end in ("ll", "bc", "o"))
    text.write_text("\n".join(lines))
    passes = "function(mem2reg,instcombine,simplifycfg),tsan-module,function(tsan)"
    _must([opt, f"-passes={passes}", str(text), "-o", str(bitcode)])
    _must(
        [llc, "-relocation-model=pic", "-filetype=obj", str(bitcode), "-o", str(code)]
    )
    (directory / "main.c").write_text(main)
    sources = [str(RUNTIME), str(directory / "main.c"), str(code)]
    program = str(directory / "program")
    _must([gcc, "-g", "-O1", "-fsanitize=thread", *sources, "-pthread", "-o", program])
    return program


def _must(command: Sequence[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def _run(*command: str) -> "subprocess.CompletedProcess[str]":
    options = f"exitcode={RACE_FOUND} halt_on_error=1"
    environment = {**os.environ, "TSAN_OPTIONS": options}
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
    )


def random_buffers(seed: int) -> ModuleOp:
    """A random program on buffers, in which everything that is written is read.

    As in MLIR, iterations may write to the same memory if nothing reads that memory.
    """
    shape = ParallelShape(ops=5, loops=0.5, parallel=True)
    text = random_parallel_program(seed, shape).replace("@main", "@entry")
    module = parse(text)
    CanonicalizePass().apply(get_context(), module)
    bufferize(
        module, allow_return_allocs_from_loops=True, bufferize_function_boundaries=True
    )
    return deallocate(module)


def test_a_race_is_found(run: Run) -> None:
    racy = parse("""
    func.func @entry(%m: memref<?xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %m, %c0 : memref<?xf32>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %x = memref.load %m[%i] : memref<?xf32>
        memref.store %x, %m[%c0] : memref<?xf32>
        scf.reduce
      }
      %r = memref.load %m[%c0] : memref<?xf32>
      return %r : f32
    }""")
    result = run(racy, SUM_MAIN)
    assert result.returncode == RACE_FOUND
    assert "data race" in result.stderr


def test_a_reduction_has_none(run: Run) -> None:
    module = parse("""
    func.func @entry(%m: memref<?xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %n = memref.dim %m, %c0 : memref<?xf32>
      %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
        %x = memref.load %m[%i] : memref<?xf32>
        scf.reduce(%x : f32) {
        ^bb0(%a: f32, %b: f32):
          %s = arith.addf %a, %b : f32
          scf.reduce.return %s : f32
        }
      }
      return %r : f32
    }""")
    result = run(module, SUM_MAIN)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "499500\n"


@pytest.mark.parametrize("wait", [True, False])
def test_threads_wait_behind_a_loop_unless_they_need_not(run: Run, wait: bool) -> None:
    nowait = "" if wait else ", nowait"
    module = parse(f"""
    func.func @entry(%m: memref<?xf32>) -> f32 {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c500 = arith.constant 500 : index
      %c999 = arith.constant 999 : index
      omp.parallel {{
        "omp.wsloop"() <{{operandSegmentSizes =
            array<i32: 0, 0, 0, 0, 0, 0, 0>{nowait}}}> ({{
          omp.loop_nest (%i) : index = (%c0) to (%c500) step (%c1) {{
            %x = memref.load %m[%i] : memref<?xf32>
            %y = arith.addf %x, %x : f32
            memref.store %y, %m[%i] : memref<?xf32>
            omp.yield
          }}
        }}) : () -> ()
        omp.wsloop {{
          omp.loop_nest (%i) : index = (%c500) to (%c999) step (%c1) {{
            %other = arith.subi %c999, %i : index
            %x = memref.load %m[%other] : memref<?xf32>
            memref.store %x, %m[%i] : memref<?xf32>
            omp.yield
          }}
        }}
        omp.terminator
      }}
      %r = memref.load %m[%c500] : memref<?xf32>
      return %r : f32
    }}""")
    result = run(module, SUM_MAIN)
    assert result.returncode == (0 if wait else RACE_FOUND), result.stderr
    if wait:
        assert result.stdout == "998\n"


@pytest.mark.parametrize("seed", PARALLEL_SEEDS)
def test_random_programs_have_none(run: Run, seed: int) -> None:
    module = random_buffers(seed)
    assert "GOMP_parallel" in llvm_ir(module, threads=THREADS)
    result = run(module, RANDOM_MAIN)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_perceptron_has_none(run: Run) -> None:
    options = MlpOptions(batch=16, layers=(16, 24, 8), bias=True, relu=True, seed=7)
    module = parse(mlp(options))
    DefaultTppPassesPass(block_factors=(4, 4, 4)).apply(get_context(), module)
    result = run(module, PERCEPTRON_MAIN)
    assert (result.returncode, result.stderr) == (0, "")
    x = (np.arange(256, dtype=np.float32) % 7 * np.float32(0.25)).reshape(16, 16)
    expected = np.array(compile_module(module)["entry"](x)).ravel()
    found = np.array(result.stdout.split(), np.float32)
    np.testing.assert_allclose(found, expected, rtol=1e-5)

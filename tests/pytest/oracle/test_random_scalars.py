"""Random programs on numbers: the same bits as through mlir-opt 22 and mlir-runner 22.

In volume: `python tests/pytest/oracle/test_random_scalars.py 25 200` compares 25
modules of 200 programs.
"""

import sys
from collections.abc import Callable

import numpy as np
import pytest
from harness.oracles.mlir_runner import output_of_main
from harness.programs.random_scalars import random_module

from xdsl_bufferization import parse
from xdsl_bufferization.pipelines.compile import compile_module

LOWERING = (
    "--expand-strided-metadata",
    "--arith-expand",
    "--convert-math-to-funcs",
    "--convert-vector-to-scf",
    "--convert-scf-to-cf",
    "--convert-vector-to-llvm",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-func-to-llvm",
    "--reconcile-unrealized-casts",
)

MAIN = """
func.func @main() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {count} : index
  %out = memref.alloc() : memref<{count}xi64>
  func.call @all(%out) : (memref<{count}xi64>) -> ()
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.load %out[%i] : memref<{count}xi64>
    vector.print %x : i64
  }}
  func.return
}}
"""


def ours(text: str, count: int) -> list[int]:
    """The results of all programs by our lowering."""
    out = np.zeros(count, np.int64)
    compile_module(parse(text))["all"](out)
    return out.tolist()


def theirs(text: str, count: int) -> list[int]:
    """The results of all programs by MLIR's lowering."""
    printed = output_of_main(text + MAIN.format(count=count), LOWERING)
    return list(map(int, printed.split()))


def different(seed: int, count: int) -> list[tuple[int, int, int]]:
    """The numbers of the programs that differ, with both results."""
    text = random_module(seed, count)
    results = zip(range(count), ours(text, count), theirs(text, count), strict=True)
    return [(number, a, b) for number, a, b in results if a != b]


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(2))
def test_same_bits(mlir_opt: Callable[..., str], seed: int):
    assert not different(seed, 150)


if __name__ == "__main__":
    modules, size = map(int, sys.argv[1:])
    for each in range(modules):
        for number, a, b in different(1000 + each, size):
            sys.stdout.write(f"seed {1000 + each}, program {number}: {a:x} {b:x}\n")
        sys.stdout.write(f"{(each + 1) * size} programs\n")
        sys.stdout.flush()

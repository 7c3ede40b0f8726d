"""What the checks of `compile(checked=True)` cost, in run time.

    PYTHONPATH=. .venv/bin/python benchmarks/checked.py

Each program is compiled with and without checks. The calls take turns, and the best of
all calls counts.
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import compile, parse
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.bufferize import BufferizePass
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

TURNS: Final = 15
SECONDS: Final = 0.1

_BOUNDS: Final = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
"""

SQUARES: Final = f"""func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {{
  {_BOUNDS}
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }}
  return
}}"""

GATHER: Final = f"""func.func @f(
  %a: memref<?xf32>, %at: memref<?xi32>, %n: index
) -> f32 {{
  {_BOUNDS}
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {{
    %k = memref.load %at[%i] : memref<?xi32>
    %j = arith.index_cast %k : i32 to index
    %x = memref.load %a[%j] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    scf.yield %y : f32
  }}
  return %r : f32
}}"""

STENCIL: Final = f"""func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {{
  {_BOUNDS}
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  %rows = arith.subi %n, %c1 : index
  %columns = arith.subi %m, %c1 : index
  scf.for %i = %c1 to %rows step %c1 {{
    scf.for %j = %c1 to %columns step %c1 {{
      %left = arith.subi %j, %c1 : index
      %right = arith.addi %j, %c1 : index
      %x = memref.load %a[%i, %left] : memref<?x?xf32>
      %y = memref.load %a[%i, %right] : memref<?x?xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %b[%i, %j] : memref<?x?xf32>
    }}
  }}
  return
}}"""

ALLOCATIONS: Final = f"""func.func @f(%a: memref<?xf32>, %n: index) -> f32 {{
  {_BOUNDS}
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%s = %zero) -> f32 {{
    %t = memref.alloc(%i) : memref<?xf32>
    %v = memref.subview %a[0] [%i] [1]
      : memref<?xf32> to memref<?xf32, strided<[1]>>
    memref.copy %v, %t : memref<?xf32, strided<[1]>> to memref<?xf32>
    %at = arith.remui %n, %i : index
    %x = memref.load %t[%at] : memref<?xf32>
    memref.dealloc %t : memref<?xf32>
    %y = arith.addf %x, %s : f32
    scf.yield %y : f32
  }}
  return %r : f32
}}"""


def _mlp(batch: int, layers: tuple[int, ...]) -> tuple[ModuleOp, list[Any]]:
    options = MlpOptions(batch=batch, layers=layers, bias=True, relu=True, seed=7)
    x = np.random.default_rng(0).random((batch, layers[0]), np.float32)
    return parse(mlp(options)), [x]


def programs() -> dict[str, tuple[ModuleOp, list[Any]]]:
    """Programs on buffers, with arguments."""
    kernels, large = _mlp(256, (512, 512, 512, 512))
    DefaultTppPassesPass(explain=False).apply(get_context(), kernels)
    loops, small = _mlp(64, (128, 128, 128))
    BufferizePass().apply(get_context(), loops)
    row = np.ones(100_000, np.float32)
    image = np.ones((300, 300), np.float32)
    positions = np.arange(100_000, dtype=np.int32)
    return {
        "MLP of 512, by kernels": (kernels, large),
        "MLP of 128, by loops": (loops, small),
        "squares of 100,000 numbers": (parse(SQUARES), [row, row.copy(), len(row)]),
        "sum of 100,000 gathered numbers": (parse(GATHER), [row, positions, len(row)]),
        "stencil of 300 by 300": (parse(STENCIL), [image, image.copy()]),
        "100 allocations, with copies": (parse(ALLOCATIONS), [row, 100]),
    }


def best(calls: Sequence[Callable[[], object]]) -> list[float]:
    """The least time of each of several calls, which take turns."""
    least = [float("inf")] * len(calls)
    for _ in range(TURNS):
        for number, call in enumerate(calls):
            end = time.perf_counter() + SECONDS
            while (started := time.perf_counter()) < end:
                call()
                took = time.perf_counter() - started
                least[number] = min(least[number], took)
    return least


def main() -> None:
    """Print a row for each program."""
    for name, (module, arguments) in programs().items():
        entries = [[*compile(module, checked=each).values()] for each in (False, True)]
        calls = [partial(entry[0], *arguments) for entry in entries]
        plain, checked = (each * 1e6 for each in best(calls))
        ratio = checked / plain
        row = f"| {name} | {plain:.1f} | {checked:.1f} | {ratio:.2f} |\n"
        sys.stdout.write(row)
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""How fast products of any sizes run, beside oneDNN and PyTorch.

    python benchmarks/products.py [--count 60] [--seed 1] [--turns 15] [--svg FILE]
    python benchmarks/products.py --sizes 197x1000x384,1x4096x4096 --cpu x86-64-v3

Needs PyTorch. A product is `x[m, k] w[n, k]`, as a layer of a network has it, in f32 on
one thread, with constant weights. Sizes are drawn from `SIZES`.

- *ours*: `default-tpp-passes`
- *oneDNN*: PyTorch's linear op on weights that oneDNN has packed ahead
- *PyTorch*: `torch.nn.functional.linear`, which is a call of MKL

All run in one process, in turns. Each repeats its product in a loop of native code, so
that calls from Python do not count: ours in an `scf.for`, the others in TorchScript,
which does not optimize. Seconds are those of the processor. The fastest turn counts, as
the machine may have other work.

Prints GFLOP/s, and the ratio of ours to the faster peer: above 1, ours is faster. For
one row, prints how much of the weights is read in a second, over what NumPy reads of
an array of that size when it adds it up. Checks each result against NumPy in float64.
"""

# PyTorch is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from lesser_processor import add_cpu, begin_again_for
from numpy.typing import NDArray
from products_plot import Point, plot

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

SIZES: Final = (
    1,
    2,
    3,
    5,
    16,
    17,
    31,
    33,
    63,
    64,
    65,
    100,
    127,
    196,
    197,
    255,
    392,
    1000,
)

_TURN_SECONDS = 0.003
_PIPELINE = "default-tpp-passes{explain=false}"

Array = NDArray[Any]
Repeat = Callable[[int], object]
"""Computes a product so many times."""


class Size(NamedTuple):
    """Rows, columns, and what is summed over."""

    m: int
    n: int
    k: int

    @property
    def flops(self) -> int:
        """Of one product."""
        return 2 * self.m * self.n * self.k


class Result(NamedTuple):
    """Seconds of one product, by who computed it."""

    size: Size
    seconds: dict[str, float]
    reading: float
    """Seconds in which NumPy adds up as many numbers as there are weights."""

    @property
    def ratio(self) -> float:
        """How much faster ours is than the fastest other."""
        others = [each for who, each in self.seconds.items() if who != "ours"]
        return min(others) / self.seconds["ours"]


_PROGRAM = """
func.func @repeat(%x: tensor<{m}x{k}xf32>, %out: tensor<{m}x{n}xf32>, %count: index)
    -> tensor<{m}x{n}xf32> {{
  %w = arith.constant dense<"0x{weights}"> : tensor<{n}x{k}xf32>
  %zero = arith.constant 0.0 : f32
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %result = scf.for %i = %0 to %count step %1 iter_args(%c = %out)
      -> (tensor<{m}x{n}xf32>) {{
    %z = linalg.fill ins(%zero : f32) outs(%c : tensor<{m}x{n}xf32>)
      -> tensor<{m}x{n}xf32>
    %p = linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
        affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    }} ins(%x, %w : tensor<{m}x{k}xf32>, tensor<{n}x{k}xf32>)
      outs(%z : tensor<{m}x{n}xf32>) {{
    ^bb0(%l: f32, %r: f32, %o: f32):
      %t = arith.mulf %l, %r : f32
      %s = arith.addf %o, %t : f32
      linalg.yield %s : f32
    }} -> tensor<{m}x{n}xf32>
    scf.yield %p : tensor<{m}x{n}xf32>
  }}
  return %result : tensor<{m}x{n}xf32>
}}
"""


def ours(size: Size, x: Array, w: Array) -> Repeat:
    """The product by this package, once its result has been checked."""
    text = _PROGRAM.format(**size._asdict(), weights=w.tobytes().hex())
    module = parse_module(text, "product.mlir", get_context())
    run_passes(module, parse_passes(_PIPELINE))
    compiled = compile_module(module, threads=1)
    out = np.zeros((size.m, size.n), np.float32)
    function = compiled["repeat"]
    function(x, out, 1)
    left, right = x.astype(np.float64), w.astype(np.float64).T
    # Each of the k sums and products is rounded once, to 24 bits.
    bound = np.abs(left) @ np.abs(right) * (size.k + 1) * 2.0**-24
    if (np.abs(out - left @ right) > bound).any():
        raise AssertionError(f"{size}: not within the bound of the sums")

    def repeat(count: int) -> object:
        return function(x, out, count)

    return repeat


def peers(size: Size, x: Array, w: Array) -> dict[str, Repeat]:
    """Those of oneDNN and of MKL, by PyTorch."""
    import torch

    linear, onednn = _scripts()
    rows, weights = torch.from_numpy(x), torch.from_numpy(w)
    packed = torch.ops.mkldnn._reorder_linear_weight(weights, size.m)  # noqa: SLF001 (the only way)

    def repeat(script: Any, weights: Any) -> Repeat:
        def run(count: int) -> None:
            with torch.inference_mode(), torch.jit.optimized_execution(False):
                script(rows, weights, count)

        return run

    return {"oneDNN": repeat(onednn, packed), "PyTorch": repeat(linear, weights)}


def _scripts() -> tuple[Any, Any]:
    """Loops of TorchScript: a linear op of PyTorch, and that of oneDNN."""
    import torch

    name = "torch.ops.mkldnn._linear_pointwise(x, w, None, 'none', [], '')"
    loop = "def f(x, w, n: int):\n    y = x\n    for _ in range(n):\n        y = {}\n"
    loop += "    return y\n"
    made = []
    for call in ("torch.nn.functional.linear(x, w)", name):
        unit = torch.jit.CompilationUnit(loop.format(call))
        made.append(unit.f)
    return made[0], made[1]


def measure(size: Size, turns: int) -> Result:
    """The seconds of everybody for one product."""
    rng = np.random.default_rng(7)
    x = rng.standard_normal((size.m, size.k)).astype(np.float32)
    w = rng.standard_normal((size.n, size.k)).astype(np.float32)
    runners = {"ours": ours(size, x, w), **peers(size, x, w)}
    counts = {who: _count(run) for who, run in runners.items()}
    seconds: dict[str, list[float]] = {who: [] for who in runners}
    order = list(runners)
    reading: list[float] = []
    for _ in range(turns):
        random.shuffle(order)
        for who in order:
            seconds[who].append(_seconds(runners[who], counts[who]))
        reading.append(_seconds(lambda count: [w.sum() for _ in range(count)], 2))
    best = {who: min(values) for who, values in seconds.items()}
    return Result(size, best, min(reading))


def _count(run: Repeat) -> int:
    run(1)
    fastest = min(_seconds(run, 3) for _ in range(5))
    return max(1, int(_TURN_SECONDS / fastest))


def _seconds(run: Repeat, count: int) -> float:
    started = time.process_time()
    run(count)
    return (time.process_time() - started) / count


def sampled(count: int, seed: int) -> list[Size]:
    """So many products of sizes in `SIZES`."""
    draw = random.Random(seed)
    return [Size(*(draw.choice(SIZES) for _ in range(3))) for _ in range(count)]


def _rows(results: Sequence[Result]) -> Iterator[str]:
    for size, seconds, reading in results:
        rates = [size.flops / each / 1e9 for each in seconds.values()]
        memory = f"{reading / seconds['ours']:.2f}" if size.m == 1 else ""
        result = Result(size, seconds, reading)
        figures = " | ".join(f"{rate:.1f}" for rate in rates)
        name = " x ".join(map(str, size))
        yield f"| {name} | {figures} | {result.ratio:.2f} | {memory} |"


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--count", type=int, default=60, help="how many products")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--sizes", help="m x n x k, such as 5x100x33,1x64x64")
    parser.add_argument("--svg", type=Path, help="write the plot to this file")
    add_cpu(parser)
    args = parser.parse_args()
    begin_again_for(args.cpu)
    import torch

    torch.set_num_threads(1)
    sizes = sampled(args.count, args.seed)
    if args.sizes:
        texts = args.sizes.split(",")
        sizes = [Size(*map(int, text.split("x"))) for text in texts]
    results: list[Result] = []
    print("| m x n x k | ours | oneDNN | PyTorch | ours / faster | of reading |")
    print("|---|---|---|---|---|---|")
    for size in sizes:
        results.append(measure(size, args.turns))
        print(*_rows(results[-1:]), flush=True)
    ratios = sorted(result.ratio for result in results)
    print(
        f"ratio: least {ratios[0]:.2f}, median {statistics.median(ratios):.2f}, "
        f"under 0.8: {sum(ratio < 0.8 for ratio in ratios)} of {len(ratios)}"
    )
    if args.svg:
        points = [
            Point(result.size.flops, who, result.size.flops / seconds / 1e9)
            for result in results
            for who, seconds in result.seconds.items()
        ]
        args.svg.write_text(plot(points))
    return 0


if __name__ == "__main__":
    sys.exit(main())

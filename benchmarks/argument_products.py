"""How fast products of two arguments run, beside NumPy: nothing is known beforehand.

    python benchmarks/argument_products.py [--count 100] [--seed 1] [--turns 9]
    python benchmarks/argument_products.py --sizes 1024x1024x1024,1x4096x4096
    python benchmarks/argument_products.py --cpu x86-64-v3 --threads 2 --type f64

A product is `a[m, k] b[k, n]` of two arrays in f32 or f64. `jit` and NumPy compute it
when they are called from Python; each makes an array for the result. A third of the
sizes are powers of two, whose rows compete for the same places in caches. The others
are drawn evenly by their logarithm. None is above `LARGEST`.

Both run in one process, in turns, each time in another order. Seconds are those of the
processor on one thread, and those of the clock on several; the fastest turn counts, as
the machine may have other work.

Prints GFLOP/s, and NumPy's time over ours: above 1, ours is faster. Checks each result
against NumPy in float64.
"""

import argparse
import math
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from lesser_processor import add_cpu, begin_again_for
from numpy.typing import NDArray

from xdsl_bufferization import jit

LARGEST: Final = 2048

_POWERS: Final = 1 / 3
"""Which part of all sizes are powers of two."""

_TURN_SECONDS: Final = 0.003
_UNTIL_THREADS_SLEEP: Final = 0.15
"""Seconds: threads of OpenBLAS go on running for 2^28 cycles after their last product.

Ours would share their processors meanwhile.
"""

_THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_LEAST: Final = 0.95
"""What counts as slower than NumPy: below this ratio."""

_PROGRAM: Final = """
func.func @product(%a: tensor<{m}x{k}x{type}>, %b: tensor<{k}x{n}x{type}>)
    -> tensor<{m}x{n}x{type}> {{
  %zero = arith.constant 0.0 : {type}
  %empty = tensor.empty() : tensor<{m}x{n}x{type}>
  %zeros = linalg.fill ins(%zero : {type}) outs(%empty : tensor<{m}x{n}x{type}>)
    -> tensor<{m}x{n}x{type}>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{type}>, tensor<{k}x{n}x{type}>)
    outs(%zeros : tensor<{m}x{n}x{type}>) -> tensor<{m}x{n}x{type}>
  return %c : tensor<{m}x{n}x{type}>
}}
"""

_TYPES: Final = {"f32": np.float32, "f64": np.float64}

Array = NDArray[Any]


class Size(NamedTuple):
    """Rows, columns, and what is summed over."""

    m: int
    n: int
    k: int


def sampled(count: int, seed: int) -> list[Size]:
    """So many sizes."""
    draw = random.Random(seed)
    return [Size(*(_length(draw) for _ in range(3))) for _ in range(count)]


def _length(draw: random.Random) -> int:
    exponent = draw.uniform(0, math.log2(LARGEST))
    if draw.random() < _POWERS:
        return 2 ** round(exponent)
    return round(2**exponent)


def measure(size: Size, type_: str, turns: int, threads: int) -> tuple[float, float]:
    """The seconds of ours and of NumPy for one product."""
    rng = np.random.default_rng(7)
    a = rng.standard_normal((size.m, size.k)).astype(_TYPES[type_])
    b = rng.standard_normal((size.k, size.n)).astype(_TYPES[type_])
    program = _PROGRAM.format(**size._asdict(), type=type_)
    function = jit(program, threads=threads)
    _check(a, b, function(a, b))
    clock = time.process_time if threads == 1 else time.perf_counter
    calls = [partial(function, a, b), partial(np.matmul, a, b)]
    counts = [_count(call) for call in calls]
    best = [math.inf, math.inf]
    order = [0, 1]
    for _ in range(turns):
        random.shuffle(order)
        for who in order:
            if threads > 1:
                # Nobody can ask whether threads of the other one are asleep.
                time.sleep(_UNTIL_THREADS_SLEEP)
                calls[who]()
            seconds = _seconds(calls[who], counts[who], clock)
            best[who] = min(best[who], seconds)
    return best[0], best[1]


def _check(a: Array, b: Array, found: Array) -> None:
    left, right = a.astype(np.float64), b.astype(np.float64)
    # Each of the k sums and products is rounded once; NumPy's, too, if in f64.
    roundings = (a.shape[1] + 1) * (2 if a.dtype == np.float64 else 1)
    half = np.finfo(a.dtype).eps / 2
    bound = np.abs(left) @ np.abs(right) * roundings * half
    if (np.abs(found - left @ right) > bound).any():
        raise AssertionError(f"{a.shape} x {b.shape}: not within the bound of the sums")


def _count(call: Callable[[], object]) -> int:
    call()
    fastest = min(_seconds(call, 3, time.perf_counter) for _ in range(3))
    return max(1, int(_TURN_SECONDS / fastest))


def _seconds(
    call: Callable[[], object], count: int, clock: Callable[[], float]
) -> float:
    started = clock()
    for _ in range(count):
        call()
    return (clock() - started) / count


def _begin_again_with(threads: int) -> None:
    """Begin this process again with as many threads of NumPy, unless it has them."""
    wanted = dict.fromkeys(_THREADS, str(threads))
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        environment = {**os.environ, **wanted}
        os.execve(sys.executable, [sys.executable, *sys.argv], environment)


def _say(ratios: Sequence[float]) -> None:
    ordered = sorted(ratios)
    mean = math.exp(statistics.fmean(map(math.log, ordered)))
    print(
        f"ratio: least {ordered[0]:.2f}, median {statistics.median(ordered):.2f}, "
        f"geometric mean {mean:.2f}, "
        f"under {_LEAST}: {sum(each < _LEAST for each in ordered)} of {len(ordered)}"
    )


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--count", type=int, default=100, help="how many products")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--type", choices=list(_TYPES), default="f32")
    parser.add_argument("--sizes", help="m x n x k, such as 5x100x33,1x64x64")
    add_cpu(parser)
    args = parser.parse_args()
    begin_again_for(args.cpu)
    _begin_again_with(args.threads)
    sizes = sampled(args.count, args.seed)
    if args.sizes:
        texts = args.sizes.split(",")
        sizes = [Size(*map(int, text.split("x"))) for text in texts]
    ratios: list[float] = []
    print("| m x n x k | ours | NumPy | NumPy's time / ours |")
    print("|---|---|---|---|")
    for size in sizes:
        ours, numpy = measure(size, args.type, args.turns, args.threads)
        ratios.append(numpy / ours)
        flops = 2 * math.prod(size) / 1e9
        rates = f"{flops / ours:.2f} | {flops / numpy:.2f}"
        name = " x ".join(map(str, size))
        print(f"| {name} | {rates} | {ratios[-1]:.2f} |", flush=True)
    _say(ratios)
    return 0


if __name__ == "__main__":
    sys.exit(main())

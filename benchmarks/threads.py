"""How much faster an MLP is on several threads, and whether it computes the same bits.

    python benchmarks/threads.py [--threads 2] [--turns 60] [--cpu x86-64-v3]

Prints a row for each model:

- the milliseconds of a call on one thread and on several: medians of calls in turns of
  a few milliseconds;
- their ratio;
- whether all results are the same to the bit. If not, the script fails.

The first calls of a turn do not count: after a turn on one thread, the other cores have
to fetch what is in the cache of the first. Use a machine that does nothing else.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from lesser_processor import add_cpu, begin_again_for
from measuring import describe_machine

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.runtime.team import default_threads
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

_BATCH = 256
_MODELS = ((128, 256, 512), (1024, 1024, 1024, 1024), (1024, 1024))
"""Sizes of layers: of the TPP document, of three large layers, and of one."""

_TURN_SECONDS = 0.005

_WARM_UP = 3
"""Calls at the start of a turn that do not count."""

_Entry = Callable[[Any], Any]


def compile_model(layers: tuple[int, ...], threads: int) -> _Entry:
    """The model, compiled for so many threads."""
    context = get_context()
    options = MlpOptions(_BATCH, layers, bias=True, relu=True, seed=1)
    module = parse_module(mlp(options), "mlp.mlir", context)
    DefaultTppPassesPass().apply(context, module)
    return compile_module(module, threads=threads)["entry"]


def seconds_of(entry: _Entry, argument: Any) -> list[float]:
    """The times of the calls of one turn, without that of giving results back."""
    seconds: list[float] = []
    while sum(seconds) < _TURN_SECONDS or len(seconds) <= _WARM_UP:
        start = time.perf_counter()
        result = entry(argument)
        seconds.append(time.perf_counter() - start)
        del result
    return seconds[_WARM_UP:]


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--threads", type=int, default=default_threads())
    parser.add_argument("--turns", type=int, default=60)
    add_cpu(parser)
    args = parser.parse_args()
    begin_again_for(args.cpu)
    os.environ.setdefault("OMP_PROC_BIND", "true")  # As `xbuf` does.
    print(describe_machine())
    several = f"{args.threads} threads"
    print(f"{'layers':>20}{'1 thread':>10}{several:>11}{'ratio':>7}  same bits")
    is_same = True
    for layers in _MODELS:
        is_same &= _print_row(layers, args.threads, args.turns)
    return 0 if is_same else 1


def _print_row(layers: tuple[int, ...], threads: int, turns: int) -> bool:
    entries = [compile_model(layers, count) for count in (1, threads)]
    argument = np.random.default_rng(0).random((_BATCH, layers[0]), np.float32)
    results = [np.array(entry(argument)) for entry in entries]
    is_same = results[0].tobytes() == results[1].tobytes()
    times: list[list[float]] = [[] for _ in entries]
    for _ in range(turns):
        for entry, of_entry in zip(entries, times, strict=True):
            of_entry += seconds_of(entry, argument)
    one, several = (statistics.median(each) * 1000 for each in times)
    name = "x".join(map(str, layers))
    print(
        f"{name:>20}{one:10.3f}{several:11.3f}{one / several:7.2f}  "
        f"{'yes' if is_same else 'NO'}",
        flush=True,
    )
    return is_same


if __name__ == "__main__":
    sys.exit(main())

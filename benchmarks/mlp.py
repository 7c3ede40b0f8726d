"""How fast perceptrons run, beside everybody else and what the processor can do.

    python benchmarks/mlp.py [--threads 1,2] [--rounds 30] [--only NAME] [--svg FILE]
    python benchmarks/mlp.py --cpu x86-64-v3      as on processors with AVX2 alone

The programs:

- (a) the MLP of docs/tpp.md: 256 rows, layers of 128, 256 and 512, with full matrices
  as biases, and ReLU;
- (b) three layers of 1024, with rows as biases;
- (c) one product of 256 x 1024 x 1024.

Each runs in f32 and in bf16. Where AMX multiplies bf16, ours also runs on vectors
alone, as on processors without AMX.

All run in one process for each number of threads, in turns, each time in another order.
So do two peaks: code that multiplies and adds on registers alone, and code that loads
the factors from the first-level cache. For bf16 they use the processor's instructions
for it.

Prints the median GFLOP/s, and the median of the ratios of ours to each: above 1, ours
is faster. Of ours and of the C code on LIBXSMM, the fastest size of blocks counts. The
plot is a roofline: speed over flops per byte that has to be moved.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from lesser_processor import add_cpu, begin_again_for, described
from mlp_peak import FROM_CACHE, REGISTERS_ALONE, peak_runners
from mlp_roofline import Point, Roof, roofline
from mlp_runners import (
    PROGRAMS,
    Mlp,
    Runner,
    clean_environment,
    make_runners,
    memory_bandwidth,
)

_CALL_SECONDS = 0.02
"""How long the calls of one turn take, about: so long that it matters little what the
one before left of the caches, and of the clock."""

_SPIN_SECONDS = 0.1
"""About how long the threads of a pool spin before they sleep: those of OpenBLAS did so
on the core that the next pool in turn wants."""

Rates = dict[str, list[float]]
"""GFLOP/s of each turn, by who ran."""


class Results(NamedTuple):
    """What one process measured."""

    bandwidth: float
    """Bytes a second."""

    programs: dict[str, tuple[Rates, dict[str, str]]]
    """By name, the speeds of everybody, and why some are missing."""


def measure(each: Mlp, threads: int, rounds: int) -> tuple[Rates, dict[str, str]]:
    """The speeds of everybody, and why some are missing."""
    made = make_runners(each, threads)
    missing = {name: why for name, why in made.items() if isinstance(why, str)}
    runners = {name: run for name, run in made.items() if isinstance(run, Runner)}
    flops = dict.fromkeys(runners, each.flops)
    for name, (runner, of_peak) in peak_runners(each).items():
        runners[name], flops[name] = runner, threads * of_peak
    repeats = {name: _repeats(runner) for name, runner in runners.items()}
    rates: Rates = {name: [] for name in runners}
    order = list(runners)
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            if threads > 1:  # Each runner has threads of its own, for the same cores.
                _let_others_sleep(runners[name])
            seconds = _seconds(runners[name], repeats[name])
            rates[name].append(flops[name] / seconds / 1e9)
    return rates, missing


def _repeats(runner: Runner) -> int:
    runner.call()
    return max(1, round(_CALL_SECONDS / _seconds(runner, 2)))


def _let_others_sleep(runner: Runner) -> None:
    """Wait until the threads of the one before no longer spin, and wake one's own.

    No library says whether its threads still spin, or can be told to stop: what is
    left is to wait for as long as they were seen to do so.
    """
    time.sleep(_SPIN_SECONDS)
    ready = time.perf_counter() + _SPIN_SECONDS / 2
    while time.perf_counter() < ready:
        runner.call()


def _seconds(runner: Runner, repeats: int) -> float:
    started = time.perf_counter()
    for _ in range(repeats):
        runner.call()
    return (time.perf_counter() - started) / repeats


def run_alone(threads: int, rounds: int, only: str | None) -> None:
    """Measure in this process, and print the results as JSON."""
    results = {
        each.name: measure(each, threads, rounds)
        for each in PROGRAMS
        if only in (None, each.name)
    }
    print(json.dumps([memory_bandwidth(), results]))


def _in_clean_process(threads: int, rounds: int, only: str | None) -> Results:
    command = [sys.executable, __file__, "--alone", "--threads", str(threads)]
    command += ["--rounds", str(rounds), *(["--only", only] if only else [])]
    done = subprocess.run(
        command,
        env=clean_environment(threads),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Results(*json.loads(done.stdout.splitlines()[-1]))


def _best(rates: Rates) -> Rates:
    """Only the faster of those that come with several sizes of blocks."""
    by_name: dict[str, str] = {}
    for name in rates:
        short = _without_blocks(name)
        if short not in by_name or statistics.median(rates[name]) > statistics.median(
            rates[by_name[short]]
        ):
            by_name[short] = name
    return {name: rates[name] for name in by_name.values()}


def _without_blocks(name: str) -> str:
    return name.partition(", blocks")[0]


def _rows(rates: Rates, missing: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    best = _best(rates)
    ours = next(values for name, values in best.items() if name.startswith("ours"))
    for name, values in best.items():
        ratios = [our / their for our, their in zip(ours, values, strict=True)]
        yield (
            described(name),
            f"{statistics.median(values):.0f}",
            "" if values is ours else f"{statistics.median(ratios):.2f}",
        )
    for name, why in missing.items():
        yield name, why, ""


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--threads", default="1,2", help="numbers of threads")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument(
        "--only", choices=[each.name for each in PROGRAMS], help="one program"
    )
    parser.add_argument("--svg", type=Path, help="write the plot to this file")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    add_cpu(parser)
    args = parser.parse_args()
    counts = [int(text) for text in args.threads.split(",")]
    if args.alone:
        run_alone(counts[0], args.rounds, args.only)
        return 0
    begin_again_for(args.cpu)
    roofs: list[Roof] = []
    points: list[Point] = []
    kinds = {
        each.name: f"{each.float_type}{' on vectors' * (each.xsmm == 'vectors')}"
        for each in PROGRAMS
    }
    intensity = {each.name: each.flops / each.bytes for each in PROGRAMS}
    for threads in counts:
        measured = _in_clean_process(threads, args.rounds, args.only)
        for name, (rates, missing) in measured.programs.items():
            print(f"\n({name}), {threads} thread{'s' if threads > 1 else ''}")
            print(f"{'':36}{'GFLOP/s':>9}{'ours to it':>12}")
            for row in _rows(rates, missing):
                print(f"{row[0]:36}{row[1]:>9}{row[2]:>12}", flush=True)
            best = _best(rates)
            for who, values in best.items():
                speed = statistics.median(values)
                if who in (REGISTERS_ALONE, FROM_CACHE):
                    continue
                points.append(
                    Point(name, _without_blocks(who), threads, intensity[name], speed)
                )
        peaks: dict[str, list[float]] = {}
        for name, (rates, _) in measured.programs.items():
            peaks.setdefault(kinds[name], []).extend(rates[REGISTERS_ALONE])
        roofs += [
            Roof(threads, statistics.median(each), measured.bandwidth / 1e9, kind)
            for kind, each in peaks.items()
        ]
    if args.svg is not None:
        args.svg.write_text(roofline(roofs, points), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

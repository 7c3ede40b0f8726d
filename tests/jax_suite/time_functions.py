"""How long calls of JAX's functions take here, against XLA.

    python tests/jax_suite/time_functions.py [--larger] [--filter REGEX]

Each function is called with the arrays of its case, by XLA and by this package in
turns. A figure is the least of 15 rounds, in microseconds. Both use the arrays where
they are. Gradients of `functions.py` are left out. The tables are in
`docs/measurements.md`.
"""

# JAX is not installed where the project is checked.
# The table is printed.
# ruff: noqa: T201
# pyright: basic, reportMissingImports=false

import argparse
import re
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from math import exp, log

import jax
from functions import CASES, Case
from larger_functions import LARGER_CASES

import xdsl_bufferization as xbuf

ROUNDS = 15

LEAST_SECONDS = 0.001
"""How long a round lasts at least."""

WORST = 10
"""How many functions are listed once more."""


def time_case(case: Case) -> tuple[float, float]:
    """Microseconds of a call: by XLA, and here."""
    arguments = case.arguments()
    text, _ = case.lowered(arguments)
    compiled = jax.jit(case.function, keep_unused=True).lower(*arguments).compile()
    on_device = [jax.device_put(each) for each in arguments]
    function = xbuf.jit(text)

    def by_xla() -> None:
        jax.block_until_ready(compiled(*on_device))

    def here() -> None:
        function(*arguments)

    calls = [(call, _calls_of(call)) for call in (by_xla, here)]
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        for way, (call, count) in enumerate(calls):
            best[way] = min(best[way], _seconds(call, count) / count)
    return best[0] * 1e6, best[1] * 1e6


def _calls_of(call: Callable[[], None]) -> int:
    """How many calls a round has."""
    call()
    seconds = min(_seconds(call, 1) for _ in range(3))
    return max(1, int(LEAST_SECONDS / max(seconds, 1e-7)))


def _seconds(call: Callable[[], None], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - start


def _mean(ratios: Sequence[float]) -> float:
    return exp(sum(map(log, ratios)) / len(ratios))


def _selected(cases: dict[str, Case], pattern: str) -> list[Case]:
    return [
        case
        for name, case in cases.items()
        if re.search(pattern, name)
        and not (name.startswith("d_") or "refused" in case.may_give)
    ]


def main() -> None:
    """Print a row for each function, one for each group, and the worst again."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--filter", default="", help="only names that match")
    parser.add_argument("--larger", action="store_true", help="with larger arguments")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    groups: dict[str, list[float]] = defaultdict(list)
    rows: list[tuple[float, str]] = []
    head = "| function | XLA, us | here, us | XLA / here |\n|---|---|---|---|"
    print(head)
    for case in _selected(LARGER_CASES if options.larger else CASES, options.filter):
        xla, here = time_case(case)
        ratio = xla / here
        rows.append(
            (ratio, f"| `{case.name}` | {xla:.1f} | {here:.1f} | {ratio:.1f} |")
        )
        print(rows[-1][1], flush=True)
        for group in (case.group, "all"):
            groups[group].append(ratio)
    print("\n| group | functions | least | mean |\n|---|---|---|---|")
    for group in (*(each for each in groups if each != "all"), "all"):
        found = groups[group]
        print(f"| {group} | {len(found)} | {min(found):.1f} | {_mean(found):.1f} |")
    print(f"\n{head}", *(row for _, row in sorted(rows)[:WORST]), sep="\n")


if __name__ == "__main__":
    main()

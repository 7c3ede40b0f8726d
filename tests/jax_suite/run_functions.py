"""The usual functions of JAX and their gradients, compared with XLA's numbers.

    python tests/jax_suite/run_functions.py [--filter REGEX] [--results FILE]
    python tests/jax_suite/run_functions.py --cases harnesses [--one-in N]

JAX exports each function of `functions.py`, or of JAX's own table of cases, as text in
StableHLO. The text is compiled and run with `optimize=True` and with `optimize=False`.
A process of its own does this, so that a crash is counted as one. `make jax-tests`
makes an environment and runs all of `functions.py`.

A table says for each group how many functions gave XLA's bits, how many its numbers
within 2e-4 of each (or 2e-5 of the largest, if that is more; ten to a hundred times as
much in f16 and bf16), and how many were refused with a message at a line of the text.
Failures are wrong numbers, other exceptions, crashes, runs of more than `--seconds`,
and messages for other functions than the modules of the cases list.
"""

# JAX is not installed where the project is checked.
# The table is printed.
# ruff: noqa: T201
# pyright: basic, reportMissingImports=false

import argparse
import importlib
import json
import re
import sys
import warnings
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from functions import Case
from spawned import Worker
from xdsl.utils.exceptions import ParseError

import xdsl_bufferization as xbuf
from xdsl_bufferization.support.errors import OperationError

sys.path.insert(0, str(Path(__file__).parents[1]))  # For what random programs share.

KINDS = ("bits", "close", "refused", "wrong", "raised", "crashed", "slow", "no program")
"""What a case may give. The last is for functions that JAX itself does not export."""

BOUNDS = {"bfloat16": (2e-2, 1e-2), "float16": (2e-3, 1e-3)}
OTHER_BOUNDS = 2e-4, 2e-5
"""What an element may differ by: a part of the element, and one of the largest one."""

TABLES = ("functions", "harnesses", "programs")


def cases_of(table: str) -> dict[str, Case]:
    """The cases of a module, by name."""
    return importlib.import_module(table).CASES


def run_case(case: Case) -> tuple[str, str]:
    """What a case gives, the worse of both ways to compile it, and details."""
    try:
        arguments = case.arguments()
        text, expected = case.lowered(arguments)
    except Exception as error:  # Whatever JAX raises.
        return "no program", _line(error)
    outcomes = [_run_way(text, arguments, expected, way) for way in (True, False)]
    return max(outcomes, key=lambda outcome: KINDS.index(outcome[0]))


def _run_way(
    text: str, arguments: list[np.ndarray], expected: list[np.ndarray], way: bool
) -> tuple[str, str]:
    try:
        results: Any = xbuf.jit(text, optimize=way)(*arguments)
    except (OperationError, ParseError) as error:
        return "refused", _line(error)
    except Exception as error:  # Whatever is raised is the result.
        return "raised", f"{type(error).__name__}: {_line(error)}"
    results = list(results) if isinstance(results, tuple) else [results]
    return _compare([np.asarray(each) for each in results], expected)


def _compare(results: list[np.ndarray], expected: list[np.ndarray]) -> tuple[str, str]:
    kind = "bits"
    if len(results) != len(expected):
        return "wrong", f"{len(results)} results, XLA has {len(expected)}"
    for ours, theirs in zip(results, expected, strict=True):
        if (ours.shape, ours.dtype) != (theirs.shape, theirs.dtype):
            return "wrong", f"{ours.dtype}{ours.shape}, {theirs.dtype}{theirs.shape}"
        if ours.tobytes() == theirs.tobytes():
            continue
        kind = "close"
        if not _is_close(ours, theirs):
            return "wrong", f"{ours.ravel()[:8]}, XLA has {theirs.ravel()[:8]}"
    return kind, ""


def _is_close(ours: np.ndarray, theirs: np.ndarray) -> bool:
    if ours.dtype.kind in "iub":
        return False
    relative, absolute = BOUNDS.get(ours.dtype.name, OTHER_BOUNDS)
    wide = np.complex128 if ours.dtype.kind == "c" else np.float64
    ours, theirs = ours.astype(wide), theirs.astype(wide)
    largest = np.abs(theirs[np.isfinite(theirs)]).max(initial=1)
    return np.allclose(ours, theirs, relative, absolute * largest, equal_nan=True)


def _line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__


def serve(connection: Connection, table: str) -> None:
    """Run cases by name, until there is no other."""
    cases = cases_of(table)
    warnings.simplefilter("ignore")
    while (name := connection.recv()) is not None:
        connection.send(run_case(cases[name]))


def main() -> int:
    """Run the cases, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", choices=TABLES, default=TABLES[0])
    parser.add_argument("--one-in", type=int, default=1, help="a part of the cases")
    parser.add_argument("--filter", default="", help="only names that match")
    parser.add_argument("--results", type=Path, help="append to this file, and resume")
    parser.add_argument("--seconds", type=int, default=300, help="for each case")
    options = parser.parse_args()
    results = _known(options.results)
    cases = cases_of(options.cases)
    names = [name for name in cases if re.search(options.filter, name)]
    names = names[:: options.one_in]
    worker = Worker(serve, options.cases, options.seconds)
    for name in names:
        if name in results:
            continue
        results[name] = worker.run(name)
        kind, details = results[name]
        if details:
            print(f"{name}: {kind}: {details}", flush=True)
        if options.results is not None:
            with options.results.open("a") as file:
                file.write(json.dumps([name, kind, details]) + "\n")
    worker.stop()
    kinds = {name: results[name][0] for name in names}
    _print_table(cases, kinds)
    failed = [name for name, kind in kinds.items() if kind not in cases[name].may_give]
    if failed:
        print("failed:", *failed)
    return 1 if failed else 0


def _known(file: Path | None) -> dict[str, tuple[str, str]]:
    if file is None or not file.exists():
        return {}
    lines = map(json.loads, file.read_text().splitlines())
    return {name: (kind, details) for name, kind, details in lines}


def _print_table(cases: dict[str, Case], kinds: dict[str, str]) -> None:
    groups = list(dict.fromkeys(cases[name].group for name in kinds))
    print("".join(f"{title:>11}" for title in KINDS), " group")
    for group in (*groups, "all"):
        counts = Counter(
            kind for name, kind in kinds.items() if group in (cases[name].group, "all")
        )
        print("".join(f"{counts[kind]:>11}" for kind in KINDS), f" {group}")


if __name__ == "__main__":
    sys.exit(main())

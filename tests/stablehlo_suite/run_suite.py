"""StableHLO's own tests, each with the numbers that it expects.

    python tests/stablehlo_suite/run_suite.py FOLDER [--filter REGEX] [--one-in N]

FOLDER is a copy of https://github.com/openxla/stablehlo. Its tests of the interpreter
(`stablehlo/tests/interpret`) have each op in forms that JAX does not write; its
`stablehlo/testdata` has what JAX wrote once. Each is compiled and run in both ways of
`optimize`, once with its constants and once with arguments in their place. A process of
its own does this, so that a crash is counted as one.

A table says how many programs gave the expected bits, numbers close to these, how many
were refused with a message at a line, and how many failed: wrong numbers, other
exceptions, crashes, runs of more than `--seconds`.
"""

# The table is printed.
# ruff: noqa: T201

import argparse
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from jax_suite.spawned import Worker
from self_checking import Program, programs_of
from xdsl.utils.exceptions import ParseError

import xdsl_bufferization as xbuf
from xdsl_bufferization.support.errors import OperationError

KINDS = ("bits", "close", "refused", "wrong", "raised", "crashed", "slow")

FOLDERS = ("stablehlo/tests/interpret", "stablehlo/testdata")

BOUNDS = {
    "bfloat16": (2e-2, 1e-2),
    "float16": (2e-3, 1e-3),
    "float64": (1e-12, 1e-13),
    "complex128": (1e-11, 1e-12),
}
OTHER_BOUNDS = 2e-5, 2e-6
"""What an element may differ by: a part of the element, and at least this much."""

ROUGH = 1e-4
"""What StableHLO's `check.expect_almost_eq` allows."""

OTHERS = {
    "check.mlir#5@check_almost_eq_const_tolerance": "is about the check itself",
    "check.mlir#6@check_close": "is about the check itself",
    "reduce_precision.mlir#1@reduce_precision_op_test_f64_zero_mantissa_bits": (
        "NaN without a fraction is infinite there, and stays NaN here and in XLA"
    ),
}
"""Tests that expect other numbers, and why."""


def programs(folder: Path, only: str = "") -> Iterator[Program]:
    """The programs of all files, or of one."""
    for name in FOLDERS:
        for file in sorted((folder / name).rglob("*.mlir")):
            if only in ("", file.name):
                yield from programs_of(file.name, file.read_text())


def run(program: Program) -> tuple[str, str]:
    """What a program gives, the worse of both ways to compile it, and details."""
    outcomes = [_run_way(program, way) for way in (True, False)]
    return max(outcomes, key=lambda outcome: KINDS.index(outcome[0]))


def _run_way(program: Program, way: bool) -> tuple[str, str]:
    try:
        arguments: list[np.ndarray] = []
        if program.inputs:
            arguments = _results(xbuf.jit(program.inputs, entry="inputs"), [])
        function = xbuf.jit(program.text, optimize=way, entry=program.entry)
        results = _results(function, arguments)
    except (OperationError, ParseError) as error:
        return "refused", " ".join(str(error).split())[:200]
    except Exception as error:  # Whatever is raised is the result.
        return "raised", f"{type(error).__name__}: {error}"[:200]
    pairs = zip(results[::2], results[1::2], strict=True)
    outcomes = [_compare(*pair, is_rough=program.is_rough) for pair in pairs]
    return max(outcomes, key=lambda outcome: KINDS.index(outcome[0]))


def _results(function: Any, arguments: list[np.ndarray]) -> list[np.ndarray]:
    results: Any = function(*arguments)
    if not isinstance(results, tuple):
        results = (results,)
    return [np.asarray(each) for each in cast("tuple[Any, ...]", results)]


def _compare(
    ours: np.ndarray, theirs: np.ndarray, *, is_rough: bool
) -> tuple[str, str]:
    if ours.tobytes() == theirs.tobytes():
        return "bits", ""
    relative, absolute = BOUNDS.get(ours.dtype.name, OTHER_BOUNDS)
    absolute = max(absolute, ROUGH) if is_rough else absolute
    if ours.dtype.kind not in "iub":
        wide = np.complex128 if ours.dtype.kind == "c" else np.float64
        ours, theirs = ours.astype(wide), theirs.astype(wide)
        if np.allclose(ours, theirs, relative, absolute, equal_nan=True):
            return "close", ""
    return "wrong", f"{ours.ravel()[:8]}, and not {theirs.ravel()[:8]}"


def serve(connection: Connection, folder: Path) -> None:
    """Run programs by name, until there is no other."""
    warnings.simplefilter("ignore")
    known: dict[str, Program] = {}
    while (name := connection.recv()) is not None:
        if name not in known:
            found = programs(folder, name.partition("#")[0])
            known = {each.name: each for each in found}
        connection.send(run(known[name]))


def main() -> int:
    """Run the programs, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a copy of openxla/stablehlo")
    parser.add_argument("--filter", default="", help="only names that match")
    parser.add_argument("--one-in", type=int, default=1, help="a part of the programs")
    parser.add_argument("--seconds", type=int, default=120, help="for each program")
    options = parser.parse_args()
    names = [each.name for each in programs(options.folder)]
    names = [name for name in names if re.search(options.filter, name)]
    if not names:
        parser.error(f"no tests of StableHLO are in {options.folder}")
    counts = Counter[str]()
    failed: list[str] = []
    worker = Worker(serve, options.folder, options.seconds)
    for name in names[:: options.one_in]:
        kind, details = worker.run(name)
        counts[kind] += 1
        is_known = name.partition(",")[0] in OTHERS
        if kind not in KINDS[:3] and not is_known:
            failed.append(name)
        if details:
            print(f"{name}: {kind}: {details}", flush=True)
    worker.stop()
    print("".join(f"{kind:>11}" for kind in KINDS))
    print("".join(f"{counts[kind]:>11}" for kind in KINDS))
    if failed:
        print("failed:", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""ONNX's own tests through `xbuf.jit`, and the score by op.

    python tests/onnx_suite/run_models.py [--filter REGEX] [--results FILE] [--one-in 8]

`onnx.backend.test` of the installed onnx has a test of each op in each of its forms,
and some models. A case is

    equal      the outputs are those of ONNX, as near as ONNX's tests ask for
    refused    one message, which names the op
    wrong      other outputs
    crashed    a traceback, or the end of the process

Cases run in forks, which may crash. With `--results`, records are added to a file, a
line for each case, and a second run goes on where the first one ended.
"""

# The score is printed.
# ruff: noqa: T201
# pyright: basic, reportMissingImports=false

import argparse
import json
import os
import re
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

os.environ.setdefault("XBUF_CACHE", "off")
sys.path.insert(0, str(Path(__file__).parents[1]))

from onnx_suite.cases import KINDS, Case, cases_of
from torch_suite.op_workers import Record, Step, run_all

VERDICTS = ("equal", "refused", "wrong", "crashed", "late")
FAILURES = ("wrong", "crashed", "late")

CASES_OF_A_FORK = 24
"""The first compilation of a fork takes longer."""


def work(cases: Sequence[Case], position: int, _: int) -> Iterator[Step]:
    """What runs cases from a position on."""
    from onnx_suite.verdicts import verdict_of

    for case in cases[position:]:
        known = {"kind": case.kind, "op": case.op, "name": case.name}
        yield [known], lambda case=case, known=known: [{**known, **verdict_of(case)}]


def records_of(cases: Sequence[Case], *, jobs: int = 1) -> Iterator[Record]:
    """Run cases, and give a record for each."""
    tasks = [
        cases[start : start + CASES_OF_A_FORK]
        for start in range(0, len(cases), CASES_OF_A_FORK)
    ]
    for _, record in run_all(tasks, work, jobs=jobs):
        if record is not None and "name" in record:
            yield record


def print_table(records: Sequence[Record]) -> None:
    """A row for each op: how many cases went which way."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in records:
        counts[each["op"]][each["verdict"]] += 1
        counts["all"][each["verdict"]] += 1
    print("|", " | ".join(["op", *VERDICTS]), "|")
    print("|" + "---|" * (1 + len(VERDICTS)))
    for op in sorted(counts, key=lambda op: (op == "all", op)):
        print("|", " | ".join([op, *(str(counts[op][v]) for v in VERDICTS)]), "|")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run cases, print the score, and say by the exit status whether any failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--filter", default="", help="a regular expression that names are searched for")
    add("--kinds", nargs="+", default=KINDS[:-1], choices=KINDS)
    add("--random", type=int, help="so many random models in the place of the cases")
    add("--seed", type=int, default=0, help="the number of the first random model")
    add("--results", type=Path, help="append to this file, and resume")
    add("--one-in", type=int, default=1, help="run so many of all cases")
    add("--jobs", type=int, default=1, help="forks at a time")
    add("--again", nargs="+", default=(), help="run cases with these verdicts anew")
    add("--quiet", action="store_true", help="print what failed, and no table")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    known = _known(options.results, options.again)
    done = {(each["kind"], each["name"]) for each in known}
    found = (case for kind in options.kinds for case in cases_of(kind))
    if options.random is not None:
        from onnx_suite.random_models import random_case

        numbers = range(options.seed, options.seed + options.random)
        found = map(random_case, numbers)
    cases = [
        case
        for case in found
        if re.search(options.filter, case.name) and (case.kind, case.name) not in done
    ][:: options.one_in]
    records = [*known]
    for record in records_of(cases, jobs=options.jobs):
        records.append(record)
        if options.results:
            with options.results.open("a") as file:
                file.write(json.dumps(record) + "\n")
    failed = [each for each in records if each["verdict"] in FAILURES]
    for each in failed:
        print(f"{each['verdict']}: {each['name']}: {each['reason']}")
    if not options.quiet:
        print_table(records)
    return bool(failed)


def _known(file: Path | None, again: Sequence[str]) -> list[Record]:
    """What earlier runs found, without the cases to run anew."""
    if file is None or not file.exists():
        return []
    known = [json.loads(line) for line in file.read_text().splitlines()]
    kept = [each for each in known if each["verdict"] not in again]
    if len(kept) < len(known):
        file.write_text("".join(json.dumps(each) + "\n" for each in kept))
    return kept


if __name__ == "__main__":
    sys.exit(main())

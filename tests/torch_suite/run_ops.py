"""PyTorch's tables of ops and modules through the back end, and the score.

    python tests/torch_suite/run_ops.py [--filter REGEX] [--results FILE] [--samples 3]
    python tests/torch_suite/run_ops.py --entries pairs --dtypes real --samples 1000

`op_db` (OpInfo) and `module_db` of the installed PyTorch give the samples. `--entries`
names other ones: `op_extremes.py`, `op_mixed.py`, `op_pairs.py` and `op_programs.py`
say what they are. Each sample goes through `torch.compile(..., backend="xbuf")`,
forwards without gradients, and backwards with them. Results are compared with those of
PyTorch. Samples run in forks, which may crash, and have a minute each. The environment
needs the extra `torch` and `expecttest`.

With `--results`, records are added to a file, a line for each sample. A second run goes
on where the first one ended, also with more samples.
"""

# The score is printed.
# ruff: noqa: T201
# pyright: basic, reportMissingImports=false

import argparse
import json
import os
import random
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

os.environ.setdefault("XBUF_CACHE", "off")
sys.path.insert(0, str(Path(__file__).parents[1]))

from torch_suite.op_batches import Group, Item, batches
from torch_suite.op_extremes import extreme_entries
from torch_suite.op_mixed import mixed_entries
from torch_suite.op_pairs import pair_entries
from torch_suite.op_programs import program_entries
from torch_suite.op_samples import DIRECTIONS, DTYPES, Entry, entries
from torch_suite.op_verdicts import VERDICTS, warm_up
from torch_suite.op_workers import Record, Step, run_all

ENTRIES: dict[str, Callable[[str], list[Entry]]] = {
    "tables": entries,
    "extremes": extreme_entries,
    "mixed": mixed_entries,
    "pairs": pair_entries,
    "programs": program_entries,
}

FAILURES = ("wrong", "crashed")

GROUPS_OF_A_FORK = 32
"""The first compilation of a fork takes longer."""


@dataclass(frozen=True)
class Bundle:
    """Groups of one type and direction, whose samples run in one fork."""

    groups: Sequence[Group]


def work(bundle: Bundle, position: int, alone: int) -> Iterator[Step]:
    """What runs the samples of groups from a position on."""
    items = (item for group in bundle.groups for item in group.items)
    for batch in batches(islice(items, position, None), alone):
        yield [item.record() for item in batch.items], batch.run


def groups_of(options: Any, known: Sequence[Record]) -> list[Group]:
    """The groups that are still to run.

    Their order is drawn: a run that is stopped has seen a fair part of the tables. What
    is known does not change which groups a shard has.
    """
    counts = Counter(_key(each) for each in known if each["verdict"] != "end")
    ended = {_key(each): each["stop"] for each in known if each["verdict"] == "end"}
    ways = [*product(options.dtypes, options.directions)]
    make = ENTRIES[options.entries]
    drawn = [
        (entry, dtype, direction)
        for entry, (dtype, direction) in product(make(options.filter), ways)
        if entry.takes(DTYPES[dtype], direction)
    ]
    random.Random(options.seed).shuffle(drawn)
    number, of = map(int, options.shard.split("/"))
    groups: list[Group] = []
    for entry, dtype, direction in drawn[number - 1 :: of]:
        key = entry.name, dtype, direction
        start, stop = counts[key], options.samples
        is_exhausted = key in ended and start < ended[key]
        if start < stop and not is_exhausted:
            how = options.seed, options.open_sizes, options.exported
            groups.append(Group(entry, dtype, direction, start, stop, *how))
    return groups


def bundles_of(groups: Sequence[Group], known: Sequence[Record]) -> list[Bundle]:
    """Groups by type and direction. Those that PyTorch may compute are by themselves.

    A program with one such sample cannot be compiled as a whole.
    """
    others = {
        (each["name"], each["direction"])
        for each in known
        if each["verdict"] not in ("equal", "end")
    }
    by_kind: dict[tuple[str, str, bool], list[Group]] = defaultdict(list)
    for group in groups:
        name, dtype, direction = group.key
        by_kind[dtype, direction, (name, direction) in others].append(group)
    bundles = [
        Bundle(kind[start : start + GROUPS_OF_A_FORK])
        for kind in by_kind.values()
        for start in range(0, len(kind), GROUPS_OF_A_FORK)
    ]
    random.Random(len(groups)).shuffle(bundles)
    return bundles


def _key(record: Record) -> tuple[str, str, str]:
    return record["name"], record["dtype"], record["direction"]


def records_of(
    bundles: Sequence[Bundle], *, jobs: int = 1, seconds: float = 60
) -> Iterator[Record]:
    """Run groups, and give a record for each sample, and one for the end of each."""
    for bundle, found in run_all(bundles, work, jobs=jobs, seconds=seconds):
        if found is None:
            for group in bundle.groups:
                yield Item(group, -1, None).record(verdict="end")
        elif "name" in found:
            yield found
        else:  # A fork ended between two samples.
            yield Item(bundle.groups[0], -1, None).record(**found)


def print_table(records: Sequence[Record], columns: Sequence[str]) -> None:
    """A row for each group: how many samples went which way."""
    counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for each in records:
        counts[tuple(each[column] for column in columns)][each["verdict"]] += 1
        counts[("all", *[""] * (len(columns) - 1))][each["verdict"]] += 1
    print("|", " | ".join([*columns, *VERDICTS]), "|")
    print("|" + "---|" * (len(columns) + len(VERDICTS)))
    for key in sorted(counts, key=lambda key: (key[0] == "all", key)):
        numbers = [str(counts[key][verdict]) for verdict in VERDICTS]
        print("|", " | ".join([*key, *numbers]), "|")


@dataclass(frozen=True)
class CoreShare:
    """How much of what PyTorch reduces to Core ATen compiles without falling back."""

    compiled: list[str]
    """The ops of which each sample is compiled, and equal."""

    others: list[str]
    equal: int
    """So many samples of all these ops are compiled, and equal."""

    samples: int


def core_share(records: Sequence[Record]) -> CoreShare:
    """The share of f32, forwards.

    An op counts if PyTorch reduces each of its samples.
    """
    by_op: dict[str, list[Record]] = defaultdict(list)
    for each in records:
        if each["direction"] == "forward" and each["dtype"] == "float32":
            by_op[each["name"]].append(each)
    core = {
        name: [each["verdict"] == "equal" for each in found]
        for name, found in by_op.items()
        if all(each.get("core") for each in found)
    }
    return CoreShare(
        [name for name, equal in core.items() if all(equal)],
        [name for name, equal in core.items() if not all(equal)],
        sum(map(sum, core.values())),
        sum(map(len, core.values())),
    )


def print_core_share(records: Sequence[Record]) -> None:
    """How many ops are compiled, and the names of the others."""
    share = core_share(records)
    compiled, others = len(share.compiled), len(share.others)
    print(
        f"Core ATen, f32, forwards: {compiled} of {compiled + others} ops are "
        f"compiled, and {share.equal} of {share.samples} of their samples are equal"
    )
    if others:
        print(f"The others: {', '.join(share.others)}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the samples that are left, and print the score."""
    options = _options(arguments)
    warnings.simplefilter("ignore")
    known = _known(options.results, options.again)
    if not options.table_only:
        warm_up()  # Before the first fork.
        bundles = bundles_of(groups_of(options, known), known)
        for record in records_of(bundles, jobs=options.jobs, seconds=options.seconds):
            known.append(record)
            if record["verdict"] in (*FAILURES, "late"):
                name = " ".join([*_key(record), str(record["sample"])])
                print(f"{name}: {record['verdict']}: {record['reason']}", flush=True)
            if options.results is not None:
                with options.results.open("a") as file:
                    file.write(json.dumps(record) + "\n")
    records = [each for each in known if each["verdict"] != "end"]
    for columns in options.by:
        print_table(records, columns.split(","))
        print()
    print_core_share(records)
    return int(any(each["verdict"] in FAILURES for each in records))


def _known(file: Path | None, again: Sequence[str]) -> list[Record]:
    """The records of a file, which keeps no group that is to run again."""
    if file is None or not file.exists():
        return []
    known = [*map(json.loads, file.read_text().splitlines())]
    left_out = {_key(each) for each in known if each["verdict"] in again}
    kept = [each for each in known if _key(each) not in left_out]
    if left_out:
        file.write_text("".join(json.dumps(each) + "\n" for each in kept))
    return kept


def _options(arguments: Sequence[str] | None) -> Any:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--filter", default="", help="a regular expression that names are searched for")
    add("--results", type=Path, help="append to this file, and resume")
    add("--entries", default="tables", choices=ENTRIES, help="what gives samples")
    add("--open-sizes", action="store_true", help="compile for tensors of any sizes")
    add("--exported", action="store_true", help="by xbuf.jit, forwards")
    add("--samples", type=int, default=3, help="at most, of each group")
    add("--dtypes", nargs="+", default=["float32"], choices=[*DTYPES, "real"])
    add("--directions", nargs="+", default=DIRECTIONS, choices=DIRECTIONS)
    add("--jobs", type=int, default=1, help="forks at a time")
    add("--seconds", type=float, default=60, help="for each sample")
    add("--shard", default="1/1", help="2/3: the second third of the groups")
    add("--seed", type=int, default=0, help="of the numbers, and of which samples")
    add("--again", nargs="+", default=(), help="run groups with these verdicts anew")
    add("--table-only", action="store_true", help="print the score of the results")
    add("--by", nargs="+", default=["dtype,direction", "family,direction"])
    options = parser.parse_args(arguments)
    if options.exported:
        options.directions = ["forward"]
    if "real" in options.dtypes:
        options.dtypes = [name for name in DTYPES if not name.startswith("complex")]
    return options


if __name__ == "__main__":
    sys.exit(main())

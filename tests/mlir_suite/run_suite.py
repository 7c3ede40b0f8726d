"""MLIR's own tests, part by part, and the score.

    export PYTHONPATH=tests/pytest
    python tests/mlir_suite/run_suite.py                         # all
    python tests/mlir_suite/run_suite.py --filter MemRef/canon   # some files
    python tests/mlir_suite/run_suite.py --prune                 # drop what passes now
    python tests/mlir_suite/run_suite.py --document              # the score in the docs
    python tests/mlir_suite/run_suite.py --show Dialect/MemRef/canonicalize.mlir#1.3

A part is what stands between two lines `// -----`. `#1.3` is part 3 in RUN line 1. Each
part runs in this process, and is judged as `judge.py` says. `exceptions.toml` has the
parts that need not pass. The run fails if another part fails, or if one of those
passes.

The tests are MLIR's, of Debian's source package, and are fetched (`source.py`). The
environment variable MLIR_TESTS names a folder that has them, instead.
"""

# The score is printed.
# ruff: noqa: T201

import argparse
import gc
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from judge import Judgement, Verdict, judge
from mlir_opt import output_of
from scope import CORE, FOLDERS, Outside, TestRun, runs_in
from source import ROOT, tests

from xdsl_bufferization.tools.opt import Chunk

EXCEPTIONS = Path(__file__).parent / "exceptions.toml"

DOCUMENT = ROOT / "docs" / "mlir_tests.md"
SCORE = ("<!-- score -->\n", "<!-- end of score -->\n")
"""Between which lines the score stands in the document."""

SEPARATOR = "// -----"


@dataclass
class Score:
    """The parts of a folder, by what came of them."""

    verdicts: Counter[Verdict] = field(default_factory=Counter[Verdict])
    excepted: int = 0
    failed: int = 0
    outside: int = 0
    """Parts that need an op that we lack; they are not in the score."""

    @property
    def total(self) -> int:
        """All parts."""
        return self.verdicts.total() + self.excepted + self.failed


@dataclass
class Results:
    """What came of all parts."""

    exceptions: dict[str, str]
    scores: dict[str, Score] = field(default_factory=dict[str, Score])
    outside: Counter[str] = field(default_factory=Counter[str])
    """RUN lines that are not in the score, by reason."""
    lacking: Counter[str] = field(default_factory=Counter[str])
    """Parts that are not in the score, by the op that we lack."""
    failed: dict[str, str] = field(default_factory=dict[str, str])
    passed: dict[str, str] = field(default_factory=dict[str, str])
    unexpected: list[str] = field(default_factory=list[str])

    def add(self, folder: str, key: str, judgement: Judgement) -> None:
        """Count what came of a part."""
        score = self.scores.setdefault(folder, Score())
        is_excepted = key in self.exceptions
        if judgement.lacks is not None:
            score.outside += 1
            self.lacking[judgement.lacks] += 1
            return
        if judgement.verdict is not None:
            self.passed[key] = judgement.verdict.name
            score.verdicts[judgement.verdict] += 1
            if is_excepted:
                self.unexpected.append(key)
        elif is_excepted:
            score.excepted += 1
        else:
            score.failed += 1
            self.failed[key] = judgement.problem


def chunks_of(run: TestRun, text: str) -> Iterator[tuple[str, Chunk]]:
    """The parts of a test, each with its key."""
    parts = text.split(SEPARATOR) if run.run.splits else [text]
    lines = 0
    for number, part in enumerate(parts, 1):
        yield f"{run.file}#{run.number}.{number}", Chunk(part, lines)
        lines += part.count("\n")


def exceptions() -> dict[str, str]:
    """The parts that need not pass, with their reasons."""
    groups = tomllib.loads(EXCEPTIONS.read_text())
    return {key: reason for group in groups.values() for key, reason in group.items()}


def main() -> int:
    """Run the tests, and print what failed and the score."""
    options = _options()
    folder = tests()
    gc.freeze()
    if options.show:
        return show(folder, options.show)
    results = Results(exceptions())
    for each in runs_in(folder, options.filter):
        if isinstance(each, Outside):
            results.outside[each.reason] += 1
            continue
        for key, chunk in chunks_of(each, (folder / each.file).read_text()):
            judgement = judge(each.run, each.tools, chunk, each.about_memory)
            results.add(each.folder, key, judgement)
    if options.results is not None:
        options.results.write_text(
            json.dumps({"failed": results.failed, "passed": results.passed}, indent=1)
        )
    if options.prune:
        _prune(results.unexpected)
        results.unexpected.clear()
    if options.document:
        before, start, rest = DOCUMENT.read_text().partition(SCORE[0])
        _, end, after = rest.partition(SCORE[1])
        score = "".join(f"{line}\n" for line in (*table(results), "", *core(results)))
        DOCUMENT.write_text(f"{before}{start}\n{score}\n{end}{after}")
    return _report(results, options.outside)


def _prune(passing: list[str]) -> None:
    """Remove parts from the exceptions, each of which is a line."""
    names = tuple(f'"{key}" = ' for key in passing)
    lines = EXCEPTIONS.read_text().splitlines(keepends=True)
    kept = [line for line in lines if not names or not line.startswith(names)]
    EXCEPTIONS.write_text("".join(kept))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--filter", default="", metavar="REGEX", help="only files with such a name")
    add("--show", metavar="KEY", help="show one part, and what becomes of it")
    add("--results", type=Path, metavar="FILE", help="write all verdicts as JSON")
    add("--document", action="store_true", help=f"write the score to {DOCUMENT.name}")
    add("--prune", action="store_true", help="drop exceptions that pass")
    add("--outside", action="store_true", help="list what is not in the score")
    return parser.parse_args()


def show(folder: Path, wanted: str) -> int:
    """Print a part, what is made of it here and by mlir-opt, and the problem."""
    file = wanted.partition("#")[0]
    for each in runs_in(folder, f"^{file}$"):
        if isinstance(each, Outside):
            continue
        for key, chunk in chunks_of(each, (folder / each.file).read_text()):
            if key != wanted:
                continue
            judgement = judge(each.run, each.tools, chunk, each.about_memory)
            theirs = output_of(each.run, chunk.text)
            print(each.run, chunk.text, "-- ours:", judgement.output, sep="\n")
            print(
                "-- mlir-opt:", theirs, judgement.verdict, judgement.problem, sep="\n"
            )
            return 0
    raise SystemExit(f"there is no part {wanted}")


def _report(results: Results, lists_outside: bool) -> int:
    for key, problem in results.failed.items():
        print(f"{key}: {' '.join(problem.split())[:300]}")
    for key in results.unexpected:
        print(f"{key}: passes, and is in {EXCEPTIONS.name}")
    if lists_outside:
        for reason, count in results.outside.most_common():
            print(f"{count} RUN lines: {reason}")
        for name, count in results.lacking.most_common():
            print(f"{count} parts need {name}")
    print(*table(results), sep="\n")
    print(f"{results.outside.total()} RUN lines need passes or options that we lack")
    print(f"{results.lacking.total()} parts need ops that we lack")
    return 1 if results.failed or results.unexpected else 0


def table(results: Results) -> Iterator[str]:
    """The score, as a table."""
    kinds = [verdict.name.lower() for verdict in Verdict]
    yield f"| folder | parts | {' | '.join(kinds)} | exceptions | failed | outside |"
    yield "|---" * (len(kinds) + 5) + "|"
    total = Score()
    for folder in FOLDERS:
        if folder not in results.scores:
            continue
        score = results.scores[folder]
        total.verdicts += score.verdicts
        total.excepted += score.excepted
        total.failed += score.failed
        total.outside += score.outside
        yield _row(f"`{folder.partition('/')[2]}`", score)
    yield _row("all", total)


def core(results: Results) -> Iterator[str]:
    """How many exceptions are in the folders that bufferization is about most."""
    scores = [results.scores[each] for each in CORE if each in results.scores]
    total = sum(score.total for score in scores)
    excepted = sum(score.excepted for score in scores)
    *names, last = (f"`{each.partition('/')[2]}`" for each in CORE)
    yield f"In the folders {', '.join(names)} and {last},"
    yield f"{excepted} of {total} parts are exceptions ({excepted / total:.1%})."


def _row(name: str, score: Score) -> str:
    counts = [score.verdicts[verdict] for verdict in Verdict]
    cells = [name, score.total, *counts, score.excepted, score.failed, score.outside]
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    sys.exit(main())

"""The command line of the fuzzer.

make fuzz MINUTES=10 SEED=7
make fuzz FUZZ_FLAGS="--cases text=20000 npz=2000 command=2000"
make fuzz FUZZ_FLAGS="--replay build/fuzz/found/hang-opt-1a2b3c"
"""

import argparse
import os
import random
import sys
from pathlib import Path

from fuzz.case import Case, Target
from fuzz.corpus import ROOT, Corpus, read_corpus
from fuzz.driver import Options, fuzz, kept_texts
from fuzz.judge import judge, prepare
from fuzz.runner import Runner
from fuzz.targets import (
    ArchiveTarget,
    CommandLineTarget,
    KeptTarget,
    ProgramTarget,
    TextTarget,
)


def main() -> int:
    """Run the fuzzer; the exit code is 1 if something was found."""
    parser = argparse.ArgumentParser(prog="fuzz")
    add = parser.add_argument
    add("--minutes", type=float, default=10)
    add("--seed", type=int, help="of an earlier run; default: a new one")
    add("--folder", type=Path, default=ROOT / "build" / "fuzz")
    add("--processes", type=int, default=os.cpu_count() or 1)
    add("--cases", nargs="*", default=[], metavar="TARGET=N", help="only so many")
    add("--replay", type=Path, metavar="FOLDER", help="run the case of a folder")
    given = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "2"
    prepare()
    if given.replay is not None:
        return _replay(given.replay)
    seed = (
        random.SystemRandom().randrange(1 << 32) if given.seed is None else given.seed
    )
    sys.stdout.write(f"SEED={seed}\n")
    sys.stdout.flush()
    most = {name: int(n) for name, n in (each.split("=") for each in given.cases)}
    options = Options(seed, given.minutes * 60, given.folder, given.processes, most)
    targets = [
        each
        for each in _targets(given.folder, repeats=given.seed is not None)
        if not most or each.name in most
    ]
    findings = fuzz(targets, judge, options)
    sys.stdout.write(f"{findings.table()}\nSEED={seed}\n")
    return 1 if findings.failures else 0


def _targets(folder: Path, *, repeats: bool) -> list[Target]:
    """All targets; a run that is repeated does not begin with what others have kept."""
    corpus = read_corpus()
    targets: list[Target] = [
        TextTarget(corpus),
        ArchiveTarget(),
        CommandLineTarget(corpus),
        ProgramTarget(),
    ]
    if not repeats and (texts := kept_texts(folder)):
        targets.append(KeptTarget(corpus, Corpus(texts)))
    return targets


def _replay(folder: Path) -> int:
    runner = Runner({}, judge)
    try:
        verdict = runner.run(Case.load(folder))
    finally:
        runner.close()
    sys.stdout.write(f"{verdict.detail}\n{verdict.failure or 'no failure'}\n")
    return 1 if verdict.failure else 0


if __name__ == "__main__":
    sys.exit(main())

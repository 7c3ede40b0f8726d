"""mlir-opt's decisions on random programs, proven; each alarm is executed.

    PYTHONPATH=tests/pytest python -m harness.volume.mlir_decisions --programs 250

mlir-opt 22 decides which tensors are copied, and the proof looks at that. Where
the proof fails, mlir-opt bufferizes the program as well, and its code is called with
several arguments. An alarm is real if the code computes other numbers than the tensor
program. With `--all`, programs without an alarm are called too, and must be right.
"""

import argparse
import gc
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from harness.oracles.decisions import parse
from harness.oracles.mlir_text import ask_surely, print_module
from harness.oracles.proofs import is_wrong
from harness.volume.bufferization_mutants import KINDS, SETS, arguments
from xdsl_bufferization.bufferization.analyses.bufferization_proof.findings import (
    Verdict,
)
from xdsl_bufferization.bufferization.analyses.bufferization_proof.prove import prove
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.support.errors import OperationError

CHOSEN = ("plain", "calls", "rich", "blocks")

OPTIONS = "bufferize-function-boundaries allow-return-allocs-from-loops"

_DECIDES = f"--test-tensor-copy-insertion={OPTIONS}"

_AT_ONCE = 25
"""So many programs a process of mlir-opt gets."""

_NUMBER = 4
"""Which argument is an index."""

_NUMBERS = 5

REAL = "real"
DEAD = "of dead values"
UNCONFIRMED = "not confirmed"
REFUSED = "refused"
"""By mlir-opt, or by what compiles its program."""

PROVEN = "proven"
UNDECIDED = "not decided"
MISSED = "missed"


@dataclass
class Tally:
    """What became of mlir-opt's decisions."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """By kind of programs, and outcome."""

    notes: list[str] = field(default_factory=list[str])
    """What a person may want to look at."""

    def note(self, kind: str, seed: int, outcome: str, words: str = "") -> None:
        """Count a program."""
        self.outcomes[kind, outcome] += 1
        if outcome in (UNCONFIRMED, UNDECIDED, MISSED):
            self.notes.append(f"{kind} {seed}: {outcome}: {words}")

    def lines(self) -> Iterator[str]:
        """Notes, and the counts of each kind."""
        yield from self.notes
        for kind in dict.fromkeys(kind for kind, _ in self.outcomes):
            counts = [
                f"{count} {outcome}"
                for (of, outcome), count in self.outcomes.items()
                if of == kind
            ]
            yield f"{kind}: {', '.join(counts)}"


def check(kind: str, seeds: Sequence[int], tally: Tally, *, runs_all: bool) -> None:
    """Prove mlir-opt's decisions about some programs of a kind."""
    texts = [KINDS[kind](seed) for seed in seeds]
    decided = ask_surely(texts, _DECIDES)
    for seed, text, reply in zip(seeds, texts, decided, strict=True):
        if reply.errors:
            tally.note(kind, seed, REFUSED)
            continue
        verdict = _prove(reply.printed)
        words = str(next(iter([*verdict.findings, *verdict.undecided]), ""))
        if verdict.findings:
            outcome = _sorted(text, _is_wrong(text, seed))
        elif verdict.undecided:
            outcome = UNDECIDED
        else:
            outcome = MISSED if runs_all and _is_wrong(text, seed) else PROVEN
        tally.note(kind, seed, outcome, words)


def _sorted(text: str, wrong: bool | None) -> str:
    """What an alarm about a program is, by whether its code is wrong."""
    if wrong is None:
        return REFUSED
    if wrong:
        return REAL
    alive = parse(text)
    DeadCodeElimination().apply(get_context(), alive)
    (reply,) = ask_surely([print_module(alive)], _DECIDES)
    return UNCONFIRMED if _prove(reply.printed).findings else DEAD


def _prove(decided: str) -> Verdict:
    """What the proof says of a program of mlir-opt, whose loads copy nothing."""
    return prove(parse(decided), loads_are_copies=False)


def _is_wrong(text: str, seed: int) -> bool | None:
    """Whether mlir-opt's program computes other numbers; None if it cannot run."""
    (reply,) = ask_surely([text], f"--one-shot-bufferize={OPTIONS}")
    if reply.errors:
        return None
    try:
        compiled = compile_module(parse(reply.printed), poison=True, opt_level=0)
    except OperationError:
        return None
    return is_wrong(text, compiled, _arguments(seed))


def _arguments(seed: int) -> list[list[Any]]:
    """Those of mutants, with several numbers: which way is taken depends on them."""
    given = arguments(seed, SETS)
    for position, each in enumerate(given):
        each[_NUMBER] = position % _NUMBERS
    return given


def main(given: Sequence[str]) -> int:
    """Check as many programs as asked for; 1 if the proof has missed a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--programs", type=int, default=100, help="of each kind")
    parser.add_argument("--first", type=int, default=0, help="number of a program")
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--all", action="store_true", help="run what is proven, too")
    options = parser.parse_args(given)
    tally = Tally()
    started = time.process_time()
    seeds = range(options.first, options.first + options.programs)
    for kind in options.kind or CHOSEN:
        for start in range(0, len(seeds), _AT_ONCE):
            some = seeds[start : start + _AT_ONCE]
            check(kind, some, tally, runs_all=options.all)
            gc.collect()
    lines = [*tally.lines(), f"{time.process_time() - started:.0f} s"]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return int(any(outcome == MISSED for _, outcome in tally.outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""mlir-opt's deallocations of random programs, looked at by the proof.

    PYTHONPATH=tests/pytest python -m harness.volume.mlir_deallocations --programs 250

mlir-opt 22 bufferizes programs on tensors, and frees the buffers of these and of
programs on memrefs, by its whole pipeline. Each fault that the proof finds is replayed:
it is real if a call shows it.
"""

import argparse
import gc
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from harness.oracles.decisions import parse
from harness.oracles.mlir_text import ask_surely
from harness.programs import buffer_programs
from harness.volume.bufferization_mutants import KINDS
from harness.volume.compare_deallocation import program_text
from harness.volume.mlir_decisions import CHOSEN
from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)
from xdsl_bufferization.pipelines.replay.replay import replay

_BUFFERIZE = "--one-shot-bufferize=bufferize-function-boundaries"
_FREE = ("--buffer-deallocation-pipeline", "--convert-bufferization-to-memref")
_AT_ONCE = 25
MEMREFS = "memrefs"


@dataclass
class Tally:
    """What became of mlir-opt's programs."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """By kind of programs, and outcome."""

    notes: list[str] = field(default_factory=list[str])

    def check(self, kind: str, number: int, module: ModuleOp) -> None:
        """Count a program that mlir-opt has freed."""
        found = prove_deallocation(module)
        outcome = "proven"
        if found.faults:
            shown = list(replay(module))
            outcome = "wrong in a run" if any(s.happens for s in shown) else "alarm"
            if outcome == "alarm":
                words = f"{shown[0].fault.message}: {shown[0].text}"
                self.notes.append(f"{kind} {number}: {words}")
        elif found.undecided:
            outcome = f"not decided: {found.undecided[0].why}"
        self.outcomes[kind, outcome] += 1

    def lines(self) -> Iterator[str]:
        """Notes, and the counts of each kind."""
        yield from self.notes
        for (kind, outcome), count in sorted(self.outcomes.items()):
            yield f"{kind}: {count} {outcome}"


def _freed(kind: str, numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The programs of a kind that mlir-opt accepts."""
    if kind == MEMREFS:
        texts = [f"{buffer_programs.HEADER}\n{program_text(n)}" for n in numbers]
        passes = _FREE
    else:
        texts = [KINDS[kind](number) for number in numbers]
        passes = (_BUFFERIZE, *_FREE)
    for number, reply in zip(numbers, ask_surely(texts, *passes), strict=True):
        if not reply.errors:
            yield number, reply.printed


def main(given: Sequence[str]) -> int:
    """Check as many programs as asked for; 1 if an alarm is not confirmed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--programs", type=int, default=100, help="of each kind")
    parser.add_argument("--first", type=int, default=0, help="number of a program")
    options = parser.parse_args(given)
    tally = Tally()
    started = time.process_time()
    numbers = range(options.first, options.first + options.programs)
    for kind in (*CHOSEN, MEMREFS):
        for start in range(0, len(numbers), _AT_ONCE):
            for number, text in _freed(kind, numbers[start : start + _AT_ONCE]):
                tally.check(kind, number, parse(text))
            gc.collect()
    lines = [*tally.lines(), f"{time.process_time() - started:.0f} s"]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return int(bool(tally.notes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Both proofs over programs that others wrote: what they say of each.

    export PYTHONPATH=tests/pytest
    python -m harness.volume.proved_corpus                       what the repository has
    python -m harness.volume.proved_corpus build/mlir_suite/test TPP_MLIR/test
    python -m harness.volume.proved_corpus --list FOLDER         each that is not proven

Each piece with an alarm is named. An alarm is a proof that fails, a fault of somebody's
deallocations that no run confirms, or an internal error. A piece that cannot be read is
invalid on purpose, or `mlir-opt` 22 does not read it either, or the fault is ours.

A file is split at `// -----`. If a program with a script of the transform dialect
cannot be read, it is looked at without the script. A program on tensors is bufferized
by one-shot-bufferize, and once more by the default pipeline; both times its decisions
are proven. Its buffers are freed, and that is proven as well. In a program on buffers,
the deallocations are looked at as they are written, and then those of our pipeline in
place of them. A fault of a program that frees something is replayed, which says whether
it is one.

Programs of torch-mlir's tests are written to a folder by
`tests/torch_suite/run_suite.py TORCH_MLIR --texts FOLDER`.
"""

import argparse
import gc
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, ParseError

from harness.oracles.decisions import parse
from harness.oracles.mlir_text import ask_surely
from harness.oracles.proved import (
    ERROR,
    PROVEN,
    REFUSED,
    UNDECIDED,
    Said,
    is_on_buffers,
    is_on_tensors,
    of_default_pipeline,
    of_ours,
    one_line,
    said_of,
)
from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.pipelines.replay.replay import CANNOT, Replay, replay

ROOT: Final = Path(__file__).parents[4]

SOURCES: Final = (
    "tests/filecheck",
    "tests/data",
    "tests/torch_models",
    "docs/examples",
)
"""Where the repository has programs."""

SEPARATOR: Final = "// -----"

READING: Final = "reading"
AS_WRITTEN: Final = "deallocations as written"
DEFAULT: Final = "default pipeline, "
EXPECTED: Final = "expected-error"
"""What a test says of a program that is invalid on purpose."""

REPLAYED: Final = "replayed"
"""A fault of what somebody wrote, which a run shows."""

UNCONFIRMED: Final = "not confirmed"
"""Such a fault, which no run shows: somebody has to look at it."""

UNREPLAYED: Final = "cannot be replayed"
"""Such a fault, of a program that does not run here."""

FREES_NOTHING: Final = "frees nothing"
"""A program with faults that is written for a pass that frees its buffers."""

_WORST: Final = (
    "",
    PROVEN,
    FREES_NOTHING,
    REPLAYED,
    UNDECIDED,
    REFUSED,
    UNREPLAYED,
    UNCONFIRMED,
    ERROR,
)
"""Of several verdicts about one program, the last one of these counts."""

_FREEING: Final = ("memref.dealloc", "memref.realloc", "bufferization.dealloc")

_RENAMED: Final = re.compile(r"\btensor\.((?:un)?pack)\b")
"""Ops of TPP-MLIR's tests, which have other names today."""

_SCRIPT: Final = re.compile(r"module [^{\n]*\{transform\.with_named_sequence\} \{")
"""How a script of the transform dialect begins, of ops that we may not have."""

_INVALID: Final = re.compile(r"invalid[^/]*\.mlir#")
"""How files of programs are named that are invalid on purpose."""

_VARYING: Final = re.compile(r"%[\w$.#-]+|@[\w$.-]+|\d+")


def check(text: str) -> list[Said] | None:
    """Bufferize and free a program, and prove both; None if it cannot be read."""
    try:
        module = parse(text, with_mlirs_test_dialect=True)
        verify_as_mlir(module)
    except (DiagnosticException, ParseError):
        return None
    except Exception as error:  # A fault to be reported, of any kind.
        return [Said(READING, ERROR, f"{type(error).__name__}: {one_line(error)}")]
    if is_on_tensors(module):
        optimized = of_default_pipeline(module)
        return [
            *of_ours(module),
            *(each._replace(check=DEFAULT + each.check) for each in optimized),
        ]
    if not is_on_buffers(module):
        return []
    return [*_as_written(module), *of_ours(module)]


def _as_written(module: ModuleOp) -> Iterator[Said]:
    findings = prove_deallocation(module)
    if not findings.faults:
        yield said_of(AS_WRITTEN, [each.why for each in findings.undecided])
    elif not any(op.name in _FREEING for op in module.walk()):
        yield Said(AS_WRITTEN, FREES_NOTHING)
    else:
        try:
            for each in replay(module):
                yield Said(AS_WRITTEN, _verdict_of(each), each.text)
        except Exception as error:  # A fault to be reported, of any kind.
            yield Said(AS_WRITTEN, ERROR, f"{type(error).__name__}: {one_line(error)}")


def _verdict_of(replayed: Replay) -> str:
    if replayed.happens:
        return REPLAYED
    return UNREPLAYED if replayed.text.startswith(CANNOT) else UNCONFIRMED


@dataclass
class Tally:
    """What was said of the programs of one source."""

    invalid: int = 0
    """Programs that cannot be read, and are not meant to be."""

    unread: dict[str, str] = field(default_factory=dict[str, str])
    """Other programs that cannot be read, by their names."""

    others: int = 0
    """Programs without tensors and buffers."""

    programs: int = 0
    """All others."""

    verdicts: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    """For each check how often which verdict was given."""

    reasons: Counter[tuple[str, str, str]] = field(
        default_factory=Counter[tuple[str, str, str]]
    )
    """Check, verdict, and words without names and numbers."""

    alarms: dict[str, dict[str, None]] = field(
        default_factory=dict[str, dict[str, None]]
    )
    """For each check the names of the programs about which it gives an alarm."""

    def add_unread(self, name: str, text: str) -> None:
        """Count a program that cannot be read."""
        if EXPECTED in text or _INVALID.search(name):
            self.invalid += 1
        else:
            # What mlir-opt would look for otherwise.
            self.unread[name] = text.replace("expected-", "")

    def add(self, name: str, said: Sequence[Said]) -> None:
        """Count a program."""
        self.others += not said
        self.programs += bool(said)
        # A program may have several faults; it counts once for each check.
        counted: dict[str, str] = {}
        for check_, verdict, words in said:
            if verdict in (ERROR, UNCONFIRMED, UNREPLAYED):
                self.alarms.setdefault(check_, {})[name] = None
            counted[check_] = max(verdict, counted.get(check_, ""), key=_WORST.index)
            if verdict != PROVEN:
                self.reasons[check_, verdict, _VARYING.sub("_", words)] += 1
        for check_, verdict in counted.items():
            self.verdicts.setdefault(check_, Counter())[verdict] += 1

    def lines(self) -> Iterator[str]:
        """Counts, then reasons, the most frequent first."""
        replies = ask_surely([*self.unread.values()])
        ours = [
            name
            for name, reply in zip(self.unread, replies, strict=True)
            if not reply.errors
        ]
        yield (
            f"{self.programs} programs; left out: {self.others} without tensors and "
            f"buffers, {self.invalid} invalid on purpose, "
            f"{len(self.unread) - len(ours)} that mlir-opt 22 does not read either, "
            f"{len(ours)} that only we do not read"
        )
        if ours:
            yield f"  not read: {', '.join(ours)}"
        for check_, verdicts in sorted(self.verdicts.items()):
            counts = ", ".join(f"{n} {name}" for name, n in verdicts.most_common())
            yield f"  {check_}: {counts}"
            if check_ in self.alarms:
                yield f"    alarms: {', '.join(self.alarms[check_])}"
        for (check_, verdict, words), count in self.reasons.most_common():
            if verdict != REPLAYED:
                yield f"    {count} {check_}: {verdict}: {words[:200]}"


def pieces(source: Path) -> Iterator[tuple[str, str]]:
    """The programs of a folder, each with its name."""
    for file in sorted(source.rglob("*.mlir")):
        text = file.read_text(encoding="utf-8", errors="replace")
        for number, part in enumerate(text.split(SEPARATOR), 1):
            if part.strip():
                name = f"{file.relative_to(source)}#{number}"
                yield name, _RENAMED.sub(r"linalg.\1", part)


def without_scripts(text: str) -> str:
    """A program without the scripts of the transform dialect beside it."""
    while (script := _SCRIPT.search(text)) is not None:
        depth, end = 1, script.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[: script.start()] + text[end:]
    return text


def check_source(source: Path, wanted: str = "", *, lists: bool = False) -> Tally:
    """Check all programs of a folder whose names match a regular expression."""
    tally = Tally()
    for name, text in pieces(source):
        if not re.search(wanted, name):
            continue
        said = check(text)
        program = without_scripts(text)
        if said is None and program != text:
            said = check(program)
        if said is None:
            tally.add_unread(name, text)
            continue
        tally.add(name, said)
        for check_, verdict, words in said if lists else ():
            if verdict != PROVEN:
                sys.stdout.write(f"{name}: {check_}: {verdict}: {words}\n")
        gc.collect()
    return tally


def main(arguments: Sequence[str]) -> int:
    """Check folders; 1 if a proof fails that no run confirms."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--filter", default="", metavar="REGEX")
    parser.add_argument("--list", action="store_true", help="name what is not proven")
    options = parser.parse_args(arguments)
    alarms = 0
    for source in options.folders or [ROOT / each for each in SOURCES]:
        started = time.process_time()
        tally = check_source(source, options.filter, lists=options.list)
        alarms += sum(each[ERROR] for each in tally.verdicts.values())
        sys.stdout.write(f"{source}: {time.process_time() - started:.0f} s\n")
        sys.stdout.write("".join(f"  {line}\n" for line in tally.lines()))
        sys.stdout.flush()
    return int(bool(alarms))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

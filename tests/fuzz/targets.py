"""Where cases come from: one target for each kind of input."""

from dataclasses import dataclass
from random import Random
from typing import Final

from fuzz.archives import PROGRAM, random_archive
from fuzz.case import STDIN, Case
from fuzz.command_lines import random_command_line
from fuzz.corpus import Corpus
from fuzz.pipelines import random_pipeline
from fuzz.programs import KINDS
from fuzz.text import mutate

_FILE: Final = "in.mlir"

_GENERATED: Final = 0.1
"""How often a mutant is made of a program that was generated."""


@dataclass(frozen=True)
class TextTarget:
    """Mutants of programs, for each command that reads a program and runs none."""

    corpus: Corpus
    name: str = "text"
    weight: int = 20

    def make(self, rng: Random) -> Case:
        """A mutant, and what reads it."""
        arguments = _reading(rng)
        # Passes see only what is valid, or nearly so.
        times = (0, 0, 1, 1, 1, 2) if _runs_passes(arguments) else (1, 1, 1, 2, 3, 5)
        text = self.corpus.text(rng)
        if rng.random() < _GENERATED:
            text = KINDS[rng.choice(list(KINDS))].write(rng.randrange(1 << 30))
        text = mutate(rng, text, self.corpus, times)
        data = text.encode("utf-8", "surrogatepass")
        if rng.random() < 0.02:
            at = rng.randrange(len(data) + 1)
            data = data[:at] + rng.randbytes(rng.choice((1, 4))) + data[at:]
        return Case(self.name, "xbuf", arguments, {_FILE: data})


def _reading(rng: Random) -> tuple[str, ...]:
    unknown = ("--allow-unregistered-dialect",) * rng.randrange(2)
    match rng.choices(range(6), (25, 45, 8, 6, 6, 10))[0]:
        case 0:
            return ("opt", *unknown, _FILE)
        case 1:
            return ("opt", *unknown, "-p", random_pipeline(rng), _FILE)
        case 2:
            more = rng.choice(((), ("--json",), ("--html", "out.html")))
            return ("explain", *more, _FILE)
        case 3:
            return ("compare", *rng.choice(((), ("--json",))), _FILE)
        case 4:
            return ("stages", *rng.choice(((), ("--html",), ("--out", "s"))), _FILE)
        case _:
            output = rng.choice(("out.o", "out.s", "out.ll"))
            target = rng.choice(("native", "native", "riscv64", "aarch64"))
            backend = ("--backend", "xdsl") if target == "riscv64" else ()
            backend *= rng.randrange(2)
            return ("build", "--target", target, *backend, "-o", output, _FILE)


def _runs_passes(arguments: tuple[str, ...]) -> bool:
    return arguments[0] != "opt" or "-p" in arguments


@dataclass(frozen=True)
class ArchiveTarget:
    """Mutants of the arrays that `xbuf run` reads."""

    name: str = "npz"
    weight: int = 2

    def make(self, rng: Random) -> Case:
        """A broken archive, and a program that reads it."""
        files = {"ok.mlir": PROGRAM.encode(), "in.npz": random_archive(rng)}
        arguments = ("run", "ok.mlir", "--inputs", "in.npz", "--repeat", "1")
        more = ("--check",) if rng.random() < 0.3 else ()
        return Case(self.name, "xbuf", (*arguments, *more), files)


@dataclass(frozen=True)
class CommandLineTarget:
    """Misspelt command lines of `xbuf` and `xdsl-opt`."""

    corpus: Corpus
    name: str = "command"
    weight: int = 2

    def make(self, rng: Random) -> Case:
        """A command line, and files that it may name."""
        tool, arguments = random_command_line(rng, self.corpus)
        program = PROGRAM.encode()
        files = {
            "ok.mlir": program,
            STDIN: program,
            "bad.mlir": b"func.func @f( {",
            "empty.mlir": b"",
            "in.npz": random_archive(Random(0)),
        }
        return Case(self.name, tool, arguments, files)


@dataclass(frozen=True)
class ProgramTarget:
    """Valid random programs, which are compiled, run and compared with NumPy."""

    name: str = "program"
    weight: int = 1

    def make(self, rng: Random) -> Case:
        """A program of some generator."""
        kind, seed = rng.choice(list(KINDS)), rng.randrange(1 << 30)
        text = KINDS[kind].write(seed)
        return Case(self.name, "program", (kind, str(seed)), {_FILE: text.encode()})


@dataclass(frozen=True)
class KeptTarget:
    """Further mutants of what earlier runs have kept, since it was answered anew."""

    corpus: Corpus
    kept: Corpus
    name: str = "kept"
    weight: int = 4

    def make(self, rng: Random) -> Case:
        """A mutant of a mutant."""
        text = mutate(rng, self.kept.text(rng), self.corpus)
        data = text.encode("utf-8", "surrogatepass")
        return Case(self.name, "xbuf", _reading(rng), {_FILE: data})

"""One input of a tool, and what came of it.

    Case("text", "xbuf", ("opt", "-p", "cse", "in.mlir"), {"in.mlir": b"..."})
        ->  Verdict("internal error: KeyError in models/scf.py:read", ...)

A case is a command line and the files that lie where it runs. So a failure can be
written to a folder, and anybody can repeat it there.
"""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

STDIN = "stdin"
"""The file whose contents a command reads from standard input."""

_NOTE = "case.json"

_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|[%@!#^][\w$.-]+|\d+")


@dataclass(frozen=True)
class Case:
    """A command line, and the files around it."""

    target: str
    """What made it: the name of a target."""

    tool: str
    """What runs it: `xbuf`, `xdsl-opt`, or `program` for a test of a generator."""

    arguments: tuple[str, ...]
    files: Mapping[str, bytes]

    def shell_line(self) -> str:
        """How to repeat it, in the folder of its files."""
        line = shlex.join([self.tool, *self.arguments])
        return f"{line} < {STDIN}" if STDIN in self.files else line

    def save(self, folder: Path, note: str = "") -> None:
        """Write files that `load` reads."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        about = {
            "target": self.target,
            "tool": self.tool,
            "arguments": self.arguments,
            "files": list(self.files),
            "repeat": self.shell_line(),
            "note": note,
        }
        (folder / _NOTE).write_text(json.dumps(about, indent=1) + "\n")

    @staticmethod
    def load(folder: Path) -> "Case":
        """The case that was saved in a folder."""
        about = json.loads((folder / _NOTE).read_text())
        files = {name: (folder / name).read_bytes() for name in about["files"]}
        arguments = tuple(about["arguments"])
        return Case(about["target"], about["tool"], arguments, files)


@dataclass(frozen=True)
class Verdict:
    """What came of a case."""

    failure: str = ""
    """The kind of the failure and its place, the same for all cases of one cause."""

    detail: str = ""
    """What a person wants to see of a failure."""

    message: str = ""
    """What the tool answered, without names and numbers."""

    proofs: tuple[str, ...] = ()
    """What the proofs said of the program, without names and numbers."""


class Target(Protocol):
    """Where cases come from."""

    @property
    def name(self) -> str:
        """How it is called in counts and on the command line."""
        ...

    @property
    def weight(self) -> int:
        """How many cases it gets, compared with other targets."""
        ...

    def make(self, rng: Random) -> Case:
        """A case that depends on nothing but `rng`."""
        ...


def without_names(message: str) -> str:
    """A message as it is for each program that gets it."""
    return _VARYING.sub("_", message.partition(" error: ")[2] or message)[:200]

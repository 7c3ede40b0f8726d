"""What the RUN lines of a test say, as commands.

    // RUN: mlir-opt %s -canonicalize -split-input-file | FileCheck %s
        -> Run(tools=(("-canonicalize", "-split-input-file"),), checks=("%s",))

Only what MLIR's tests have: `mlir-opt`, perhaps several of them, then `FileCheck`.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_RUN = re.compile(r"^\s*//\s*RUN:\s?(.*)$")

TOOL = "mlir-opt"


class UnknownCommandError(Exception):
    """A RUN line that has something else."""


@dataclass(frozen=True)
class Run:
    """One RUN line."""

    tools: tuple[tuple[str, ...], ...]
    """The arguments of each `mlir-opt`, without the file."""
    checks: tuple[str, ...] | None = None
    """The arguments of `FileCheck`, without the file; None: nothing is checked."""
    fails: bool = False
    """Whether the command is expected to fail, and what it says is checked."""

    @property
    def splits(self) -> bool:
        """Whether the parts of the file are programs of their own."""
        return any(each.lstrip("-") == "split-input-file" for each in self.tools[0])


def commands_of(text: str) -> list[str]:
    """The RUN lines of a test, those that end in a backslash joined."""
    commands: list[str] = []
    is_open = False
    for line in text.splitlines():
        found = _RUN.match(line)
        if found is None:
            continue
        part = found[1].rstrip()
        goes_on = part.endswith("\\")
        part = part.removesuffix("\\")
        if is_open:
            commands[-1] += part
        else:
            commands.append(part)
        is_open = goes_on
    return commands


def parse_run(command: str, file: Path) -> Run:
    """What a RUN line says.

    Raises an `UnknownCommandError` if that is something else than a test runs here.
    """
    command = command.replace("%p", str(file.parent))
    words = shlex.shlex(command, posix=True, punctuation_chars="|<>")
    words.whitespace_split = True
    parts = list(_split(list(words)))
    fails = parts[0][:1] == ["not"]
    if fails:
        parts[0] = parts[0][1:]
    checks: tuple[str, ...] | None = None
    if parts[-1][:1] == ["FileCheck"]:
        checks = tuple(_without(parts.pop()[1:]))
    if not parts or any(part[:1] != [TOOL] for part in parts):
        raise UnknownCommandError(command)
    tools = tuple(tuple(_without(part[1:])) for part in parts)
    if any(word.startswith("%") for tool in tools for word in tool):
        raise UnknownCommandError(command)
    return Run(tools, checks, fails)


def _split(words: list[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for word in words:
        if word == "|":
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _without(words: list[str]) -> Iterator[str]:
    """Words without the file, without redirections, and without an output."""
    rest = iter(words)
    for word in rest:
        if word in (">", "<", ">&", "-o"):
            next(rest, None)
        elif word not in ("%s", "-", "2", "&1") and not word.startswith("-o="):
            yield word

"""What the RUN lines of a test of tpp-mlir say: pipelines of commands.

    // RUN: tpp-run %s -print \\
    // RUN:  -e entry -entry-point-result=void | \\
    // RUN: FileCheck %s
        -> [["tpp-run", "%s", "-print", "-e", ...], ["FileCheck", "%s"]]
"""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

_RUN = re.compile(r"//\s*RUN:(.*)")
_DEFINE = re.compile(r"//\s*(?:RE)?DEFINE:\s*(%\{\w+\})\s*=\s*(.*)")


@dataclass(frozen=True)
class Pipeline:
    """Commands, each of which reads what the one before it writes."""

    commands: tuple[tuple[str, ...], ...]
    target: str | None
    """The file that the last command writes, if it is no output."""

    def calls(self, tool: str) -> bool:
        """Whether a tool is among the commands."""
        return any(tool in command[:2] for command in self.commands)


def pipelines(path: Path) -> list[Pipeline]:
    """The pipelines of a test, in order, with what it defines put in."""
    found: list[Pipeline] = []
    defined: dict[str, str] = {}
    line = ""
    for text in path.read_text().splitlines():
        if (definition := _DEFINE.match(text.strip())) is not None:
            defined[definition[1]] = definition[2].strip()
        if (run := _RUN.match(text.strip())) is None:
            continue
        line += run[1].strip()
        if line.endswith("\\"):
            line = line[:-1] + " "
            continue
        found.append(_parsed(_filled(line, defined)))
        line = ""
    return found


def _filled(line: str, defined: dict[str, str]) -> str:
    for _ in range(len(defined)):
        for name, value in defined.items():
            line = line.replace(name, value)
    return line


def _parsed(line: str) -> Pipeline:
    line = line.replace("2>&1", " ")
    target = None
    if (written := re.search(r"(?<!-)>\s*(\S+)\s*$", line)) is not None:
        target = written[1]
        line = line[: written.start()]
    parts = re.split(r"\|(?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)", line)
    return Pipeline(tuple(tuple(shlex.split(part)) for part in parts), target)

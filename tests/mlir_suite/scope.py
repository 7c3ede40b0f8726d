"""Which of MLIR's tests concern this package.

A RUN line concerns us if it has only passes and options that we have. The others are
counted by what they need, and are not in the score.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge import Tool, tools_of
from run_lines import Run, UnknownCommandError, commands_of, parse_run

from xdsl_bufferization.tools.common.diagnostics import UsageError

FOLDERS = (
    "Dialect/Bufferization",
    "Dialect/MemRef",
    "Dialect/Tensor",
    "Dialect/SCF",
    "Dialect/Linalg",
    "Dialect/ControlFlow",
    "Dialect/Arith",
    "Dialect/Vector",
    "Dialect/Shape",
    "Dialect/MLProgram",
    "Dialect/Func",
)
"""The folders of the dialects that bufferization is about."""

CORE = FOLDERS[:6]
"""The folders of the ops that bufferization makes and takes."""

_ABOUT_MEMORY = re.compile(
    "bufferiz|dealloc|hoisting|out-params|promote-buffers|tensor-copy|realloc"
    "|equivalent|liveness"
)
"""What names a pass that is about allocations, copies and deallocations."""


@dataclass(frozen=True)
class TestRun:
    """A RUN line that concerns us."""

    file: str
    number: int
    """Which RUN line of the file, from 1."""
    run: Run
    tools: list[Tool]

    @property
    def folder(self) -> str:
        """The folder in `FOLDERS`."""
        return next(each for each in FOLDERS if self.file.startswith(each))

    @property
    def about_memory(self) -> bool:
        """Whether the passes are about allocations, copies and deallocations."""
        words = " ".join(word for tool in self.run.tools for word in tool)
        return _ABOUT_MEMORY.search(words) is not None


@dataclass(frozen=True)
class Outside:
    """A RUN line that does not concern us."""

    file: str
    number: int
    reason: str


def runs_in(tests: Path, wanted: str) -> Iterator[TestRun | Outside]:
    """The RUN lines of all tests, those whose file is not `wanted` left out."""
    for folder in FOLDERS:
        for file in sorted((tests / folder).rglob("*.mlir")):
            name = str(file.relative_to(tests))
            if re.search(wanted, name):
                yield from _runs_of(file, name)


def _runs_of(file: Path, name: str) -> Iterator[TestRun | Outside]:
    text = file.read_text()
    for number, command in enumerate(commands_of(text), 1):
        try:
            run = parse_run(command, file)
            yield TestRun(name, number, run, tools_of(run))
        except UnknownCommandError:
            yield Outside(name, number, "another command")
        except UsageError as error:
            yield Outside(name, number, error.message.partition(";")[0])

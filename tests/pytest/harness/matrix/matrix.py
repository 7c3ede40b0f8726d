"""Run programs through routes, and compare what comes of them with the reference.

    matrix = Matrix(get_context())
    matrix.run(program, routes)
    matrix.finish()
    matrix.cells.findings      [Finding(program, "fold-add-into-dest", "result 0 is")]

Code is compiled for many programs at once, and runs in a process of its own, so that a
crash is one more answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from xdsl.context import Context

from harness.matrix.around import Program
from harness.matrix.cells import Cells
from harness.matrix.execution import execute
from harness.matrix.routes import Route
from harness.matrix.walk import Code, Walk

_BATCH: Final = 40
"""How many codes are compiled at once."""


@dataclass
class Matrix:
    """Runs cells, and keeps their answers."""

    ctx: Context
    cells: Cells = field(default_factory=Cells)
    _waiting: list[Code] = field(default_factory=list[Code])

    def run(
        self, program: Program, routes: Sequence[Route], *, by_steps: bool = False
    ) -> None:
        """Take a program along routes, and along the default pipeline.

        `by_steps`: the default pipeline is left after each of its passes.
        """
        self.cells.programs += 1
        self.cells.ops.update(program.ops)
        walk = Walk(self.ctx, program, self.cells)
        if walk.begin():
            for route in routes:
                walk.along(route)
            walk.along_default(by_steps=by_steps)
        self._waiting += walk.codes
        if len(self._waiting) >= _BATCH:
            self.finish()

    def finish(self) -> None:
        """Execute what waits; codes with the same options together."""
        groups: dict[str, list[Code]] = {}
        for code in self._waiting:
            groups.setdefault(str(code.job.options), []).append(code)
        self._waiting.clear()
        for group in groups.values():
            for start in range(0, len(group), _BATCH):
                self._execute(group[start : start + _BATCH])

    def _execute(self, codes: Sequence[Code]) -> None:
        outcomes = execute([code.job for code in codes])
        self.cells.executed += len(codes)
        for code, outcome in zip(codes, outcomes, strict=True):
            for route in code.routes:
                self.cells.note(code.job.program, route, outcome)

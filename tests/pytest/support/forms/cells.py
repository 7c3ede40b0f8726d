"""Run programs through routes, and compare what comes of them with the reference.

    matrix = Matrix(get_context())
    matrix.run(program, routes)
    matrix.finish()
    matrix.findings      [Finding("alone: fold-add-into-dest", "result 0 is ...")]

A cell is a program and a route. If a route leaves a program as another route has left
it, the code is the same: it is executed once, and both cells are covered. Code is
compiled for many programs at once, and runs in a process of its own, so that a crash
is one more answer.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from support.forms.around import Program
from support.forms.execution import (
    REFUSED,
    WRONG,
    Job,
    Outcome,
    describe,
    execute,
)
from support.forms.numbers import Array, draw
from support.forms.routes import (
    Route,
    Stage,
    before,
    default_steps,
    parse_passes,
    plain_passes,
)
from support.forms.snapshots import Snapshot, snapshot
from support.oracles.mlir_text import print_module
from xdsl_bufferization.errors import OperationError
from xdsl_bufferization.parsing import MLIRParser
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.upstream.verify import verify_as_mlir

PLAIN: Final = Route("plain", Stage.FREED, "")
DEFAULT: Final = "default"

_CALLS: Final = 2
"""How often each program is called, with other arguments."""

_BATCH: Final = 40
"""How many programs are compiled at once."""


@dataclass(frozen=True)
class Finding:
    """A cell that is wrong."""

    program: Program
    route: str
    message: str

    @override
    def __str__(self) -> str:
        return f"{self.route}: {self.message}\n{self.program.description}"


@dataclass
class _Code:
    """What one or more routes have made of a program."""

    job: Job
    cells: list[str]
    """The names of the routes."""


@dataclass
class Matrix:
    """The cells that have been run."""

    ctx: Context
    counts: Counter[tuple[str, str, str]] = field(
        default_factory=Counter[tuple[str, str, str]]
    )
    """How many cells there are by op, route and answer."""

    findings: list[Finding] = field(default_factory=list[Finding])
    refusals: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """How often a route refuses with which message."""

    executed: int = 0
    """How many codes were compiled and called."""

    programs: int = 0
    _known: dict[str, Outcome] = field(default_factory=dict[str, Outcome])
    """What came of codes of the program that is running."""

    _waiting: dict[str, _Code] = field(default_factory=dict[str, _Code])

    def run(
        self, program: Program, routes: Sequence[Route], *, by_steps: bool = False
    ) -> None:
        """Take a program along routes, and along the default pipeline.

        `by_steps`: the default pipeline is left after each of its passes.
        """
        self.programs += 1
        run = _Run(self, program)
        if run.begin():
            for route in routes:
                run.along(route)
            run.along_default(by_steps=by_steps)
        if len(self._waiting) >= _BATCH:
            self.finish()
        self._known.clear()

    def finish(self) -> None:
        """Execute what waits."""
        waiting = [*self._waiting.values()]
        self._waiting.clear()
        groups: dict[str, list[_Code]] = {}
        for code in waiting:
            groups.setdefault(str(code.job.options), []).append(code)
        for group in groups.values():
            for start in range(0, len(group), _BATCH):
                codes = group[start : start + _BATCH]
                outcomes = execute([code.job for code in codes])
                self.executed += len(codes)
                for code, outcome in zip(codes, outcomes, strict=True):
                    for route in code.cells:
                        self.note(code.job.program, route, outcome)

    def add(self, other: "Matrix") -> None:
        """Add the cells of a matrix that is finished."""
        self.counts.update(other.counts)
        self.refusals.update(other.refusals)
        self.findings += other.findings
        self.executed += other.executed
        self.programs += other.programs

    def note(self, program: Program, route: str, outcome: Outcome) -> None:
        """Count a cell."""
        self.counts[program.form.op, route, outcome.kind] += 1
        if outcome.kind == REFUSED:
            self.refusals[route, outcome.message] += 1
        elif outcome.kind == WRONG:
            self.findings.append(Finding(program, route, outcome.message))

    def share(self, key: str, program: Program, route: str) -> None:
        """The cell of a route whose code is that of another one."""
        if key in self._waiting:
            self._waiting[key].cells.append(route)
        else:
            self.note(program, route, self._known[key])

    def wait(self, key: str, job: Job, route: str) -> None:
        """Execute a job with others, for the cell of a route."""
        if key in self._known:
            self.note(job.program, route, self._known[key])
            return
        code = self._waiting.setdefault(key, _Code(job, []))
        code.cells.append(route)


def arguments_of(program: Program, call: int) -> list[Array]:
    """The arguments of a call; each call gets other numbers."""
    rng = np.random.default_rng([program.number, call])
    return [draw(each.type, each.numbers, rng) for each in program.parameters]


class _Run:
    """One program on its way along the routes."""

    def __init__(self, matrix: Matrix, program: Program):
        self._matrix = matrix
        self._program = program
        self._bases: dict[Stage, ModuleOp | Outcome] = {}
        self._snapshots: dict[Stage, Snapshot] = {}
        self._copies: dict[Stage, ModuleOp] = {}
        """Copies that a pass has left as they were."""

        self._plain_key = ""

    def begin(self) -> bool:
        """Read the program, and ask the reference; whether both have worked."""
        program = self._program
        self._calls = [arguments_of(program, call) for call in range(_CALLS)]
        try:
            module = MLIRParser(self._matrix.ctx, program.text).parse_module()
            verify_as_mlir(module)
        except Exception as error:
            self._note("reading", Outcome(WRONG, describe(error)))
            return False
        self._expected: list[Sequence[Array] | None] = []
        for call in self._calls:
            try:
                self._expected.append(evaluate(module, program.entry, call))
            except OperationError as error:
                if not program.form.is_error:
                    self._note("reference", Outcome(WRONG, error.message))
                    return False
                self._expected.append(None)
            except Exception as error:
                self._note("reference", Outcome(WRONG, describe(error)))
                return False
        self._bases[Stage.TENSORS] = module
        for stage, start in (
            (Stage.BUFFERS, Stage.TENSORS),
            (Stage.FREED, Stage.BUFFERS),
        ):
            self._bases[stage] = self._reach(stage, start)
        for stage, base in self._bases.items():
            if isinstance(base, ModuleOp):
                self._snapshots[stage] = snapshot(base)
        self._plain_key = self._settle(
            PLAIN.name, self._bases[Stage.FREED], PLAIN.options
        )
        return True

    def along(self, route: Route) -> None:
        """Take one route."""
        base = self._bases[route.start]
        if isinstance(base, Outcome):
            self._note(route.name, base)
            return
        module = self._copies.pop(route.start, None) or base.clone()
        before_route = self._snapshots[route.start]
        outcome = self._apply(module, parse_passes(route.passes))
        if outcome is not None:
            self._note(route.name, outcome)
            return
        if route.goes_on is route.start and snapshot(module) == before_route:
            # What follows is what has followed before, and the copy is as it was.
            self._copies[route.start] = module
            self._settle_as_plain(route)
            return
        outcome = _verify(module, route.name) or self._apply(
            module, plain_passes(route.goes_on)
        )
        self._settle(route.name, outcome or module, route.options)

    def _settle_as_plain(self, route: Route) -> None:
        plain = self._bases[Stage.FREED]
        if route.options or isinstance(plain, Outcome):
            self._settle(route.name, plain, route.options)
        else:
            self._matrix.share(self._plain_key, self._program, route.name)

    def along_default(self, *, by_steps: bool) -> None:
        """Take the default pipeline, and leave it after each pass that does something.

        A pass that changes nothing is in one cell with the pass before it.
        """
        base = self._bases[Stage.TENSORS]
        assert isinstance(base, ModuleOp)
        module: ModuleOp = base.clone()
        last = snapshot(module)
        for number, (step, stage) in enumerate(default_steps()):
            name = f"{DEFAULT} up to {number} {step.name}"
            outcome = self._apply(module, (step,))
            if outcome is not None:
                self._note(name, outcome)
                self._note(DEFAULT, outcome)
                return
            if by_steps:
                now = snapshot(module)
                if now != last:
                    rest = _verify(module, name) or self._try(
                        module, plain_passes(stage)
                    )
                    self._settle(name, rest, PLAIN.options)
                last = now
        self._settle(DEFAULT, module, PLAIN.options)

    def _reach(self, stage: Stage, start: Stage) -> ModuleOp | Outcome:
        base = self._bases[start]
        if isinstance(base, Outcome):
            return base
        passes = before(stage)[len(before(start)) :]
        return self._try(base, passes)

    def _try(self, base: ModuleOp, passes: Sequence[ModulePass]) -> ModuleOp | Outcome:
        """A copy after some passes, or what has stopped them."""
        module = base.clone()
        return self._apply(module, passes) or module

    def _apply(self, module: ModuleOp, passes: Sequence[ModulePass]) -> Outcome | None:
        for each in passes:
            try:
                each.apply(self._matrix.ctx, module)
            except OperationError as error:
                return Outcome(REFUSED, error.message)
            except Exception as error:
                return Outcome(WRONG, f"{each.name}: {describe(error)}")
        return None

    def _settle(
        self, route: str, result: ModuleOp | Outcome, options: CompileOptions
    ) -> str:
        """Execute what a route has made of the program, unless that is known."""
        if isinstance(result, Outcome):
            self._note(route, result)
            return ""
        key = f"{options}\n{print_module(result, generic=True)}"
        job = Job(self._program, result.clone(), options, self._calls, self._expected)
        self._matrix.wait(key, job, route)
        return key

    def _note(self, route: str, outcome: Outcome) -> None:
        self._matrix.note(self._program, route, outcome)


def _verify(module: ModuleOp, route: str) -> Outcome | None:
    try:
        verify_as_mlir(module)
    except Exception as error:
        return Outcome(WRONG, f"{route} leaves no program: {describe(error)}")
    return None

"""One program on its way along the routes, up to the codes that are executed.

    walk = Walk(ctx, program, cells)
    walk.begin()                    reads it, and asks the reference
    walk.along(route)
    walk.codes                      [Code(job, ["plain", "fold-add-into-dest", ...])]

If a route leaves a program as another route has left it, the code is the same: it is
executed once, and both cells are covered.

Two calls say nothing of values that nobody uses, or of a path that they do not take. So
decisions about copies are proven too, and so are the deallocations of what is executed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from harness.matrix.around import Program
from harness.matrix.cells import Cells
from harness.matrix.execution import REFUSED, WRONG, Job, Outcome, describe
from harness.matrix.numbers import Array, draw
from harness.matrix.routes import (
    Route,
    Stage,
    before,
    default_steps,
    parse_passes,
    plain_passes,
)
from harness.matrix.snapshots import Snapshot, snapshot
from harness.matrix.stablehlo_reference import STABLEHLO
from harness.oracles.proved import is_of_proof
from xdsl_bufferization.bufferization.verification.proofs import collected_proofs
from xdsl_bufferization.bufferization.verification.verify_deallocation import (
    VerifyDeallocationPass,
)
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.pipelines.pass_bundle import unbundle
from xdsl_bufferization.pipelines.verified import with_proof
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.errors import OperationError

PLAIN: Final = "plain"
DEFAULT: Final = "default"

_CALLS: Final = 2
"""How often each program is called, with other arguments."""

_NO_OPTIONS: Final = CompileOptions()


@dataclass
class Code:
    """What one or more routes have made of a program."""

    job: Job
    routes: list[str]
    """The names of the routes."""


_End = Code | Outcome
"""Where a route ends: with code, or before there is any."""


def arguments_of(program: Program, call: int) -> list[Array]:
    """The arguments of a call; each call gets other numbers, unless they are given."""
    if program.given is not None:
        return [np.array(each) for each in program.given.arrays]
    rng = np.random.default_rng([program.number, call])
    return [draw(each.type, each.numbers, rng) for each in program.parameters]


class Walk:
    """A program, and what routes have made of it so far."""

    def __init__(self, ctx: Context, program: Program, cells: Cells):
        self.codes: list[Code] = []
        self._ctx = ctx
        self._program = program
        self._cells = cells
        self._bases: dict[Stage, ModuleOp | Outcome] = {}
        self._copies: dict[Stage, ModuleOp] = {}
        """Copies that a pass has left as they were."""

        self._snapshots: dict[Stage, Snapshot] = {}
        self._ends: dict[tuple[Stage, str], list[tuple[Snapshot, _End]]] = {}
        """What becomes of a program at a stage, with compile options."""

    def begin(self) -> bool:
        """Read the program, and ask the reference; whether both have worked."""
        program = self._program
        self._calls = [arguments_of(program, call) for call in range(_CALLS)]
        try:
            module = MLIRParser(self._ctx, program.text).parse_module()
            verify_as_mlir(module)
        except Exception as error:  # A fault to be reported, of any kind.
            self._note("reading", Outcome(WRONG, describe(error)))
            return False
        if not self._ask_reference(module):
            return False
        self._bases[Stage.TENSORS] = module
        for stage, start in (
            (Stage.BUFFERS, Stage.TENSORS),
            (Stage.FREED, Stage.BUFFERS),
        ):
            self._bases[stage] = self._reach(stage, start)
        self._plain()
        return True

    def _ask_reference(self, module: ModuleOp) -> bool:
        self._expected: list[Sequence[Array] | None] = []
        for call in self._calls:
            try:
                arguments = [np.array(each) for each in call]
                results = evaluate(module, self._program.entry, arguments, STABLEHLO)
                written = (arguments[at] for at in self._program.buffers)
                self._expected.append([*results, *written])
            except OperationError as error:
                if not self._program.form.is_error:
                    self._note("reference", Outcome(WRONG, error.message))
                    return False
                self._expected.append(None)
            except Exception as error:  # A fault to be reported, of any kind.
                self._note("reference", Outcome(WRONG, describe(error)))
                return False
        return True

    def _plain(self) -> None:
        """Where the plain pipeline ends, which each of its stages leads to."""
        freed = self._bases[Stage.FREED]
        end = freed if isinstance(freed, Outcome) else self._code(freed, _NO_OPTIONS)
        for stage, base in self._bases.items():
            if isinstance(base, ModuleOp):
                self._snapshots[stage] = snapshot(base)
                ends = self._ends_of(stage, _NO_OPTIONS)
                ends.append((self._snapshots[stage], end))
        self._arrive(PLAIN, end)
        if isinstance(end, Outcome) and end.kind == REFUSED:
            self._cells.untaken[self._program.form.op, end.message] += 1

    def along(self, route: Route) -> None:
        """Take one route."""
        base = self._bases[route.start]
        if isinstance(base, Outcome):
            self._note(route.name, base)
            return
        module = self._copies.pop(route.start, None) or base.clone()
        outcome = self._apply(module, parse_passes(route.passes))
        if outcome is not None:
            self._note(route.name, outcome)
            return
        now = snapshot(module)
        end = self._end(module, now, route.goes_on, route.options)
        is_back = route.goes_on is route.start and not route.options
        if is_back and now == self._snapshots[route.start]:
            # No code is made of this copy, which is as it was.
            self._copies[route.start] = module
        self._arrive(route.name, end)

    def along_default(self, *, by_steps: bool) -> None:
        """Take the default pipeline, and leave it after each pass that does something.

        A pass that changes nothing is in one cell with the pass before it.
        """
        base = self._bases[Stage.TENSORS]
        assert isinstance(base, ModuleOp)
        module = base.clone()
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
                    left = module.clone()
                    self._arrive(name, self._end(left, now, stage, _NO_OPTIONS))
                last = now
        end = self._end(module, snapshot(module), Stage.FREED, _NO_OPTIONS)
        self._arrive(DEFAULT, end)

    def _end(
        self, module: ModuleOp, now: Snapshot, stage: Stage, options: CompileOptions
    ) -> _End:
        """What becomes of a program from a stage on, unless that is known."""
        ends = self._ends_of(stage, options)
        for earlier, end in ends:
            if earlier == now:
                return end
        end = self._new_end(module, stage, options)
        ends.append((now, end))
        return end

    def _ends_of(
        self, stage: Stage, options: CompileOptions
    ) -> list[tuple[Snapshot, _End]]:
        return self._ends.setdefault((stage, str(options)), [])

    def _new_end(self, module: ModuleOp, stage: Stage, options: CompileOptions) -> _End:
        problem = _verify(module)
        if problem is not None:
            return problem
        if stage is Stage.FREED:
            return self._code(module, options)
        problem = self._apply(module, plain_passes(stage))
        return problem or self._end(module, snapshot(module), Stage.FREED, options)

    def _code(self, module: ModuleOp, options: CompileOptions) -> _End:
        problem = self._apply(module, (VerifyDeallocationPass(),))
        if problem is not None:
            return problem
        job = Job(self._program, module, options, self._calls, self._expected)
        code = Code(job, [])
        self.codes.append(code)
        return code

    def _arrive(self, route: str, end: _End) -> None:
        if isinstance(end, Outcome):
            self._note(route, end)
        else:
            end.routes.append(route)

    def _reach(self, stage: Stage, start: Stage) -> ModuleOp | Outcome:
        """A copy of the program at a stage, or what has stopped the plain pipeline."""
        base = self._bases[start]
        if isinstance(base, Outcome):
            return base
        module = base.clone()
        return self._apply(module, before(stage)[len(before(start)) :]) or module

    def _apply(self, module: ModuleOp, passes: Sequence[ModulePass]) -> Outcome | None:
        proven = [each for one in unbundle(passes) for each in with_proof(one)]
        with collected_proofs() as proofs:
            problem = self._run(module, proven)
        self._cells.note_proofs(proofs)
        return problem

    def _run(self, module: ModuleOp, passes: Sequence[ModulePass]) -> Outcome | None:
        for each in passes:
            try:
                each.apply(self._ctx, module)
            except OperationError as error:
                kind = WRONG if is_of_proof(each.name, error) else REFUSED
                return Outcome(kind, error.message)
            except Exception as error:  # A fault to be reported, of any kind.
                return Outcome(WRONG, f"{each.name}: {describe(error)}")
        return None

    def _note(self, route: str, outcome: Outcome) -> None:
        self._cells.note(self._program, route, outcome)


def _verify(module: ModuleOp) -> Outcome | None:
    try:
        verify_as_mlir(module)
    except Exception as error:  # A fault to be reported, of any kind.
        return Outcome(WRONG, f"the route leaves no program: {describe(error)}")
    return None

"""Run passes on a module, and nested passes on the ops in it.

builtin.module(func.func(buffer-hoisting,canonicalize),cse)
-> buffer-hoisting and canonicalize on the first function, then both on the
second, ..., then cse on the module
"""

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.pipelines.transform_dialect.alone import alone, children
from xdsl_bufferization.support.debug import observed
from xdsl_bufferization.support.errors import fail_at, op_name

from .passes import NestedPasses, PassStep
from .timing import Timing

Hook = Callable[[ModulePass, ModuleOp], None]


@dataclass(frozen=True)
class Runner:
    """What runs passes, and is told before and after each of them."""

    ctx: Context
    before: Hook
    after: Hook
    timing: Timing

    def run(self, module: ModuleOp, steps: tuple[PassStep, ...]) -> None:
        """Run steps in order."""
        self._run(module, module, steps)

    def _run(
        self, module: ModuleOp, op: Operation, steps: tuple[PassStep, ...]
    ) -> None:
        """Run steps on `op`, which is in `module` alone, or the module itself."""
        for step in steps:
            if isinstance(step, NestedPasses):
                self._run_nested(op, step)
            else:
                self.before(step, module)
                with observed(step, module), self.timing.of(step.name):
                    step.apply(self.ctx, module)
                self.after(step, module)

    def _run_nested(self, parent: Operation, nest: NestedPasses) -> None:
        for op in children(parent):
            if nest.anchor not in ("any", op_name(op)):
                continue
            if not op.has_trait(IsolatedFromAbove):
                fail_at(op, "passes run on ops that are isolated from above only")
            with alone(op) as module:
                self._run(module, op, nest.steps)

"""A pass that is a sequence of passes, which tools can look into.

    default-tpp-passes   ->   fold-add-into-dest, ..., pack-matmul, ..., cse

`xbuf stages` shows the program after each pass of a bundle, not only after the whole.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.mlir_pass import MLIRPass
from xdsl_bufferization.support.debug import observed
from xdsl_bufferization.support.garbage import (
    collect_what_is_much,
    without_garbage_collection,
)

from .steps import Step, passes_of


@dataclass(frozen=True)
class PassBundle(MLIRPass):
    """Runs other passes in order."""

    @abstractmethod
    def steps(self) -> Iterable[Step]:
        """What to run; may depend on the options, not on the program."""

    def passes(self) -> Iterator[ModulePass]:
        """The passes that run, in order."""
        return passes_of(self.steps())

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run all passes of the bundle on a module."""
        with without_garbage_collection():
            for each in self.passes():
                run_pass(each, ctx, op)
                collect_what_is_much()


def run_pass(each: ModulePass, ctx: Context, module: ModuleOp) -> None:
    """Run a pass, also one of xDSL, as those see it who look for a fault."""
    with observed(each, module):
        each.apply(ctx, module)


def run_passes(passes: Iterable[ModulePass], ctx: Context, module: ModuleOp) -> None:
    """Run passes in order."""
    for each in passes:
        run_pass(each, ctx, module)


def unbundle(passes: Iterable[ModulePass]) -> Iterator[ModulePass]:
    """The passes in order, those inside bundles instead of the bundles."""
    for each in passes:
        if isinstance(each, PassBundle):
            yield from unbundle(each.passes())
        else:
            yield each


def spell_pass(each: ModulePass) -> str:
    """The pass with its options other than the defaults, in MLIR's spelling."""
    spec = each.spec()
    options = {name.replace("_", "-"): v for name, v in spec.parameters.items()}
    return str(replace(spec, parameters=options))

"""Runs that show faults on the command line: `xbuf opt --replay`.

    late.mlir:6:8: error: the buffer of 'memref.alloc' at line 2 is used after ...
    late.mlir:6:8: replayed: @late(%c = true, %i = 0): used after it was freed

The lines follow the error of `verify-deallocation` on the standard error output.
"""

import sys
from argparse import ArgumentParser
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.support.errors import OperationError
from xdsl_bufferization.support.escaping import in_terminal

from ..common.diagnostics import UsageError
from .passes import NestedPasses, PassStep


def add_replay_option(parser: ArgumentParser) -> None:
    """Add the option of `xbuf opt`."""
    parser.add_argument(
        "--replay",
        action="store_true",
        help="run the program on the path of each fault that verify-deallocation "
        "finds, and write to the standard error whether the fault happens",
    )


def steps_with_replays(
    steps: tuple[PassStep, ...], lines: list[str]
) -> tuple[PassStep, ...]:
    """The passes; those that check deallocations add to `lines` what runs have shown.

    Raises a `UsageError` if no pass does.
    """
    replaced = _replaced(steps, lines)
    if replaced == steps:
        raise UsageError(
            "xbuf opt",
            "--replay needs a pass that checks deallocations: run verify-deallocation, "
            "or add --verify to passes that free buffers",
        )
    return replaced


def _replaced(steps: tuple[PassStep, ...], lines: list[str]) -> tuple[PassStep, ...]:
    # Imported by those who ask for replays, as what compiles takes time to import.
    from xdsl_bufferization.bufferization.verification.verify_deallocation import (
        VerifyDeallocationPass,
    )

    found: list[PassStep] = []
    for step in steps:
        if isinstance(step, NestedPasses):
            found.append(NestedPasses(step.anchor, _replaced(step.steps, lines)))
        elif isinstance(step, VerifyDeallocationPass):
            found.append(_Replaying(step, lines))
        else:
            found.append(step)
    return tuple(found)


@dataclass(frozen=True)
class _Replaying(ModulePass):
    """`verify-deallocation`, whose faults are replayed."""

    name = "verify-deallocation"

    check: ModulePass
    lines: list[str]

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            self.check.apply(ctx, op)
        except OperationError:
            from xdsl_bufferization.pipelines.replay.replay import replay

            self.lines.extend(each.line() for each in replay(op))
            raise


def write_replays(lines: list[str]) -> None:
    """Write what runs have shown, once."""
    sys.stderr.write("".join(f"{in_terminal(each)}\n" for each in lines))
    lines.clear()

"""The pass `generate-runtime-verification`: a program that checks what it does.

Each op that has undefined behavior in MLIR gets checks in front of it. Checks of which
all numbers are known to be right are left out.

    %x = memref.load %m[%i] : memref<?xf32>
        -> %n = memref.dim %m, %c0
           %ok = arith.cmpi ult, %i, %n
           cf.assert %ok, "a.mlir:3:8: 'memref.load': index ? is out of bounds: ..."
           %x = memref.load %m[%i]

The pass may run twice:

1. On the program as it was written, before any other pass. An op on tensors is checked
   there, and no pass can cut, fold or fuse what is wrong with its sizes.
2. On buffers that are freed, as the last pass before the program is lowered. The bodies
   of ops on tensors are loops by now, and their ops are checked there.

Source: https://mlir.llvm.org/docs/Passes/#-generate-runtime-verification
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.interfaces.operands import (
    is_elementwise_on_tensors,
)
from xdsl_bufferization.bufferization.mlir_pass import MLIRPass, is_any_op
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.scf.forall import InParallelOp
from xdsl_bufferization.dialects.vector.masks import MaskOp
from xdsl_bufferization.support.traversal import ops_inside

from . import (
    accesses,
    allocations,
    control,
    fitting,
    kernels,
    maps,
    relayouts,
    scalars,
    structured,
    tensors,
    views,
)
from .accesses import Rule, Rules, check_transfer
from .checks import Checks, FunctionScope
from .early import EarlyChecks, computes_elements

RULES: Rules = {
    **accesses.RULES,
    **allocations.RULES,
    **control.RULES,
    **fitting.RULES,
    **kernels.RULES,
    **maps.RULES,
    **relayouts.RULES,
    **scalars.RULES,
    **structured.RULES,
    **tensors.RULES,
    **views.RULES,
}


@dataclass(frozen=True)
class GenerateRuntimeVerificationPass(MLIRPass):
    """Put a `cf.assert` in front of each op that demands something of its operands."""

    name = "generate-runtime-verification"
    is_about = staticmethod(is_any_op)

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        generate_runtime_verification(op)


def generate_runtime_verification(
    module: ModuleOp, *, shows_values: bool = False, has_stack: bool = False
) -> None:
    """Put checks in front of the ops of a module.

    With `shows_values` they are ops that show what was found, which only
    `lower-to-llvm` knows. With `has_stack` the buffers on the stack are those of the
    code, and the stack is checked too.
    """
    attach_all()
    stacks = dict(control.stack_checks(module)) if has_stack else {}
    for function in _functions(module):
        scope = FunctionScope(function.body.blocks[0], shows_values)
        first = scope.entry.first_op
        for op in _checked_ops(function):
            _check(op, scope)
        if function in stacks:
            checks = Checks(function, scope, before=first)
            control.check_stack(function, stacks[function], checks)


def check_as_written(module: ModuleOp) -> None:
    """Put checks into a program that no pass has changed, as early as possible.

    They show values, and go through all passes up to `lower-to-llvm`.
    """
    attach_all()
    for function in _functions(module):
        scope = FunctionScope(function.body.blocks[0], shows_values=True)
        early = EarlyChecks()
        for op in _checked_ops(function):
            before, emitted = _place_of_checks(op), _check(op, scope)
            if not isinstance(before, MaskOp):
                early.move(emitted, before)
            if before is op and not isinstance(op, InParallelOp):
                early.go_on_behind(op)


def _functions(module: ModuleOp) -> Iterator[FuncOp]:
    for op in module.ops:
        if isinstance(op, FuncOp) and not op.is_declaration:
            yield op


def _checked_ops(function: FuncOp) -> list[Operation]:
    """The ops that are checked where they stand.

    What computes one element of a tensor is not: the ops are checked as those of loops.
    """
    ops = ops_inside(function, is_entered=lambda op: not computes_elements(op))
    return ops[1:]


def _place_of_checks(op: Operation) -> Operation:
    """What the checks of an op are in front of: the region of some has no room."""
    around = op.parent_op()
    has_no_room = isinstance(around, InParallelOp | MaskOp)
    return around if around is not None and has_no_room else op


def _check(op: Operation, scope: FunctionScope) -> list[Operation]:
    """Check an op; returns what was put in front."""
    checks = Checks(op, scope, before=_place_of_checks(op))
    rule = _rule_of(op)
    if rule is not None:
        rule(op, checks)
    return checks.emitted


def _rule_of(op: Operation) -> Rule | None:
    around = op.parent_op()
    if isinstance(around, MaskOp):
        if isinstance(op, vector.TransferReadOp | vector.TransferWriteOp):
            return partial(check_transfer, mask=around.mask)
        return None
    if is_elementwise_on_tensors(op):
        return tensors.check_elementwise
    found = (RULES[cls] for cls in type(op).__mro__ if cls in RULES)
    return next(found, None)

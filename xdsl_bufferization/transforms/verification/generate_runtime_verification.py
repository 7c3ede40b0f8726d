"""The pass `generate-runtime-verification`: a program that checks what it does.

Each op that has undefined behavior in MLIR gets checks in front of it. Checks of which
all numbers are known to be right are left out. The pass is meant for buffers that are
freed, as the last one before a program is lowered.

    %x = memref.load %m[%i] : memref<?xf32>
        -> %n = memref.dim %m, %c0
           %ok = arith.cmpi ult, %i, %n
           cf.assert %ok, "a.mlir:3:8: 'memref.load': index ? is out of bounds: ..."
           %x = memref.load %m[%i]

Source: https://mlir.llvm.org/docs/Passes/#-generate-runtime-verification
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.dialects.vector.masks import MaskOp
from xdsl_bufferization.transforms.mlir_pass import MLIRPass, is_any_op
from xdsl_bufferization.transforms.verification import (
    accesses,
    allocations,
    control,
    kernels,
    scalars,
    structured,
    views,
)
from xdsl_bufferization.transforms.verification.accesses import Rules, check_transfer
from xdsl_bufferization.transforms.verification.checks import Checks, FunctionScope
from xdsl_bufferization.traversal import ops_inside

RULES: Rules = {
    **accesses.RULES,
    **allocations.RULES,
    **control.RULES,
    **kernels.RULES,
    **scalars.RULES,
    **structured.RULES,
    **views.RULES,
}


@dataclass(frozen=True)
class GenerateRuntimeVerificationPass(MLIRPass):
    """Put a `cf.assert` in front of each op for what it demands of its operands."""

    name = "generate-runtime-verification"
    is_about = staticmethod(is_any_op)

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        generate_runtime_verification(op)


def generate_runtime_verification(
    module: ModuleOp, *, shows_values: bool = False
) -> None:
    """Put checks in front of the ops of a module.

    With `shows_values` they are ops that show what was found, which only
    `lower-to-llvm` knows, and the stack is checked too.
    """
    stacks = dict(control.stack_checks(module)) if shows_values else {}
    for function in module.ops:
        if isinstance(function, FuncOp) and not function.is_declaration:
            scope = FunctionScope(function.body.blocks[0], shows_values)
            first = scope.entry.first_op
            for op in list(ops_inside(function)):
                _check(op, scope)
            if function in stacks:
                checks = Checks(function, scope, before=first)
                control.check_stack(function, stacks[function], checks)


def _check(op: Operation, scope: FunctionScope) -> None:
    around = op.parent_op()
    if isinstance(around, MaskOp):
        # Only the op is masked; there is no room for others beside it.
        if isinstance(op, vector.TransferReadOp | vector.TransferWriteOp):
            check_transfer(op, Checks(op, scope, before=around), around.mask)
        return
    for cls in type(op).__mro__:
        if (rule := RULES.get(cls)) is not None:
            rule(op, Checks(op, scope))
            return

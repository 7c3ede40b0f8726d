"""Check that each buffer is freed exactly once, on every path, and run nothing for it.

Any program on memrefs is checked: of this package, of mlir-opt, written by hand; with
scf or with blocks, before or after `lower-deallocations`. Nothing is changed.

    scf.if %c {
      memref.dealloc %a : memref<4xf32>
    }
    %x = memref.load %a[%i] : memref<4xf32>   // used after free, when %c is true

The first fault is an error, and the others are notes of it. What is not decided is a
remark at its op, on the standard error output. No remark and no error: each buffer is
freed once. See the page *Deallocation* for what that means.
"""

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.support.errors import (
    OperationError,
    add_place,
    fail_at,
    op_name,
)
from xdsl_bufferization.support.garbage import without_garbage_collection

from ..analyses.deallocation_proof.findings import Fault, Undecided
from ..analyses.deallocation_proof.functions import prove_deallocation
from ..mlir_pass import MLIRPass
from .proofs import run_proof

_MAX_NOTES = 20
"""How many other faults are shown with the first."""


@without_garbage_collection()
def verify_deallocation(module: ModuleOp) -> list[Undecided]:
    """Raise an `OperationError` at a fault in `module`; what is not decided."""
    findings = prove_deallocation(module)
    if findings.faults:
        first, *others = findings.faults
        _fail(first, others)
    return findings.undecided


def _fail(fault: Fault, others: list[Fault]) -> None:
    try:
        fail_at(fault.op, fault.message)
    except OperationError as error:
        # Of two notes at one place, tools show the first.
        for other in others[:_MAX_NOTES]:
            add_place(error, locate(other.op), f"another fault: {other.message}")
        for op, what in fault.places:
            add_place(error, locate(op), what)
        raise


def _remark(undecided: Undecided) -> str:
    place = locate(undecided.op)
    prefix = "" if place is None else f"{place}: "
    name = op_name(undecided.op)
    return f"{prefix}remark: '{name}' is not decided: {undecided.why}"


def _verify_and_remark(module: ModuleOp) -> None:
    run_proof(
        VerifyDeallocationPass.name,
        module,
        lambda: [_remark(each) for each in verify_deallocation(module)],
    )


class VerifyDeallocationPass(MLIRPass):
    """Check that each buffer is freed exactly once, on every path."""

    name = "verify-deallocation"
    rewrite = staticmethod(_verify_and_remark)

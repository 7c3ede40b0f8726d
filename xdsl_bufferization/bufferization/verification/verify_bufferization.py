"""The pass `verify-bufferization`: whether decisions keep what a program means.

    %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
    %2 = tensor.extract %0[%i] : tensor<4xf32>
        error: 'tensor.extract' reads operand 0, %0, whose buffer does not hold its
        elements any more: 'tensor.insert' has written there by operand 1, %0

Runs on tensors, where the decisions are explicit: after `tensor-copy-insertion`, that
of `mlir-opt` too, or with the attributes of `one-shot-bufferize{test-analysis-only}`.
The program stays as it is. Nothing of the analysis that decides is used: see
`docs/proven.md`.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.support.errors import OperationError, add_place, fail_at
from xdsl_bufferization.support.garbage import without_garbage_collection

from ..analyses.bufferization_proof.findings import Finding, Undecided, Verdict
from ..analyses.bufferization_proof.prove import prove
from ..mlir_pass import TensorPass
from ..models import attach_all
from .proofs import run_proof


@dataclass(frozen=True)
class VerifyBufferizationPass(TensorPass):
    """Prove that bufferization with the given decisions keeps the program's meaning."""

    name = "verify-bufferization"

    loads_are_copies: bool = True
    """Whether loads of a global that may change are copies, as here. MLIR has none."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""

        def prove_all() -> list[str]:
            copies = self.loads_are_copies
            verdict = verify_bufferization(op, loads_are_copies=copies)
            return [remark_about(undecided) for undecided in verdict.undecided]

        run_proof(self.name, op, prove_all)


@without_garbage_collection()
def verify_bufferization(module: ModuleOp, *, loads_are_copies: bool = True) -> Verdict:
    """Prove that the decisions about `module` keep its meaning; it stays as it is.

    Raises an `OperationError` at the first read that may find other elements. What is
    left undecided is in the verdict.
    """
    attach_all()
    verdict = prove(module, loads_are_copies=loads_are_copies)
    fail_at_first(module, verdict)
    return verdict


def fail_at_first(module: ModuleOp, verdict: Verdict, prefix: str = "") -> None:
    """Raise an `OperationError` at the first read that may find other elements."""
    if verdict.findings:
        _fail(module, list(verdict.findings), prefix)


def _fail(module: ModuleOp, findings: list[Finding], prefix: str) -> None:
    order = {op: number for number, op in enumerate(module.walk())}
    first = min(findings, key=lambda finding: order[finding.read.owner])
    others = len({finding.read for finding in findings}) - 1
    message = f"{prefix}{first}"
    if others:
        message += f"; so it is with {others} more reads"
    write = first.write.owner
    try:
        fail_at(first.read.owner, message)
    except OperationError as error:
        if write is not first.read.owner:
            add_place(error, locate(write), "the write is here")
        raise


def remark_about(undecided: Undecided) -> str:
    """What is not decided, and where, in a line."""
    place = locate(undecided.op)
    return f"{place}: remark: {undecided}" if place else f"remark: {undecided}"

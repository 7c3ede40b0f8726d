"""The proof of one-shot-bufferize about itself: the option `verify`.

    rewrite = ProvenRewrite(module, options)    // all copies are explicit by now
    notes = bufferize_ops(module, analysis)
    rewrite.check(notes)                        // an error if something is lost

The program before the rewrite is kept. What the rewrite copies is marked there as out
of place, so that the proof is about all that is copied, whoever has decided it.
"""

from collections.abc import Iterator

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.bufferization_proof.findings import Undecided
from ..analyses.bufferization_proof.prove import prove
from ..analyses.bufferization_proof.questions import IN_PLACE
from ..interfaces.operands import is_tensor, is_tensor_type, tensor_operands
from ..interfaces.options import BufferizationOptions
from ..verification.proofs import run_proof
from ..verification.verify_bufferization import fail_at_first, remark_about
from .rewrite_notes import RewriteNotes

NAME = "one-shot-bufferize{verify}"

FAULT = (
    "internal fault of one-shot-bufferize, which would make wrong code; please report "
    "this program: "
)


class ProvenRewrite:
    """A program whose copies are explicit, as it is before the rewrite."""

    def __init__(self, module: ModuleOp, options: BufferizationOptions):
        """Keep `module` as it is now."""
        self._options = options
        self._program = module.clone()
        self._kept = dict(zip(module.walk(), self._program.walk(), strict=True))

    def check(self, notes: RewriteNotes) -> None:
        """Prove that the rewrite, which has made `notes`, keeps the meaning.

        Raises an `OperationError` at an op that may find other elements.
        """
        run_proof(NAME, self._program, lambda: self._prove(notes))

    def _prove(self, notes: RewriteNotes) -> list[str]:
        undecided = list(self._beyond(notes))
        if not (undecided and self._has_calls_on_tensors()):
            self._mark(notes)
            left_out = {self._kept[op] for op in notes.left_out}
            verdict = prove(self._program, left_out=left_out)
            fail_at_first(self._program, verdict, FAULT)
            undecided += verdict.undecided
        return [remark_about(each) for each in undecided]

    def _mark(self, notes: RewriteNotes) -> None:
        """Let the operands that the rewrite copies be out of place."""
        copied: dict[Operation, set[int]] = {}
        for op, number in (copy.operand for copy in notes.layout_copies):
            copied.setdefault(self._kept[op], set()).add(number)
        for op, numbers in copied.items():
            tensors = {operand.number for operand in tensor_operands(op)}
            words = [
                "none" if n not in tensors else "false" if n in numbers else "true"
                for n in range(len(op.operands))
            ]
            op.attributes[IN_PLACE] = ArrayAttr(map(StringAttr, words))

    def _beyond(self, notes: RewriteNotes) -> Iterator[Undecided]:
        """What the proof is not about."""
        for op in dict.fromkeys(notes.unclear):
            reason = "which of its operands is copied for a layout is not known"
            yield Undecided(self._kept[op], reason)
        if self._options.bufferize_function_boundaries:
            return
        for op in ops_inside(self._program):
            if isinstance(op, FuncOp) and _has_tensors_outside(op):
                reason = "its arguments and results stay tensors, for another pass"
                yield Undecided(op, reason)

    def _has_calls_on_tensors(self) -> bool:
        """Whether tensors are passed to functions that take and return tensors."""
        return not self._options.bufferize_function_boundaries and any(
            isinstance(op, CallOp) and any(map(is_tensor, (*op.operands, *op.results)))
            for op in ops_inside(self._program)
        )


def _has_tensors_outside(function: FuncOp) -> bool:
    types = function.function_type
    return bool(function.body.blocks) and any(
        map(is_tensor_type, (*types.inputs, *types.outputs))
    )

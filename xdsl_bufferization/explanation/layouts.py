"""What is said of copies that are made only because a buffer has another layout.

    %c = tensor.collapse_shape %s [[0, 1]]    %s copied, 64 bytes: layout of %s ...

The decisions are made before any op is rewritten, and such copies turn up only then. So
decisions that said "in place" are corrected afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.func import CallOp, ReturnOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.bufferize.rewrite_notes import LayoutCopy
from xdsl_bufferization.bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.dialects.memref.sizes import count_bytes

from .report import Decision, FunctionReport, Reason, ReasonKind, Verdict


def with_layout_copies(
    report: FunctionReport,
    operands: Sequence[OpOperand],
    copied: Mapping[OpOperand, LayoutCopy],
) -> FunctionReport:
    """A report with what was `copied`; the decisions are those about `operands`."""
    decisions = tuple(
        _correct(decision, copied[operand]) if operand in copied else decision
        for decision, operand in zip(report.decisions, operands, strict=True)
    )
    count = sum(operand in copied for operand in operands)
    return replace(report, decisions=decisions, layout_copies=count)


def _correct(decision: Decision, copy: LayoutCopy) -> Decision:
    if decision.verdict is not Verdict.IN_PLACE:
        return decision
    size = count_bytes(copy.wanted)
    words = "unknown size" if size is None else f"{size} bytes"
    position = decision.position
    reason = Reason(
        ReasonKind.LAYOUT,
        f"line {position.line} needs a {copy.wanted}, and the buffer of "
        f"{decision.value_name} is a {copy.found}",
        None,
        None,
        position,
        _find_remedy(copy.operand.owner, decision.value_name),
    )
    return replace(
        decision, verdict=Verdict.COPIED, reasons=(reason,), bytes=size, size=words
    )


def _find_remedy(op: Operation, name: str) -> str:
    if isinstance(op, CallOp | ReturnOp):
        return "set function-boundary-type-conversion=fully-dynamic-layout-map"
    return f"compute {name} in a buffer of its own, or reshape before taking a slice"

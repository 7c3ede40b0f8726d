"""Reasons of copies in words, with lines.

    line 7 reads it after line 5 would have overwritten it; the value was defined at
    line 2
    it is not writable: it is a function argument

What comes first in each sentence is the value of the operand: `it`.
"""

from collections.abc import Mapping

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.bufferization.analyses.one_shot.all_reasons import AllReasons
from xdsl_bufferization.bufferization.analyses.one_shot.all_reasons import (
    Reason as Cause,
)
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import (
    NotWritable,
    RaWConflict,
)
from xdsl_bufferization.bufferization.analyses.one_shot.parallel_regions import (
    SharedWrite,
)
from xdsl_bufferization.bufferization.analyses.one_shot.root_analysis import (
    RootAnalysis,
)
from xdsl_bufferization.bufferization.fewer_copies.move_reads_before_writes import (
    NEEDS_DONATION,
)
from xdsl_bufferization.bufferization.interfaces.operands import OpOperand, owner_op
from xdsl_bufferization.support.errors import op_name

from .remedies import Remedies, Remedy
from .report import ActionKind, Reason, ReasonKind
from .source import Source

NAMED = 10
"""So many reasons of a copy are told, the others counted."""

_NO_REMEDY = Remedy("")


class Reasons:
    """Tells the reasons of the copies inside one root."""

    def __init__(
        self,
        source: Source,
        analysis: RootAnalysis,
        why_not_moved: Mapping[OpOperand, str],
    ):
        self._source = source
        self._facts = analysis.facts
        self._rules = analysis.alias_sets.rules
        self._remedies = Remedies(source, analysis)
        self._why_not_moved = why_not_moved

    def tell(self, operand: OpOperand, found: AllReasons) -> tuple[Reason, ...]:
        """The first reasons why `operand` is copied."""
        return tuple(self._tell(operand, each) for each in found.reasons[:NAMED])

    def _tell(self, operand: OpOperand, cause: Cause) -> Reason:
        if isinstance(cause, RaWConflict):
            return self._tell_conflict(operand, cause)
        if isinstance(cause, NotWritable):
            return self._tell_not_writable(operand, cause)
        return self._tell_shared_write(operand, cause)

    # Read after write.

    def _tell_conflict(self, operand: OpOperand, cause: RaWConflict) -> Reason:
        source = self._source
        remedy = self._find_remedy(operand, cause)
        return Reason(
            ReasonKind.CONFLICT,
            f"{self._what_is_read(operand, cause)}; {self._where_defined(cause)}",
            source.position_of(cause.definition),
            source.position_of_use(cause.write),
            source.position_of_use(cause.read),
            remedy.sentence or None,
            remedy.action,
        )

    def _find_remedy(self, operand: OpOperand, cause: RaWConflict) -> Remedy:
        remedy = self._remedies.of_conflict(cause) or _NO_REMEDY
        why_not = self._why_not_moved.get(operand)
        action = remedy.action
        if why_not is None or action is None or action.kind is not ActionKind.MOVE:
            return remedy
        if why_not == NEEDS_DONATION:
            rest = (
                ", and give the argument away where the function is called: otherwise "
                "the call copies it"
            )
        else:
            rest = f"; no pass does so, as {why_not}"
        return Remedy(f"{remedy.sentence}{rest}", action)

    def _what_is_read(self, operand: OpOperand, cause: RaWConflict) -> str:
        source = self._source
        read, write = (source.line_of(use.owner) for use in (cause.read, cause.write))
        value = cause.read.value
        what = "it"
        if value is not operand.value:
            what = f"{source.name_of(value)}, which may be in the same buffer,"
        loop = self._find_loop(cause)
        if loop is not None:
            again = f"in the next iteration of the loop at line {source.line_of(loop)}"
            return (
                f"line {read} reads {what} {again} after line {write} would have "
                "overwritten it"
            )
        if cause.read.owner is cause.write.owner:
            return f"line {read} reads {what} while it would overwrite it"
        points = (self._facts.get_use(each).point for each in (cause.read, cause.write))
        read_place, write_place = points
        if read_place.is_proper_ancestor_of(write_place):
            return f"line {read} reads {what} while line {write} would overwrite it"
        return f"line {read} reads {what} after line {write} would have overwritten it"

    def _find_loop(self, cause: RaWConflict) -> Operation | None:
        """The loop whose next iteration reads, although the read stands first."""
        read, write = (self._facts.get_use(each) for each in (cause.read, cause.write))
        definitions = read.definitions
        if definitions is None or read.point.start > write.point.start:
            return None
        if self._rules.can_use_dominance(read, write, definitions):
            return None
        repetition = self._rules.get_repetition(read, definitions)
        if repetition is None or read.point.is_proper_ancestor_of(write.point):
            return None
        return repetition.op.op

    def _where_defined(self, cause: RaWConflict) -> str:
        source, definition = self._source, cause.definition
        name = source.name_of(definition)
        as_name = "" if definition is cause.read.value else f" as {name}"
        line = source.position_of(definition).line
        return f"the value was defined{as_name} at line {line}"

    # What must not be written.

    def _tell_not_writable(self, operand: OpOperand, cause: NotWritable) -> Reason:
        source = self._source
        value = cause.value
        what = "it is"
        if value is not operand.value:
            what = f"{source.name_of(value)}, which may be in the same buffer, is"
        where = ""
        if cause.write != operand:
            where = f", and line {source.line_of(cause.write.owner)} would write it"
        remedy = self._remedies.of_not_writable(value, operand) or _NO_REMEDY
        return Reason(
            ReasonKind.NOT_WRITABLE,
            f"{what} not writable: {self._what_is(value)}{where}",
            source.position_of(value),
            source.position_of_use(cause.write),
            None,
            remedy.sentence or None,
            remedy.action,
        )

    def _what_is(self, value: SSAValue) -> str:
        line = self._source.position_of(value).line
        op = owner_op(value)
        assert op is not None, "a tensor belongs to an op"
        if isinstance(value.owner, Block):
            assert isinstance(value, BlockArgument)
            is_first = isinstance(op, FuncOp) and value.block is op.body.first_block
            kind = "function argument" if is_first else f"argument of '{op_name(op)}'"
            return f"it is the {kind} of line {line}"
        if op.has_trait(ConstantLike, value_if_unregistered=False):
            return f"it is the constant of line {line}"
        if isinstance(op, CallOp):
            return f"@{op.callee.string_value()} returns it, called at line {line}"
        return f"it is a result of '{op_name(op)}' at line {line}"

    # Parallel loops.

    def _tell_shared_write(self, operand: OpOperand, cause: SharedWrite) -> Reason:
        source = self._source
        write, read = (source.line_of(use.owner) for use in (cause.write, cause.read))
        del operand
        remedy = self._remedies.of_shared_write(cause) or _NO_REMEDY
        return Reason(
            ReasonKind.SHARED_WRITE,
            f"all iterations of the parallel loop around line {write} would write "
            f"to one buffer there, which line {read} reads",
            None,
            source.position_of_use(cause.write),
            source.position_of_use(cause.read),
            remedy.sentence or None,
            remedy.action,
        )

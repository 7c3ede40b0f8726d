"""move-reads-before-writes: ops change places so that tensors need no copy.

    %b = tensor.insert %f into %a[%i]       %c = tensor.extract %a[%j]
    %c = tensor.extract %a[%j]              %b = tensor.insert %f into %a[%i]

Runs before one-shot-bufferize. On the left, `%a` is read after `%b` would have
overwritten it, so that `%b` gets a copy of `%a`. On the right, `%b` is in the buffer of
`%a`.

One-Shot Analysis says which operands are copied, and which reads are the reason. The
read moves up to the write, with all ops that it needs. Where that is impossible, the
write moves down behind the read, with all ops that need it. Only ops without side
effects move. Operands of which all reasons can be removed are tried. Moved tensors may
not be larger than the buffer that is saved, so that the peak of memory does not rise.
Then the function is analysed once more. What did not save its copy is taken back, so
that no function copies or allocates more than before.

A program in which nothing can be saved stays as it is. Cost: that of two analyses, and
of one where the outcome is known (see `reads_in_order.py`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.remarks import Report, ignore_remark, write_remark
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.one_shot.all_reasons import is_mere_read
from ..analyses.one_shot.cached_analysis import cache_analysis
from ..analyses.one_shot.conflicts import RaWConflict
from ..analyses.one_shot.root_analysis import RootAnalysis
from ..interfaces.operands import OpOperand, is_tensor
from ..mlir_pass import TensorPass
from .decided import WHOLE_PROGRAMS, Decided, Decider, decide, is_no_worse
from .live_bytes import LiveBytes
from .moves import Moves, Moving, Obstacle, Stopped
from .notes import Note, name_with_place, refusal
from .op_kinds import OpKinds
from .reads_in_order import are_all_in_place

_MAX_CONFLICTS = 256
"""Operands with more reasons to be copied are left alone."""

NEEDS_DONATION = (
    "a result would then be in the buffer of an argument, which a call copies unless "
    "its caller gives the argument away"
)
"""Why a copy stays that would only become one of the caller."""

_FORWARDED = (
    "the new buffer gets no copy, and is passed on; in its place, that of an argument "
    "would be passed on, and would be copied"
)

_MAX_TURNS = 3
"""So often a function is changed: a copy less may show the next one."""


class _Step(NamedTuple):
    """One conflict, and the ops in one block whose order makes it."""

    cause: RaWConflict
    read: Operation
    """The op that reads, or the one around it that is beside `write`."""

    write: Operation
    """The op that writes, or the one around it that is beside `read`."""


class _Plan(NamedTuple):
    """How an operand could be put in place."""

    operand: OpOperand
    steps: Sequence[_Step]


def move_reads_before_writes(
    module: ModuleOp, report: Report[Note] = ignore_remark
) -> None:
    """Change the order of ops in `module` where that saves a copy or an allocation.

    `report` gets a note about each copy that is saved, and about each one that a move
    could have saved but for what the note says. A module that one-shot-bufferize
    refuses is left as it is.
    """
    if not may_conflict(module):
        return
    decider = decide(module, wants_all_reasons=True)
    if decider is None:
        return
    has_moved = False
    for decided in list(decider.functions()):
        mover = _Mover(decided.function, decider, report)
        mover.run(decided)
        has_moved |= mover.has_moved
    if not has_moved:
        cache_analysis(module, decider.analysis)


class _Mover:
    """Moves the ops of one function."""

    has_moved = False
    """Whether the function is another one than before."""

    def __init__(self, function: FuncOp, decider: Decider, report: Report[Note]):
        self._function = function
        self._decider = decider
        self._report = report
        self._kinds = OpKinds()

    def run(self, decided: Decided) -> None:
        """Move ops until nothing more is saved."""
        for _ in range(_MAX_TURNS):
            after = self._turn(decided)
            if after is None:
                return
            decided = after

    def _turn(self, before: Decided) -> Decided | None:
        """Carry out what saves buffers; the new decisions, or None at the end."""
        plans = list(self._plan_all(before))
        if not plans:
            return None
        turn = _Turn(before, self._kinds)
        done = [plan for plan in plans if self._carry_out(plan, turn)]
        if done and self._is_certain(done, turn.moves, before):
            self._succeed(done, before)
            return None
        after = self._decider.again(self._function) if done else None
        if after is not None and not _is_success(done, after, before):
            turn.moves.take_back()
            done = [plan for plan in done if self._is_tried_again(plan, after, before)]
            done = [plan for plan in done if turn.carry_out(plan) is None]
            after = self._decider.again(self._function) if done else None
        if after is None or not _is_success(done, after, before):
            turn.moves.take_back()
            return None
        self._succeed(done, before)
        return after

    def _is_certain(self, done: Sequence[_Plan], moves: Moves, before: Decided) -> bool:
        """Whether it is known without an analysis that nothing is copied any more."""
        operands = [plan.operand for plan in done]
        return are_all_in_place(operands, before, moves.sort)

    def _succeed(self, done: Sequence[_Plan], before: Decided) -> None:
        self.has_moved = True
        if self._report is not ignore_remark:
            for plan in done:
                self._report(_describe(plan, before))

    def _is_tried_again(self, plan: _Plan, after: Decided, before: Decided) -> bool:
        """Whether a plan may be good, although not all plans together were."""
        why = _find_blame(plan, after, before)
        if why is not None:
            self._report(refusal(plan.operand, why))
        return why is None

    def _carry_out(self, plan: _Plan, turn: "_Turn") -> bool:
        refused = turn.carry_out(plan)
        if refused is not None:
            self._report(refused)
        return refused is None

    def _plan_all(self, before: Decided) -> Iterator[_Plan]:
        for operand in before.buffers:
            plan = _plan(operand, before.analysis)
            if plan is not None:
                yield plan


def _is_success(done: Sequence[_Plan], after: Decided, before: Decided) -> bool:
    return is_no_worse(after, before) and not any(
        plan.operand in after.buffers for plan in done
    )


def _find_blame(plan: _Plan, after: Decided, before: Decided) -> str | None:
    """Why a plan is not tried again; None if it is."""
    if plan.operand in after.buffers:
        return "another order would not save the buffer"
    if not LiveBytes(before).may_be_argument(plan.operand):
        return None
    if after.promise != before.promise:
        return "with fewer copies here, the callers of the function would have to copy"
    if not after.not_owned <= before.not_owned:
        return NEEDS_DONATION
    return None


def _plan(operand: OpOperand, analysis: RootAnalysis) -> _Plan | None:
    """How to put an operand in place; None if the order of ops is not its reason."""
    found = analysis.all_reasons.get(operand)
    if (
        found is None
        or not found.is_complete
        or len(found.reasons) > _MAX_CONFLICTS
        # Whoever decided may have looked for more reasons than this pass does.
        or found.steps > WHOLE_PROGRAMS.reason_steps
        or not is_mere_read(analysis.reasons[operand], analysis.facts)
    ):
        return None
    steps: list[_Step] = []
    for cause in found.reasons:
        step = _find_step(cause, analysis) if isinstance(cause, RaWConflict) else None
        if step is None:
            return None
        steps.append(step)
    return _Plan(operand, steps)


def _find_step(cause: RaWConflict, analysis: RootAnalysis) -> _Step | None:
    """The ops whose order makes a conflict; None if another order makes one as well."""
    read, write = (analysis.facts.get_use(use) for use in (cause.read, cause.write))
    definitions = read.definitions
    if (
        # An op that overwrites what it reads would spoil what the other one expects.
        read.writes
        or definitions is None
        or not analysis.alias_sets.rules.can_use_dominance(read, write, definitions)
    ):
        return None
    beside = _find_beside(read.point.op, write.point.op)
    return None if beside is None else _Step(cause, *beside)


def _find_beside(
    first: Operation, second: Operation
) -> tuple[Operation, Operation] | None:
    """The ops in one block that two ops are or are in; None if that is one op."""
    if first.parent is second.parent:
        return None if first is second else (first, second)
    around: dict[object, Operation] = {}
    at: Operation | None = first
    while at is not None:
        around[at.parent] = at
        at = at.parent_op()
    at = second
    while at is not None and at.parent not in around:
        at = at.parent_op()
    if at is None or at.parent is None or around[at.parent] is at:
        return None
    return around[at.parent], at


class _Turn:
    """The moves that are tried together in one function."""

    def __init__(self, before: Decided, kinds: OpKinds):
        self.moves = Moves(kinds)
        self._before = before
        self._bytes = LiveBytes(before)

    def carry_out(self, plan: _Plan) -> Note | None:
        """Put reads before writes; or say why not, and move nothing."""
        why = self._find_later_copy(plan.operand)
        if why is not None:
            return refusal(plan.operand, why)
        count = self.moves.count
        added: int | None = 0
        for step in plan.steps:
            if self.moves.comes_before(step.read, step.write):
                continue  # By an earlier move.
            up = self.moves.find_up(step.read, step.write)
            if isinstance(up, Moving):
                more = self._bytes.made_by(up.ops)
                if self._has_room(plan, step, added, more):
                    added = _sum(added, more)
                    self.moves.make(up)
                    continue
            down = self.moves.find_down(step.write, step.read)
            if isinstance(down, Moving):
                more = self._bytes.kept_for(down.ops, step.read)
                if self._has_room(plan, step, added, more):
                    added = _sum(added, more)
                    self.moves.make(down)
                    continue
            if self.moves.count > count:
                self.moves.take_back(count)
            return _refuse(plan, step, up, down)
        return None

    def _has_room(
        self, plan: _Plan, step: _Step, added: int | None, more: int | None
    ) -> bool:
        """Whether moved tensors take no more memory than a move saves."""
        if more == 0:
            return True
        total = _sum(added, more)
        saved: int | None = 0
        if self._bytes.outlives(plan.operand, step.read):
            saved = self._bytes.of_buffer(plan.operand)
        return total is not None and saved is not None and total <= saved

    def _find_later_copy(self, operand: OpOperand) -> str | None:
        """Why to save a buffer would mean that deallocation makes a copy, if so."""
        if not self._bytes.may_be_argument(operand):
            return None
        if self._bytes.is_newly_returned(operand):
            return NEEDS_DONATION
        if operand not in self._before.copied and self._bytes.is_forwarded(operand):
            return _FORWARDED
        return None


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


# What there is to say.


def _describe(plan: _Plan, before: Decided) -> Note:
    what = "a copy" if plan.operand in before.copied else "an allocation"
    reads = dict.fromkeys(name_with_place(step.cause.read.owner) for step in plan.steps)
    write = name_with_place(plan.steps[0].cause.write.owner)
    return Note(
        plan.operand,
        f"needs no {what.split()[-1]} of operand #{plan.operand.number}: "
        f"{' and '.join(reads)} now runs before {write}, which overwrites what is read",
    )


def _refuse(
    plan: _Plan, step: _Step, up: Moving | Stopped, down: Moving | Stopped
) -> Note:
    read, write = map(name_with_place, (step.cause.read.owner, step.cause.write.owner))
    return refusal(
        plan.operand,
        f"to move {read} before {write} would save the buffer, but {_why_not(up)}; and "
        f"the write does not move behind the read, as {_why_not(down)}",
    )


def _why_not(found: Moving | Stopped) -> str:
    if isinstance(found, Moving):
        return "the moved tensors could need more memory than that buffer"
    name = name_with_place(found.op)
    match found.why:
        case Obstacle.NEEDS_WRITE:
            return f"the read needs the result of {name}"
        case Obstacle.IS_NEEDED:
            return f"{name} needs the result"
        case Obstacle.IS_LAST:
            return f"{name} is the last op of its block"
        case Obstacle.HAS_EFFECT:
            return f"{name} has a side effect"
        case Obstacle.MAY_FAIL:
            return f"{name} may fail, and would pass an op that may end the program"
        case Obstacle.TOO_MANY:
            return f"too many ops would move with {name}"


# --- whether there is anything to do ------------------------------------------------


def may_conflict(module: ModuleOp) -> bool:
    """Whether a tensor has several uses."""
    return any(
        _has_several_uses(value)
        for op in ops_inside(module)
        for value in op.operands
        if is_tensor(value)
    )


def _has_several_uses(value: SSAValue) -> bool:
    return value.first_use is not None and not value.has_one_use()


@dataclass(frozen=True)
class MoveReadsBeforeWritesPass(TensorPass):
    """Let reads run before writes, where a tensor then needs no copy."""

    name = "move-reads-before-writes"

    explain: bool = False
    """Whether to say on the standard error output what is moved, and what is not."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        self.run(op, write_remark if self.explain else ignore_remark)

    def run(self, module: ModuleOp, report: Report[Note]) -> None:
        """Run on a module, with a note about each copy to `report`."""
        move_reads_before_writes(module, report)

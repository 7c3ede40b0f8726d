"""rematerialize-cheap-tensors: cheap tensors are computed again instead of copied.

    %1 = linalg.fill ins(%f) outs(%0)       %1 = linalg.fill ins(%f) outs(%0)
    %2 = linalg.matmul ... outs(%1)         %2 = linalg.matmul ... outs(%1)
    %3 = linalg.matmul ... outs(%1)         %4 = tensor.empty()
                                            %5 = linalg.fill ins(%f) outs(%4)
                                            %3 = linalg.matmul ... outs(%5)

Runs before one-shot-bufferize, which would copy `%1` for one of the products. A copy
reads and writes all bytes of a tensor; a fill only writes them.

One-Shot Analysis says which operands are copied. If the copied tensor is cheap (see
`cheap_tensors.py`), it is computed again next to its user. All it is made of has to be
in memory there anyway. Then the function is analysed once more. What did not save its
copy is taken back. So no function copies or allocates more than before.

Cost: that of two analyses of the functions with cheap tensors, and of one where the
outcome is known (see `straight_line.py`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from xdsl_bufferization.dialects.remarks import Report, ignore_remark, write_remark
from xdsl_bufferization.dialects.scf import InParallelOp
from xdsl_bufferization.support.algorithms.program_points import ProgramPoints
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.one_shot.cached_analysis import cache_analysis
from ..bufferize.tensor_copy_insertion import find_copied_value
from ..interfaces.operands import OpOperand, is_tensor
from ..mlir_pass import TensorPass
from .cheap_tensors import Build, find_cheap, inputs_of_cheap
from .decided import Decided, Decider, decide, is_no_worse
from .notes import Note
from .straight_line import is_certainly_better

_MAX_USES = 64
"""So many uses of an input are looked at, to see whether it is in memory anyway."""


@dataclass(frozen=True)
class _Repeated:
    """A tensor that was computed once more, for an operand that would be copied."""

    operand: OpOperand
    old: SSAValue
    new: SSAValue
    uses: Sequence[OpOperand]
    """The operands that were given the new tensor."""

    ops: Sequence[Operation]
    """What computes the new tensor."""

    def take_back(self) -> None:
        """Let the program be as it was before."""
        for op, number in self.uses:
            op.operands[number] = self.old
        for op in reversed(self.ops):
            Rewriter.erase_op(op)


def rematerialize_cheap_tensors(
    module: ModuleOp, report: Report[Note] = ignore_remark
) -> None:
    """Compute cheap tensors in `module` again where they would be copied.

    `report` gets a note about each of them. A module that one-shot-bufferize refuses is
    left as it is.
    """
    if not any(map(_may_be_copied, ops_inside(module))):
        return
    decider = decide(module)
    if decider is None:
        return
    has_changed = False
    for decided in list(decider.functions()):
        has_changed |= _rematerialize(decided, decider, report)
    if not has_changed:
        cache_analysis(module, decider.analysis)


def _may_be_copied(op: Operation) -> bool:
    """Whether an op makes a cheap tensor with several uses, or one use elsewhere."""
    if len(op.results) != 1 or not is_tensor(op.results[0]):
        return False
    result = op.results[0]
    use = result.first_use
    if use is None:
        return False
    user = use.operation
    is_simple = result.has_one_use() and user.parent is op.parent
    # A loop copies what it yields if that is not the buffer which it was given.
    if is_simple and user.has_trait(IsTerminator):
        is_simple = isinstance(user, ReturnOp)
    return not (is_simple and type(op) is not ConstantOp) and (
        find_cheap(result) is not None
    )


def _rematerialize(before: Decided, decider: Decider, report: Report[Note]) -> bool:
    """Compute tensors of one function again, as far as that saves copies.

    Returns whether the function may have changed.
    """
    done = list(_repeat_all(before))
    if not done:
        return False
    if not _is_certainly_better(done, before):
        done = _keep_what_is_better(done, before, decider)
    if report is not ignore_remark:
        for each in done:
            report(_describe(each))
    _erase_unused(each.old for each in done)
    return True


def _is_certainly_better(done: Sequence[_Repeated], before: Decided) -> bool:
    """Whether it is known without an analysis that nothing but copies was saved."""
    return all(each.uses == [each.operand] for each in done) and is_certainly_better(
        {each.operand: each.ops for each in done}, before
    )


def _keep_what_is_better(
    done: list[_Repeated], before: Decided, decider: Decider
) -> list[_Repeated]:
    """Take back what has saved no copy, or all if that cost anything elsewhere."""
    after = decider.again(before.function)
    if after is not None:
        stubborn = [each for each in done if each.operand in after.buffers]
        if stubborn:
            for each in reversed(stubborn):
                each.take_back()
            done = [each for each in done if each.operand not in after.buffers]
            after = decider.again(before.function)
    if after is None or not is_no_worse(after, before):
        for each in reversed(done):
            each.take_back()
        return []
    return done


def _repeat_all(before: Decided) -> Iterator[_Repeated]:
    facts = before.analysis.facts
    changed: set[SSAValue] = set()
    for operand in before.buffers:
        if operand not in before.copied or before.buffers[operand] > 1:
            continue
        value = find_copied_value(operand, before.analysis.decisions)
        if value in changed:
            continue
        build = find_cheap(value)
        if build is None or not _are_inputs_there(value, operand.owner, facts.points):
            continue
        if value is not operand.value:
            changed.add(value)
        yield _repeat(operand, value, build)


def _repeat(operand: OpOperand, value: SSAValue, build: Build) -> _Repeated:
    op = operand.owner
    point, uses = InsertPoint.before(_place_before(op)), [operand]
    if value is not operand.value:
        # The copied value is the only result of the op, which views the operand.
        point = InsertPoint.after(op)
        uses = [OpOperand(use.operation, use.index) for use in value.uses]
    ops: list[Operation] = []

    def insert(new: Operation) -> None:
        new.location = op.location
        Rewriter.insert_op(new, point)
        ops.append(new)

    new = build(insert)
    for user, number in uses:
        user.operands[number] = new
    return _Repeated(operand, value, new, uses, ops)


def _place_before(op: Operation) -> Operation:
    """Where to compute an operand of `op`: not in the terminator of an scf.forall."""
    parent = op.parent_op()
    return parent if isinstance(parent, InParallelOp) else op


def _are_inputs_there(value: SSAValue, user: Operation, points: ProgramPoints) -> bool:
    """Whether all that a tensor is computed from is in memory at `user` anyway."""
    return all(_is_there(each, value, user, points) for each in inputs_of_cheap(value))


def _is_there(
    tensor: SSAValue, value: SSAValue, user: Operation, points: ProgramPoints
) -> bool:
    owner = tensor.owner
    if isinstance(owner, ConstantOp) or (
        isinstance(owner, Block) and isinstance(owner.parent_op(), FuncOp)
    ):
        return True
    return any(
        use.operation is not value.owner
        and points.knows(use.operation)  # What was computed again is not known.
        and _is_certainly_later(use.operation, user, points)
        for use in islice(tensor.uses, _MAX_USES)
    )


def _is_certainly_later(op: Operation, user: Operation, points: ProgramPoints) -> bool:
    """Whether `op` runs whenever `user` does, and not before it."""
    block = op.parent
    around: Operation | None = user
    while around is not None and around.parent is not block:
        around = around.parent_op()
    return around is not None and (points.of_op(around).start <= points.of_op(op).start)


def _erase_unused(values: Iterable[SSAValue]) -> None:
    """Erase what made these values, and what that was made of, if nobody uses it."""
    todo = [v.owner for v in values if isinstance(v.owner, Operation)]
    while todo:
        op = todo.pop()
        if op.parent is None or not is_trivially_dead(op):
            continue
        todo += [v.owner for v in op.operands if isinstance(v.owner, Operation)]
        Rewriter.erase_op(op)


def _describe(done: _Repeated) -> Note:
    made_by = done.ops[-1].name
    return Note(
        done.operand,
        f"gets operand #{done.operand.number} from a '{made_by}' of its own, which "
        "costs less than a copy",
    )


@dataclass(frozen=True)
class RematerializeCheapTensorsPass(TensorPass):
    """Compute a cheap tensor again, instead of copying it."""

    name = "rematerialize-cheap-tensors"

    explain: bool = False
    """Whether to say on the standard error output what is computed again."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        self.run(op, write_remark if self.explain else ignore_remark)

    def run(self, module: ModuleOp, report: Report[Note]) -> None:
        """Run on a module, with a note about each copy to `report`."""
        rematerialize_cheap_tensors(module, report)

"""How `scf.for` is simplified, by MLIR's patterns of these effects.

scf.for %i = %c0 to %c1 step %c1 { body }      ->  body
iter_args(%x = %a) ... scf.yield %x            ->  uses of %a
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.traits import ConstantLike
from xdsl.transforms.canonicalization_patterns.scf import replace_op_with_region
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.hints import isa

from .rebuild import (
    Replacement,
    fill_in,
    is_defined_in,
    is_unused,
    keep,
    move_to_new_block,
)

_INDEX_WIDTH = 64


def count_trips(
    lower: SSAValue, upper: SSAValue, step: SSAValue, *, unsigned: bool = False
) -> int | None:
    """How often a loop with these bounds runs, or None if they do not tell.

    A loop whose step is not positive has no defined meaning, and is left alone.
    """
    if lower is upper:
        return 0
    bounds = [const_evaluate_operand(value) for value in (lower, upper, step)]
    first, end, distance = (
        each if each is None or not unsigned else _as_unsigned(each, lower)
        for each in bounds
    )
    if first is None or end is None:
        first, end = 0, _difference(lower, upper, unsigned=unsigned)
    if end is None:
        return None
    if first >= end:
        return 0
    if distance is None or distance <= 0:
        return None
    return -((first - end) // distance)


def _difference(lower: SSAValue, upper: SSAValue, *, unsigned: bool) -> int | None:
    """The constant that is added to `lower` to get `upper`, without overflow."""
    add = upper.owner
    if unsigned or not isinstance(add, arith.AddiOp):
        return None
    if arith.IntegerOverflowFlag.NSW not in add.overflow_flags.data:
        return None
    if add.lhs is lower:
        return const_evaluate_operand(add.rhs)
    return const_evaluate_operand(add.lhs) if add.rhs is lower else None


def _as_unsigned(constant: int, of_type: SSAValue) -> int:
    type_ = of_type.type
    width = type_.width.data if isa(type_, IntegerType) else _INDEX_WIDTH
    return constant % (1 << width)


def _keeps_types(op: scf.ForOp) -> bool:
    """Whether what is carried has one type, before the loop and after it.

    xDSL accepts other loops, for example while somebody assigns memory spaces.
    """
    return op.iter_args.types == op.result_types


class SimplifyTrivialFor(RewritePattern):
    """Remove a loop that never runs, runs once, or yields what it does not compute."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by its inits, its body, or what it yields."""
        if not _keeps_types(op):
            return
        unsigned = "unsignedCmp" in op.properties
        trips = count_trips(op.lb, op.ub, op.step, unsigned=unsigned)
        if trips is None:
            return
        if trips == 0:
            rewriter.replace(op, (), op.iter_args)
            return
        if trips == 1:
            replace_op_with_region(rewriter, op, op.body, (op.lb, *op.iter_args))
            return
        block = op.body.block
        yielded = block.last_op
        if yielded is None or yielded is not block.first_op:
            return
        if not any(is_defined_in(value, block) for value in yielded.operands):
            rewriter.replace(op, (), yielded.operands)


class FoldForIterArgs(RewritePattern):
    """Carry each value once, and only if it changes and somebody uses it."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by a loop that carries less."""
        yielded = op.body.block.last_op
        if not isinstance(yielded, scf.YieldOp) or not _keeps_types(op):
            return
        replacements = _replace_iter_args(op, yielded)
        if all(each is None for each in replacements):
            return
        inits = keep(op.iter_args, replacements)
        values = keep(yielded.operands, replacements)
        rewriter.replace(yielded, scf.YieldOp(*values))
        block = move_to_new_block(
            rewriter, op.body.block, [None, *_shift(replacements)]
        )
        new_op = scf.ForOp.build(
            operands=[op.lb, op.ub, op.step, inits],
            result_types=[[init.type for init in inits]],
            properties=op.properties,
            attributes=op.attributes,
            regions=[Region(block)],
        )
        rewriter.replace(op, new_op, fill_in(new_op.results, replacements))
        # What is around may carry the same, and was looked at before.
        if isinstance(around := new_op.parent_op(), scf.ForOp):
            rewriter.notify_op_modified(around)


def _shift(replacements: list[Replacement]) -> list[Replacement]:
    """Count the induction variable, the first argument."""
    return [each + 1 if isinstance(each, int) else each for each in replacements]


def _replace_iter_args(op: scf.ForOp, yielded: scf.YieldOp) -> list[Replacement]:
    replacements: list[Replacement] = []
    seen: dict[tuple[SSAValue, SSAValue], int] = {}
    stays = _never_changes(op, yielded)
    carried = zip(
        op.iter_args,
        op.body.block.args[1:],
        yielded.operands,
        op.results,
        strict=True,
    )
    for index, (init, argument, value, result) in enumerate(carried):
        if stays[index] or (is_unused(argument) and is_unused(result)):
            replacements.append(init)
            continue
        first = seen.setdefault((init, value), index)
        replacements.append(None if first == index else first)
    return replacements


def _never_changes(op: scf.ForOp, yielded: scf.YieldOp) -> list[bool]:
    """For each carried value, whether it is its init in all iterations.

    It is if it goes on as its init, or as another value that never changes and has the
    same init. In a circle of such values, nothing ever changes:

    iter_args(%x = %a, %y = %a) ... scf.yield %y, %x
    """
    inits, block = op.iter_args, op.body.block
    known: list[bool | None] = [
        True if value is init else None
        for value, init in zip(yielded.operands, inits, strict=True)
    ]
    for start in range(len(inits)):
        path: dict[int, None] = {}
        index: int | None = start
        while index is not None and known[index] is None and index not in path:
            path[index] = None
            index = _goes_on_as(index, yielded, block, inits)
        stays = index is not None and known[index] is not False
        for each in path:
            known[each] = stays
    return [bool(each) for each in known]


def _goes_on_as(
    index: int, yielded: scf.YieldOp, block: Block, inits: Sequence[SSAValue]
) -> int | None:
    """The carried value of the same init that value number `index` goes on as."""
    value = yielded.operands[index]
    if not isinstance(value, BlockArgument) or value.block is not block:
        return None
    other = value.index - 1
    return other if other >= 0 and inits[other] is inits[index] else None


class HoistConstantsOutOfFor(RewritePattern):
    """Move constants out of a loop, so that the same ones can be found to be the same.

    xDSL's pattern takes an op that nobody knows for a constant.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter, /) -> None:
        """Move the constants of the body before `op`, and before loops around `op`."""
        constants = [
            inner
            for inner in op.body.block.ops
            if inner.has_trait(ConstantLike, value_if_unregistered=False)
        ]
        if not constants:
            return
        outermost = op
        while isinstance(around := outermost.parent_op(), scf.ForOp):
            outermost = around
        for constant in constants:
            constant.detach()
            rewriter.insert(constant, InsertPoint.before(outermost))

"""What the terminators of the cf dialect pass to the blocks that they lead to."""

from collections.abc import Iterable
from itertools import accumulate, pairwise

from typing_extensions import override
from xdsl.dialects import cf
from xdsl.ir import Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.interfaces.branch import BranchOpInterface
from xdsl_bufferization.interfaces.operands import OpOperand


def _split(
    op: Operation, first: int, counts: Iterable[int]
) -> tuple[tuple[OpOperand, ...], ...]:
    """The operands from number `first` on, so many for each successor."""
    starts = accumulate(counts, initial=first)
    return tuple(
        tuple(OpOperand(op, number) for number in range(start, end))
        for start, end in pairwise(starts)
    )


class BranchOpBranch(BranchOpInterface):
    """`cf.br`: passes all operands."""

    @override
    def get_successor_operands(
        self, op: Operation
    ) -> tuple[tuple[OpOperand, ...], ...]:
        return _split(op, 0, [len(op.operands)])


class ConditionalBranchOpBranch(BranchOpInterface):
    """`cf.cond_br`: the condition first, then what each block gets."""

    @override
    def get_successor_operands(
        self, op: Operation
    ) -> tuple[tuple[OpOperand, ...], ...]:
        assert isinstance(op, cf.ConditionalBranchOp)
        return _split(op, 1, [len(op.then_arguments), len(op.else_arguments)])


class SwitchOpBranch(BranchOpInterface):
    """`cf.switch`: the flag first, then what the default block and the cases get."""

    @override
    def get_successor_operands(
        self, op: Operation
    ) -> tuple[tuple[OpOperand, ...], ...]:
        assert isinstance(op, cf.SwitchOp)
        cases = op.case_operand_segments.get_values()
        return _split(op, 1, [len(op.default_operands), *cases])


MODELS: dict[type[Operation], OpTrait] = {
    cf.BranchOp: BranchOpBranch(),
    cf.ConditionalBranchOp: ConditionalBranchOpBranch(),
    cf.SwitchOp: SwitchOpBranch(),
}

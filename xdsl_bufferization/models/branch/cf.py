"""What the branches of the cf dialect pass to which block."""

from collections.abc import Iterable, Sequence

from typing_extensions import override
from xdsl.dialects import cf
from xdsl.ir import Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.interfaces.branch import BranchOpInterface


class BranchOpBranch(BranchOpInterface):
    """`cf.br`: all operands go to the one successor."""

    @override
    def get_successor_operands(self, op: Operation) -> Sequence[range]:
        return (range(len(op.operands)),)


class ConditionalBranchOpBranch(BranchOpInterface):
    """`cf.cond_br`: after the condition, the operands for each side."""

    @override
    def get_successor_operands(self, op: Operation) -> Sequence[range]:
        assert isinstance(op, cf.ConditionalBranchOp)
        return _after_first([len(op.then_arguments), len(op.else_arguments)])


class SwitchOpBranch(BranchOpInterface):
    """`cf.switch`: after the flag, the operands for the default and for each case."""

    @override
    def get_successor_operands(self, op: Operation) -> Sequence[range]:
        assert isinstance(op, cf.SwitchOp)
        cases = op.case_operand_segments.get_values()
        return _after_first([len(op.default_operands), *map(int, cases)])


def _after_first(sizes: Iterable[int]) -> list[range]:
    """The operands after the first, dealt out in groups of `sizes`."""
    ranges: list[range] = []
    start = 1
    for size in sizes:
        ranges.append(range(start, start + size))
        start += size
    return ranges


MODELS: dict[type[Operation], OpTrait] = {
    cf.BranchOp: BranchOpBranch(),
    cf.ConditionalBranchOp: ConditionalBranchOpBranch(),
    cf.SwitchOp: SwitchOpBranch(),
}

"""What the branches of the cf dialect pass to which block."""

from collections.abc import Sequence
from functools import lru_cache

from typing_extensions import override
from xdsl.dialects import cf
from xdsl.ir import Operation
from xdsl.irdl import AttrSizedOperandSegments
from xdsl.traits import OpTrait

from ...interfaces.branch import BranchOpInterface
from ..slices import static_numbers


class BranchOpBranch(BranchOpInterface):
    """`cf.br`: all operands go to the one successor."""

    @override
    def get_successor_operands(self, op: Operation) -> Sequence[range]:
        return (range(len(op.operands)),)


class ConditionalBranchOpBranch(BranchOpInterface):
    """`cf.cond_br`: after the condition, the operands for each side."""

    @override
    def get_successor_operands(self, op: Operation) -> Sequence[range]:
        _, *sizes = static_numbers(op, AttrSizedOperandSegments.attribute_name)
        return _after_first(tuple(sizes))


class SwitchOpBranch(BranchOpInterface):
    """`cf.switch`: after the flag, the operands for the default and for each case."""

    @override
    def get_successor_operands(self, op: Operation) -> Sequence[range]:
        _, default, _ = static_numbers(op, AttrSizedOperandSegments.attribute_name)
        return _after_first((default, *static_numbers(op, "case_operand_segments")))


@lru_cache(maxsize=1024)
def _after_first(sizes: tuple[int, ...]) -> Sequence[range]:
    """The operands after the first, dealt out in groups of `sizes`."""
    ranges: list[range] = []
    start = 1
    for size in sizes:
        ranges.append(range(start, start + size))
        start += size
    return tuple(ranges)


MODELS: dict[type[Operation], OpTrait] = {
    cf.BranchOp: BranchOpBranch(),
    cf.ConditionalBranchOp: ConditionalBranchOpBranch(),
    cf.SwitchOp: SwitchOpBranch(),
}

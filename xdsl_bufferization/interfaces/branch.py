"""Control flow between the blocks of one region.

The questions of MLIR's `BranchOpInterface`: which operands a terminator passes to the
arguments of each of its successors. The analysis of unstructured control flow and its
bufferization see branches only through this interface.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from xdsl.ir import BlockArgument, Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.interfaces.operands import OpOperand


class BranchOpInterface(OpTrait):
    """How a terminator passes values to blocks (MLIR's interface of that name)."""

    @abstractmethod
    def get_successor_operands(self, op: Operation) -> Sequence[range]:
        """For each successor, the numbers of the operands that become its arguments."""


def get_branch(op: Operation) -> BranchOpInterface | None:
    """The answers of `op` about its successors, or None if it gives none."""
    return op.get_trait(BranchOpInterface) if op.successors else None


def get_passed_argument(operand: OpOperand) -> BlockArgument | None:
    """The block argument that a branch passes `operand` to, or None."""
    op, number = operand
    branch = get_branch(op)
    if branch is None:
        return None
    ranges = branch.get_successor_operands(op)
    for block, numbers in zip(op.successors, ranges, strict=True):
        if number in numbers:
            return block.args[number - numbers.start]
    return None


def get_incoming_operands(argument: BlockArgument) -> Iterator[OpOperand]:
    """The operands of branches that `argument` may get its value from."""
    block = argument.block
    # A branch that leads here twice is there twice.
    for op in dict.fromkeys(use.operation for use in block.uses):
        branch = get_branch(op)
        if branch is None:
            continue
        ranges = branch.get_successor_operands(op)
        for successor, numbers in zip(op.successors, ranges, strict=True):
            if successor is block:
                yield OpOperand(op, numbers[argument.index])

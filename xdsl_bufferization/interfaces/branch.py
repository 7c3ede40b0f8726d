"""Control flow between the blocks of one region.

The question of MLIR's `BranchOpInterface`: what a terminator passes to the blocks that
it leads to. Everything here sees unstructured control flow only through it, so that a
terminator of any dialect takes part by answering.

    cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2    // (range(1, 2), range(2, 2))
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from xdsl.ir import BlockArgument, Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.interfaces.operands import OpOperand


class BranchOpInterface(OpTrait):
    """What a terminator passes to its successors (MLIR's interface of that name)."""

    @abstractmethod
    def get_successor_operands(self, op: Operation) -> Sequence[range]:
        """For each successor the numbers of the operands that become its arguments.

        There is no safe answer when unsure: what a block gets must be known.
        """


def get_branch(op: Operation) -> BranchOpInterface | None:
    """What is known of `op` as a branch, or None if it is not known to be one."""
    return op.get_trait(BranchOpInterface) if op.successors else None


def passed_operands(
    branch: BranchOpInterface, op: Operation
) -> list[tuple[OpOperand, ...]]:
    """For each successor of `op` the operands that it gets, one for each argument."""
    return [
        tuple(OpOperand(op, number) for number in numbers)
        for numbers in branch.get_successor_operands(op)
    ]


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

"""Control flow between the blocks of one region.

The question of MLIR's `BranchOpInterface`: what a terminator passes to the blocks that
it leads to. Everything here sees unstructured control flow only through it, so that a
terminator of any dialect takes part by answering.

    cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2    // (range(1, 2), range(2, 2))
"""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from xdsl.ir import BlockArgument, Operation
from xdsl.traits import OpTrait

from .operands import OpOperand


class BranchOpInterface(OpTrait):
    """What a terminator passes to its successors (MLIR's interface of that name)."""

    @abstractmethod
    def get_successor_operands(self, op: Operation) -> Sequence[range]:
        """For each successor the numbers of the operands that become its arguments.

        There is no safe answer when unsure: what a block gets must be known.
        """


def get_branch(op: Operation) -> BranchOpInterface | None:
    """What is known of `op` as a branch, or None if it is not known to be one."""
    if not op.successors:
        return None
    op_type = type(op)
    branch = _FOUND.get(op_type) or op.get_trait(BranchOpInterface)
    if branch is not None:
        _FOUND[op_type] = branch
    return branch


_FOUND: dict[type[Operation], BranchOpInterface] = {}
"""What is known of kinds of ops; a class keeps the one that it has."""


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
    index = _find_range(ranges, number)
    if index is None:
        return None
    return op.successors[index].args[number - ranges[index].start]


def _find_range(ranges: Sequence[range], number: int) -> int | None:
    # As a rule they follow each other.
    index = bisect_right(ranges, number, key=_start_of) - 1
    if index >= 0 and number in ranges[index]:
        return index
    return next((n for n, numbers in enumerate(ranges) if number in numbers), None)


def _start_of(numbers: range) -> int:
    return numbers.start


def get_incoming_operands(argument: BlockArgument) -> Iterator[OpOperand]:
    """The operands of branches that `argument` may get its value from."""
    # A branch that leads here twice is there twice.
    indices: dict[Operation, list[int]] = {}
    for use in argument.block.uses:
        indices.setdefault(use.operation, []).append(use.index)
    for op, successors in indices.items():
        branch = get_branch(op)
        if branch is not None:
            ranges = branch.get_successor_operands(op)
            for index in sorted(successors):
                yield OpOperand(op, ranges[index][argument.index])

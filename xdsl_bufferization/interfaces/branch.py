"""Control flow between the blocks of one region.

The question of MLIR's `BranchOpInterface`: what a terminator passes to the blocks that
it leads to. Analyses of buffers see unstructured control flow only through it, so that
a terminator of any dialect takes part by answering.

    cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2    // ((operand 1,), ())
"""

from abc import abstractmethod
from collections.abc import Iterator

from xdsl.ir import BlockArgument, Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.interfaces.operands import OpOperand


class BranchOpInterface(OpTrait):
    """What a terminator passes to its successors (MLIR's interface of that name)."""

    @abstractmethod
    def get_successor_operands(
        self, op: Operation
    ) -> tuple[tuple[OpOperand, ...], ...]:
        """For each successor the operands that it gets, one for each argument.

        There is no safe answer when unsure: what a block gets must be known.
        """


def get_branch(op: Operation) -> BranchOpInterface | None:
    """The answers of `op` about its successors, or None if it gives none."""
    return op.get_trait(BranchOpInterface) if op.successors else None


def branch_flows(
    op: Operation, branch: BranchOpInterface
) -> Iterator[tuple[OpOperand, BlockArgument]]:
    """The operands that `op` passes on, and the block arguments that they become."""
    passed = branch.get_successor_operands(op)
    for successor, operands in zip(op.successors, passed, strict=True):
        yield from zip(operands, successor.args, strict=True)

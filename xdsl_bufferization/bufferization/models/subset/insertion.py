"""What inserts its first operand into its second one."""

from collections.abc import Hashable, Sequence

from typing_extensions import override
from xdsl.ir import Operation, SSAValue

from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.subset import WHOLE, SubsetExtraction, SubsetInsertionOpInterface


class Insertion(SubsetInsertionOpInterface):
    """A part of a destination; all operands after it tell which."""

    @override
    def get_container(self, op: Operation) -> OpOperand:
        return OpOperand(op, 1)

    @override
    def get_source(self, op: Operation) -> OpOperand:
        return OpOperand(op, 0)

    @override
    def get_values_needed_to_build_subset_extraction(
        self, op: Operation
    ) -> Sequence[SSAValue]:
        return op.operands[1:]


class WholeInsertion(Insertion):
    """All of a destination, which is a tensor or a buffer.

    A buffer is not made a tensor here: a subclass may know how.
    """

    @override
    def get_subset(self, op: Operation) -> Hashable:
        return WHOLE

    @override
    def build_subset_extraction(self, op: Operation) -> SubsetExtraction | None:
        destination = op.operands[1]
        return SubsetExtraction(destination, None) if is_tensor(destination) else None

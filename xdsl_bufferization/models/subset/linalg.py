"""`linalg.copy` as an insertion into all of its destination."""

from collections.abc import Hashable, Sequence

from typing_extensions import override
from xdsl.dialects.linalg import ops
from xdsl.ir import Operation, SSAValue
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.interfaces.operands import OpOperand, is_tensor
from xdsl_bufferization.interfaces.subset import (
    WHOLE,
    SubsetExtraction,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
)


class CopyOpSubset(SubsetInsertionOpInterface):
    """`linalg.copy`: all of its destination, a tensor or a buffer."""

    @override
    def get_container(self, op: Operation) -> OpOperand:
        return OpOperand(op, 1)

    @override
    def get_source(self, op: Operation) -> OpOperand:
        return OpOperand(op, 0)

    @override
    def get_subset(self, op: Operation) -> Hashable:
        return WHOLE

    @override
    def get_values_needed_to_build_subset_extraction(
        self, op: Operation
    ) -> Sequence[SSAValue]:
        return op.operands[1:]

    @override
    def build_subset_extraction(self, op: Operation) -> SubsetExtraction | None:
        source, destination = op.operands
        # A copy may also make other numbers of the elements.
        same = get_element_type_or_self(source.type) == get_element_type_or_self(
            destination.type
        )
        if not same or not is_tensor(destination):
            return None
        return SubsetExtraction(destination, None)


MODELS: dict[type[Operation], SubsetOpInterface] = {ops.CopyOp: CopyOpSubset()}

"""`bufferization.materialize_in_destination` as an insertion into all of a tensor."""

from collections.abc import Hashable, Sequence

from typing_extensions import override
from xdsl.dialects import bufferization
from xdsl.dialects.builtin import MemRefType, TensorType, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.interfaces.operands import OpOperand, is_tensor
from xdsl_bufferization.interfaces.subset import (
    WHOLE,
    SubsetExtraction,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
)


class MaterializeInDestinationOpSubset(SubsetInsertionOpInterface):
    """`materialize_in_destination`: all of its destination, a tensor or a buffer."""

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
        assert isinstance(op, bufferization.MaterializeInDestinationOp)
        destination = op.dest
        if is_tensor(destination):
            return SubsetExtraction(destination, None)
        # `restrict` says that no other tensor is made of this buffer: it moves on.
        if op.restrict is None or not isa(destination.type, MemRefType):
            return None
        op.properties.pop("restrict")
        properties = {"restrict": UnitAttr()}
        if op.writable is not None:
            properties["writable"] = UnitAttr()
        type_ = TensorType(destination.type.element_type, destination.type.shape)
        to_tensor = bufferization.ToTensorOp.create(
            operands=[destination], result_types=[type_], properties=properties
        )
        return SubsetExtraction(to_tensor.tensor, to_tensor)


MODELS: dict[type[Operation], SubsetOpInterface] = {
    bufferization.MaterializeInDestinationOp: MaterializeInDestinationOpSubset(),
}

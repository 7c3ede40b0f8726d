"""`bufferization.materialize_in_destination` as an insertion into all of a tensor."""

from typing_extensions import override
from xdsl.dialects import bufferization
from xdsl.dialects.builtin import MemRefType, TensorType, UnitAttr
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from ...interfaces.subset import SubsetExtraction, SubsetOpInterface
from .insertion import WholeInsertion


class MaterializeInDestinationOpSubset(WholeInsertion):
    """`materialize_in_destination`: all of its destination, a tensor or a buffer."""

    @override
    def build_subset_extraction(self, op: Operation) -> SubsetExtraction | None:
        assert isinstance(op, bufferization.MaterializeInDestinationOp)
        if (tensor := super().build_subset_extraction(op)) is not None:
            return tensor
        destination = op.dest
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

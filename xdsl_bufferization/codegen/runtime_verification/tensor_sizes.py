"""The sizes of tensors, without asking tensors that ops compute.

    %1 = linalg.add ins(%a, %b) outs(%0) -> tensor<?xf32>
    size 0 of %1    -> size 0 of %0, or what %0 was made with, and so on

A check that asks a computed tensor would be one more use of the tensor, and passes that
look for a single use would see another program.
"""

from xdsl.dialects import bufferization, memref, tensor
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.interfaces.operands import (
    is_elementwise_on_tensors,
    is_ranked_tensor_type,
)
from xdsl_bufferization.bufferization.interfaces.same_shape import same_shape
from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    constant_integer,
)
from xdsl_bufferization.dialects.tensor.canonicalization.sizes import defined_size

Size = tuple[SSAValue, int]
"""A tensor or buffer, and a dimension of it."""


class SizeOrigins:
    """Where sizes come from: each is followed once."""

    def __init__(self) -> None:
        self._found: dict[Size, OpFoldResult | Size] = {}

    def of_size(self, shaped: SSAValue, dimension: int) -> OpFoldResult | Size:
        """A number, or the first tensor or buffer that has a size."""
        size, path = (shaped, dimension), list[Size]()
        while (found := self._found.get(size)) is None:
            path.append(size)
            step = _step(*size)
            if not isinstance(step, tuple) or step == size:
                found = step
                break
            size = step
        self._found.update(dict.fromkeys(path, found))
        return found

    def of_number(self, number: SSAValue) -> OpFoldResult | Size:
        """The same for a number, which may be that of a size."""
        size = _asked_size(number)
        return number if size is None else self.of_size(*size)


def _step(shaped: SSAValue, dimension: int) -> OpFoldResult | Size:
    """What a size is, or what has it before; itself, if nothing does."""
    found = defined_size(shaped, dimension)
    if found is not None:
        size = None if isinstance(found, int) else _asked_size(found)
        return size or found
    owner = shaped.owner
    if isinstance(owner, bufferization.ToTensorOp) and isa(
        owner.memref.type, MemRefType
    ):
        return owner.memref, dimension
    return _source(shaped) or shaped, dimension


def _asked_size(number: SSAValue) -> Size | None:
    """The size that a `tensor.dim` asks for."""
    owner = number.owner
    if not isinstance(owner, tensor.DimOp):
        return None
    index, type_ = constant_integer(owner.index), owner.source.type
    if index is None or not is_ranked_tensor_type(type_):
        return None
    return (owner.source, index) if 0 <= index < type_.get_num_dims() else None


def _source(value: SSAValue) -> SSAValue | None:
    """What has the sizes of a tensor, and comes before it."""
    if not isinstance(value, OpResult):
        return None
    op: Operation = value.op
    if is_elementwise_on_tensors(op):
        tensors = (each for each in op.operands if isinstance(each.type, TensorType))
        return next(tensors)
    source = same_shape(op, value.index)
    if source is None or not is_ranked_tensor_type(source.type):
        return None
    return source


def ask_for_size(value: SSAValue, index: SSAValue) -> Operation:
    """The op that asks a tensor or a buffer for a size."""
    dim = memref.DimOp if isa(value.type, MemRefType) else tensor.DimOp
    return dim(value, index)


def shape_of(value: SSAValue) -> tuple[int, ...] | None:
    """The shape of a tensor or buffer with a rank; None for anything else."""
    type_ = value.type
    if isa(type_, MemRefType) or isinstance(type_, TensorType):
        return type_.get_shape()
    return None

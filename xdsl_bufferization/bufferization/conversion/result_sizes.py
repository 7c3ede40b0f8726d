"""The sizes of what functions return, as their callers can compute them.

    func.func @f(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
      %0 = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>       // as large as argument 0
    }

A caller that passes a buffer for a result allocates the buffer before the call. So the
size has to follow from what is passed: from the size of a tensor, or from a number. It
is found through ops that keep the size of an operand, and ops that are told theirs. All
returns of a function must agree. Any other size is not known.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    ModuleOp,
    SymbolRefAttr,
    TensorType,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import (
    constant_integer,
    index_constant,
)
from xdsl_bufferization.dialects.tensor.canonicalization.sizes import defined_size

from ..analyses.calls.call_graph import callees_first
from ..bufferize.function_users import returns_of
from ..interfaces.same_shape import same_shape
from ..models import new_ops
from .value_conversion import ValueConversion


@dataclass(frozen=True)
class _ArgumentSize:
    """A size of an argument that is a tensor."""

    argument: int
    dimension: int


@dataclass(frozen=True)
class _Argument:
    """An argument that is a number."""

    argument: int


_Size = int | _ArgumentSize | _Argument


class FunctionResultSizes:
    """The sizes of the results of all functions of a module, as it is now."""

    def __init__(self, module: ModuleOp):
        functions = [op for op in module.ops if isinstance(op, FuncOp)]
        self._sizes: dict[tuple[str, int, int], _Size] = {}
        for function in callees_first(functions):
            for number, type_ in enumerate(function.function_type.outputs):
                if isinstance(type_, TensorType):
                    self._find(function, number, type_.get_shape())

    def __call__(
        self, conversion: ValueConversion, call: Operation, number: int
    ) -> Sequence[SSAValue] | None:
        """The dynamic sizes of result `number` of `call`, None if they are unknown.

        They are computed where `conversion` inserts ops.
        """
        type_, callee = call.results[number].type, _callee(call)
        if callee is None or not isa(type_, TensorType):
            return None
        sizes: list[SSAValue] = []
        for dimension, static_size in enumerate(type_.get_shape()):
            if static_size == DYNAMIC_INDEX:
                size = self._sizes.get((callee, number, dimension))
                if size is None:
                    return None
                sizes.append(_compute(size, call, conversion))
        return sizes

    def _find(self, function: FuncOp, number: int, shape: Sequence[int]) -> None:
        returned = [op.operands[number] for op in returns_of(function)]
        for dimension, static_size in enumerate(shape):
            if static_size != DYNAMIC_INDEX:
                continue
            sizes = {self._size_of(value, dimension) for value in returned}
            if len(sizes) == 1 and (size := sizes.pop()) is not None:
                self._sizes[function.sym_name.data, number, dimension] = size

    def _size_of(self, value: SSAValue, dimension: int) -> _Size | None:
        """A size of a tensor or a number, followed to where its function gets it.

        A number has dimension -1.
        """
        while True:
            found = _known_size(value, dimension)
            if found is not None:
                return found
            step = self._step(value, dimension)
            if step is None:
                return None
            value, dimension = step

    def _step(self, value: SSAValue, dimension: int) -> tuple[SSAValue, int] | None:
        """What has the same size as `value`, and comes before it; -1 for a number."""
        if not isinstance(value, OpResult):
            return None
        op = value.op
        if isinstance(op, CallOp):
            return self._step_into_call(op, value.index, dimension)
        if isinstance(op, tensor.DimOp):
            index = constant_integer(op.index)
            if index is None or not _has_dimension(op.source, index):
                return None
            return op.source, index
        if dimension == _NUMBER:
            return None
        size = defined_size(value, dimension)
        if isinstance(size, SSAValue):
            return size, _NUMBER
        source = same_shape(op, value.index)
        return None if source is None else (source, dimension)

    def _step_into_call(
        self, call: CallOp, number: int, dimension: int
    ) -> tuple[SSAValue, int] | None:
        match self._sizes.get((call.callee.root_reference.data, number, dimension)):
            case _ArgumentSize(argument, its_dimension):
                return call.operands[argument], its_dimension
            case _Argument(argument):
                return call.operands[argument], _NUMBER
            case _:
                return None


_NUMBER = -1


def _has_dimension(value: SSAValue, dimension: int) -> bool:
    """Whether a tensor has a size; an op that asks for another is not defined."""
    type_ = value.type
    return isa(type_, TensorType) and 0 <= dimension < type_.get_num_dims()


def _known_size(value: SSAValue, dimension: int) -> _Size | None:
    """The size if no other value has to be asked."""
    if dimension == _NUMBER:
        constant = constant_integer(value)
        if constant is not None:
            return constant
    elif isa(value.type, TensorType):
        size = value.type.get_shape()[dimension]
        if size != DYNAMIC_INDEX:
            return size
    if not isinstance(value, BlockArgument):
        return None
    block = value.block
    if block.prev_block is not None or not isinstance(block.parent_op(), FuncOp):
        return None
    if dimension == _NUMBER:
        return _Argument(value.index) if value.type == IndexType() else None
    return _ArgumentSize(value.index, dimension)


def _callee(call: Operation) -> str | None:
    callee = call.properties.get("callee")
    if not isinstance(callee, SymbolRefAttr) or callee.nested_references.data:
        return None
    return callee.root_reference.data


def _compute(size: _Size, call: Operation, conversion: ValueConversion) -> SSAValue:
    """The size of a result of `call`, from the operands of the call."""
    builder = conversion.builder
    match size:
        case _Argument(argument):
            return call.operands[argument]
        case _ArgumentSize(argument, dimension):
            (buffer,) = conversion.to_parts(call.operands[argument])
            index = builder.insert(index_constant(dimension)).result
            return builder.insert(new_ops.dim(buffer, index)).result
        case _:
            return builder.insert(index_constant(size)).result

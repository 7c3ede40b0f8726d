"""Small tensors of integers whose elements are known: what sizes are computed with.

    %n = stablehlo.get_dimension_size %x, dim = 0    3, if x is a tensor<3x4xf32>
    %m = stablehlo.add %n, %one                      4
    %s = stablehlo.concatenate %m, %four             [4, 4]

Sources: https://openxla.org/stablehlo/spec, and as XLA has it where that leaves it open
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.dialects.stablehlo.attributes import Direction
from xdsl_bufferization.dialects.stablehlo.elementwise import CompareOp
from xdsl_bufferization.dialects.stablehlo.open_sizes import GetDimensionSizeOp
from xdsl_bufferization.dialects.stablehlo.shapes import (
    BroadcastInDimOp,
    ConcatenateOp,
    ConstantOp,
    IotaOp,
    ReshapeOp,
    TransposeOp,
)
from xdsl_bufferization.dialects.stablehlo.slices import SliceOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp, tensor_type
from xdsl_bufferization.dialects.text.splats import from_list

Numbers: TypeAlias = NDArray[Any]

_MOST: Final = 64
"""How many elements a tensor may have that sizes are computed with."""

_INTEGERS: Final = ("i1", "i8", "i16", "i32", "i64")
"""Those that NumPy has."""


def _quotient(x: Numbers, y: Numbers) -> Numbers:
    """Towards zero; by 0 all bits are set."""
    by = np.where(y == 0, 1, y).astype(y.dtype)
    quotient = np.floor_divide(x, by)
    is_rounded_down = (quotient < 0) & (quotient * by != x)
    found = np.where(is_rounded_down, quotient + 1, quotient)
    return np.where(y == 0, np.array(-1).astype(x.dtype), found)


def _remainder(x: Numbers, y: Numbers) -> Numbers:
    """With the sign of the first; by 0 it is the first."""
    by = np.where(y == 0, 1, y).astype(y.dtype)
    return np.where(y == 0, x, np.fmod(x, by))


def _clamped(low: Numbers, x: Numbers, high: Numbers) -> Numbers:
    return np.minimum(np.maximum(x, low), high)


_ELEMENTWISE: Final[dict[str, Callable[..., Any]]] = {
    "stablehlo.abs": np.abs,
    "stablehlo.add": np.add,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.clamp": _clamped,
    "stablehlo.convert": np.asarray,
    "stablehlo.divide": _quotient,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
    "stablehlo.multiply": np.multiply,
    "stablehlo.negate": np.negative,
    "stablehlo.not": np.invert,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.remainder": _remainder,
    "stablehlo.select": np.where,
    "stablehlo.sign": np.sign,
    "stablehlo.subtract": np.subtract,
    "stablehlo.xor": np.bitwise_xor,
}

_COMPARISONS: Final[dict[Direction, Callable[..., Any]]] = {
    Direction.EQ: np.equal,
    Direction.NE: np.not_equal,
    Direction.GE: np.greater_equal,
    Direction.GT: np.greater,
    Direction.LE: np.less_equal,
    Direction.LT: np.less,
}


def is_small(type_: Attribute) -> bool:
    """Whether elements are integers, and few enough to be computed here."""
    if not isinstance(type_, TensorType):
        return False
    tensor = cast("TensorType[Attribute]", type_)
    if str(tensor.element_type).lstrip("us") not in _INTEGERS:
        return False
    return tensor.has_static_shape() and prod(tensor.get_shape()) <= _MOST


def numbers_of(
    op: StableHLOOp, known: Callable[[SSAValue], Numbers | None]
) -> Numbers | None:
    """The elements of the only result, of known operands; None: not known.

    The types of the operands have been refined.
    """
    if isinstance(op, GetDimensionSizeOp):
        size = op.shape()[op.integer("dimension")]
        return None if size < 0 else np.array(size, _dtype(op.result_element))
    if len(op.outputs) != 1 or not is_small(op.outputs[0].type):
        return None
    if isinstance(op, ConstantOp):
        return _elements(op)
    operands = [known(value) for value in op.values]
    if any(each is None for each in operands):
        return None
    with np.errstate(all="ignore"):
        found = _computed(op, cast("Sequence[Any]", operands))
    if found is None:
        return None
    return np.asarray(found, _dtype(op.result_element)).reshape(op.result_shape)


def constant_of(numbers: Numbers, type_: Attribute) -> ConstantOp:
    """A constant with these elements."""
    tensor = cast("TensorType[Any]", type_)
    type_ = TensorType(tensor.element_type, numbers.shape)
    if not numbers.size:
        value = DenseIntOrFPElementsAttr.from_list(type_, [])
    else:
        value = from_list(type_, [int(each) for each in numbers.ravel()])
    return ConstantOp([], [type_], value=value)


def _elements(op: ConstantOp) -> Numbers | None:
    value: object = op.value
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return None
    constant = cast("DenseIntOrFPElementsAttr[Any]", value)
    dtype = _dtype(op.result_element)
    mask = (1 << 64) - 1
    numbers = [int(each) & mask for each in constant.get_values()]
    return np.array(numbers, np.uint64).astype(dtype).reshape(op.result_shape)


def _dtype(element: Attribute) -> np.dtype[Any]:
    integer = cast("IntegerType", element)
    width = integer.width.data
    if width == 1:
        return np.dtype(np.bool_)
    sign = "u" if integer.signedness.data is Signedness.UNSIGNED else "i"
    return np.dtype(f"{sign}{width // 8}")


def _computed(op: StableHLOOp, operands: Sequence[Any]) -> Any:
    if op.name in _ELEMENTWISE:
        return _ELEMENTWISE[op.name](*operands)
    match op:
        case CompareOp():
            return _COMPARISONS[op.comparison_direction.data](*operands)
        case ReshapeOp():
            return operands[0]
        case ConcatenateOp():
            return np.concatenate(operands, op.integer("dimension"))
        case SliceOp():
            return operands[0][tuple(slice(*bounds) for bounds in op.ranges)]
        case TransposeOp():
            return operands[0].transpose(op.ints("permutation"))
        case BroadcastInDimOp():
            return _broadcast(op, operands[0])
        case IotaOp():
            return np.indices(op.result_shape)[op.integer("iota_dimension")]
        case _:
            return None


def _broadcast(op: BroadcastInDimOp, x: Numbers) -> Numbers:
    sizes = [1] * len(tensor_type(op.outputs[0]).get_shape())
    for size, dim in zip(x.shape, op.dims, strict=True):
        sizes[dim] = size
    return np.broadcast_to(x.reshape(sizes), op.result_shape)

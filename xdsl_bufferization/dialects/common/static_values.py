"""Numbers that are known now, and values that hold them when the program runs.

    memref.subview %m[0, %i] ...        static_offsets = [0, dynamic], offsets = [%i]

    mixed_values([0, dynamic], [%i])    [0, %i]
    decompose_mixed_values([0, %i])     ([0, dynamic], [%i])
    fold_constants([0, %i])             [0, 4], if %i is the constant 4

Names and rules are those of MLIR's `Dialect/Utils/StaticValueUtils.h`.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue

OpFoldResult: TypeAlias = SSAValue | int
"""A number that is known, or the value that holds it when the program runs.

The name is MLIR's, where the known number is an attribute.
"""

_Value = TypeVar("_Value")
_INDEX = IndexType()
_CONSTANT_OF_INDEX = "index.constant"
"""An op of a dialect that builds on this room, so that only its name is known here."""


# The two forms of a list.


def mixed_values(
    static: Iterable[int], dynamic: Iterable[_Value]
) -> list[_Value | int]:
    """The numbers of an op in order: those written in the op, and operands.

    MLIR's `getMixedValues`. An operand stands for each `DYNAMIC_INDEX`.
    """
    values = iter(dynamic)
    return [next(values) if each == DYNAMIC_INDEX else each for each in static]


def static_values(numbers: Iterable[OpFoldResult]) -> list[int]:
    """The known numbers, with `DYNAMIC_INDEX` in the place of each value."""
    return [each if isinstance(each, int) else DYNAMIC_INDEX for each in numbers]


def dynamic_values(numbers: Iterable[OpFoldResult]) -> list[SSAValue]:
    """The numbers that are values."""
    return [each for each in numbers if not isinstance(each, int)]


def decompose_mixed_values(
    numbers: Sequence[OpFoldResult],
) -> tuple[list[int], list[SSAValue]]:
    """How an op holds `numbers`: those that are known, and its operands.

    MLIR's `decomposeMixedValues`, the inverse of `mixed_values`.
    """
    return static_values(numbers), dynamic_values(numbers)


# Constants.


def constant_integer(number: OpFoldResult) -> int | None:
    """The integer that `number` always is, or None; MLIR's `getConstantIntValue`.

    %c4 = arith.constant 4 : index      // 4
    %c5 = index.constant 5              // 5
    %n = tensor.dim %t, %c0             // unknown
    """
    if isinstance(number, int):
        return number
    owner = number.owner
    if not isinstance(owner, Operation):
        return None
    if not isinstance(owner, arith.ConstantOp) and owner.name != _CONSTANT_OF_INDEX:
        return None
    attribute = owner.properties.get("value")
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def fold_constant(
    number: OpFoldResult, *, negative: bool = False, zero: bool = True
) -> OpFoldResult:
    """The constant that a value is, else `number`; a negative one only on request."""
    # Whether it is a value takes longer to tell.
    constant = None if isinstance(number, int) else constant_integer(number)
    if constant is None or constant == DYNAMIC_INDEX:
        return number
    if (constant < 0 and not negative) or (constant == 0 and not zero):
        return number
    return constant


def fold_constants(
    numbers: Iterable[OpFoldResult], *, negative: bool = False, zero: bool = True
) -> list[OpFoldResult]:
    """As `fold_constant`, for each; MLIR's `foldDynamicIndexList`."""
    return [fold_constant(each, negative=negative, zero=zero) for each in numbers]


@lru_cache(maxsize=1024)
def index_attribute(number: int) -> IntegerAttr[IndexType]:
    """A number of type index."""
    return IntegerAttr(number, _INDEX)


def index_constant(number: int) -> arith.ConstantOp:
    """`arith.constant` of type index.

    Made without the checks of the constructor, which take longer than the op itself.
    """
    return arith.ConstantOp.create(
        result_types=[_INDEX], properties={"value": index_attribute(number)}
    )

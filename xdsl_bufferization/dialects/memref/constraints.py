"""What several ops of the memref dialect ask of their operands and attributes.

memref<4xf32>, memref<*xf32>    BUFFER
memref<4xf32>                   RANKED_BUFFER
{alignment = 64 : i64}          verify_alignment
"""

from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyUnrankedMemRefTypeConstr,
    IntegerAttr,
    MemRefType,
)
from xdsl.ir import SSAValue
from xdsl.utils.bitwise_casts import is_power_of_two
from xdsl.utils.exceptions import VerifyException

from .layouts import count_layout_symbols

RANKED_BUFFER = MemRefType.constr()
"""A buffer whose number of dimensions is known."""

BUFFER = RANKED_BUFFER | AnyUnrankedMemRefTypeConstr
"""Any buffer."""


def verify_alignment(alignment: IntegerAttr | None) -> None:
    """An alignment is a power of two."""
    if alignment is None:
        return
    value = alignment.value.data
    if value <= 0 or not is_power_of_two(value):
        raise VerifyException(
            "attribute 'alignment' failed to satisfy constraint: 64-bit signless "
            "integer attribute whose value is positive and whose value is a power of "
            f"two > 0, but got {value}"
        )


def verify_dynamic_sizes(type_: MemRefType, given: int) -> None:
    """There is one size for each dynamic dimension of `type_`."""
    expected = type_.get_shape().count(DYNAMIC_INDEX)
    if given != expected:
        raise VerifyException(
            f"incorrect number of dynamic sizes, has {given}, expected {expected}"
        )


def verify_layout_symbols(type_: MemRefType, given: int) -> None:
    """There is one operand for each symbol of the layout of `type_`."""
    expected = count_layout_symbols(type_)
    if given != expected:
        raise VerifyException(
            "symbol operand count does not equal memref symbol count: "
            f"expected {expected}, got {given}"
        )


def verify_index_count(type_: MemRefType, given: int, what: str) -> None:
    """There is one index for each dimension of `type_`."""
    expected = type_.get_num_dims()
    if given != expected:
        raise VerifyException(
            f"incorrect number of indices for {what}, expected {expected} but got "
            f"{given}"
        )


def ranked(value: SSAValue) -> MemRefType:
    """The type of a value that is known to be a ranked buffer."""
    type_ = value.type
    assert isinstance(type_, MemRefType)
    # `isa` and `SSAValue.get` say so too, but verify all parameters of the type.
    return cast(MemRefType, type_)

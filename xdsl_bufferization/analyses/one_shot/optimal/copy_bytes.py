"""What each copy costs: bytes copied and bytes allocated, times estimated trips.

    scf.for %i = %c0 to %c8 step %c1 ... {
      %1 = tensor.insert %f into %0[%i] : tensor<4xf32>   // out of place: 128 bytes
    }

Bytes that nobody reads are allocated, and not copied. An extent that only the running
program knows counts as 100.
"""

from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.analyses.one_shot.copy_cost import can_omit_tensor_copy
from xdsl_bufferization.analyses.tensor_facts.tensor_facts import TensorFacts
from xdsl_bufferization.analyses.tensor_facts.trips import EstimatedTrips
from xdsl_bufferization.dialects.memref.sizes import count_element_bytes
from xdsl_bufferization.interfaces.noted_copies import find_copied_value
from xdsl_bufferization.interfaces.operands import OpOperand

UNKNOWN_EXTENT = 100
"""What an extent counts as that only the running program knows."""

_UNKNOWN_ELEMENT = 8
"""The bytes of an element of a type that has no size yet."""


class Bytes(NamedTuple):
    """What copies cost, over all iterations."""

    copied: int
    allocated: int

    def plus(self, other: "Bytes") -> "Bytes":
        """The cost of both."""
        return Bytes(self.copied + other.copied, self.allocated + other.allocated)


NOTHING = Bytes(0, 0)


class CopyBytes:
    """The costs of the copies of one root op."""

    def __init__(self, facts: TensorFacts):
        self._facts = facts
        self._trips = EstimatedTrips()

    def of_copy(self, operand: OpOperand) -> Bytes:
        """A new buffer for `operand`, with its contents where they are read."""
        size = self._measure(find_copied_value(operand, self._facts), operand)
        is_empty = can_omit_tensor_copy(operand, self._facts)
        return Bytes(0 if is_empty else size, size)

    def of_transfer(self, operand: OpOperand) -> Bytes:
        """A copy of what `operand` carries into a buffer that exists."""
        return Bytes(self._measure(operand.value, operand), 0)

    def of_clone(self, operand: OpOperand) -> Bytes:
        """A new buffer with what `operand` carries."""
        size = self._measure(operand.value, operand)
        return Bytes(size, size)

    def _measure(self, value: SSAValue, operand: OpOperand) -> int:
        place = self._facts.get_use(operand).place
        return count_estimated_bytes(value) * self._trips.of_block(place.block)


def count_estimated_bytes(value: SSAValue) -> int:
    """The bytes of a tensor or a buffer, where unknown extents count as 100."""
    type_ = value.type
    if not isa(type_, TensorType):
        return UNKNOWN_EXTENT * _UNKNOWN_ELEMENT
    element = count_element_bytes(type_.element_type) or _UNKNOWN_ELEMENT
    return element * prod(
        UNKNOWN_EXTENT if extent == DYNAMIC_INDEX else extent
        for extent in type_.get_shape()
    )

"""What each copy costs: bytes copied and bytes allocated, times estimated trips.

    scf.for %i = %c0 to %c8 step %c1 ... {
      %1 = tensor.insert %f into %0[%i] : tensor<4xf32>   // out of place: 128 bytes
    }

Bytes that nobody reads are allocated, and not copied. An extent that only the running
program knows counts as 100.
"""

from typing import NamedTuple

from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.memref.sizes import estimate_bytes

from ....interfaces.noted_copies import find_copied_value
from ....interfaces.operands import OpOperand
from ...tensor_facts.tensor_facts import TensorFacts
from ...tensor_facts.trips import EstimatedTrips
from ..copy_cost import can_omit_tensor_copy


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
        point = self._facts.get_use(operand).point
        return estimate_bytes(value.type) * self._trips.of_block(point.block)

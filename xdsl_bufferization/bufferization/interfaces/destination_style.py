"""Destination-passing style: ops whose results are written into operands.

MLIR's `DestinationStyleOpInterface`. The i-th init is tied to the i-th tensor result.
"""

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.traits import OpTrait

from .operands import OpOperand


class DestinationStyleOpInterface(OpTrait):
    """Which operands are the destinations of an op."""

    @abstractmethod
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        """The operands that the results are written to, in the order of the results."""

    def get_dps_init_numbers(self, op: Operation) -> Sequence[int]:
        """The numbers of these operands.

        The default asks for the operands; as it is asked often, answer it as well where
        the numbers are all that is needed to know them.
        """
        return [init.number for init in self.get_dps_inits(op)]

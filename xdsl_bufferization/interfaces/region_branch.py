"""Control flow between an operation and its regions.

The questions of MLIR's `RegionBranchOpInterface`: where control and values go when an
operation is entered and when one of its regions ends. The analysis and deallocation
passes see structured control flow only through them, so that an op of any dialect
takes part by answering.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import OpTrait

from xdsl_bufferization.interfaces.operands import OpOperand


class RegionSuccessor(NamedTuple):
    """Where control may go next, and the values that are assigned there."""

    region: Region | None
    """The region entered, or None where control returns to after the op."""

    inputs: tuple[SSAValue, ...]
    """Values that receive the forwarded operands: block arguments or op results."""


class RegionBranchOpInterface(OpTrait):
    """How control flows through the regions of an op (MLIR's interface of that name).

    A region index is the position in `op.regions`. Every region that this interface
    speaks of ends in terminators that forward their operands as
    `successor_operands` says.
    """

    @abstractmethod
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        """Where control may go from the end of `region`, or from the op if None.

        When unsure: all of them.
        """

    @abstractmethod
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        """Operands of `op` forwarded to the inputs of `successor`, one for each."""

    def get_terminator_successor_operands(
        self, op: Operation, terminator: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        """Operands of a region's `terminator` forwarded to `successor`'s inputs.

        By default all of them, in order.
        """
        del op, successor
        return tuple(OpOperand(terminator, i) for i in range(len(terminator.operands)))

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        """Whether the region may run more than once each time `op` runs."""
        start = op.regions[index]
        return any(_reaches(self, op, start, start))

    def is_parallel_region(self, op: Operation, index: int) -> bool:
        """Whether runs of the region may be under way at the same time."""
        del op, index
        return False

    def regions_are_mutually_exclusive(
        self, op: Operation, first: int, second: int
    ) -> bool:
        """Whether one run of `op` enters at most one of the two regions."""
        a, b = op.regions[first], op.regions[second]
        return not any(_reaches(self, op, a, b)) and not any(_reaches(self, op, b, a))


def _reaches(
    interface: RegionBranchOpInterface, op: Operation, start: Region, goal: Region
) -> Sequence[bool]:
    """For each region control can be in after `start`: whether it is `goal`."""
    seen: list[Region] = []
    todo = [start]
    while todo:
        for successor in interface.get_successor_regions(op, todo.pop()):
            region = successor.region
            if region is not None and region not in seen:
                seen.append(region)
                todo.append(region)
    return [region is goal for region in seen]


def get_region_branch(op: Operation) -> RegionBranchOpInterface | None:
    """The answers of `op` about its regions, or None if it gives none."""
    return op.get_trait(RegionBranchOpInterface) if op.regions else None

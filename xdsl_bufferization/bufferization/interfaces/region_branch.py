"""Control flow between an operation and its regions.

The questions of MLIR's `RegionBranchOpInterface`: where control and values go when an
operation is entered and when one of its regions ends. The analysis and deallocation
passes see structured control flow only through them, so that an op of any dialect
takes part by answering.
"""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from typing import NamedTuple

from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import OpTrait

from .operands import OpOperand


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
        return start in _reached(self, op, start)

    def is_parallel_region(self, op: Operation, index: int) -> bool:
        """Whether runs of the region may be under way at the same time."""
        del op, index
        return False

    def regions_are_mutually_exclusive(
        self, op: Operation, first: int, second: int
    ) -> bool:
        """Whether one run of `op` enters at most one of the two regions."""
        a, b = op.regions[first], op.regions[second]
        return b not in _reached(self, op, a) and a not in _reached(self, op, b)

    def get_sharing_regions(self, op: Operation) -> Sequence[Sequence[int]]:
        """For each region the others that are not mutually exclusive with it.

        Asked for all at once, because most regions share a run with few others.
        """
        numbers = {region: number for number, region in enumerate(op.regions)}
        sharing: list[dict[int, None]] = [{} for _ in op.regions]
        for number, region in enumerate(op.regions):
            for other in _reached(self, op, region):
                if other is not region:
                    sharing[number][numbers[other]] = None
                    sharing[numbers[other]][number] = None
        return [sorted(others) for others in sharing]


def _reached(
    interface: RegionBranchOpInterface, op: Operation, start: Region
) -> Collection[Region]:
    """The regions that control can be in after `start`."""
    reached: dict[Region, None] = {}
    todo = [start]
    while todo:
        for successor in interface.get_successor_regions(op, todo.pop()):
            region = successor.region
            if region is not None and region not in reached:
                reached[region] = None
                todo.append(region)
    return reached


def get_region_branch(op: Operation) -> RegionBranchOpInterface | None:
    """The answers of `op` about its regions, or None if it gives none."""
    return op.get_trait(RegionBranchOpInterface) if op.regions else None

"""Control flow through the regions of the affine dialect."""

from typing_extensions import override
from xdsl.dialects import affine
from xdsl.ir import Operation, Region
from xdsl.traits import OpTrait

from ...interfaces.operands import OpOperand
from ...interfaces.region_branch import RegionBranchOpInterface, RegionSuccessor


class ForOpRegionBranch(RegionBranchOpInterface):
    """`affine.for`: its body runs any number of times, also none."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        carried = tuple(op.regions[0].blocks[0].args[1:])
        return (
            RegionSuccessor(op.regions[0], carried),
            RegionSuccessor(None, tuple(op.results)),
        )

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        # The operands of the bounds come first.
        first = len(op.operands) - len(op.results)
        return tuple(OpOperand(op, i) for i in range(first, len(op.operands)))


class IfOpRegionBranch(RegionBranchOpInterface):
    """`affine.if`: one region runs, or nothing if there is no else region."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        leave = RegionSuccessor(None, tuple(op.results))
        if region is not None:
            return (leave,)
        entered = tuple(RegionSuccessor(r, ()) for r in op.regions if r.blocks)
        return entered if len(entered) == len(op.regions) else (*entered, leave)

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return ()


class ParallelOpRegionBranch(RegionBranchOpInterface):
    """`affine.parallel`: results are put together from what all iterations yield."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        return (RegionSuccessor(op.regions[0], ()), RegionSuccessor(None, ()))

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return ()

    @override
    def get_terminator_successor_operands(
        self, op: Operation, terminator: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return ()

    @override
    def is_parallel_region(self, op: Operation, index: int) -> bool:
        return True


MODELS: dict[type[Operation], OpTrait] = {
    affine.ForOp: ForOpRegionBranch(),
    affine.IfOp: IfOpRegionBranch(),
    affine.ParallelOp: ParallelOpRegionBranch(),
}

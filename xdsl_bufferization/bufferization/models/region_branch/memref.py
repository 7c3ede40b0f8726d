"""Control flow through the regions of the memref dialect."""

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.ir import Operation, Region
from xdsl.traits import OpTrait

from ...interfaces.operands import OpOperand
from ...interfaces.region_branch import RegionBranchOpInterface, RegionSuccessor


class AllocaScopeOpRegionBranch(RegionBranchOpInterface):
    """`memref.alloca_scope`: its region runs once."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        if region is None:
            return (RegionSuccessor(op.regions[0], ()),)
        return (RegionSuccessor(None, tuple(op.results)),)

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return ()


MODELS: dict[type[Operation], OpTrait] = {
    memref.AllocaScopeOp: AllocaScopeOpRegionBranch(),
}

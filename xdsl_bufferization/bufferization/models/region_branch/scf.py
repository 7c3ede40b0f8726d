"""Control flow through the regions of the scf dialect."""

from typing_extensions import override
from xdsl.dialects import scf
from xdsl.ir import Operation, Region
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.scf import ForallOp, InParallelOp

from ...interfaces.operands import OpOperand
from ...interfaces.region_branch import RegionBranchOpInterface, RegionSuccessor


def _leave(op: Operation) -> RegionSuccessor:
    return RegionSuccessor(None, tuple(op.results))


def _enter(region: Region, first_argument: int = 0) -> RegionSuccessor:
    return RegionSuccessor(region, tuple(region.blocks[0].args[first_argument:]))


class ForOpRegionBranch(RegionBranchOpInterface):
    """`scf.for`: its body runs any number of times, also none."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        return (_enter(op.regions[0], 1), _leave(op))

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return tuple(OpOperand(op, i) for i in range(3, len(op.operands)))


class OneOfRegionsRegionBranch(RegionBranchOpInterface):
    """`scf.if`, `scf.index_switch`: one region runs, once; it gets no values."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        if region is not None:
            return (_leave(op),)
        entered = tuple(_enter(region) for region in op.regions if region.blocks)
        # An scf.if without an else region may run nothing at all.
        return entered if len(entered) == len(op.regions) else (*entered, _leave(op))

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return ()


class WhileOpRegionBranch(RegionBranchOpInterface):
    """`scf.while`: the before region runs, then after and before in turn, or out."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        before, after = op.regions
        if region is before:
            return (_enter(after), _leave(op))
        return (_enter(before),)

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return tuple(OpOperand(op, i) for i in range(len(op.operands)))

    @override
    def get_terminator_successor_operands(
        self, op: Operation, terminator: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        # scf.condition keeps its first operand, the condition, for itself.
        first = 1 if isinstance(terminator, scf.ConditionOp) else 0
        return tuple(
            OpOperand(terminator, i) for i in range(first, len(terminator.operands))
        )


class ExecuteRegionOpRegionBranch(RegionBranchOpInterface):
    """`scf.execute_region`: its region runs once."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        return (_enter(op.regions[0]) if region is None else _leave(op),)

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return ()


class _ParallelRegionBranch(RegionBranchOpInterface):
    """A region that may run any number of times, and forwards nothing when it ends.

    Results are put together from what all runs contribute; no run passes one on.
    """

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


class ParallelOpRegionBranch(_ParallelRegionBranch):
    """`scf.parallel`: each iteration gets its indices only."""


class ForallOpRegionBranch(_ParallelRegionBranch):
    """`scf.forall`: each iteration gets the outputs as they were."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        assert isinstance(op, ForallOp)
        outputs = tuple(op.region_outputs) if region is None else ()
        return (
            RegionSuccessor(op.regions[0], outputs),
            # A loop without iterations returns its outputs.
            RegionSuccessor(None, tuple(op.results) if region is None else ()),
        )

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        first = len(op.operands) - len(op.results)
        return tuple(OpOperand(op, i) for i in range(first, len(op.operands)))


class InParallelOpRegionBranch(_ParallelRegionBranch):
    """`scf.forall.in_parallel`: its region runs once."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        return (RegionSuccessor(op.regions[0] if region is None else None, ()),)

    @override
    def is_parallel_region(self, op: Operation, index: int) -> bool:
        return False


class ReduceOpRegionBranch(_ParallelRegionBranch):
    """`scf.reduce`: each region combines two values, in whatever order."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        regions = tuple(RegionSuccessor(each, ()) for each in op.regions)
        return (*regions, RegionSuccessor(None, ()))


MODELS: dict[type[Operation], OpTrait] = {
    scf.ExecuteRegionOp: ExecuteRegionOpRegionBranch(),
    scf.ForOp: ForOpRegionBranch(),
    ForallOp: ForallOpRegionBranch(),
    scf.IfOp: OneOfRegionsRegionBranch(),
    InParallelOp: InParallelOpRegionBranch(),
    scf.IndexSwitchOp: OneOfRegionsRegionBranch(),
    scf.ParallelOp: ParallelOpRegionBranch(),
    scf.ReduceOp: ReduceOpRegionBranch(),
    scf.WhileOp: WhileOpRegionBranch(),
}

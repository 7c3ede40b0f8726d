"""A visit of an op that says how control flows through its regions.

    scf.while: before -> after -> before ... -> what follows the op

A region is looked at again as long as more is known where it begins.
"""

from collections.abc import Iterator

from xdsl.ir import Operation, Region

from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.region_branch import RegionBranchOpInterface, RegionSuccessor
from .interpreter import End, Flow, Interpreter
from .state import State


def run_regions(
    interpreter: Interpreter,
    op: Operation,
    regions: RegionBranchOpInterface,
    state: State,
) -> None:
    """Interpret an op and its regions; `state` is then what holds after it."""
    _RegionRun(interpreter, op, regions).run(state)


class _RegionRun:
    """One visit of an op that says how control flows through its regions."""

    def __init__(
        self, interpreter: Interpreter, op: Operation, regions: RegionBranchOpInterface
    ):
        self._interpreter = interpreter
        self._op = op
        self._regions = regions
        self._waiting: dict[Region, State] = {}
        self._tied: list[Flow] = []

    def run(self, state: State) -> None:
        """Interpret the op; `state` is then what holds after it.

        The op is left when all of its regions have been looked at for the last time:
        tensors that are not used after the op are watched until then.
        """
        self._find_tied()
        self._enter_regions(None, self._op, state)
        last: dict[Region, list[End]] = {}
        while self._waiting:
            region = next(iter(self._waiting))
            ends = self._run_region(region, self._waiting.pop(region))
            if last.get(region) is not ends:
                last[region] = ends
                for end in ends:
                    self._enter_regions(region, end.terminator, end.state)
        left = [*self._leave(None, End(self._op, state))]
        for region, ends in last.items():
            for end in ends:
                left += self._leave(region, end)
        if left:
            for other in left[1:]:
                left[0].join(other)
            state.spoils, state.near = left[0].spoils, left[0].near

    def _find_tied(self) -> None:
        """What a parallel region inserts into is what the op results in."""
        successors = self._regions.get_successor_regions(self._op, None)
        inside = [each.inputs for each in successors if each.region is not None]
        left = [each.inputs for each in successors if each.region is None]
        if len(inside) == len(left) == 1 and len(inside[0]) == len(left[0]):
            self._tied = [
                self._interpreter.flow_of_value(argument, result)
                for argument, result in zip(inside[0], left[0], strict=True)
                if is_tensor(result)
            ]

    def _is_repeated(self, region: Region) -> bool:
        """Whether a region may run again: a loop may have but one iteration."""
        number = self._op.regions.index(region)
        model = self._interpreter.transfer.questions.models[type(self._op)]
        return model is None or model.is_repetitive_region(self._op, number)

    def _is_parallel(self, region: Region) -> bool:
        number = self._op.regions.index(region)
        if not self._regions.is_parallel_region(self._op, number):
            return False
        model = self._interpreter.transfer.questions.models[type(self._op)]
        return model is None or model.is_parallel_region(self._op, number)

    def _run_region(self, region: Region, state: State) -> list[End]:
        interpreter = self._interpreter
        if not self._is_parallel(region):
            return interpreter.run_region(region, state)
        transfer = interpreter.transfer
        transfer.parallel.append(interpreter.parallel_writes(region))
        while True:
            news = transfer.news
            ends = interpreter.run_region(region, state)
            if news == transfer.news:
                break
        transfer.parallel.pop()
        return ends

    def _enter_regions(
        self, region: Region | None, end: Operation, state: State
    ) -> None:
        """Enter the regions that control may go to from the op or a region's end."""
        for successor in self._regions.get_successor_regions(self._op, region):
            target = successor.region
            if target is None or (target is region and not self._is_repeated(target)):
                continue
            flows = self._flows(region, end, successor)
            new = self._interpreter.pass_on(flows, state, target.blocks[0])
            if target in self._waiting:
                self._waiting[target].join(new)
            else:
                self._waiting[target] = new

    def _leave(self, region: Region | None, end: End) -> Iterator[State]:
        """What is known after the op, if control may leave it there."""
        for successor in self._regions.get_successor_regions(self._op, region):
            if successor.region is None:
                flows = self._flows(region, end.terminator, successor)
                yield self._interpreter.pass_on(flows, end.state, self._op)

    def _flows(
        self, region: Region | None, end: Operation, successor: RegionSuccessor
    ) -> list[Flow]:
        op, interpreter = self._op, self._interpreter
        if region is None:
            operands = self._regions.get_entry_successor_operands(op, successor)
            if successor.region is None:
                return [
                    flow._replace(is_possible=self._may_be_skipped(operand))
                    for operand, target in zip(operands, successor.inputs, strict=True)
                    if is_tensor(target)
                    for flow in [interpreter.flow(operand, target)]
                ]
        else:
            operands = self._regions.get_terminator_successor_operands(
                op, end, successor
            )
            if successor.region is None and not successor.inputs:
                return self._tied
        return interpreter.flows(operands, successor.inputs)

    def _may_be_skipped(self, operand: OpOperand) -> bool:
        return self._interpreter.transfer.questions.may_be_skipped(operand)

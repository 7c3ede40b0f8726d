"""How buffers move through a function: which value may become which.

    %v = memref.subview %a ...                    // view_of[%v] = %a
    %r = scf.for ... iter_args(%x = %v)           // flows: %v -> %x, %v -> %r
      scf.yield %x                                //        %x -> %x, %x -> %r

One walk over a function notes three things: the views, the allocations, and every
operand that forwards a buffer to a result or to a block argument. Nothing is concluded
here. The analyses of aliases and of ownership are made of these notes.

Cost: linear in the ops. Source of the question: MLIR's `BufferViewFlowAnalysis`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.support.algorithms.program_points import ProgramPoints
from xdsl_bufferization.support.algorithms.region_graphs import RegionGraphs
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.branch import get_branch, passed_operands
from ...interfaces.deallocation import (
    Allocated,
    Borrowed,
    BufferDeallocationOpInterface,
    OneOf,
    ViewOf,
    is_isolated,
    is_manual,
    is_memref,
)
from ...interfaces.known_models import models_of
from ...interfaces.operands import OpOperand
from ...interfaces.region_branch import RegionBranchOpInterface, get_region_branch


class FlowKind(Enum):
    """How an operand becomes another value."""

    ENTRY = auto()
    """Passed by an op to one of its regions, or past them to its results."""

    END = auto()
    """Passed by the terminator of a region to a region or to the op's results."""

    BRANCH = auto()
    """Passed by a terminator to another block of its region."""

    SELECT = auto()
    """Chosen among several by an op such as `arith.select`."""


class Flow(NamedTuple):
    """A buffer that may become another value."""

    kind: FlowKind
    use: OpOperand
    """The operand that forwards the buffer."""

    source: SSAValue
    target: SSAValue


@dataclass
class BufferFlow:
    """The views, allocations and flows of buffers in one function."""

    root: Operation
    points: ProgramPoints
    flows: list[Flow] = field(default_factory=list[Flow])
    view_of: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    origins: dict[SSAValue, Allocated | Borrowed] = field(
        default_factory=dict[SSAValue, Allocated | Borrowed]
    )
    """The values whose memory does not come from another memref."""

    returned_by_calls: set[OpResult] = field(default_factory=set[OpResult])
    """Results of calls that may be arguments of the call, or each other."""

    unknown: list[SSAValue] = field(default_factory=list[SSAValue])
    """Buffers of which nothing is known."""

    captured: list[OpOperand] = field(default_factory=list[OpOperand])
    freed: list[OpOperand] = field(default_factory=list[OpOperand])
    pointer_moves: list[OpResult] = field(default_factory=list[OpResult])
    """Views whose aligned pointer is not that of their source."""

    edges: dict[OpOperand, int] = field(default_factory=dict[OpOperand, int])
    """For each operand of a `BRANCH` flow, the number of the successor."""

    region_ops: list[Operation] = field(default_factory=list[Operation])
    """The ops with regions, the function itself excepted."""

    manual: list[Operation] = field(default_factory=list[Operation])
    """The ops that say that the program itself frees memory."""

    opaque_branches: list[Operation] = field(default_factory=list[Operation])
    """Terminators that do not say what they pass to which block."""

    graphs: RegionGraphs = field(default_factory=RegionGraphs)

    def successors(self) -> dict[SSAValue, list[SSAValue]]:
        """What each buffer may become next: its views, and where it is passed to."""
        found: dict[SSAValue, list[SSAValue]] = {value: [] for value in self.origins}
        pairs = [(source, view) for view, source in self.view_of.items()]
        pairs += ((entry.source, entry.target) for entry in self.flows)
        for source, target in pairs:
            found.setdefault(source, []).append(target)
            found.setdefault(target, [])
        return found

    def is_around(self, outer: Block, inner: Block) -> bool:
        """Whether `inner` is `outer`, or is inside an op of it."""
        if outer is inner:
            return True
        parent = self.points.of_block(inner).parent
        return parent is not None and self.points.of_block(outer).contains(parent)

    def runs_before(self, outer: Block, inner: Block) -> bool:
        """Whether values of `outer` can be used all over `inner`.

        `inner` is inside an op of `outer`, or only reached through `outer`.
        """
        if self.is_around(outer, inner):
            return True
        graph = self.graphs.of(outer.parent)
        if graph is None:
            return False
        block = self.ancestor_in(outer.parent, inner)
        return block is not None and graph.strictly_dominates(outer, block)

    def ancestor_in(self, region: Region | None, block: Block) -> Block | None:
        """The block of `region` that `block` is, or is inside an op of."""
        found = None if region is None else self.points.ancestor_in(region, block)
        return None if found is None else found[0]


def block_of(value: SSAValue) -> Block:
    """The block that `value` is defined in, or is an argument of."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner
    block = owner.parent
    assert block is not None
    return block


def region_of(value: SSAValue) -> Region:
    """The region of the block of `value`."""
    region = block_of(value).parent
    assert region is not None
    return region


def collect_buffer_flow(
    root: Operation,
    may_return_arguments: Callable[[Operation], bool] = lambda _: False,
) -> BufferFlow:
    """Note how buffers move through `root`.

    `may_return_arguments` names the calls of functions that do not follow the function
    boundary ABI.
    """
    return _Collector(root, may_return_arguments).run()


class _Collector:
    """One walk over a function."""

    def __init__(
        self, root: Operation, may_return_arguments: Callable[[Operation], bool]
    ):
        self.flow = BufferFlow(root, ProgramPoints(root, lambda _op, _number: False))
        self.may_return_arguments = may_return_arguments
        self.models = models_of(BufferDeallocationOpInterface)

    def run(self) -> BufferFlow:
        """Visit every op, the function itself excepted."""
        root = self.flow.root
        self._visit_region_arguments(root, None)
        for op in walk_group(root):
            self._visit(op)
        return self.flow

    def _visit(self, op: Operation) -> None:
        if is_manual(op):
            self.flow.manual.append(op)
        if op.successors:
            self._visit_branch(op)
            return
        branch = get_region_branch(op)
        if op.regions:
            self.flow.region_ops.append(op)
            if not is_isolated(op):
                self._visit_region_arguments(op, branch)
        if branch is not None:
            self._visit_regions(op, branch)
            return
        model = self.models[type(op)]
        if model is None:
            self.flow.unknown.extend(filter(is_memref, op.results))
            return
        for result in op.results:
            if is_memref(result):
                self._visit_result(op, result, model)
        self.flow.captured.extend(model.get_captured_operands(op))
        self.flow.freed.extend(model.get_freed_operands(op))

    def _visit_regions(self, op: Operation, branch: RegionBranchOpInterface) -> None:
        flows = list(region_flows(op, branch))
        self.flow.flows.extend(flows)
        reached = {flow.target for flow in flows}
        # Reductions make a result of what no terminator forwards.
        self.flow.unknown.extend(
            each for each in op.results if is_memref(each) and each not in reached
        )

    def _visit_branch(self, op: Operation) -> None:
        branch = get_branch(op)
        if branch is None:
            self.flow.opaque_branches.append(op)
            return
        passed = passed_operands(branch, op)
        for number, (block, uses) in enumerate(zip(op.successors, passed, strict=True)):
            for use, target in zip(uses, block.args, strict=True):
                if is_memref(target):
                    flow = Flow(FlowKind.BRANCH, use, use.value, target)
                    self.flow.flows.append(flow)
                    self.flow.edges[use] = number

    def _visit_result(
        self, op: Operation, result: OpResult, model: BufferDeallocationOpInterface
    ) -> None:
        match model.get_buffer_origin(op, result):
            case Allocated() if is_manual(op):
                self.flow.origins[result] = Borrowed(is_distinct=True)
            case ViewOf(source, moves_aligned_pointer):
                self.flow.view_of[result] = source
                if moves_aligned_pointer:
                    self.flow.pointer_moves.append(result)
            case OneOf(sources):
                self._choose(op, result, set(sources))
            case Allocated() as origin if self.may_return_arguments(op):
                self.flow.origins[result] = origin
                self.flow.returned_by_calls.add(result)
                self._choose(op, result, set(filter(is_memref, op.operands)))
            case origin:
                self.flow.origins[result] = origin

    def _choose(self, op: Operation, result: OpResult, sources: set[SSAValue]) -> None:
        self.flow.flows.extend(
            Flow(FlowKind.SELECT, OpOperand(op, index), value, result)
            for index, value in enumerate(op.operands)
            if value in sources
        )

    def _visit_region_arguments(
        self, op: Operation, branch: RegionBranchOpInterface | None
    ) -> None:
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    if is_memref(argument):
                        self._visit_argument(op, region, argument, branch)

    def _visit_argument(
        self,
        op: Operation,
        region: Region,
        argument: BlockArgument,
        branch: RegionBranchOpInterface | None,
    ) -> None:
        is_entry = region.blocks.first is argument.owner
        if not is_entry:
            # Branches say what it is; without any, the block never runs.
            if argument.owner.first_use is None:
                self.flow.unknown.append(argument)
        elif op is self.flow.root:
            self.flow.origins[argument] = Borrowed()
        elif branch is None:
            self.flow.unknown.append(argument)


def walk_group(root: Operation) -> Sequence[Operation]:
    """All ops inside `root` that can use its values: none that are isolated from it."""
    return ops_inside(root, is_entered=lambda op: not is_isolated(op))[1:]


def region_flows(op: Operation, branch: RegionBranchOpInterface) -> Iterator[Flow]:
    """The buffers that `op` and its terminators forward."""
    for successor in branch.get_successor_regions(op, None):
        for use, target in zip(
            branch.get_entry_successor_operands(op, successor),
            successor.inputs,
            strict=True,
        ):
            if is_memref(target):
                yield Flow(FlowKind.ENTRY, use, use.value, target)
    for region in op.regions:
        for terminator in region_terminators(region):
            for successor in branch.get_successor_regions(op, region):
                for use, target in zip(
                    branch.get_terminator_successor_operands(op, terminator, successor),
                    successor.inputs,
                    strict=True,
                ):
                    if is_memref(target):
                        yield Flow(FlowKind.END, use, use.value, target)


def region_terminators(region: Region) -> Iterator[Operation]:
    """The ops that end a run of `region`."""
    for block in region.blocks:
        if (last := block.last_op) is not None and not last.successors:
            yield last

"""The walk through a function: blocks, regions and loops, until nothing changes.

Where control flow joins, facts are united. At the start of a block only names that are
bound above it are kept: all others are bound anew before anybody uses them. So what is
known of a tensor of an earlier iteration is dropped, and a buffer that each iteration
makes is another one than that of the iteration before.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.support.algorithms.dominating_blocks import DominatingBlocks
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.branch import get_branch, passed_operands
from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.region_branch import RegionBranchOpInterface, get_region_branch
from .lifetimes import order_of
from .locations import Buffer, Location, block_of
from .parallel import ParallelWrites
from .questions import is_in_place
from .regions import may_overlap, moved, widened
from .state import Overlap, Spoil, Spoils, State, united
from .transfer import Transfer


class Flow(NamedTuple):
    """A tensor that becomes another one where control goes on."""

    source: SSAValue
    location: Location
    is_in_place: bool
    """Whether the place is that of the source, and not that of a copy."""

    target: SSAValue
    is_possible: bool = True
    """Whether the target may ever be this source."""


class End(NamedTuple):
    """A way out of a region."""

    terminator: Operation
    state: State


class _Run(NamedTuple):
    """The last run of a region."""

    news: int
    ends: list[End]


RunRegions = Callable[["Interpreter", Operation, RegionBranchOpInterface, State], None]
"""Interprets an op by what it says of its regions."""


class Interpreter:
    """Interprets the blocks of one function."""

    def __init__(
        self, transfer: Transfer, blocks: DominatingBlocks, run_regions: RunRegions
    ):
        self._transfer = transfer
        self._run_regions = run_regions
        self._locations = transfer.locations
        self._blocks = blocks
        self._entries: dict[Block, State] = {}
        self._runs: dict[Region, _Run] = {}
        self._parallel: dict[Region, ParallelWrites] = {}
        self._has_tensors: dict[Operation, bool] = {}

    # --- blocks ----------------------------------------------------------------------

    def run_block(self, block: Block, state: State) -> None:
        """Interpret the ops of a block; `state` is then that at its end."""
        self._transfer.watch(block.args)
        for op in block.ops:
            if op.regions and not op.has_trait(IsolatedFromAbove):
                self._run_with_regions(op, state)
            else:
                self._transfer.run(op, state)

    def run_region(self, region: Region, state: State) -> list[End]:
        """Interpret a region that is entered with `state`; where it ends."""
        entry = region.blocks[0]
        changed = self._enter(entry, state)
        run = self._runs.get(region)
        if run is not None and not changed and run.news == self._transfer.news:
            return run.ends
        news = self._transfer.news
        if len(region.blocks) == 1:
            ends = self._run_only_block(entry)
        else:
            ends = self._run_graph(region)
        self._runs[region] = _Run(news, ends)
        return ends

    def _enter(self, block: Block, state: State) -> bool:
        known = self._entries.get(block)
        if known is not None:
            return known.join(state)
        self._entries[block] = state.copy()
        return True

    def _run_only_block(self, block: Block) -> list[End]:
        state = self._entries[block].copy()
        self.run_block(block, state)
        return [] if block.last_op is None else [End(block.last_op, state)]

    def _run_graph(self, region: Region) -> list[End]:
        order = order_of(region)
        numbers = {block: number for number, block in enumerate(order)}
        ends: dict[Operation, End] = {}
        waiting = {0}
        # Blocks that were reached before are looked at again, as `news` may matter.
        waiting.update(n for n, block in enumerate(order) if block in self._entries)
        while waiting:
            number = min(waiting)
            waiting.remove(number)
            state = self._entries[order[number]].copy()
            self.run_block(order[number], state)
            terminator = order[number].last_op
            assert terminator is not None
            branch = get_branch(terminator)
            if branch is None:
                ends[terminator] = End(terminator, state)
                continue
            passed = passed_operands(branch, terminator)
            for block, operands in zip(terminator.successors, passed, strict=True):
                new = self.pass_on(self.flows(operands, block.args), state, block)
                if self._enter(block, new):
                    waiting.add(numbers[block])
        return list(ends.values())

    # --- ops with regions ------------------------------------------------------------

    def _run_with_regions(self, op: Operation, state: State) -> None:
        regions = get_region_branch(op)
        if regions is not None:
            self._run_regions(self, op, regions, state)
            return
        self._transfer.run(op, state)
        for number, region in enumerate(op.regions):
            if region.blocks and self._uses_tensors(op):
                self._run_body(op, number, state)

    def _uses_tensors(self, op: Operation) -> bool:
        """Whether ops in the regions of `op` have tensors."""
        if op not in self._has_tensors:
            self._has_tensors[op] = any(
                any(map(is_tensor, (*inner.operands, *inner.results)))
                for inner in ops_inside(op)
                if inner is not op
            )
        return self._has_tensors[op]

    def _run_body(self, op: Operation, number: int, state: State) -> None:
        """A region that computes elements of a result: any number of times."""
        region = op.regions[number]
        model = self._transfer.questions.models[type(op)]
        repeats = model is None or model.is_repetitive_region(op, number)
        entry = region.blocks[0]
        inner = self.pass_on((), state, entry)
        while True:
            ends = self.run_region(region, inner)
            again = inner.copy()
            for end in ends:
                again.join(self.pass_on((), end.state, entry))
            if not repeats or not inner.join(again):
                break
        for end in ends:
            state.join(self.pass_on(self._yielded(op, end), end.state, op))

    def _yielded(self, op: Operation, end: End) -> list[Flow]:
        """The results that are what the region yields."""
        answers = self._transfer.questions.ask(op)
        return [
            self.flow(link.operand, result)
            for result, links in (() if answers is None else answers.links)
            for link in links
            if link.operand.owner is end.terminator
        ]

    def parallel_writes(self, region: Region) -> ParallelWrites:
        """What iterations of a parallel region are known to write."""
        if region not in self._parallel:
            body = region.blocks[0]
            self._parallel[region] = ParallelWrites(
                body,
                lambda block: self._blocks.is_strictly_above(block, body),
                self._transfer.insertions_at_end(body),
            )
        return self._parallel[region]

    @property
    def transfer(self) -> Transfer:
        """What interprets single ops."""
        return self._transfer

    # --- edges -----------------------------------------------------------------------

    def flow(self, operand: OpOperand, target: SSAValue) -> Flow:
        """An operand that becomes `target`, as it is or as a copy."""
        location = self._locations.of_operand(operand)
        return Flow(operand.value, location, is_in_place(operand), target)

    def flow_of_value(self, value: SSAValue, target: SSAValue) -> Flow:
        """A tensor that becomes `target`."""
        return Flow(value, self._locations.of(value), True, target)

    def flows(
        self, operands: Iterable[OpOperand], targets: Iterable[SSAValue]
    ) -> list[Flow]:
        """The tensors among some operands, each with what it becomes."""
        return [
            self.flow(operand, target)
            for operand, target in zip(operands, targets, strict=True)
            if is_tensor(target)
        ]

    def pass_on(
        self, flows: Sequence[Flow], state: State, target: Block | Operation
    ) -> State:
        """What is known at `target`, with what is forwarded on the way there.

        The target is the block that is entered, or the op that is left.
        """
        new = state.copy()
        passed = [(flow, self._spoils_of(flow, state)) for flow in flows]
        # A buffer may be used again only by what is passed on.
        self._transfer.watch(flow.target for flow in flows)
        self._connect(flows, state, new, target)
        now = self._number_of(target)
        self._transfer.go_to(now)
        new.keep_near(lambda buffer: self._is_kept(buffer, target))
        new.keep_overlaps(lambda block: self._is_known(block, target))
        new.spoils = {
            value: self._widen(spoils, target)
            for value, spoils in new.spoils.items()
            if self._transfer.is_alive(value, now)
            and self._is_known(block_of(value), target)
        }
        for flow, spoils in passed:
            origins = self._transfer.origins(flow.source)
            spoils = self._widen(spoils, target)
            self._transfer.define(flow.target, spoils, origins, new)
        return new

    def _number_of(self, target: Block | Operation) -> int:
        lifetimes = self._transfer.lifetimes
        if isinstance(target, Operation):
            return lifetimes.end[target] + 1
        return 0 if target.first_op is None else lifetimes.start[target.first_op]

    def _is_known(self, block: Block, target: Block | Operation) -> bool:
        if isinstance(target, Block):
            return self._blocks.is_strictly_above(block, target)
        parent = target.parent
        return parent is not None and self._blocks.is_above(block, parent)

    def _is_kept(self, buffer: Buffer, target: Block | Operation) -> bool:
        source = buffer.source
        if isinstance(source, SSAValue) and self._is_defined_by(source, target):
            return True
        return self._transfer.matters(buffer) and self._is_known(buffer.block, target)

    def _is_defined_by(self, value: SSAValue, target: Block | Operation) -> bool:
        if isinstance(target, Block):
            return value.owner is target
        return isinstance(value, OpResult) and value.op is target

    def _widen(self, spoils: Spoils, target: Block | Operation) -> Spoils:
        if not any(spoil.region.blocks for spoil in spoils):
            return spoils
        return united(
            (),
            (
                Spoil(
                    widened(spoil.region, lambda block: self._is_known(block, target)),
                    spoil.write,
                )
                for spoil in spoils
            ),
        )

    def _spoils_of(self, flow: Flow, state: State) -> Spoils:
        """What is spoiled in a tensor that is forwarded, where the target has it."""
        if not flow.is_possible:
            return ()
        source, target = (
            self._locations.of(flow.source),
            self._locations.of(flow.target),
        )
        if source.buffer is target.buffer and flow.is_in_place:
            return self._transfer.spoils_left(flow.source, source.region, state)
        spoils = self._transfer.spoils_in(flow.source, source.region, state)
        return united(
            (),
            (
                Spoil(moved(spoil.region, source.view, target.view), spoil.write)
                for spoil in spoils
            ),
        )

    def _connect(
        self,
        flows: Sequence[Flow],
        state: State,
        new: State,
        target: Block | Operation,
    ) -> None:
        """Note which buffers may be those of values that have names of their own."""
        named = [
            (flow.location, self._locations.of(flow.target))
            for flow in flows
            if self._locations.has_own_name(flow.target)
        ]
        for _, location in named:
            new.forget(location.buffer)
        for source, location in named:
            self._transfer.connect(
                location,
                source,
                state,
                new,
                lambda buffer: self._is_known(buffer.block, target),
            )
        for number, (source, location) in enumerate(named):
            for other, other_location in named[:number]:
                overlap = _overlap(source, other, state)
                if overlap is not None:
                    is_one = overlap.alignment == (source.view, other.view)
                    alignment = (location.view, other_location.view) if is_one else None
                    new.connect(
                        location.buffer,
                        other_location.buffer,
                        overlap._replace(alignment=alignment),
                    )


def _overlap(first: Location, second: Location, state: State) -> Overlap | None:
    """How the two may overlap, if they may."""
    if first.buffer is not second.buffer:
        return state.near_to(first.buffer).get(second.buffer)
    if not may_overlap(first.region, second.region):
        return None
    is_one = first.view == second.view
    return Overlap((first.view, second.view) if is_one else None)

"""Inserting what the ownership analysis asks for into a function.

Goes from block to block:

- Ops with regions get i1 values where it is not known whether their memrefs own memory.
- The end of each block gets its `bufferization.dealloc` ops.
- Returns get clones.

All decisions are made before, for the values of the program as it was. For a value of
an op that has been rebuilt, the new value is looked up.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import bufferization, memref, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, MemRefType, i1, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.support.algorithms.live_blocks import Exit

from ..analyses.ownership.block_exits import BlockExit, Handover, is_return
from ..analyses.ownership.demand import find_demanded
from ..analyses.ownership.ownership import Ownership, OwnershipAnalysis
from ..analyses.ownership.releases import Release
from ..interfaces.branch import get_branch, passed_operands
from ..interfaces.deallocation import Allocated, is_isolated, is_memref
from ..interfaces.operands import OpOperand
from ..interfaces.region_branch import get_region_branch
from .conditions import Condition, Constants, conjoin, disjoin, negate
from .forwarding import plan_forwarding, rebuild, split_edge


class OwnershipRewriter:
    """Rewrites one function."""

    def __init__(
        self,
        analysis: OwnershipAnalysis,
        releases: dict[Exit, tuple[Release, ...]],
        is_dynamic_call: Callable[[Operation], bool],
        returns_ownership: bool,
    ):
        self.analysis = analysis
        self.releases = releases
        self.is_dynamic_call = is_dynamic_call
        self.returns_ownership = returns_ownership
        self.function = analysis.aliases.flow.root
        self.constants = Constants(self.function.regions[0].blocks[0])
        self.flags: dict[SSAValue, SSAValue] = {}
        """The i1 values of roots whose ownership is known only at run time."""

        self.current: dict[SSAValue, SSAValue] = {}
        """The values in the place of results of ops that were rebuilt."""

        self.flagged: dict[Block, list[BlockArgument]] = {}
        """By block, the arguments that have an i1 argument, in the order of these."""

        self.forwarded: dict[Operation, tuple[OpOperand, ...]] = {}
        """By terminator, the operands whose ownership is forwarded with them."""

        self.handovers = {
            handover.use: handover
            for exit_ in analysis.exits.values()
            for handover in exit_.handovers
        }

        self.demanded = find_demanded(analysis, releases)
        self.moved = {use: root for root, use in analysis.moved.items()}

    def run(self) -> None:
        """Rewrite the function."""
        self._process_regions(self.function.regions)

    def _process_regions(self, regions: Sequence[Region]) -> None:
        for region in regions:
            graph = self.analysis.aliases.flow.graphs.of(region)
            blocks = tuple(region.blocks) if graph is None else graph.blocks
            for block in blocks[1:]:
                self._add_flags(block)
            for block in blocks:
                for op in tuple(block.ops):
                    if op.regions:
                        self._process_region_op(op)
                    elif self.is_dynamic_call(op):
                        self._process_dynamic_call(op)
                self._leave(block)

    def _add_flags(self, block: Block) -> None:
        """Give a block an i1 argument for each memref argument that wants one."""
        for value in tuple(filter(self._needs_flag, block.args)):
            self.flags[value] = block.insert_arg(i1, len(block.args))
            self.flagged.setdefault(block, []).append(value)

    def _process_region_op(self, op: Operation) -> None:
        if is_isolated(op):
            return
        if (branch := get_region_branch(op)) is None:
            self._process_regions(op.regions)
            return
        plan = plan_forwarding(op, branch, self._needs_flag)
        for region, values in plan.receivers.items():
            if region is not None:
                block = region.blocks[0]
                for value in values:
                    self.flags[value] = block.insert_arg(i1, len(block.args))
        entry = plan.senders.get(op, ())
        self.forwarded.update(plan.senders)
        self._process_regions(op.regions)
        flags = [self.constants.get(self._passed_ownership(use)) for use in entry]
        results = plan.receivers.get(None, ())
        if flags or results:
            self._replace(op, flags, results)

    def _process_dynamic_call(self, op: Operation) -> None:
        self._replace(op, (), tuple(filter(is_memref, op.results)))

    def _replace(
        self, op: Operation, flags: Sequence[SSAValue], results: Sequence[SSAValue]
    ) -> None:
        """Rebuild `op` with more operands, and with an i1 result for each `results`."""
        first = len(op.results)
        new = rebuild(op, flags, len(results))
        self.current.update(zip(op.results, new.results, strict=False))
        self.flags.update(zip(results, new.results[first:], strict=True))

    def _needs_flag(self, value: SSAValue) -> bool:
        return is_memref(value) and value in self.demanded

    def _passed_ownership(self, use: OpOperand) -> Condition:
        """Whether a region op gets the ownership of one of its operands."""
        root = self.moved.get(use)
        return False if root is None else self.condition(root)

    def condition(self, root: SSAValue) -> Condition:
        """Whether `root` owns its memory."""
        match self.analysis.ownership(root):
            case Ownership.ALWAYS:
                return True
            case Ownership.UNKNOWN:
                return self.flags[root]
            case _:
                return False

    # --- the end of a block ----------------------------------------------------------

    def _leave(self, block: Block) -> None:
        last = block.last_op
        if last is not None and not last.has_trait(IsTerminator):
            last = None
        point = InsertPoint.at_end(block) if last is None else InsertPoint.before(last)
        builder = Builder(point)
        claims = self._free(builder, Exit(block, None))
        if last is None:
            return
        for way in range(len(last.successors)):
            self._leave_by_branch(last, Exit(block, way))
        if is_return(self.analysis.aliases, last):
            exit_ = self.analysis.exits.get(Exit(block, None), BlockExit())
            self._return(builder, last, exit_, claims)
        elif uses := self.forwarded.get(last):
            flags = [claims.handed_over(self.handovers[use]) for use in uses]
            last.operands = [*last.operands, *map(self.constants.get, flags)]

    def _free(self, builder: Builder, place: Exit) -> "_Claims":
        """Free what is needed no more; what is left belongs to what is forwarded."""
        exit_ = self.analysis.exits.get(place, BlockExit())
        releases = self.releases.get(place, ())
        claims = _Claims(self, builder, exit_, releases)
        for release in releases:
            self._release(builder, release, claims)
        return claims

    def _leave_by_branch(self, last: Operation, place: Exit) -> None:
        """Free what one successor does not need, and pass it who owns the rest."""
        assert place.successor is not None
        target = last.successors[place.successor]
        flagged = self.flagged.get(target, ())
        if not flagged and place not in self.releases:
            return
        if not flagged and target.get_unique_use() is not None:
            self._free(Builder(InsertPoint.at_start(target)), place)
            return
        branch = get_branch(last)
        assert branch is not None
        uses = passed_operands(branch, last)[place.successor]
        handovers = [self.handovers[uses[value.index]] for value in flagged]
        if len(last.successors) == 1:
            edge, builder = last, Builder(InsertPoint.before(last))
        else:
            edge, builder = split_edge(last, place.successor)
        claims = self._free(builder, place)
        flags = [claims.handed_over(handover) for handover in handovers]
        edge.operands = [*edge.operands, *map(self.constants.get, flags)]

    def _release(self, builder: Builder, release: Release, claims: "_Claims") -> None:
        op = _build_dealloc(
            self._base_buffer(builder, release.root),
            self.constants.get(self.condition(release.root)),
            [self.current.get(root, root) for root in release.retained],
        )
        builder.insert(op)
        claims.add(release.retained, op.updated_conditions)

    def _base_buffer(self, builder: Builder, root: SSAValue) -> SSAValue:
        """The allocation of `root`, as `memref.dealloc` wants it."""
        value = self.current.get(root, root)
        match self.analysis.aliases.flow.origins.get(root):
            case Allocated(is_base_buffer=True):
                return value
            case _ if isinstance(value.type, MemRefType):
                return builder.insert(_build_metadata(value)).base_buffer
            case _:
                return value

    def _return(
        self,
        builder: Builder,
        op: Operation,
        exit_: BlockExit,
        claims: "_Claims",
    ) -> None:
        owned = [(h.use.number, claims.handed_over(h)) for h in exit_.handovers]
        operands = list(op.operands)
        if self.returns_ownership:
            operands += [self.constants.get(condition) for _, condition in owned]
        else:
            for index, condition in owned:
                operands[index] = _own(builder, operands[index], condition)
        op.operands = operands


@cache
def _segment_sizes(retained: int) -> DenseArrayBase:
    return DenseArrayBase.from_list(i32, (1, 1, retained))


@lru_cache(1024)
def _metadata_types(type_: MemRefType) -> Sequence[Attribute]:
    """The result types of `memref.extract_strided_metadata`."""
    base = MemRefType(type_.element_type, [], memory_space=type_.memory_space)
    return [base, *([IndexType()] * (1 + 2 * type_.get_num_dims()))]


# These ops are built as they are, since there may be very many of them, and most of the
# time would go into their constructors.


def _build_dealloc(
    base: SSAValue, condition: SSAValue, retained: Sequence[SSAValue]
) -> DeallocOp:
    return DeallocOp.create(
        operands=[base, condition, *retained],
        result_types=[i1] * len(retained),
        properties={"operandSegmentSizes": _segment_sizes(len(retained))},
    )


def _build_metadata(value: SSAValue) -> memref.ExtractStridedMetaDataOp:
    type_ = cast(MemRefType, value.type)
    return memref.ExtractStridedMetaDataOp.create(
        operands=[value], result_types=_metadata_types(type_)
    )


def _own(builder: Builder, value: SSAValue, is_owned: Condition) -> SSAValue:
    """`value` if it is owned, else a clone of it."""
    if is_owned is True:
        return value
    if is_owned is False:
        return builder.insert(bufferization.CloneOp(value)).output
    clone = bufferization.CloneOp(value)
    choice = scf.IfOp(
        is_owned,
        [value.type],
        [scf.YieldOp(value)],
        [clone, scf.YieldOp(clone.output)],
    )
    return builder.insert(choice).output[0]


class _Claims:
    """Which of the values that stay live after a block own their memory, as i1 values.

    Each allocation has one owner: the first of the values that have it gets it.
    """

    def __init__(
        self,
        rewriter: OwnershipRewriter,
        builder: Builder,
        exit_: BlockExit,
        releases: Sequence[Release],
    ):
        self._constants = rewriter.constants
        self._builder = builder
        self._known = rewriter.analysis.handed_over
        self._wanted = {
            handover.root
            for handover in exit_.handovers
            if handover.use in rewriter.demanded
        }
        # What is released gets what its `bufferization.dealloc` leaves to it.
        released = {release.root for release in releases}
        self._claims: dict[SSAValue, Condition] = {
            root: rewriter.condition(root) for root in self._wanted - released
        }

    def add(self, roots: Sequence[SSAValue], owned: Sequence[SSAValue]) -> None:
        """Note the outcome of a `bufferization.dealloc` with one memref."""
        builder = self._builder
        taken: Condition = False
        wanted = [number for number, root in enumerate(roots) if root in self._wanted]
        for number in range(max(wanted, default=-1) + 1):
            root, due = roots[number], owned[number]
            if root in self._wanted:
                claim = conjoin(builder, due, negate(builder, self._constants, taken))
                earlier = self._claims.get(root, False)
                self._claims[root] = disjoin(builder, earlier, claim)
            if number < wanted[-1]:
                taken = disjoin(builder, taken, due)

    def handed_over(self, handover: Handover) -> Condition:
        """Whether the receiver becomes the owner."""
        match self._known[handover.use]:
            case Ownership.ALWAYS:
                return True
            case Ownership.UNKNOWN:
                return self._claims.get(handover.root, False)
            case _:
                return False

"""What leaves the blocks of a function: the buffers handed over, and those that die.

Each way out of a block has a `BlockExit`: the end of a region, a branch to another
block, or all branches together where it makes no difference which is taken.

    ^bb1:                               Exit(^bb1, None)  dying: %d
      cf.cond_br %c, ^bb2(%a), ^bb3     Exit(^bb1, 0)     handovers: %a
                                        Exit(^bb1, 1)     dying: %a
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.analyses.buffers.buffer_aliases import AliasIndex, BufferAliases
from xdsl_bufferization.analyses.buffers.buffer_flow import FlowKind, block_of
from xdsl_bufferization.analyses.liveness.buffer_liveness import BufferLiveness
from xdsl_bufferization.analyses.liveness.escapes import Escapes
from xdsl_bufferization.interfaces.deallocation import Borrowed, is_memref
from xdsl_bufferization.interfaces.operands import OpOperand


class Exit(NamedTuple):
    """A way out of a block."""

    block: Block
    way: int | None
    """The number of a successor, or None for all of them, or if there are none."""


@dataclass(frozen=True)
class Handover:
    """A buffer that leaves its block through an operand of the terminator."""

    use: OpOperand
    root: SSAValue
    is_local: bool
    """Whether the root is a value of what is left, and needed no more."""

    is_repeated: bool
    """Whether an earlier operand handed over in that way has the same root."""

    stays_lent: bool = False
    """Whether a value that is still needed may keep the memory."""


@dataclass
class BlockExit:
    """The buffers that outlive a way out of a block, or are given away before it."""

    handovers: list[Handover] = field(default_factory=list[Handover])
    retained: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The local roots that are handed over, without repetition."""

    escaped: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The roots that nobody may free, and that what is needed no more may be."""

    dying: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The roots that are needed no more."""

    contested: set[SSAValue] = field(default_factory=set[SSAValue])
    """Retained roots that may be the memory of another retained root."""

    escape_contested: set[SSAValue] = field(default_factory=set[SSAValue])
    """Retained roots that may be the memory of another root that escapes."""

    claimable: set[SSAValue] = field(default_factory=set[SSAValue])
    """Retained roots that may be the memory of another root that is needed no more."""


def block_of_op(op: Operation) -> Block:
    """The block that an op of a function body is in."""
    block = op.parent
    assert block is not None
    return block


def is_return(aliases: BufferAliases, op: Operation) -> bool:
    """Whether a terminator leaves the function."""
    return not op.successors and op.parent_op() is aliases.flow.root


def region_of(value: SSAValue) -> Region:
    """The region that a value of a function body is in."""
    region = block_of(value).parent
    assert region is not None
    return region


def exit_of(aliases: BufferAliases, use: OpOperand) -> Exit:
    """The way out on which the operand of a terminator is handed over."""
    return Exit(block_of_op(use.owner), aliases.flow.edges.get(use))


def find_exits(
    aliases: BufferAliases,
    escapes: Escapes,
    lifetimes: BufferLiveness,
) -> dict[Exit, BlockExit]:
    """Find what is handed over or dies on each way out of each block."""
    exits: dict[Exit, BlockExit] = {}
    for use, target in _forwarded_by_terminators(aliases).items():
        place = exit_of(aliases, use)
        exit_ = exits.setdefault(place, BlockExit())
        root = aliases.root(use.value)
        is_local = region_of(root) is place.block.parent
        stays_lent = False
        if place.way is not None and target is not None:
            goal = block_of(target)
            is_local = lifetimes.is_handed_over(root, place.block, goal)
            stays_lent = lifetimes.stays_lent(target)
        is_repeated = root in exit_.retained
        handover = Handover(use, root, is_local, is_repeated, stays_lent)
        exit_.handovers.append(handover)
        if is_local:
            exit_.retained[root] = None
    _find_deaths(aliases, escapes, lifetimes, exits)
    for exit_ in exits.values():
        _find_contested(aliases, exit_)
    return exits


def _forwarded_by_terminators(
    aliases: BufferAliases,
) -> dict[OpOperand, SSAValue | None]:
    """The memref operands that terminators forward, and what blocks get them as."""
    uses: dict[OpOperand, SSAValue | None] = {}
    for flow in aliases.flow.flows:
        if flow.kind is FlowKind.END:
            uses[flow.use] = None
        elif flow.kind is FlowKind.BRANCH and aliases.root(flow.target) is flow.target:
            uses[flow.use] = flow.target
    for block in aliases.flow.root.regions[0].blocks:
        last = block.last_op
        if last is not None and not last.successors and last.has_trait(IsTerminator):
            for index, value in enumerate(last.operands):
                if is_memref(value):
                    uses[OpOperand(last, index)] = None
    return uses


def _find_deaths(
    aliases: BufferAliases,
    escapes: Escapes,
    lifetimes: BufferLiveness,
    exits: dict[Exit, BlockExit],
) -> None:
    """Note for all roots where they are needed no more."""
    handed_over = _HandedOver(aliases, exits)
    for root in aliases.sites:
        if isinstance(aliases.flow.origins.get(root), Borrowed):
            continue
        for block, way in lifetimes.deaths(root):
            ways = [way]
            if way is None and handed_over.may_hold(block, root):
                assert block.last_op is not None
                ways = range(len(block.last_op.successors)) or ways
            for each in ways:
                exit_ = exits.setdefault(Exit(block, each), BlockExit())
                exit_.dying[root] = None
                exit_.escaped.update(_escaped(aliases, escapes, root, block))


def _escaped(
    aliases: BufferAliases, escapes: Escapes, root: SSAValue, block: Block
) -> dict[SSAValue, None]:
    """The captured roots that `root` may be, where it dies in `block`."""
    captured = escapes.captured.get(root)
    if captured is None:
        return {}
    graph = aliases.flow.graphs.of(block.parent)
    return {
        each: None
        for each, places in captured.items()
        if block in places
        or (graph and any(graph.strictly_dominates(p, block) for p in places))
    }


class _HandedOver:
    """What blocks hand over to any of their successors."""

    def __init__(self, aliases: BufferAliases, exits: dict[Exit, BlockExit]):
        retained: dict[Block, dict[SSAValue, None]] = {}
        for place, exit_ in exits.items():
            if place.way is not None:
                retained.setdefault(place.block, {}).update(exit_.retained)
        self._retained = retained
        self._indices = {
            block: AliasIndex(aliases, roots) for block, roots in retained.items()
        }

    def may_hold(self, block: Block, root: SSAValue) -> bool:
        """Whether a successor of `block` may get the memory of `root`."""
        if not self._retained.get(block):
            return False
        return root in self._retained[block] or self._indices[block].has_rival(root)


def _find_contested(aliases: BufferAliases, exit_: BlockExit) -> None:
    if len(exit_.retained) > 1:
        index = AliasIndex(aliases, exit_.retained)
        exit_.contested.update(filter(index.has_rival, exit_.retained))
    if exit_.escaped:
        index = AliasIndex(aliases, exit_.escaped)
        exit_.escape_contested.update(filter(index.has_rival, exit_.retained))
    if exit_.retained and len(exit_.dying) > 1:
        index = AliasIndex(aliases, exit_.dying)
        exit_.claimable.update(filter(index.has_rival, exit_.retained))

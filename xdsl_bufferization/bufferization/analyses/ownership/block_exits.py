"""Which buffers leave each block: handed over, or at the end of their live ranges.

    ^bb1:                               Exit(^bb1, None)  ended: %d
      cf.cond_br %c, ^bb2(%a), ^bb3     Exit(^bb1, 0)     handovers: %a
                                        Exit(^bb1, 1)     ended: %a

An `Exit` is the end of a region, one branch to another block, or all branches of a
block together. The last one stands for a buffer to which the same happens on all
branches. A buffer is *handed over* if an operand of the terminator forwards it, and its
live range ends with that.

Cost: near-linear in the operands of terminators and the ends of live ranges. Source:
MLIR's `OwnershipBasedBufferDeallocation.cpp`, where a `bufferization.dealloc` before a
terminator lists the memrefs to deallocate and the memrefs to retain.
"""

from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.algorithms.block_graph import successors_of
from xdsl_bufferization.support.algorithms.live_blocks import Exit

from ...interfaces.deallocation import Borrowed, is_memref
from ...interfaces.operands import OpOperand
from ..buffers.buffer_aliases import AliasIndex, BufferAliases
from ..buffers.buffer_flow import FlowKind, block_of, region_of
from ..liveness.buffer_liveness import BufferLiveness
from ..liveness.escapes import Escapes


@dataclass(frozen=True)
class Handover:
    """A buffer that leaves its block through an operand of the terminator."""

    use: OpOperand
    root: SSAValue
    is_local: bool
    """Whether the root is of the region that is left, and its live range ends."""

    is_repeated: bool
    """Whether an earlier operand that is handed over on this exit has the same root."""

    stays_lent: bool = False
    """Whether a value that is still live may keep the memory."""


@dataclass
class BlockExit:
    """The buffers that leave a block on one exit."""

    handovers: list[Handover] = field(default_factory=list[Handover])
    retained: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The local roots that are handed over, without repetition."""

    escaped: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The captured roots whose memory an `ended` root may have: nobody may free it."""

    ended: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The roots whose live ranges end."""

    contested: set[SSAValue] = field(default_factory=set[SSAValue])
    """Retained roots that may be the memory of another retained root."""

    escape_contested: set[SSAValue] = field(default_factory=set[SSAValue])
    """Retained roots that may be the memory of another root that escapes."""

    claimable: set[SSAValue] = field(default_factory=set[SSAValue])
    """Retained roots that may be the memory of another root whose live range ends."""


def is_return(aliases: BufferAliases, op: Operation) -> bool:
    """Whether a terminator leaves the function."""
    return not op.successors and op.parent_op() is aliases.flow.root


def exit_of(aliases: BufferAliases, use: OpOperand) -> Exit:
    """The exit on which the operand of a terminator is handed over."""
    block = use.owner.parent
    assert block is not None
    return Exit(block, aliases.flow.edges.get(use))


def find_exits(
    aliases: BufferAliases,
    escapes: Escapes,
    liveness: BufferLiveness,
) -> dict[Exit, BlockExit]:
    """Find what is handed over on each exit, and which live ranges end there."""
    exits: dict[Exit, BlockExit] = {}
    for use, target in _forwarded_by_terminators(aliases).items():
        place = exit_of(aliases, use)
        exit_ = exits.setdefault(place, BlockExit())
        root = aliases.root(use.value)
        is_local = region_of(root) is place.block.parent
        stays_lent = False
        if place.successor is not None and target is not None:
            goal = block_of(target)
            is_local = liveness.is_handed_over(root, place.block, goal)
            stays_lent = liveness.stays_lent(target)
        is_repeated = root in exit_.retained
        handover = Handover(use, root, is_local, is_repeated, stays_lent)
        exit_.handovers.append(handover)
        if is_local:
            exit_.retained[root] = None
    _find_ends(aliases, escapes, liveness, exits)
    for exit_ in exits.values():
        _find_contested(aliases, exit_)
    return exits


def _forwarded_by_terminators(
    aliases: BufferAliases,
) -> dict[OpOperand, SSAValue | None]:
    """The memref operands that terminators forward, and the arguments they become."""
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


def _find_ends(
    aliases: BufferAliases,
    escapes: Escapes,
    liveness: BufferLiveness,
    exits: dict[Exit, BlockExit],
) -> None:
    """Note for all roots where their live ranges end."""
    handed_over = _HandedOver(aliases, exits)
    for root in aliases.sites:
        if isinstance(aliases.flow.origins.get(root), Borrowed):
            continue
        for end in liveness.ends(root):
            block = end.block
            places = [end]
            if end.successor is None and handed_over.may_hold(block, root):
                count = len(successors_of(block))
                places = [Exit(block, number) for number in range(count)] or places
            for place in places:
                exit_ = exits.setdefault(place, BlockExit())
                exit_.ended[root] = None
                exit_.escaped.update(_escaped(aliases, escapes, root, block))


def _escaped(
    aliases: BufferAliases, escapes: Escapes, root: SSAValue, block: Block
) -> dict[SSAValue, None]:
    """The captured roots that `root` may be, where its live range ends in `block`."""
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
    """The roots that each block hands over to any of its successors."""

    def __init__(self, aliases: BufferAliases, exits: dict[Exit, BlockExit]):
        retained: dict[Block, dict[SSAValue, None]] = {}
        for place, exit_ in exits.items():
            if place.successor is not None:
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
    if exit_.retained and len(exit_.ended) > 1:
        index = AliasIndex(aliases, exit_.ended)
        exit_.claimable.update(filter(index.has_rival, exit_.retained))

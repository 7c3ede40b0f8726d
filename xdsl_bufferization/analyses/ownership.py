"""Who frees the memory of each buffer, as far as that is known before running.

Every allocation has exactly one owner at any time: a memref value, which frees it where
nobody needs it any more, or hands it to a value that it is yielded as. In a region of
one block that is the end of the block; of several, the ends of lifetimes. A buffer that
enters a region or another block is lent, unless nobody uses it afterwards: then it is
moved. This analysis finds for each root who may own its memory: the value itself,
another value of its region or one around, or nobody here.

    %a = memref.alloc()                       // {itself}
    %r = scf.for ... iter_args(%x = %a) {     // %x: {itself}, as %a is moved
      %n = memref.alloc()                     // {itself}
      scf.yield %n                            // handed to %x and %r: {itself}
    }
    %s = arith.select %c, %r, %arg            // {the region of %r, nobody}

From it follows the ownership of MLIR's lattice: unique(true) if the value itself is the
only candidate, unique(false) if it is none, unknown otherwise: then an i1 value has to
say it at run time. Source: MLIR's documentation, "Ownership-based Buffer Deallocation".
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.analyses.buffer_aliases import AliasIndex, BufferAliases
from xdsl_bufferization.analyses.buffer_flow import Flow, FlowKind, block_of
from xdsl_bufferization.analyses.buffer_lifetimes import (
    BufferLifetimes,
    find_lifetimes,
)
from xdsl_bufferization.analyses.escapes import find_escapes
from xdsl_bufferization.analyses.last_use import find_movable
from xdsl_bufferization.interfaces.deallocation import Allocated, Borrowed, is_memref
from xdsl_bufferization.interfaces.operands import OpOperand


class Ownership(Enum):
    """Whether a value owns its memory: a lattice from `UNINITIALIZED` to `UNKNOWN`.

    MLIR's unique(X) with the two constants X that can be known before running. The
    join of two ownerships is that of the union of their owners.
    """

    UNINITIALIZED = auto()
    """Nothing ever becomes this value."""

    NEVER = auto()
    """unique(false): somebody else frees the memory."""

    ALWAYS = auto()
    """unique(true)"""

    UNKNOWN = auto()
    """An i1 value says it at run time."""


class Owner(Enum):
    """Owners that are not regions."""

    ITSELF = auto()
    NOBODY = auto()
    """Nobody in this function: its caller, the program, the owner of a tensor."""


Owners = frozenset[Owner | Region]
"""Who may own memory; a region stands for some other value of it."""

_NONE = Owners()


def ownership_of(owners: Owners) -> Ownership:
    """Whether a value with these owners owns its memory itself."""
    if not owners:
        return Ownership.UNINITIALIZED
    if Owner.ITSELF not in owners:
        return Ownership.NEVER
    return Ownership.ALWAYS if len(owners) == 1 else Ownership.UNKNOWN


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
    """The roots needed no more that nobody may free."""

    dying: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The roots that are needed no more."""

    contested: set[SSAValue] = field(default_factory=set[SSAValue])
    """Retained roots that may be the memory of another retained root."""

    escape_contested: set[SSAValue] = field(default_factory=set[SSAValue])
    """Retained roots that may be the memory of another root that escapes."""

    claimable: set[SSAValue] = field(default_factory=set[SSAValue])
    """Retained roots that may be the memory of another root that is needed no more."""


@dataclass(frozen=True)
class OwnershipAnalysis:
    """The owners of all roots of a function, and what leaves each of its blocks."""

    aliases: BufferAliases
    owners: dict[SSAValue, Owners]
    lifetimes: BufferLifetimes
    exits: dict[Exit, BlockExit]
    escapes: dict[SSAValue, OpOperand]
    """The roots that nobody may free, and the operand that captures their memory."""

    moved: dict[SSAValue, OpOperand]
    """The roots that a region op takes over, and the operand that passes them."""

    handed_over: dict[OpOperand, Ownership]
    """Whether the receiver of a terminator's operand becomes the owner."""

    def ownership(self, root: SSAValue) -> Ownership:
        """Whether a root owns its memory, while its block runs."""
        return ownership_of(self.owners[root])


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


def analyze_ownership(aliases: BufferAliases) -> OwnershipAnalysis:
    """Find who owns the memory of each root.

    A first run takes all buffers that enter regions as lent. Then those are moved
    whose region might give something else back, for the loop can free or reuse them.
    """
    lifetimes = find_lifetimes(aliases)
    escapes = find_escapes(aliases, lifetimes)
    exits = _find_exits(aliases, escapes, lifetimes)
    lent = _propagate(aliases, exits, {})
    taken = (
        flow
        for flow in aliases.flow.flows
        if flow.kind is FlowKind.ENTRY and Owner.ITSELF in lent.get(flow.target, ())
    )
    moved = find_movable(aliases, taken, escapes)
    owners = _propagate(aliases, exits, moved) if moved else lent
    handed_over = {
        # Other owners and nobody need not be told apart here.
        handover.use: ownership_of(
            hand_over(handover, exit_, owners[handover.root], Owner.NOBODY)
        )
        for exit_ in exits.values()
        for handover in exit_.handovers
    }
    return OwnershipAnalysis(
        aliases, owners, lifetimes, exits, escapes, moved, handed_over
    )


# --- what leaves a block -------------------------------------------------------------


def _find_exits(
    aliases: BufferAliases,
    escapes: dict[SSAValue, OpOperand],
    lifetimes: BufferLifetimes,
) -> dict[Exit, BlockExit]:
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
    escapes: dict[SSAValue, OpOperand],
    lifetimes: BufferLifetimes,
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
                if root in escapes:
                    exit_.escaped[root] = None


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


# --- owners --------------------------------------------------------------------------


def hand_over(
    handover: Handover,
    exit_: BlockExit,
    owners: Owners,
    others: Owner | Region,
) -> Owners:
    """Who owns what the terminator of a block forwards, seen from its receiver.

    `others` stands for the other values that are received at the same time.
    """
    if not handover.is_local:
        return lend(handover.root, owners)
    if handover.root in exit_.escaped:
        return Owners((Owner.NOBODY,))
    region = region_of(handover.root)
    may_be_claimed = region in owners and handover.root in exit_.claimable
    is_owned_here = Owner.ITSELF in owners or may_be_claimed
    result = set(owners - {Owner.ITSELF, region})
    if region in owners and handover.stays_lent:
        result.add(region)
    if is_owned_here and handover.is_repeated:
        result.add(others)
    elif is_owned_here:
        result.add(Owner.ITSELF)
        # A root that owns its memory keeps it even if a rival might have the same.
        keeps_it = ownership_of(owners) is Ownership.ALWAYS
        if handover.root in exit_.contested and not keeps_it:
            result.add(others)
        if handover.root in exit_.escape_contested:
            result.add(Owner.NOBODY)
    return Owners(result)


def lend(root: SSAValue, owners: Owners) -> Owners:
    """Who owns the memory of `root`, seen from a value that borrows it."""
    if Owner.ITSELF in owners:
        return (owners - {Owner.ITSELF}) | {region_of(root)}
    return owners


def _initial_owners(aliases: BufferAliases) -> dict[SSAValue, Owners]:
    owners: dict[SSAValue, Owners] = {}
    for flow in aliases.flow.flows:
        owners[aliases.root(flow.target)] = _NONE
    for root, origin in aliases.flow.origins.items():
        if not isinstance(origin, Allocated):
            owners[root] = Owners((Owner.NOBODY,))
        elif root in aliases.flow.returned_by_calls:
            # Another result may have the ownership, or it may be a global's memory.
            owners[root] = Owners((Owner.ITSELF, Owner.NOBODY, region_of(root)))
        else:
            owners[root] = Owners((Owner.ITSELF,))
    return owners


def _propagate(
    aliases: BufferAliases,
    exits: dict[Exit, BlockExit],
    moved: dict[SSAValue, OpOperand],
) -> dict[SSAValue, Owners]:
    owners = _initial_owners(aliases)
    handovers = {h.use: h for exit_ in exits.values() for h in exit_.handovers}

    def transfer(flow: Flow, source: SSAValue) -> Owners:
        if flow.kind in (FlowKind.END, FlowKind.BRANCH):
            exit_ = exits[exit_of(aliases, flow.use)]
            receiver = region_of(flow.target)
            return hand_over(handovers[flow.use], exit_, owners[source], receiver)
        if moved.get(source) == flow.use:
            return owners[source]
        return lend(source, owners[source])

    outgoing: dict[SSAValue, list[Flow]] = {}
    for flow in aliases.flow.flows:
        if aliases.root(flow.target) is flow.target:
            outgoing.setdefault(aliases.root(flow.source), []).append(flow)
    todo = deque(owners)
    while todo:
        source = todo.popleft()
        for flow in outgoing.get(source, ()):
            merged = owners[flow.target] | transfer(flow, source)
            if merged != owners[flow.target]:
                owners[flow.target] = merged
                todo.append(flow.target)
    return owners

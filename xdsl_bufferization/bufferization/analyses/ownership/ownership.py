"""Who frees the memory of each buffer, as far as that is known before running.

    %a = memref.alloc()                       // {itself}
    %r = scf.for ... iter_args(%x = %a) {     // %x: {itself}, as %a is moved
      %n = memref.alloc()                     // {itself}
      scf.yield %n                            // handed to %x and %r: {itself}
    }
    %s = arith.select %c, %r, %arg            // {the region of %r, nobody}

Every allocation has exactly one owner at any time, a memref value. The owner frees the
allocation where its live range ends, or hands it to a value that it is yielded as. In a
region of one block the live range ends with the block.

A buffer that enters a region or another block is lent. If it is not used afterwards, it
is moved instead, and its owner changes. The analysis finds for each root who may own
its memory: the value itself, another value of its region or of one around, or nobody
here. The three cases are those of MLIR's lattice:

- The value itself is the only candidate: unique(true).
- The value itself is no candidate: unique(false).
- Otherwise: unknown. An i1 value has to say it at run time.

Cost: linear in the flows between buffers, times the owners that one buffer may have.
Source: MLIR's documentation, "Ownership-based Buffer Deallocation".
"""

from collections import deque
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from xdsl.ir import Block, Operation, Region, SSAValue, Use

from xdsl_bufferization.support.algorithms.live_blocks import Exit
from xdsl_bufferization.support.algorithms.program_points import happens_before

from ...interfaces.deallocation import Allocated, is_memref
from ...interfaces.operands import OpOperand
from ..buffers.buffer_aliases import AliasIndex, BufferAliases
from ..buffers.buffer_flow import Flow, FlowKind, block_of, region_of
from ..liveness.buffer_liveness import BufferLiveness, find_liveness
from ..liveness.escapes import find_escapes
from .block_exits import BlockExit, Handover, exit_of, find_exits


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


@dataclass(frozen=True)
class OwnershipAnalysis:
    """The owners of all roots of a function, and what leaves each of its blocks."""

    aliases: BufferAliases
    owners: dict[SSAValue, Owners]
    liveness: BufferLiveness
    exits: dict[Exit, BlockExit]
    moved: dict[SSAValue, OpOperand]
    """The roots that a region op takes over, and the operand that passes them."""

    handed_over: dict[OpOperand, Ownership]
    """Whether the receiver of a terminator's operand becomes the owner."""

    def ownership(self, root: SSAValue) -> Ownership:
        """Whether a root owns its memory, while its block runs."""
        return ownership_of(self.owners[root])


def analyze_ownership(aliases: BufferAliases) -> OwnershipAnalysis:
    """Find who owns the memory of each root.

    In a first run, all buffers that enter regions are lent. Then a buffer is moved if
    its region might give another buffer back, so that the loop can free or reuse it.
    """
    liveness = find_liveness(aliases)
    escapes = find_escapes(aliases, liveness)
    exits = find_exits(aliases, escapes, liveness)
    lent = _propagate(aliases, exits, {})
    taken = (
        flow
        for flow in aliases.flow.flows
        if flow.kind is FlowKind.ENTRY and Owner.ITSELF in lent.get(flow.target, ())
    )
    moved = find_moved_operands(aliases, taken, escapes.captured)
    owners = _propagate(aliases, exits, moved) if moved else lent
    handed_over = {
        # Other owners and nobody need not be told apart here.
        handover.use: ownership_of(
            hand_over(handover, exit_, owners[handover.root], Owner.NOBODY)
        )
        for exit_ in exits.values()
        for handover in exit_.handovers
    }
    return OwnershipAnalysis(aliases, owners, liveness, exits, moved, handed_over)


# --- owners --------------------------------------------------------------------------


def hand_over(
    handover: Handover,
    exit_: BlockExit,
    owners: Owners,
    others: Owner | Region,
) -> Owners:
    """Who owns the buffer that a terminator forwards, seen from its receiver.

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
    # The least fix point over sets of owners. A set only grows, and what a flow brings
    # grows with the set that it comes from. A root is visited again whenever its set
    # has grown, so that in the end each set has all that any flow brings. Source: the
    # lattice of MLIR's documentation, "Ownership-based Buffer Deallocation".
    todo = deque(owners)
    while todo:
        source = todo.popleft()
        for flow in outgoing.get(source, ()):
            merged = owners[flow.target] | transfer(flow, source)
            if merged != owners[flow.target]:
                owners[flow.target] = merged
                todo.append(flow.target)
    return owners


# --- moved operands -----------------------------------------------------------------


def find_moved_operands(
    aliases: BufferAliases, flows: Iterable[Flow], escapes: Container[SSAValue]
) -> dict[SSAValue, OpOperand]:
    """The roots that the ops of `flows` may take over, and the operand that does it.

        %a = memref.alloc()
        memref.store %v, %a[%i]                  // fine: before the loop
        %r = scf.for ... iter_args(%x = %a) ...  // the last use: %a may be moved

    A loop that replaces its argument by a new buffer can free the one that it was
    given, if nobody uses that one afterwards. Then the loop needs no i1 values that
    tell a buffer that it was lent from one that it owns.

    A buffer is moved only inside of its own block, and only if the loop is the one op
    that forwards it. So it is enough to look at its uses, each of which must have ended
    before the loop starts. Cost: linear in the uses of the buffers that enter region
    ops.
    """
    return _LastUses(aliases, escapes).run(flows)


class _LastUses:
    """The search for last uses; what several roots share is computed once."""

    def __init__(self, aliases: BufferAliases, escapes: Container[SSAValue]):
        self.aliases = aliases
        self.escapes = escapes
        self.forwards: dict[SSAValue, set[OpOperand]] = {}
        for flow in aliases.flow.flows:
            root = aliases.root(flow.source)
            self.forwards.setdefault(root, set()).add(flow.use)
        self.siblings: dict[Operation | Block, AliasIndex] = {}

    def run(self, flows: Iterable[Flow]) -> dict[SSAValue, OpOperand]:
        """For each flow: whether its source is a root that it may take over."""
        moved: dict[SSAValue, OpOperand] = {}
        for flow in flows:
            root = self.aliases.root(flow.source)
            if root not in moved and self._is_last_use(root, flow.use):
                moved[root] = flow.use
        return moved

    def _is_last_use(self, root: SSAValue, use: OpOperand) -> bool:
        block = use.owner.parent
        points = self.aliases.flow.points
        return (
            block is not None
            and block_of(root) is block
            and self._may_be_owner(root)
            and self.forwards[root] == {use}
            and not self._sibling(root).has_rival(root)
            and all(
                (other.operation is use.owner and other.index == use.number)
                or happens_before(
                    points.of_op(other.operation), points.of_op(use.owner)
                )
                for other in self._all_uses(root)
            )
        )

    def _may_be_owner(self, root: SSAValue) -> bool:
        if root in self.escapes or root in self.aliases.unknown:
            return False
        origin = self.aliases.flow.origins.get(root)
        if origin is not None:
            return isinstance(origin, Allocated)
        # What a region op returns or passes inwards; not what a select chooses.
        owner = root.owner
        return isinstance(owner, Block) or bool(owner.regions)

    def _sibling(self, root: SSAValue) -> AliasIndex:
        """The roots that came into being together with `root`."""
        owner = root.owner
        if owner not in self.siblings:
            values = owner.args if isinstance(owner, Block) else owner.results
            roots = [
                value
                for value in values
                if is_memref(value) and self.aliases.root(value) is value
            ]
            self.siblings[owner] = AliasIndex(self.aliases, roots)
        return self.siblings[owner]

    def _all_uses(self, root: SSAValue) -> Iterator[Use]:
        yield from root.uses
        for view in self.aliases.views.get(root, ()):
            yield from view.uses

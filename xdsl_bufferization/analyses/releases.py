"""What each block has to free at its end, and what may turn out to be still needed.

%a = memref.alloc()                // released, unless it is %s
%b = memref.alloc()                // released, unless it is %s
%c = memref.alloc()                // released
%s = arith.select %cond, %a, %b
return %s                          // retained
"""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from xdsl_bufferization.analyses.buffer_aliases import AliasIndex, BufferAliases
from xdsl_bufferization.analyses.buffer_flow import block_of
from xdsl_bufferization.analyses.ownership import (
    BlockExit,
    Owner,
    OwnershipAnalysis,
)
from xdsl_bufferization.errors import fail_at


@dataclass(frozen=True)
class Release:
    """A root whose memory its block frees, if it owns it and nobody retains it."""

    root: SSAValue
    retained: tuple[SSAValue, ...]
    """Roots that may have the same memory; the first that has it gets it.

    Roots that escape come first. `root` itself comes last, if it outlives the block.
    """


def find_releases(analysis: OwnershipAnalysis) -> dict[Block, tuple[Release, ...]]:
    """What each block frees, in the order of definition."""
    owned: dict[Block, list[SSAValue]] = {}
    for root, owners in analysis.owners.items():
        if Owner.ITSELF in owners and root not in analysis.moved:
            owned.setdefault(block_of(root), []).append(root)
    releases: dict[Block, tuple[Release, ...]] = {}
    for block, roots in owned.items():
        roots.sort(key=lambda root: _position(analysis.aliases, root))
        exit_ = analysis.exits.get(block, BlockExit())
        releases[block] = tuple(_block_releases(analysis, block, exit_, roots))
    _check_pointers(analysis.aliases, releases)
    return releases


def _position(aliases: BufferAliases, root: SSAValue) -> tuple[int, int]:
    owner = root.owner
    start = -1 if isinstance(owner, Block) else aliases.flow.places.of_op(owner).start
    assert isinstance(root, OpResult | BlockArgument)
    return start, root.index


def _block_releases(
    analysis: OwnershipAnalysis,
    block: Block,
    exit_: BlockExit,
    owned: list[SSAValue],
) -> Iterable[Release]:
    aliases = analysis.aliases
    owned = [root for root in owned if root not in exit_.escaped]
    index = AliasIndex(aliases, owned)
    retained: dict[SSAValue, list[SSAValue]] = {root: [] for root in owned}
    for keeper in dict.fromkeys((*exit_.escaped, *exit_.retained)):
        # Memory that no other value of this block owns cannot be freed here.
        if block not in analysis.owners[keeper]:
            continue
        for root in index.may_alias(keeper):
            # Roots that outlive the block keep what they own, except from those that
            # escape.
            is_kept = root in exit_.retained and keeper not in exit_.escaped
            if not is_kept and not aliases.is_new_after(root, keeper):
                retained[root].append(keeper)
    for root, keepers in retained.items():
        if root not in exit_.retained:
            yield Release(root, tuple(keepers))
        elif keepers:
            yield Release(root, (*keepers, root))


def _check_pointers(
    aliases: BufferAliases, releases: dict[Block, tuple[Release, ...]]
) -> None:
    """Refuse what cannot be compared at run time.

    Two buffers are compared by their aligned pointers, which tell nothing about a
    buffer whose pointer was moved.
    """
    if not (moves := set(aliases.flow.pointer_moves)):
        return
    compared = {
        aliases.classes[release.root]
        for block_releases in releases.values()
        for release in block_releases
        if release.retained
    }
    for flow in aliases.flow.flows:
        if aliases.classes.get(aliases.root(flow.source)) not in compared:
            continue
        value = flow.source
        while value in aliases.flow.view_of:
            if value in moves and not isinstance(value.owner, Block):
                fail_at(
                    value.owner,
                    f"'{value.owner.name}' hides from which allocation its result is, "
                    "and the result is passed on where that matters; pass its source "
                    "on and take the view afterwards",
                )
            value = aliases.flow.view_of[value]

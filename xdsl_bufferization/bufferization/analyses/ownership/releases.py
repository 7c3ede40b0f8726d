"""What has to be freed on each exit of a block, unless the same memory is still live.

    %a = memref.alloc()                // released, unless it is %s
    %b = memref.alloc()                // released, unless it is %s
    %c = memref.alloc()                // released
    %s = arith.select %cond, %a, %b
    return %s                          // retained

A buffer is released where its live range ends, if it may own its memory. A buffer that
is handed over on the same exit is retained. If both may have the same memory, the
running program compares their pointers.

Cost: the pairs of released and retained buffers that may have the same memory. Source:
the op `bufferization.dealloc` of MLIR, which has the same two lists.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from xdsl_bufferization.support.algorithms.live_blocks import Exit
from xdsl_bufferization.support.errors import fail_at, op_name

from ..buffers.buffer_aliases import AliasIndex, BufferAliases
from .block_exits import BlockExit
from .ownership import Owner, OwnershipAnalysis


@dataclass(frozen=True)
class Release:
    """A root whose memory is freed, if it owns it and nobody retains it."""

    root: SSAValue
    retained: tuple[SSAValue, ...]
    """Roots that may have the same memory; the first that has it gets it.

    Roots that escape come first. `root` itself comes last, if it is handed over.
    """


def find_releases(analysis: OwnershipAnalysis) -> dict[Exit, tuple[Release, ...]]:
    """What is freed on each exit of a block, in the order of definition."""
    releases: dict[Exit, tuple[Release, ...]] = {}
    for place, exit_ in analysis.exits.items():
        roots = [
            root
            for root in exit_.ended
            if Owner.ITSELF in analysis.owners.get(root, ())
            and root not in analysis.moved
            and root not in exit_.escaped
        ]
        if roots:
            roots.sort(key=lambda root: _position(analysis.aliases, root))
            found = tuple(_exit_releases(analysis, place, exit_, roots))
            if found:
                releases[place] = found
    _check_pointers(analysis.aliases, releases)
    return releases


def _position(aliases: BufferAliases, root: SSAValue) -> tuple[int, int]:
    owner = root.owner
    start = -1 if isinstance(owner, Block) else aliases.flow.points.of_op(owner).start
    assert isinstance(root, OpResult | BlockArgument)
    return start, root.index


def _exit_releases(
    analysis: OwnershipAnalysis,
    place: Exit,
    exit_: BlockExit,
    owned: list[SSAValue],
) -> Iterable[Release]:
    aliases = analysis.aliases
    index = AliasIndex(aliases, owned)
    retained: dict[SSAValue, list[SSAValue]] = {root: [] for root in owned}
    for keeper in dict.fromkeys((*exit_.escaped, *exit_.retained)):
        # Memory that no other value of this region owns cannot be freed here.
        if place.block.parent not in analysis.owners[keeper]:
            continue
        for root in index.may_alias(keeper):
            # Roots that are handed over keep what they own, except from those that
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
    aliases: BufferAliases, releases: dict[Exit, tuple[Release, ...]]
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
                    f"'{op_name(value.owner)}' hides from which allocation its result "
                    "is, and the result is passed on where that matters; pass its "
                    "source on and take the view afterwards",
                )
            value = aliases.flow.view_of[value]

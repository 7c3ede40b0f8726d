"""Of which values the program has to know at run time who owns them.

    %r:2 = scf.for ... iter_args(%x = %a, %x_is_owned = %false) ...   // an i1 value
    scf.if %r#1 { memref.dealloc %r#0 }                               // asks for it

An i1 value next to a memref costs an argument and a result wherever the memref goes. So
it is there only if something depends on it: a release, a clone, or the i1 value of
another memref that this one becomes. The search goes backwards from the releases.

Cost: linear in the flows between buffers. Source of the i1 values: MLIR's
documentation, "Ownership-based Buffer Deallocation", which passes one with each memref.
"""

from collections.abc import Iterable

from xdsl.ir import SSAValue

from xdsl_bufferization.support.algorithms.live_blocks import Exit

from ...interfaces.operands import OpOperand
from ..buffers.buffer_flow import FlowKind
from .block_exits import is_return
from .ownership import Ownership, OwnershipAnalysis
from .releases import Release


def find_demanded(
    analysis: OwnershipAnalysis, releases: dict[Exit, tuple[Release, ...]]
) -> frozenset[SSAValue | OpOperand]:
    """The roots, and the terminator operands, whose ownership is asked for."""
    aliases = analysis.aliases
    senders: dict[SSAValue, list[OpOperand]] = {}
    for flow in aliases.flow.flows:
        if flow.kind is not FlowKind.SELECT:
            senders.setdefault(flow.target, []).append(flow.use)
    handovers = {h.use: h for exit_ in analysis.exits.values() for h in exit_.handovers}
    moved = {use: root for root, use in analysis.moved.items()}

    def asked_by(item: SSAValue | OpOperand) -> Iterable[SSAValue | OpOperand | None]:
        """The items from whose ownership that of `item` is computed."""
        if isinstance(item, SSAValue):
            return senders.get(item, ())
        if item in handovers:
            return (handovers[item].root,)
        return (moved.get(item),)

    def is_unknown(item: SSAValue | OpOperand) -> bool:
        if isinstance(item, SSAValue):
            return analysis.ownership(item) is Ownership.UNKNOWN
        # What is moved into a region op is not handed over by a terminator.
        return analysis.handed_over.get(item, Ownership.UNKNOWN) is Ownership.UNKNOWN

    todo: list[SSAValue | OpOperand | None] = [
        release.root for group in releases.values() for release in group
    ]
    todo += [use for use in handovers if is_return(aliases, use.owner)]
    demanded: set[SSAValue | OpOperand] = set()
    while todo:
        item = todo.pop()
        if item is not None and item not in demanded and is_unknown(item):
            demanded.add(item)
            todo.extend(asked_by(item))
    return frozenset(demanded)

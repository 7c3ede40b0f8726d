"""Buffers that outlive every memref, because something else may reach their memory.

A buffer that becomes a tensor (`bufferization.to_tensor`) or is stored in a buffer must
not be freed behind its back. Such a root is kept alive at the end of its own block, and
nobody owns it from there on. What it may alias is kept alive together with it if it is
owned in the same block; memory that is lent from an enclosing block escapes there.

    %a = memref.alloc()               // escapes: lent to the loop
    scf.for ... iter_args(%x = %a) {  // escapes
      %t = bufferization.to_tensor %x
      %n = memref.alloc()             // does not: it becomes %x before it is captured
      scf.yield %n
    }
"""

from xdsl.ir import Block, SSAValue

from xdsl_bufferization.analyses.buffer_aliases import BufferAliases
from xdsl_bufferization.analyses.buffer_flow import block_of
from xdsl_bufferization.analyses.buffer_lifetimes import BufferLifetimes
from xdsl_bufferization.interfaces.operands import OpOperand


def find_escapes(
    aliases: BufferAliases, lifetimes: BufferLifetimes
) -> dict[SSAValue, OpOperand]:
    """The roots that nobody may free, and the operand that captures their memory."""
    sources: dict[SSAValue, list[SSAValue]] = {}
    for flow in aliases.flow.flows:
        source = aliases.root(flow.source)
        if aliases.root(flow.target) is flow.target and source is not flow.target:
            sources.setdefault(flow.target, []).append(source)

    escapes: dict[SSAValue, OpOperand] = {}
    for use in aliases.flow.captured:
        root = aliases.root(use.value)
        if root not in escapes:
            escapes[root] = use
            _follow(aliases, lifetimes, root, sources, escapes)
    return escapes


def _follow(
    aliases: BufferAliases,
    lifetimes: BufferLifetimes,
    root: SSAValue,
    sources: dict[SSAValue, list[SSAValue]],
    escapes: dict[SSAValue, OpOperand],
) -> None:
    """Add what is lent to `root` from blocks around its own, and so on outwards."""
    use = escapes[root]
    todo = [(root, block_of(root))]
    seen: dict[SSAValue, Block] = {}
    while todo:
        value, keeper = todo.pop()
        if value in seen and aliases.flow.runs_before(keeper, seen[value]):
            continue
        seen[value] = keeper
        for source in sources.get(value, ()):
            home = block_of(source)
            if home.parent is keeper.parent:
                # Who lends from one block to another may live on after the borrower.
                is_outer = lifetimes.is_lent(source, value)
            else:
                is_outer = aliases.flow.ancestor_in(home.parent, keeper) is not None
            if is_outer:
                escapes.setdefault(source, use)
                todo.append((source, home))
            else:
                todo.append((source, keeper))

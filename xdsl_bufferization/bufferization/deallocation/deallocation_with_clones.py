"""Free every buffer, cloning what has no single allocation that could be freed.

The strategy `clone` of `buffer-deallocation`, for programs on memrefs that write to a
buffer only while it is filled. Canonicalization afterwards removes the clones of
buffers that are freed right away.

    ^bb1:                            ^bb1:
      %0 = memref.alloc()              %0 = memref.alloc()
      cf.br ^bb3(%0)                   %1 = bufferization.clone %0
    ^bb2:                              memref.dealloc %0
      cf.br ^bb3(%arg)                 cf.br ^bb3(%1)
    ^bb3(%2):                        ^bb2:
      use(%2)                          %3 = bufferization.clone %arg
      return                           cf.br ^bb3(%3)
                                     ^bb3(%2):
                                       use(%2)
                                       memref.dealloc %2
                                       return

Source: MLIR's documentation of 2021, "Buffer Deallocation - Internals". The function
boundary is that of ownership-based deallocation: arguments belong to the caller, and
so do results, each a buffer of its own.
"""

from collections.abc import Iterable, Sequence
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import bufferization, func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.algorithms.control_scopes import START
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.buffers.buffer_flow import collect_buffer_flow
from ..analyses.clones.critical_aliases import AliasGraph, find_critical_aliases
from ..analyses.clones.free_points import (
    FreePoints,
    find_free_points,
    find_uncertain_captures,
)
from ..analyses.clones.written_arguments import find_written_arguments
from ..interfaces.deallocation import Allocated, is_buffer_scope
from ..interfaces.operands import OpOperand
from .clone_requirements import check_flow, check_graph, check_writes
from .cloned_captures import clone_captures
from .edges import split_edge

_Clones = dict[tuple[Operation | None, SSAValue], list[bufferization.CloneOp]]
"""By the op that gets clones and what they are clones of, in order."""


@without_garbage_collection()
def deallocate_with_clones(module: ModuleOp) -> list[bufferization.CloneOp]:
    """Insert clones and `memref.dealloc` in the functions of `module`.

    Returns the clones. Raises an `OperationError` for programs that it cannot handle.
    """
    ops = ops_inside(module)
    declared = [op for op in ops if isinstance(op, func.FuncOp) and op.is_declaration]
    graphs = [_find_aliases(op) for op in ops if is_buffer_scope(op)]
    written = find_written_arguments(declared, graphs)
    clones: list[bufferization.CloneOp] = []
    for graph in graphs:
        check_graph(graph)
        check_writes(graph, written)
        clones.extend(_deallocate_function(graph))
    return clones


def _find_aliases(root: Operation) -> AliasGraph:
    """Find what is to be cloned; gives each clone a place of its own."""
    graph = _analyze(root)
    if captures := find_uncertain_captures(graph):
        clone_captures(captures)
        graph = _analyze(root)
    edges = tuple(_edges_with_clones(graph))
    if not edges:
        return graph
    # A clone made before a branch would be lost on the other paths.
    for terminator, number in edges:
        split_edge(terminator, number)
    return _analyze(root)


def _deallocate_function(graph: AliasGraph) -> list[bufferization.CloneOp]:
    free_points = find_free_points(graph)
    ops = graph.scopes.points.ops
    clones = _insert_clones((*graph.cloned, *free_points.cloned))
    _insert_deallocs(graph, free_points, ops, clones)
    return [clone for group in clones.values() for clone in group]


def _analyze(root: Operation) -> AliasGraph:
    flow = collect_buffer_flow(root)
    check_flow(flow)
    return find_critical_aliases(flow)


def _edges_with_clones(graph: AliasGraph) -> Iterable[tuple[Operation, int]]:
    """The edges on which something is cloned, of branches with several edges."""
    edges = (
        (use.owner, graph.flow.edges[use])
        for use in graph.cloned
        if use in graph.flow.edges and len(use.owner.successors) > 1
    )
    return dict.fromkeys(edges)


def _insert_clones(
    uses: Iterable[OpOperand],
) -> _Clones:
    """Replace operands by clones of them; returns these by op and by what is cloned."""
    numbers: dict[Operation, list[int]] = {}
    for use in uses:
        numbers.setdefault(use.owner, []).append(use.number)
    clones: _Clones = {}
    for op, indices in numbers.items():
        operands = list(op.operands)
        for index in sorted(indices):
            source = operands[index]
            clone = bufferization.CloneOp(source)
            operands[index] = clone.output
            clones.setdefault((op, source), []).append(clone)
            assert op.parent is not None
            op.parent.insert_op_before(clone, op)
        op.operands = operands
    return clones


def _insert_deallocs(
    graph: AliasGraph,
    free_points: FreePoints,
    ops: Sequence[Operation],
    clones: _Clones,
) -> None:
    """Free owners where they end; `ops` are those of the function, by position."""
    for block, ends in free_points.in_block.items():
        by_time: dict[int, list[SSAValue]] = {}
        for time, owner in ends:
            by_time.setdefault(time, []).append(owner)
        for time, owners in by_time.items():
            point = _insert_point(block, time, ops)
            for owner in owners:
                # What is cloned and freed for one op meets in canonicalization if the
                # one follows the other, however many clones the op gets.
                group = clones.get((point.insert_before, owner))
                is_alone = group is not None and not graph.aliases.get(owner)
                at = InsertPoint.after(group[-1]) if group and is_alone else point
                _free(graph, [owner], at)
    for exit_, owners in free_points.on_edge.items():
        between = split_edge(*exit_.edge)
        _free(graph, owners, InsertPoint.at_start(between))


def _insert_point(block: Block, time: int, ops: Sequence[Operation]) -> InsertPoint:
    if time == START:
        return InsertPoint.at_start(block)
    op = ops[time // 2]
    is_before = time % 2 == 0
    if is_before or (op is block.last_op and op.has_trait(IsTerminator)):
        return InsertPoint.before(op)
    return InsertPoint.after(op)


def _free(graph: AliasGraph, owners: Sequence[SSAValue], point: InsertPoint) -> None:
    builder = Builder(point)
    for owner in owners:
        base = _base_buffer(graph, owner, builder)
        builder.insert(memref.DeallocOp.create(operands=[base]))


def _base_buffer(graph: AliasGraph, owner: SSAValue, builder: Builder) -> SSAValue:
    """The allocation of `owner`, which is a view where nothing says otherwise."""
    match graph.flow.origins.get(owner):
        case Allocated(is_base_buffer=False) if isinstance(owner.type, MemRefType):
            view = cast("SSAValue[MemRefType]", owner)
            return builder.insert(memref.ExtractStridedMetaDataOp(view)).base_buffer
        case _:
            return owner

"""Refusing programs that deallocation with clones cannot handle, at the op."""

from collections.abc import Iterable
from itertools import chain

from xdsl.dialects import func
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.errors import fail_at, op_name

from ..analyses.buffers.buffer_flow import BufferFlow
from ..analyses.clones.critical_aliases import AliasGraph
from ..analyses.clones.lost_writes import find_lost_write
from ..analyses.clones.written_arguments import WrittenArguments
from ..interfaces.operands import OpOperand
from ..interfaces.region_branch import get_region_branch
from .free_requirements import check_frees
from .reduction_requirements import check_reductions


def check_flow(flow: BufferFlow) -> None:
    """Raise an `OperationError` at the first op whose buffers cannot be followed."""
    check_frees(flow)
    check_reductions(flow)
    for op in flow.region_ops:
        if isinstance(op, UnregisteredOp):
            fail_at(
                op,
                f"'{op_name(op)}' is not registered, and what its regions do with "
                "buffers is not known; load its dialect",
            )
    for value in flow.unknown:
        _check_origin(value)
    for op in flow.opaque_branches:
        fail_at(
            op,
            f"'{op_name(op)}' leads to other blocks and does not say what it passes "
            "to them; attach a model of BranchOpInterface to it",
        )


def _check_origin(value: SSAValue) -> None:
    owner = value.owner
    if not isinstance(owner, Block):
        fail_at(
            owner,
            f"'{op_name(owner)}' returns a buffer and does not say where its memory "
            "comes from; attach a model of BufferDeallocationOpInterface to it, or of "
            "RegionBranchOpInterface if its regions yield it",
        )
    region, op = owner.parent, owner.parent_op()
    assert region is not None
    assert op is not None
    if region.blocks.first is owner:
        fail_at(
            op,
            f"'{op_name(op)}' passes a buffer to its region and does not say which; "
            "attach a model of RegionBranchOpInterface to it",
        )


def check_graph(graph: AliasGraph) -> None:
    """Raise an `OperationError` at the first op that a clone cannot be made for."""
    values = dict.fromkeys((*graph.owners, *chain(*graph.aliases.values())))
    for value in values:
        for use in value.uses:
            _check_end(graph, OpOperand(use.operation, use.index))
    cloned: dict[Operation, set[OpOperand]] = {}
    for use in graph.cloned:
        cloned.setdefault(use.owner, set()).add(use)
    for op, uses in cloned.items():
        if not op.successors:
            _check_sender(op, uses)


def check_writes(graph: AliasGraph, written: WrittenArguments) -> None:
    """Raise an `OperationError` at the first op that a clone would change."""
    if (use := find_lost_write(graph, written)) is not None:
        fail_at(
            use.owner,
            f"'{op_name(use.owner)}' operand {use.number} would be copied, and the "
            "buffer or its copy is written to while both are in use; use "
            "strategy=ownership, or write to buffers only before they are passed on",
        )


def _check_end(graph: AliasGraph, use: OpOperand) -> None:
    """A buffer that leaves a region must be known to become something."""
    op = use.owner
    assert op.parent is not None
    is_end = op.next_op is None and op.has_trait(IsTerminator) and not op.successors
    if (
        is_end
        and use not in graph.forwarded
        and not isinstance(op, func.ReturnOp)
        and graph.scopes.is_reachable(op.parent)
    ):
        fail_at(
            op,
            f"'{op_name(op)}' ends a region with a buffer, and what becomes of it is "
            "not known; attach a model of RegionBranchOpInterface to the op around it",
        )


def _check_sender(op: Operation, cloned: set[OpOperand]) -> None:
    """Each successor must receive each clone once: otherwise nothing would free it."""
    for operands in _forwarded(op):
        received = [use for use in operands if use in cloned]
        if len(set(received)) < len(received):
            fail_at(
                op,
                f"'{op_name(op)}' forwards an operand twice to one successor, and both "
                "values would own one buffer; forward two operands",
            )
        if len(received) < len(cloned):
            fail_at(
                op,
                f"'{op_name(op)}' forwards other buffers to each of its successors, "
                "which deallocation with clones does not support; forward all to each",
            )


def _forwarded(op: Operation) -> Iterable[tuple[OpOperand, ...]]:
    """What `op` forwards, to its regions or as a terminator, to each successor."""
    if (branch := get_region_branch(op)) is not None:
        for successor in branch.get_successor_regions(op, None):
            yield branch.get_entry_successor_operands(op, successor)
        return
    region, parent = op.parent_region(), op.parent_op()
    if region is None or parent is None:
        return
    if (outer := get_region_branch(parent)) is not None:
        for successor in outer.get_successor_regions(parent, region):
            yield outer.get_terminator_successor_operands(parent, op, successor)

"""Passing more values through the regions of an op.

An op can pass i1 values next to its memrefs if it answers `RegionBranchOpInterface` and
has the operands that it forwards at the end. If its operands come in segments, those
operands have to be the last segment.

    scf.for ... iter_args(%x = %a)               scf.yield %n
    scf.for ... iter_args(%x = %a, %o = %own)    scf.yield %n, %m
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i1, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, AttrSizedResultSegments
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.support.errors import fail_at, op_name

from ..analyses.buffers.buffer_flow import region_terminators
from ..interfaces.branch import get_branch
from ..interfaces.operands import OpOperand
from ..interfaces.region_branch import RegionBranchOpInterface

_SegmentOption = AttrSizedOperandSegments | AttrSizedResultSegments


@dataclass(eq=False)
class _Group:
    """Lists of operands and of values that are forwarded to each other."""

    senders: dict[Operation, tuple[OpOperand, ...]] = field(
        default_factory=dict[Operation, tuple[OpOperand, ...]]
    )
    """The op itself and terminators, with the operands that they forward."""

    receivers: dict[Region | None, tuple[SSAValue, ...]] = field(
        default_factory=dict[Region | None, tuple[SSAValue, ...]]
    )
    """Regions, or None for the results of the op, with the values that they get."""


@dataclass(frozen=True)
class Forwarding:
    """Where an op has to forward an i1 value next to a memref."""

    senders: dict[Operation, tuple[OpOperand, ...]]
    """By sender, the operands that get an i1 operand of their own."""

    receivers: dict[Region | None, tuple[SSAValue, ...]]
    """By receiver, the values that get an i1 value of their own."""


def plan_forwarding(
    op: Operation,
    branch: RegionBranchOpInterface,
    is_wanted: Callable[[SSAValue], bool],
) -> Forwarding:
    """Find what must be extended for all receivers that are wanted to get a value."""
    senders: dict[Operation, tuple[OpOperand, ...]] = {}
    receivers: dict[Region | None, tuple[SSAValue, ...]] = {}
    for group in _groups(op, branch):
        positions = sorted(
            {
                position
                for values in group.receivers.values()
                for position, value in enumerate(values)
                if is_wanted(value)
            }
        )
        if positions:
            _check(op, group)
            for sender, uses in group.senders.items():
                senders[sender] = tuple(uses[position] for position in positions)
            for region, values in group.receivers.items():
                receivers[region] = tuple(values[position] for position in positions)
    return Forwarding(senders, receivers)


def _groups(op: Operation, branch: RegionBranchOpInterface) -> list[_Group]:
    by_receiver: dict[Region | None, _Group] = {}
    by_sender: dict[Operation, _Group] = {}
    for sender, region, uses, inputs in _edges(op, branch):
        first = by_sender.setdefault(sender, _Group())
        second = by_receiver.setdefault(region, first)
        if second is not first:
            second.senders.update(first.senders)
            second.receivers.update(first.receivers)
            by_sender.update(dict.fromkeys(first.senders, second))
            by_receiver.update(dict.fromkeys(first.receivers, second))
            by_sender[sender] = second
        if second.senders.setdefault(sender, uses) != uses:
            fail_at(
                sender,
                f"'{op_name(sender)}' forwards other values to each of its successors, "
                "which deallocation does not support yet; forward all to each of them",
            )
        second.receivers[region] = inputs
    return list(dict.fromkeys(by_receiver.values()))


def _edges(
    op: Operation, branch: RegionBranchOpInterface
) -> Iterator[
    tuple[Operation, Region | None, tuple[OpOperand, ...], tuple[SSAValue, ...]]
]:
    """Sender, receiver, what the one forwards and what the other gets."""
    for successor in branch.get_successor_regions(op, None):
        if successor.inputs:
            uses = branch.get_entry_successor_operands(op, successor)
            yield op, successor.region, uses, successor.inputs
    for region in op.regions:
        for terminator in region_terminators(region):
            for successor in branch.get_successor_regions(op, region):
                if successor.inputs:
                    uses = branch.get_terminator_successor_operands(
                        op, terminator, successor
                    )
                    yield terminator, successor.region, uses, successor.inputs


def _check(op: Operation, group: _Group) -> None:
    """Refuse an op whose lists cannot be extended at their ends."""
    for sender, uses in group.senders.items():
        last = uses[-1].number + 1
        if last != len(sender.operands) or not _may_grow(op, sender, len(uses)):
            fail_at(
                sender,
                f"'{op_name(sender)}' forwards operands that are not its last ones, "
                "and cannot pass on who owns a buffer; move them to the end",
            )
    for region, values in group.receivers.items():
        available = op.results if region is None else region.blocks[0].args
        if values[-1] is not available[-1]:
            fail_at(
                op,
                f"'{op_name(op)}' receives values that are not its last ones, and "
                "cannot pass on who owns a buffer; move them to the end",
            )


def _may_grow(op: Operation, sender: Operation, forwarded: int) -> bool:
    """Whether `sender` may get more operands after those that it forwards."""
    if _segments(sender, AttrSizedResultSegments) is not None:
        return False
    segments = _segments(sender, AttrSizedOperandSegments)
    # Terminators get operands without a look at their segments.
    return segments is None or (sender is op and segments[-1] >= forwarded)


def _segments(op: Operation, option: type[_SegmentOption]) -> list[int] | None:
    """The sizes of the segments of operands or results; None if there are none."""
    name = option.attribute_name
    sizes = op.properties.get(name, op.attributes.get(name))
    if not isinstance(sizes, DenseArrayBase):
        return None
    return list(cast("DenseArrayBase[IntegerType]", sizes).get_values())


def _grow_last_segment(op: Operation, more: int) -> None:
    """Count operands added to an op into their segment."""
    sizes = _segments(op, AttrSizedOperandSegments)
    if sizes is None:
        return
    name = AttrSizedOperandSegments.attribute_name
    sizes[-1] += more
    table = op.properties if name in op.properties else op.attributes
    table[name] = DenseArrayBase.from_list(i32, sizes)


def rebuild(
    op: Operation, more_operands: Sequence[SSAValue], more_results: int
) -> Operation:
    """Replace `op` by one with more operands and more i1 results, at the ends."""
    types: list[Attribute] = [*op.result_types, *([i1] * more_results)]
    new = type(op).create(
        operands=[*op.operands, *more_operands],
        result_types=types,
        properties=op.properties,
        attributes=op.attributes,
        location=op.location,
        regions=[op.detach_region(region) for region in tuple(op.regions)],
    )
    _grow_last_segment(new, len(more_operands))
    assert op.parent is not None
    op.parent.insert_op_before(new, op)
    for old_result, new_result in zip(op.results, new.results, strict=False):
        old_result.replace_all_uses_with(new_result)
        new_result.name_hint = old_result.name_hint
    op.detach()
    op.erase()
    return new


def split_edge(op: Operation, way: int) -> tuple[Operation, Builder]:
    """Put a block between a terminator and one of its successors.

    Returns the branch at its end, and a builder in front of it. The terminator passes
    to the new block what it passed to the old successor, so that any terminator will
    do; `canonicalize` removes that detour.
    """
    target = op.successors[way]
    block = Block(
        arg_types=[argument.type for argument in target.args[: _passed(op, way)]]
    )
    branch = cf.BranchOp(target, *block.args)
    block.add_op(branch)
    assert op.parent is not None
    assert op.parent.parent is not None
    op.parent.parent.insert_block_after(block, op.parent)
    op.successors[way] = block
    return branch, Builder(InsertPoint.before(branch))


def _passed(op: Operation, way: int) -> int:
    """How many operands `op` passes to a successor."""
    branch = get_branch(op)
    assert branch is not None
    return len(branch.get_successor_operands(op)[way])

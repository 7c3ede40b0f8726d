"""Which operands of an op its results can be, by the way that its regions pass them on.

    %r, %s = loop %a, %b { ^bb0(%x, %y): yield %y, %x }
    passed_on(loop)         %r: operand #0 or #1; %s: operand #0 or #1

A region that passes a block argument on passes its buffer on, if the terminator must be
in place. So a model has to name that operand as one which the result may alias.
"""

from collections.abc import Iterator, Mapping

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from .operands import OpOperand, is_tensor
from .region_branch import RegionBranchOpInterface, RegionSuccessor

Sources = Mapping[SSAValue, Mapping[OpOperand, OpOperand]]
"""The operands of the op that each value can be, and what forwards each last."""


def passed_on(op: Operation, interface: RegionBranchOpInterface) -> Sources:
    """The tensor operands of `op` that each result and block argument can be."""
    sources: dict[SSAValue, dict[OpOperand, OpOperand]] = {}
    followers: dict[SSAValue, list[tuple[OpOperand, SSAValue]]] = {}
    pending: list[tuple[OpOperand, OpOperand, SSAValue]] = []
    for operand, value in _edges(op, interface):
        if operand.owner is op:
            pending.append((operand, operand, value))
        else:
            followers.setdefault(operand.value, []).append((operand, value))
    while pending:
        start, last, value = pending.pop()
        known = sources.setdefault(value, {})
        if start in known:
            continue
        known[start] = last
        for operand, follower in followers.get(value, ()):
            pending.append((start, operand, follower))
    return sources


def _edges(
    op: Operation, interface: RegionBranchOpInterface
) -> Iterator[tuple[OpOperand, SSAValue]]:
    """Tensors that are forwarded, and the values that they are assigned to."""
    for successor in interface.get_successor_regions(op, None):
        operands = interface.get_entry_successor_operands(op, successor)
        yield from _pairs(operands, successor)
    for region in op.regions:
        ends = [block.last_op for block in region.blocks]
        terminators = [end for end in ends if end is not None and not end.successors]
        for successor in interface.get_successor_regions(op, region):
            for end in terminators:
                operands = interface.get_terminator_successor_operands(
                    op, end, successor
                )
                yield from _pairs(operands, successor)


def _pairs(
    operands: tuple[OpOperand, ...], successor: RegionSuccessor
) -> Iterator[tuple[OpOperand, SSAValue]]:
    for operand, value in zip(operands, successor.inputs, strict=False):
        if is_tensor(operand.value) and isinstance(value, BlockArgument | OpResult):
            yield operand, value

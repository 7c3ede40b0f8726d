"""The ops of a block in the order in which they are needed, and what they read.

    %a0 = extract_slice %a[0]            %a0 = extract_slice %a[0]
    %a1 = extract_slice %a[1]     ->     %b = ... %a0
    %b = ... %a0                         %a1 = extract_slice %a[1]
    %c = ... %b, %a1                     %c = ... %b, %a1

A view counts as part of the first op that reads it: programs tend to take all slices of
a sequence first. Constants, empty tensors and filled ones are no part of the order, as
ops with equal ones do the same. Nor are weights, values computed of weights alone, and
values that such ops read.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import tensor
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import ConstantLike

from xdsl_bufferization.support.traversal import used_in_regions

_VIEWS = (tensor.ExtractSliceOp, tensor.CollapseShapeOp, tensor.ExpandShapeOp)


@dataclass
class StraightLine:
    """What a block does, view by view and op by op."""

    block: Block
    weights: Container[SSAValue]
    """Of which each step may have others."""
    aside: Container[Operation]
    """The ops that are no part of the order, as of `ops_aside`."""
    ops: list[Operation] = field(default_factory=list[Operation])
    places: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """Where each op of `ops` is in it."""

    def __post_init__(self) -> None:
        for op in self.block.ops:
            if not is_view(op) and op not in self.aside:
                self._add(op)

    def _add(self, op: Operation) -> None:
        """Add an op behind the views that it is the first to read."""
        chain = [op]
        for each in chain:
            chain += [
                owner
                for owner in (value.owner for value in inputs_of(each))
                if isinstance(owner, _VIEWS)
                and owner.parent is self.block
                and owner not in self.places
                and owner not in self.aside
            ]
        # What views are views of comes last, however often it is there.
        for each in reversed(chain):
            if each not in self.places:
                self.places[each] = len(self.ops)
                self.ops.append(each)

    def place_of(self, value: SSAValue) -> int:
        """Where the op is that makes a value; -1 if it is in front of the others."""
        owner = value.owner
        return self.places.get(owner, -1) if isinstance(owner, Operation) else -1

    def place_of_user(self, user: Operation) -> int:
        """Where an op is, or the one that it is inside of; behind all if it is in none.

        Other blocks that read a value come behind the block that makes it.
        """
        beside = self.block.find_ancestor_op_in_block(user)
        behind = len(self.ops)
        return behind if beside is None else self.places.get(beside, behind)

    def sort(self) -> None:
        """Let the block have its ops in this order."""
        following: Operation | None = None
        for op in reversed(self.ops):
            if following is not None and is_view(op):
                op.detach()
                Rewriter.insert_op(op, InsertPoint.before(following))
            following = op


def is_view(op: Operation) -> bool:
    """Whether an op says which elements of a tensor another tensor has."""
    return isinstance(op, _VIEWS)


def ops_aside(block: Block, weights: Container[SSAValue]) -> set[Operation]:
    """The ops of a block that are no part of the order."""
    found: set[Operation] = set()
    # The last first: what an op reads is seen behind it.
    for op in reversed(block.ops):
        if (
            op in found
            or is_fixed(op)
            or any(result in weights for result in op.results)
        ):
            found.add(op)
            owners = (value.owner for value in inputs_of(op))
            found.update(each for each in owners if isinstance(each, Operation))
    return found


def is_fixed(op: Operation) -> bool:
    """Whether an op makes the same each time: a constant, or a tensor of constants."""
    if isinstance(op, FillOp):
        return all(
            isinstance(value.owner, Operation) and is_fixed(value.owner)
            for value in op.operands
        )
    return not op.operands and (
        isinstance(op, tensor.EmptyOp)
        or op.has_trait(ConstantLike, value_if_unregistered=False)
    )


def inputs_of(op: Operation) -> Sequence[SSAValue]:
    """The operands of an op, and then what its regions take from around it."""
    return (*op.operands, *used_in_regions(op)) if op.regions else op.operands

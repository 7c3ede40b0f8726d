"""Which buffers that loops forward may be two arguments at once, or read-only.

    %r:2 = scf.for ... iter_args(%a = %x, %b = %y) {
      %new = tensor.splat %f
      scf.yield %new, %new      // one buffer for %a and %b, if neither is written
    }

Two arguments may be one buffer if no write to either spoils a read of the other. The
same must hold of the two results. A constant may be forwarded if neither the argument
nor the result is written.

What is found adds up. Results that are one buffer may be forwarded by a loop around, so
that inner loops come first.

For an argument only positions in the loop count, and for a result only those after the
loop: what is used elsewhere is in other buffers. In regions of several blocks, where
positions do not tell before from after, all of them count.

Cost: a constant for each pair of operands.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, SSAValue

from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets
from xdsl_bufferization.support.algorithms.program_points import ProgramPoint, Range

from ...interfaces.operands import OpOperand
from ..tensor_facts.tensor_uses import TensorUse
from .alias_sets import AliasSet, AliasSets
from .decisions import Decisions

_BUDGET = 64
"""How many pairs of a write and a read are compared before a conflict is assumed."""


class SuccessorInput(NamedTuple):
    """A value that gets a buffer which a loop forwards: MLIR's successor input."""

    value: SSAValue
    positions: Range
    """Where the value, and all that is made from it, may be used."""

    def includes(self, use: TensorUse) -> bool:
        """Whether a use is where the value may be used."""
        low, high = self.positions
        return low <= use.point.start <= high


class Obstacle(NamedTuple):
    """Why a buffer cannot be forwarded: a write to one input, a read of another."""

    write: TensorUse
    written: SSAValue
    read: TensorUse | None = None
    """None if the buffer is read-only."""

    read_from: SSAValue | None = None
    is_certain: bool = True


class ForwardedBuffers:
    """The buffers that the loops of one root op forward, as far as has been asked."""

    def __init__(self, decisions: Decisions, sets: AliasSets):
        facts = self._facts = decisions.facts
        self._sets = sets
        self._rules = sets.rules.when_decided(decisions)
        self._groups = DisjointSets[AliasSet]()
        self._members: dict[AliasSet, list[AliasSet]] = {}
        self._read_only: set[AliasSet] = set()
        self._inner: dict[OpOperand, tuple[TensorUse, SSAValue] | None] = {}
        """For each init of a loop a write to the argument that it becomes."""

        self._real_writes: dict[AliasSet, list[TensorUse]] = {}
        """The writes of each set that was asked about, in order."""

        self._permuted = {
            sets.find(facts.get_use(operand).value) for operand in decisions.permuted
        }
        """The sets of what is permuted: each has a buffer of its own."""

        self._permuted_inits: dict[AliasSet, list[TensorUse]] = {}
        inits = map(facts.get_use, facts.permutations.of_init)
        for use in sorted(inits, key=_position_of):
            if use in decisions.in_place:
                self._permuted_inits.setdefault(sets.find(use.value), []).append(use)

    def group_of(self, value: SSAValue) -> AliasSet:
        """What stands for all values that may be one buffer, in place or forwarded."""
        return self._groups.find(self._sets.find(value))

    def is_read_only(self, alias_set: AliasSet) -> bool:
        """Whether a loop has forwarded a read-only buffer to a value of a set."""
        return alias_set in self._read_only

    def successor_inputs(
        self, operand: OpOperand, argument: SSAValue | None
    ) -> Sequence[SuccessorInput]:
        """What gets the buffer of an operand of a terminator; empty when unsure.

        The argument of the loop and its result, if neither may be permuted.
        """
        found = self.list_successor_inputs(operand, argument)
        if any(self._sets.find(each.value) in self._permuted for each in found):
            return ()
        return found

    def list_successor_inputs(
        self, operand: OpOperand, argument: SSAValue | None
    ) -> Sequence[SuccessorInput]:
        """What may get the buffer of an operand of a terminator, with any decisions.

        The argument of the loop and its result, if the loop has only one region, and if
        neither is permuted.
        """
        block, loop = operand.owner.parent, operand.owner.parent_op()
        if (
            block is None
            or loop is None
            or not isinstance(argument, BlockArgument)
            or argument.block is not block
            or len(loop.regions) != 1
        ):
            return ()
        branch = self._facts.get_region_branch(loop)
        if branch is None:
            return ()
        found: list[SuccessorInput] = []
        for successor in branch.get_successor_regions(loop, loop.regions[0]):
            passed = branch.get_terminator_successor_operands(
                loop, operand.owner, successor
            )
            for each, value in zip(passed, successor.inputs, strict=True):
                if each == operand:
                    if value in self._facts.permutations.of_value:
                        return ()
                    found.append(
                        SuccessorInput(value, self._positions_of(value, block))
                    )
        return found

    def _positions_of(self, value: SSAValue, block: Block) -> Range:
        points = self._facts.points
        if isinstance(value, BlockArgument):
            point = points.of_block(block)
            return point.start, point.end
        parent = points.of_block(block).parent
        assert parent is not None, "the block is in a loop"
        around: ProgramPoint | None = parent
        while around is not None:
            if around.block.is_one_of_several:
                return 0, points.size
            around = around.block.parent
        return parent.end + 1, points.size

    # Read-only buffers.

    def find_write(self, inputs: Sequence[SuccessorInput]) -> Obstacle | None:
        """A write to what would get a read-only buffer."""
        for value, positions in inputs:
            for alias_set in self._get_members(self.group_of(value)):
                for write in self._writes_within(alias_set, positions):
                    return Obstacle(write, value)
        return None

    def make_read_only(self, inputs: Sequence[SuccessorInput]) -> None:
        """Keep in mind that values get a read-only buffer."""
        self._read_only.update(self._sets.find(value) for value, _ in inputs)

    # Buffers for two.

    def find_conflict(
        self, first: Sequence[SuccessorInput], second: Sequence[SuccessorInput]
    ) -> Obstacle | None:
        """A conflict, if the inputs of two operands are one buffer.

        If there are many pairs of a write and a read, one is taken for a conflict. What
        loops permute later is proven to be different buffers: that is one as well.
        """
        for value, (low, high) in (*first, *second):
            for alias_set in self._get_members(self.group_of(value)):
                inits = self._permuted_inits.get(alias_set, [])
                at = bisect_left(inits, low, key=_position_of)
                if at < len(inits) and _position_of(inits[at]) <= high:
                    return Obstacle(inits[at], value, is_certain=False)
        for one, other in zip(first, second, strict=True):
            for a, b in ((one, other), (other, one)):
                pairs = islice(self._pairs(a, b), _BUDGET + 1)
                for number, (write, read) in enumerate(pairs):
                    is_certain = (
                        b.includes(read)
                        and self._rules.find_conflict(read, write) is not None
                    )
                    if is_certain or number == _BUDGET:
                        return Obstacle(write, a.value, read, b.value, is_certain)
        return None

    def _pairs(
        self, written: SuccessorInput, read: SuccessorInput
    ) -> Iterator[tuple[TensorUse, TensorUse]]:
        """The writes to one value with the reads of another that they may spoil."""
        groups = self.group_of(written.value), self.group_of(read.value)
        for theirs, ours in product(*map(self._get_members, groups)):
            for write in self._writes_within(theirs, written.positions):
                for use in ours.reads_around(write):
                    yield write, use

    def share(
        self, first: Sequence[SuccessorInput], second: Sequence[SuccessorInput]
    ) -> None:
        """Keep in mind that the inputs of two operands may be one buffer."""
        for one, other in zip(first, second, strict=True):
            a, b = self.group_of(one.value), self.group_of(other.value)
            if a is not b:
                small, large = sorted((a, b), key=lambda s: len(self._get_members(s)))
                members = self._members.setdefault(large, [large])
                members += self._get_members(small)
                self._groups.unite(a, b)
                self._members[self._groups.find(a)] = members

    # Writes of loops to their inits.

    def _writes_within(
        self, alias_set: AliasSet, positions: Range
    ) -> Iterator[TensorUse]:
        """The writes in place at some positions that change anything."""
        if alias_set not in self._real_writes:
            real = filter(self._is_real, alias_set.writes)
            self._real_writes[alias_set] = sorted(real, key=_position_of)
        writes, (low, high) = self._real_writes[alias_set], positions
        for at in range(bisect_left(writes, low, key=_position_of), len(writes)):
            if _position_of(writes[at]) > high:
                return
            yield writes[at]

    def inner_writes(self, write: TensorUse) -> Iterator[tuple[TensorUse, SSAValue]]:
        """The write in a loop that makes the loop write an init, with its argument.

        Then the write in a loop inside that does, and so on.
        """
        found = self._inner.get(write.operand)
        while found is not None:
            yield found
            found = self._inner.get(found[0].operand)

    def _is_real(self, write: TensorUse) -> bool:
        """Whether a write changes anything: a loop may leave its init as it is.

        As in MLIR, loops count as writing their inits. When unsure: True.
        """
        loop = write.point.op
        model = self._facts.models.carrying[type(loop)]
        branch = self._facts.get_region_branch(loop)
        if (
            model is None
            or branch is None
            or len(loop.regions) != 1
            or write.operand in self._facts.permutations.of_init
        ):
            return True
        if write.operand not in self._inner:
            arguments = (
                value
                for successor in branch.get_successor_regions(loop, None)
                for operand, value in zip(
                    branch.get_entry_successor_operands(loop, successor),
                    successor.inputs,
                    strict=True,
                )
                if operand == write.operand and isinstance(value, BlockArgument)
            )
            writes = (
                (inner, argument)
                for argument in arguments
                for inner in self._writes_to(argument)
                if self._is_real(inner)
            )
            self._inner[write.operand] = next(writes, None)
        return self._inner[write.operand] is not None

    def _writes_to(self, argument: BlockArgument) -> Iterable[TensorUse]:
        point = self._facts.points.of_block(argument.block)
        return self._sets.find(argument).writes_within(point.start, point.end)

    def _get_members(self, group: AliasSet) -> Sequence[AliasSet]:
        return self._members.get(group, (group,))


def _position_of(use: TensorUse) -> int:
    return use.point.start

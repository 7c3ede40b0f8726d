"""Which buffers loops forward at another position without a copy: the proof.

    %r:2 = scf.for ... iter_args(%a = %x, %b = %y) {
      %c = linalg.add ... outs(%b)    // in place: %c is the buffer of %b
      scf.yield %c, %a                // each is one argument's buffer, and no other's
    }

`tensor_facts/yielded_permutations.py` says which loops may do so. When all is decided,
two things are looked at:

- What a terminator forwards. Each value must be the buffer of an argument, whichever
  way branches go, and no two values may be the same one. All other values are copied,
  or are new buffers.
- What a loop starts with. The inits in place must be different buffers. If that is not
  certain, the loop must be decided about without a permutation.

By induction, the arguments of a group are different buffers in each iteration.

Buffers that may be the same are united in families, in program order. An init belongs
to the family of what it was made from. Two values of one family are different buffers
only if they are different arguments, or different results, of one permutation.

Cost: near-linear in the values.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.support.algorithms.disjoint_sets import DisjointSets

from ...interfaces.operands import OpOperand, tensor_results
from ...interfaces.state import CarriedOperand
from ..tensor_facts.shared_results import results_of_one_buffer
from ..tensor_facts.yielded_permutations import YieldedPermutation, alternatives
from .alias_sets import AliasSets
from .decisions import Decisions

_PERMUTATION = "permutation"
"""Starts what stands for the results of one permutation, or for one other result."""

_UNKNOWN = "unknown"
"""Stands for the family of what branches between blocks forward."""

_DEPTH = 16
"""How deep branches in branches are followed."""


class _Item(NamedTuple):
    """Operands whose values are different buffers, and which buffers they may be."""

    operands: list[OpOperand]
    buffers: dict[SSAValue, None]
    """One value for each buffer, the first that is known to be it."""


class PermutedBuffers:
    """What the loops of one root permute, once all is decided."""

    operands: Set[OpOperand]
    """The operands of terminators that are another argument's buffer."""

    unproven: Set[OpOperand]
    """The inits, all in place, that may be the buffer of another init."""

    def __init__(self, decisions: Decisions, sets: AliasSets):
        self.operands = frozenset()
        self.unproven = frozenset()
        self._decisions = decisions
        facts = self._facts = decisions.facts
        self._sets = sets
        self._firsts: dict[int, SSAValue] = {}
        self._families = DisjointSets[Hashable]()
        self._buffers_of: dict[object, dict[SSAValue, None] | None] = {}
        """By what stands for results of a loop."""

        # Invariant: whenever an iteration starts, the arguments of one permutation are
        # buffers that differ from each other.
        # - In the first iteration they are the inits. An init out of place is a copy.
        #   Those in place differ, unless they are `unproven`: then nothing holds here,
        #   and the caller decides once more.
        # - A terminator forwards for each argument its own buffer, or that of another
        #   one (`operands`), no buffer twice, or a copy or a new buffer. So the buffers
        #   differ in the next iteration if they did in this one.
        # A write to one of them spoils no read of another: `UsesOfPermuted` took that
        # for granted while decisions were made.
        if facts.permutations:
            self._find_firsts()
            self.operands = frozenset(self._find_operands())
            self.unproven = frozenset(self._find_unproven())

    def _find_firsts(self) -> None:
        """Find the first value of each class of equivalent ones.

        It is an argument, a new buffer, or what a branch or a loop results in.
        """
        classes = self._decisions.classes
        for number, value in enumerate(self._facts.values):
            self._firsts.setdefault(classes.find(number), value)

    def _first(self, value: SSAValue) -> SSAValue:
        number = self._facts.get_number(value)
        return self._firsts[self._decisions.classes.find(number)]

    # What a value may be.

    def _group(self, operands: Iterable[OpOperand]) -> Iterator[_Item]:
        """The buffers of operands, those of one choice together."""
        choices: dict[object, list[tuple[OpOperand, SSAValue]]] = {}
        for operand in operands:
            first = self._first(self._facts.get_use(operand).value)
            owner = self._owner_of_choice(first)
            choices.setdefault(owner or operand, []).append((operand, first))
        for owner, members in choices.items():
            firsts = [first for _, first in members]
            buffers: dict[SSAValue, None] | None = {firsts[0]: None}
            if not isinstance(owner, OpOperand):
                buffers = self._choose(firsts, 0)
            if buffers is not None:
                yield _Item([operand for operand, _ in members], buffers)

    def _owner_of_choice(self, first: SSAValue) -> object:
        """The op or the condition that chooses what a value is; None if nobody does."""
        if not isinstance(first, OpResult):
            return None
        permutation = self._facts.permutations.of_value.get(first)
        if permutation is not None:
            return _PERMUTATION, id(permutation)
        if self._facts.models.carrying[type(first.op)] is not None:
            return _PERMUTATION, first
        if len(self._decisions.get_aliasing_op_operands(first)) < 2:
            return None
        origin = self._facts.permutations.origins.get(first)
        return None if origin is None else origin.owner

    def _choose(
        self, firsts: Sequence[SSAValue], depth: int
    ) -> dict[SSAValue, None] | None:
        """The buffers that values of one owner may be; None if two may be the same."""
        op = firsts[0].owner
        if depth > _DEPTH or len(set(firsts)) < len(firsts):
            return None
        if isinstance(op, Operation) and self._facts.models.carrying[type(op)]:
            return self._choose_inits(firsts[0], depth + 1)
        paths = zip(*map(alternatives, firsts), strict=True)
        found: dict[SSAValue, None] = {}
        is_any = False
        for values in paths:
            is_any = True
            buffers = self._all_different(map(self._first, values), depth + 1)
            if buffers is None:
                return None
            found |= buffers
        return found if is_any else None

    def _choose_inits(self, first: SSAValue, depth: int) -> dict[SSAValue, None] | None:
        """The buffers that results of a loop may be; a result stands for a new one.

        The results are `first` and, if that is permuted, those permuted with it.
        """
        key = self._owner_of_choice(first)
        if key not in self._buffers_of:
            permutation = self._facts.permutations.of_value.get(first)
            results = (first,) if permutation is None else permutation.results
            inits = {
                alias.operand: None
                for result in results
                for alias in self._decisions.get_aliasing_op_operands(result)
                if self._decisions.is_in_place(alias.operand)
            }
            old = self._all_different((self._first(i.value) for i in inits), depth)
            self._buffers_of[key] = (
                None if old is None else old | dict.fromkeys(results)
            )
        return self._buffers_of[key]

    def _all_different(
        self, firsts: Iterable[SSAValue], depth: int
    ) -> dict[SSAValue, None] | None:
        """The buffers that the values of one path may be; None if two may be one."""
        choices: dict[object, list[SSAValue]] = {}
        for first in firsts:
            owner = self._owner_of_choice(first)
            choices.setdefault(owner or first, []).append(first)
        found: dict[SSAValue, None] = {}
        for owner, members in choices.items():
            buffers: dict[SSAValue, None] | None = {members[0]: None}
            if owner is not members[0]:
                buffers = self._choose(members, depth)
            elif len(members) > 1:
                return None
            if buffers is None or not found.keys().isdisjoint(buffers):
                return None
            found |= buffers
        return found

    # What terminators forward.

    def _find_operands(self) -> Iterator[OpOperand]:
        for op, model in self._facts.models.carrying.of(self._facts.ops):
            for carried in model.carried_values(op):
                yield from self._find_permuted(carried)
            # In this order, so that no chain of loops is gone back along.
            for result in tensor_results(op):
                first = self._first(result)
                if isinstance(first, OpResult) and self._is_of_loop(first):
                    self._choose_inits(first, 0)

    def _find_permuted(self, carried: Sequence[CarriedOperand]) -> Iterator[OpOperand]:
        """The operands of one terminator that are an argument's buffer, each another's.

        Those that are the buffer of their own argument need nothing, and come first.
        """
        # `taken` has all buffers that are forwarded so far. A group is forwarded as it
        # is only if it has none of them, on whichever path: so no buffer goes twice.
        taken: dict[SSAValue, None] = {}
        changed: list[OpOperand] = []
        for operand, argument in carried:
            first = self._first(self._facts.get_use(operand).value)
            if argument is not None and first is self._first(argument):
                taken[first] = None
            else:
                changed.append(operand)
        for item in self._group(changed):
            if taken.keys().isdisjoint(item.buffers) and all(
                self._may_forward(operand, item.buffers) for operand in item.operands
            ):
                taken |= item.buffers
                yield from item.operands

    def _may_forward(self, operand: OpOperand, buffers: Collection[SSAValue]) -> bool:
        """Whether all buffers are in the permutation that `operand` belongs to."""
        facts = self._facts
        block = operand.owner.parent
        assert block is not None
        permutations = facts.permutations
        known = permutations.sources.get(facts.get_use(operand).value, frozenset())
        expected = {id(permutations.of_value.get(source)) for source in known}
        expected.discard(id(None))
        return all(
            buffer.block is block and id(permutations.of_value.get(buffer)) in expected
            if isinstance(buffer, BlockArgument)
            else self._is_made_by_loop_in(block, buffer)
            for buffer in buffers
        )

    def _is_made_by_loop_in(self, block: Block, buffer: SSAValue) -> bool:
        """Whether a buffer that is no argument's is made anew whenever `block` runs."""
        op = buffer.owner
        if not (isinstance(op, Operation) and self._is_of_loop(buffer)):
            return False
        points = self._facts.points
        around, point = points.of_block(block), points.of_op(op)
        return (
            around.start <= point.start <= around.end
            and self._sets.find(buffer).not_writable is None
        )

    # What loops start with.

    def _find_unproven(self) -> Iterator[OpOperand]:
        """Go through the program, and unite what may be one buffer."""
        facts = self._facts
        shared = {
            values[-1]: values for values in results_of_one_buffer(facts) if values
        }
        seen: set[Operation] = set()
        permuting = {each.op for each in facts.permutations.all()}
        for value in facts.values:
            if isinstance(value, BlockArgument):
                op = value.block.parent_op()
                if op in permuting and op is not None and op not in seen:
                    seen.add(op)
                    yield from self._find_doubtful(op)
                self._add_argument(value)
            else:
                self._add_result(value)
            for other in shared.get(value, ()):
                self._families.unite(value, other)

    def _find_doubtful(self, op: Operation) -> Iterator[OpOperand]:
        """The inits of a loop that may be the buffer of another one."""
        by_family: dict[Hashable, list[OpOperand]] = {}
        for use in self._facts.get_uses(op):
            if use in self._decisions.in_place:
                family = self._families.find(use.value)
                by_family.setdefault(family, []).append(use.operand)
        if self._families.find(_UNKNOWN) in by_family and len(by_family) > 1:
            # What branches forward may be of any family.
            by_family = {_UNKNOWN: [each for f in by_family.values() for each in f]}
        for operands in by_family.values():
            if len(operands) > 1 and not self._are_proven_apart(operands):
                yield from operands

    def _are_proven_apart(self, operands: Sequence[OpOperand]) -> bool:
        """Whether inits of one family are different buffers all the same.

        They are if they are chosen together, or if one permutation has them as
        arguments.
        """
        items = list(self._group(operands))
        if sum(len(item.operands) for item in items) < len(operands):
            return False
        buffers = [buffer for item in items for buffer in item.buffers]
        old = [each for each in buffers if not self._is_of_loop(each)]
        points = set(map(self._place_of_argument, old))
        return len(items) == 1 or (
            len(set(buffers)) == len(buffers)
            and len(points) <= 1
            and None not in points
        )

    def _is_of_loop(self, value: SSAValue) -> bool:
        op = value.owner
        return isinstance(op, Operation) and bool(self._facts.models.carrying[type(op)])

    def _place_of_argument(self, value: SSAValue) -> tuple[int, Block] | None:
        """The permutation and the block that `value` is an argument of."""
        permutation = self._facts.permutations.of_value.get(value)
        if permutation is None or not isinstance(value, BlockArgument):
            return None
        return id(permutation), value.block

    def _add_argument(self, argument: BlockArgument) -> None:
        permutation = self._facts.permutations.of_value.get(argument)
        if permutation is not None:
            self._unite(permutation)
            return
        op = argument.block.parent_op()
        branch = None if op is None else self._facts.get_region_branch(op)
        is_entry = argument.block.prev_block is None
        if op is self._facts.root and is_entry:
            return
        if op is None or branch is None or not is_entry:
            self._families.unite(argument, _UNKNOWN)
            return
        for successor in branch.get_successor_regions(op, None):
            operands = branch.get_entry_successor_operands(op, successor)
            for operand, value in zip(operands, successor.inputs, strict=True):
                if value is argument and self._decisions.is_in_place(operand):
                    self._families.unite(value, operand.value)

    def _unite(self, permutation: YieldedPermutation) -> None:
        values = [i.value for i in permutation.inits if self._decisions.is_in_place(i)]
        for value in (*values, *permutation.results, *permutation.arguments[1:]):
            self._families.unite(permutation.arguments[0], value)

    def _add_result(self, result: SSAValue) -> None:
        for alias in self._decisions.get_aliasing_op_operands(result):
            if self._decisions.is_in_place(alias.operand):
                self._families.unite(alias.operand.value, result)

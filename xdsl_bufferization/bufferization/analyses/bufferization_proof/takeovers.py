"""What a result has of the elements of operands, and of what is wrong with these.

    %1 = tensor.extract_slice %0[0] [4] [1]          the part of %0
    %2 = tensor.insert_slice %1 into %3[4] [4] [1]   %1, and the rest of %3
    %4 = bufferization.alloc_tensor() copy(%2)       all of %2

Such ops move elements, and compute nothing. What is spoiled in an operand is then
spoiled in the result, until an op computes with it or the caller gets it.
"""

from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import CallOp
from xdsl.ir import Block, OpResult, SSAValue

from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.operands import OpOperand, is_ranked_tensor_type
from ...interfaces.state import AliasingOpOperand
from .locations import Location
from .memory import NO_NUMBERS, Memory
from .parallel import Insertions
from .questions import Answers, Part, Use
from .regions import (
    Region,
    View,
    anywhere_inside,
    are_one_if_as_large,
    is_inside,
    is_same,
    may_overlap,
    moved,
    part_of,
)
from .state import Spoil, Spoils, State, united


class Takeovers(Memory):
    """What results take over from operands, and what an op reads while it writes."""

    # --- 2. what results take over ---------------------------------------------------

    def _taken_over(
        self,
        result: OpResult,
        links: Iterable[AliasingOpOperand],
        answers: Answers,
        state: State,
    ) -> tuple[Spoils, frozenset[int]]:
        """What is spoiled in a result from the start, and of which arguments it is."""
        uses = {use.operand: use for use in answers.uses}
        if isinstance(result.op, CallOp):
            return self._taken_over_by_call(result, uses, state)
        spoils: Spoils = ()
        origins = NO_NUMBERS
        linked = [uses[link.operand] for link in links if link.operand in uses]
        for use in linked:
            if use.writes and not use.passes_on:
                continue
            spoils = united(spoils, self._forwarded(use, result, answers, state))
            region = self.locations.of(use.value).region
            if not self._is_overwritten(region, use, answers):
                origins |= self.origins(use.value)
        for use in answers.uses:
            # A copy, or the source of an insertion.
            if use.passes_on and use not in linked:
                spoils = united(spoils, self._copied(use, result, answers, state))
                origins |= self.origins(use.value)
        return spoils, origins

    def _is_overwritten(self, region: Region, use: Use, answers: Answers) -> bool:
        """Whether an insertion surely replaces a part of its destination."""
        part = answers.part
        if part is None or not part.is_overwritten or part.number != use.operand.number:
            return False
        places = [self._written(use, part)]
        if self._is_no_op(answers):
            # The source is the same part, which may be known better.
            places += [
                self.locations.of(other.value).region
                for other in answers.uses
                if other.operand.number == part.source
            ]
        return any(is_inside(region, place) for place in places)

    def _forwarded(
        self, use: Use, result: OpResult, answers: Answers, state: State
    ) -> Iterator[Spoil]:
        """What is spoiled in an operand that the result has elements of."""
        source, target = self.locations.of(use.value), self.locations.of(result)
        is_shared = source.buffer is target.buffer
        if not is_shared:
            source = Location(source.buffer, self._read_view(use, answers.part))
        region = target.region if is_shared else source.region
        find = self.spoils_left if is_shared else self.spoils_in
        for spoil in find(use.value, region, state):
            if not self._is_overwritten(spoil.region, use, answers):
                yield spoil if is_shared else self._move(spoil, source, target)

    def _move(self, spoil: Spoil, source: Location, target: Location) -> Spoil:
        return Spoil(moved(spoil.region, source.view, target.view), spoil.write)

    def _copied(
        self, use: Use, result: SSAValue, answers: Answers, state: State
    ) -> Iterator[Spoil]:
        """What is spoiled in the source of a copy, where the result has it."""
        source, target = self.locations.of(use.value), self.locations.of(result)
        part = answers.part
        view = target.view if part is None else part_of(target.view, part.box, part.key)
        is_no_op = part is not None and self._is_no_op(answers)
        spoils = self.spoils_in(
            use.value,
            source.region,
            state,
            is_inserted=is_no_op and not answers.links,
        )
        spoils = united(spoils, self._overwritten_meanwhile(use, answers, state))
        for spoil in spoils:
            if is_no_op:
                yield spoil
            else:
                yield self._move(spoil, source, Location(target.buffer, view))

    def _taken_over_by_call(
        self, result: OpResult, uses: dict[OpOperand, Use], state: State
    ) -> tuple[Spoils, frozenset[int]]:
        effects = self.find_effects(result.op)
        target = self.locations.of(result)
        numbers = set(range(len(result.op.operands)))
        aliasing = numbers
        if effects is not None:
            numbers = set(effects.origins[result.index])
            aliasing = set(effects.summary.aliasing_args[result.index]) | numbers
        spoils: Spoils = ()
        origins = NO_NUMBERS
        for number in sorted(numbers):
            use = uses.get(OpOperand(result.op, number))
            if use is None:
                continue
            origins |= self.origins(use.value)
            source = self.locations.of(use.value)
            is_shared = source.buffer is target.buffer
            find = self.spoils_left if is_shared else self.spoils_in
            for spoil in find(use.value, source.region, state):
                region = anywhere_inside(target.region)
                spoils = united(
                    spoils, [spoil if is_shared else spoil._replace(region=region)]
                )
        for number in sorted(aliasing):
            use = uses.get(OpOperand(result.op, number))
            if use is not None:
                for write in self._writes_beside(use, list(uses.values()), state):
                    region = anywhere_inside(target.region)
                    spoils = united(spoils, [Spoil(region, write)])
        return spoils, origins

    def _update_destination(
        self, answers: Answers, state: State
    ) -> tuple[SSAValue, Spoils] | None:
        """What an insertion without a result leaves spoiled in its destination.

        Such an insertion ends an iteration of a parallel loop, and the loop results in
        the destination.
        """
        use = _destination(answers)
        if use is None:
            return None
        spoils: Spoils = tuple(
            spoil
            for spoil in state.spoils.get(use.value, ())
            if not self._is_overwritten(spoil.region, use, answers)
        )
        for other in answers.uses:
            if other.passes_on and other is not use:
                spoils = united(spoils, self._copied(other, use.value, answers, state))
        return use.value, spoils

    def insertions_at_end(self, body: Block) -> Insertions:
        """Where each iteration of a parallel loop inserts, by tensor."""
        found: dict[SSAValue, list[Region]] = {}
        end = body.last_op
        for op in () if end is None else ops_inside(end):
            answers = self.questions.ask(op)
            use = None if answers is None else _destination(answers)
            if answers is not None and use is not None:
                region = self._written(use, answers.part)
                found.setdefault(use.value, []).append(region)
        return [(self.locations.of(each).buffer, found[each]) for each in found]

    def _written(self, use: Use, part: Part | None) -> Region:
        return self._written_view(use, part).region

    def _written_view(self, use: Use, part: Part | None) -> View:
        view = self.locations.of(use.value).view
        if part is None or not part.is_inserted or part.number != use.operand.number:
            return view
        return part_of(view, part.box, part.key)

    def _is_no_op(self, answers: Answers) -> bool:
        """Whether an insertion copies each element to where it is."""
        part = answers.part
        if part is None or part.source is None:
            return False
        by_number = {use.operand.number: use for use in answers.uses}
        source, dest = by_number[part.source], by_number[part.number]
        if not source.is_in_place or not dest.is_in_place:
            return False
        at, container = (self.locations.of(use.value) for use in (source, dest))
        if at.buffer is not container.buffer:
            return False
        # What is inserted is as large as the box, and perhaps as all of the tensor.
        written = self._written_view(dest, part)
        return (
            is_same(at.region, written.region)
            or are_one_if_as_large(at.view, written)
            or (
                _are_as_large(source.value, dest.value)
                and are_one_if_as_large(at.view, container.view)
            )
        )

    def _overwritten_meanwhile(
        self, use: Use, answers: Answers, state: State
    ) -> Iterator[Spoil]:
        region = self.locations.of(use.value).region
        if self._is_no_op(answers):
            return
        for write in self._overwritten_meanwhile_by(use, answers, state):
            yield Spoil(region, write)

    def _overwritten_meanwhile_by(
        self, use: Use, answers: Answers, state: State
    ) -> Iterator[OpOperand]:
        """The other operands by which the op may write what it reads by `use`."""
        op = use.operand.owner
        # A callee may read what it has written to a buffer without contents.
        is_used = use.value not in self.undefined or (
            use.writes and isinstance(op, CallOp)
        )
        if not use.is_in_place or not is_used:
            return
        location = self.locations.of(use.value)
        for other in answers.uses:
            if other is use or not other.writes or not other.is_in_place:
                continue
            at = self.locations.of(other.value)
            written = self._written_view(other, answers.part)
            is_one = location.view == written
            if at.buffer is not location.buffer:
                near = state.near_to(location.buffer)
                if at.buffer not in near:
                    continue
                is_one = near[at.buffer].alignment == (location.view, written)
            elif not may_overlap(location.region, written.region):
                continue
            is_in_step = is_one and (
                _is_inserted(use, other, answers.part)
                or answers.model.bufferizes_to_elementwise_access(
                    op, [use.operand, other.operand], self.questions.decisions
                )
            )
            if not is_in_step:
                yield other.operand

    def _writes_beside(
        self, use: Use, uses: list[Use], state: State
    ) -> Iterator[OpOperand]:
        """The other operands by which a callee may write the buffer of `use`."""
        location = self.locations.of(use.value)
        for other in uses:
            if other is use or not (other.writes and other.is_in_place):
                continue
            at = self.locations.of(other.value)
            overlaps = use.is_in_place and (
                may_overlap(at.region, location.region)
                if at.buffer is location.buffer
                else at.buffer in state.near_to(location.buffer)
            )
            if overlaps:
                yield other.operand

    def _read_view(self, use: Use, part: Part | None) -> View:
        """What is read of an operand: all of it, or the part that is extracted."""
        view = self.locations.of(use.value).view
        if part is None or part.is_inserted or part.number != use.operand.number:
            return view
        return part_of(view, part.box, part.key)


def _destination(answers: Answers) -> Use | None:
    """The destination of an insertion without a result."""
    part = answers.part
    if part is None or not part.is_inserted or answers.links:
        return None
    return next(use for use in answers.uses if use.operand.number == part.number)


def _is_inserted(use: Use, other: Use, part: Part | None) -> bool:
    """Whether an op copies all of one operand to a part of the other."""
    return (
        part is not None
        and part.is_inserted
        and part.source == use.operand.number
        and part.number == other.operand.number
    )


def _are_as_large(first: SSAValue, second: SSAValue) -> bool:
    """Whether two tensors surely have the same number of elements in each dimension."""
    one, other = first.type, second.type
    return (
        is_ranked_tensor_type(one)
        and is_ranked_tensor_type(other)
        and one.get_shape() == other.get_shape()
        and DYNAMIC_INDEX not in one.get_shape()
    )

"""Steps that do the same, one after the other, with what the step before computed.

    %h1 = ... %h0, %w              Three steps of one op. Each reads %w, and what the
    %h2 = ... %h1, %w              step before made. What they make is collected by
    %h3 = ... %h2, %w              a concatenation.
    %c = concat %h1, %h2, %h3

Offsets of slices may differ from one step to the next, by the same distance each time.
A step starts where the fewest elements pass from one to the next.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from typing import Final, NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, Use
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.algorithms.repeats import Repeat
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.transforms.tpp.common.slices import part_offsets
from xdsl_bufferization.transforms.tpp.rolling.straight_line import (
    StraightLine,
    inputs_of,
    is_fixed,
    is_view,
)

_OFFSETS: Final = "static_offsets"
_MANY: Final = 2**40
"""As how many elements a tensor counts whose size is not known."""


class Made(NamedTuple):
    """A result of a step: of which op in it, and which of its results."""

    op: int
    result: int


@dataclass(frozen=True)
class Collected:
    """Results of steps that become parts of one tensor."""

    concat: tensor.ConcatOp
    offset: int
    """Where the result of the first step is."""

    distance: int
    """How far behind it that of the next step is."""


@dataclass(frozen=True)
class Steps:
    """A number of equal steps in a block."""

    line: StraightLine
    start: int
    """Where in the line the first step starts."""

    period: int
    """How many ops a step has."""

    count: int

    distances: Mapping[int, Sequence[int]]
    """For a slice whose offsets change: by how much in each step."""

    carried: Mapping[Made, SSAValue]
    """What a step reads of the step before it, and what the first step reads."""

    collected: Mapping[Made, Collected]
    """Where a result goes that is read behind the steps."""

    @property
    def stop(self) -> int:
        """Where in the line the last step ends."""
        return self.start + self.count * self.period

    def ops_of(self, step: int) -> Sequence[Operation]:
        """The ops of one step."""
        start = self.start + step * self.period
        return self.line.ops[start : start + self.period]

    def result(self, made: Made, step: int) -> SSAValue:
        """What a step makes."""
        op = self.line.ops[self.start + step * self.period + made.op]
        return op.results[made.result]

    def offsets(self, number: int) -> Sequence[int]:
        """The offsets of a slice in the first step."""
        return _static_offsets(self.ops_of(0)[number])


def equal_steps(line: StraightLine, repeat: Repeat, least: int) -> Iterator[Steps]:
    """The steps in a part of the line in which similar ops come again and again.

    There are `least` or more of them each time.
    """
    period = repeat.period
    first = repeat.start + _best_cut(line, repeat)
    if not _is_worth_it(line.ops[first : first + period]):
        return
    while first + least * period <= repeat.stop:
        steps = _equal(Steps(line, first, period, 1, {}, {}, {}), repeat.stop)
        first = max(steps.stop, first + period)
        found = _complete(steps, least)
        if found is not None:
            yield found


def _is_worth_it(ops: Sequence[Operation]) -> bool:
    """Whether ops compute sums, and nothing but their results.

    Element-wise ops of several steps become one loop elsewhere.
    """
    return any(map(_is_sum, ops)) and all(map(is_side_effect_free, ops))


def _best_cut(line: StraightLine, repeat: Repeat) -> int:
    """Behind how many ops the fewest elements pass on to the next."""
    start, period = repeat.start, repeat.period
    last_uses: dict[SSAValue, int] = {}
    for place in range(start, min(start + 2 * period, repeat.stop)):
        for value in inputs_of(line.ops[place]):
            if start <= line.place_of(value) < start + period:
                last_uses[value] = place
    sums, elements = [0] * (2 * period + 1), [0] * (2 * period + 1)
    for value, place in last_uses.items():
        first, behind = line.place_of(value) - start + 1, place - start + 1
        is_sum = _is_sum(line.ops[line.place_of(value)])
        for counts, count in ((sums, is_sum), (elements, _elements(value.type))):
            counts[first] += count
            counts[behind] -= count
    sums, elements = list(accumulate(sums)), list(accumulate(elements))
    return min(
        range(period),
        key=lambda cut: (
            # What is done with a sum is best done where it is computed.
            sums[cut] + sums[cut + period],
            elements[cut] + elements[cut + period],
            not is_view(line.ops[start + cut]),
        ),
    )


def _is_sum(op: Operation) -> bool:
    structure = structure_of(op)
    return structure is not None and not all(structure.parallel)


def _elements(type_: Attribute) -> int:
    if not isinstance(type_, TensorType):
        return 1
    shape = type_.get_shape()
    return _MANY if DYNAMIC_INDEX in shape else prod(shape)


# How many steps are equal.


def _equal(steps: Steps, stop: int) -> Steps:
    """`steps`, of which there is one, with as many more as are equal to it."""
    before: _Comparison | None = None
    while steps.stop + steps.period <= stop:
        following = _Comparison(steps)
        if not following.is_equal():
            break
        if before is None:
            distances, carried = following.distances, following.carried
            steps = replace(steps, distances=distances, carried=carried)
        elif not following.goes_on(before):
            break
        steps = replace(steps, count=steps.count + 1)
        before = following
    return steps


class _Comparison:
    """Of the last of some steps and the step behind it."""

    def __init__(self, steps: Steps):
        self._steps = steps
        self._line = steps.line
        self._last = steps.stop - steps.period
        self.reads: list[Made | None] = []
        """For each input of the step behind, what of the last step it is."""
        self.distances: dict[int, Sequence[int]] = {}
        self.carried: dict[Made, SSAValue] = {}

    def is_equal(self) -> bool:
        """Whether the step behind does the same as the last one."""
        pairs = zip(
            self._steps.ops_of(self._steps.count - 1),
            self._steps.ops_of(self._steps.count),
            strict=True,
        )
        return all(
            self._reads_equally(op, following) and self._is_equal(number, op, following)
            for number, (op, following) in enumerate(pairs)
        )

    def goes_on(self, before: "_Comparison") -> bool:
        """Whether the two steps are as different as the two before."""
        return self.distances == before.distances and self.reads == before.reads

    def _reads_equally(self, op: Operation, following: Operation) -> bool:
        inputs, others = inputs_of(op), inputs_of(following)
        return len(inputs) == len(others) and all(
            map(self._is_same_input, inputs, others)
        )

    def _is_same_input(self, value: SSAValue, following: SSAValue) -> bool:
        start = self._last
        place, other = self._line.place_of(value), self._line.place_of(following)
        made = None
        if place >= start:
            is_same = other == place + self._steps.period
            is_same = is_same and _number(value) == _number(following)
        elif other < start:
            is_same = value is following or _is_same_constant(value, following)
        elif other < start + self._steps.period and value.type == following.type:
            made = Made(other - start, _number(following))
            is_same = self.carried.setdefault(made, value) is value
        else:
            is_same = False
        self.reads.append(made)
        return is_same

    def _is_equal(self, number: int, op: Operation, following: Operation) -> bool:
        if op.attributes != following.attributes:
            return False
        if op.properties != following.properties:
            distances = _distances(op, following)
            if distances is None:
                return False
            self.distances[number] = distances
        if not op.regions:
            return True
        known = dict(zip(inputs_of(op), inputs_of(following), strict=True))
        return all(
            mine.is_structurally_equivalent(its, {**known})
            for mine, its in zip(op.regions, following.regions, strict=True)
        )


def _number(value: SSAValue) -> int:
    assert isinstance(value, OpResult)
    return value.index


def _is_same_constant(value: SSAValue, other: SSAValue) -> bool:
    op, its = value.owner, other.owner
    return (
        isinstance(op, Operation)
        and isinstance(its, Operation)
        and op.name == its.name
        and is_fixed(op)
        and is_fixed(its)
        and value.type == other.type
        and op.properties == its.properties
        and op.attributes == its.attributes
    )


def _distances(op: Operation, following: Operation) -> Sequence[int] | None:
    """How far the offsets of two slices are apart, if all else is equal."""
    if len(op.operands) != _operands_of_static_slice(op):
        return None
    if {**op.properties, _OFFSETS: following.properties[_OFFSETS]} != (
        following.properties
    ):
        return None
    return [
        its - mine
        for mine, its in zip(
            _static_offsets(op), _static_offsets(following), strict=True
        )
    ]


def _operands_of_static_slice(op: Operation) -> int | None:
    if isinstance(op, tensor.ExtractSliceOp):
        return 1
    return 2 if isinstance(op, tensor.InsertSliceOp) else None


def _static_offsets(op: Operation) -> Sequence[int]:
    assert isinstance(op, tensor.ExtractSliceOp | tensor.InsertSliceOp)
    return op.static_offsets.get_values()


# What becomes of the results.


def _complete(steps: Steps, least: int) -> Steps | None:
    """As many of the steps as can be a loop, with what is read behind them."""
    later = _without_first(steps)
    for each in (steps, _without_last(steps), later, _without_last(later)):
        if each.count >= max(least, 2):
            found = _with_collected(each)
            if found is not None:
                return found
    return None


def _without_last(steps: Steps) -> Steps:
    return replace(steps, count=steps.count - 1)


def _without_first(steps: Steps) -> Steps:
    return replace(
        steps,
        start=steps.start + steps.period,
        count=steps.count - 1,
        carried={made: steps.result(made, 0) for made in steps.carried},
    )


def _with_collected(steps: Steps) -> Steps | None:
    """The steps, if a loop can make all that is read of them behind them."""
    collected: dict[Made, Collected] = {}
    for made, readers in _readers_behind(steps).items():
        if made in steps.carried and set(readers) == {steps.count - 1}:
            continue
        found = _collected(steps, made, readers)
        if found is None or any(found.concat is c.concat for c in collected.values()):
            return None
        collected[made] = found
    if not all(
        _starts_well(steps, made, value, collected.get(made))
        for made, value in steps.carried.items()
    ):
        return None
    return replace(steps, collected=collected)


def _readers_behind(steps: Steps) -> dict[Made, dict[int, list[Use]]]:
    """What is read behind the steps, and of which step."""
    readers: dict[Made, dict[int, list[Use]]] = {}
    for step in range(steps.count):
        for number, op in enumerate(steps.ops_of(step)):
            for result in op.results:
                for use in result.uses:
                    if steps.line.place_of_user(use.operation) >= steps.stop:
                        by_step = readers.setdefault(Made(number, result.index), {})
                        by_step.setdefault(step, []).append(use)
    return readers


def _collected(
    steps: Steps, made: Made, readers: Mapping[int, Sequence[Use]]
) -> Collected | None:
    """Where a result of each step goes, if that is all that is done with it.

    The last step's may be read otherwise if it is carried out of the loop.
    """
    if len(readers) < steps.count:
        return None
    concat = readers[0][0].operation
    if not isinstance(concat, tensor.ConcatOp) or concat.parent is not steps.line.block:
        return None
    if not all(
        ranked_type(v).has_static_shape() for v in (*concat.inputs, concat.result)
    ):
        return None
    starts = part_offsets(concat)
    offsets: list[int] = []
    for step in range(steps.count):
        is_last = step == steps.count - 1 and made in steps.carried
        uses = [use for use in readers[step] if use.operation is concat]
        if len(uses) != 1 or (len(readers[step]) > 1 and not is_last):
            return None
        offsets.append(starts[uses[0].index])
    distance = offsets[1] - offsets[0]
    if offsets != [offsets[0] + distance * step for step in range(steps.count)]:
        return None
    return Collected(concat, offsets[0], distance)


def _starts_well(
    steps: Steps, made: Made, value: SSAValue, collected: Collected | None
) -> bool:
    """Whether the first step reads what an equal op made, in its place if collected.

    A loop may write to the memory of its first values, unlike that of constants.
    """
    if steps.line.place_of(value) != steps.start - steps.period + made.op:
        return False
    if collected is None:
        return True
    concat, before = collected.concat, collected.offset - collected.distance
    return any(
        part is value and offset == before
        for part, offset in zip(concat.inputs, part_offsets(concat), strict=True)
    )

"""Steps that do the same, one after the other, with what the step before computed.

    %h1 = ... %h0, %w              Three steps of one op. Each reads %w, and what the
    %h2 = ... %h1, %w              step before made. What they make is collected by
    %h3 = ... %h2, %w              a concatenation.
    %c = concat %h1, %h2, %h3

Offsets of slices may differ from one step to the next, by the same distance each time.
A step starts where the fewest elements pass from one to the next.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from math import prod
from typing import Final

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Operation, SSAValue, Use
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.scf.forall import ForallOp, InParallelOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp
from xdsl_bufferization.support.algorithms.repeats import Repeat

from ..common.slices import part_offsets
from .comparison import Comparison
from .steps import Collected, Made, Steps
from .straight_line import StraightLine, inputs_of, is_view

_MANY: Final = 2**40
"""As how many elements a tensor counts whose size is not known."""


def equal_steps(line: StraightLine, repeat: Repeat, least: int) -> Iterator[Steps]:
    """The steps in a part of the line in which similar ops come again and again.

    There are `least` or more of them each time.
    """
    period = repeat.period
    first = repeat.start + _best_cut(line, repeat)
    if not _is_worth_it(line.ops[first : first + period]):
        return
    while first + least * period <= repeat.stop:
        steps = _equal(Steps(line, first, period, 1, {}, (), {}, {}), repeat.stop)
        first = max(steps.stop, first + period)
        found = _complete(steps, least)
        if found is not None:
            yield found


def _is_worth_it(ops: Sequence[Operation]) -> bool:
    """Whether ops compute sums, and nothing but their results.

    Element-wise ops of several steps become one loop elsewhere.
    """
    return any(map(_is_sum, ops)) and all(map(_only_computes, ops))


def _only_computes(op: Operation) -> bool:
    """Whether an op does nothing but compute its results."""
    if isinstance(op, ForallOp):
        return all(
            is_side_effect_free(inner)
            for inner in op.region.walk()
            if not isinstance(inner, InParallelOp | ParallelInsertSliceOp)
        )
    return is_side_effect_free(op)


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
    before: Comparison | None = None
    while steps.stop + steps.period <= stop:
        following = Comparison(steps)
        if not following.is_equal():
            break
        if before is None:
            steps = replace(
                steps,
                distances=following.distances,
                differing=following.differing,
                carried=following.carried,
            )
        elif not following.goes_on(before):
            break
        steps = replace(steps, count=steps.count + 1)
        before = following
    return steps


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
    times = Counter(steps.carried.values())
    if not all(
        _starts_well(steps, made, value, collected.get(made))
        or (made not in collected and times[value] == 1 and _is_given_up(steps, value))
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
    if not 0 <= steps.line.place_of(value) == steps.start - steps.period + made.op:
        return False
    if collected is None:
        return True
    concat, before = collected.concat, collected.offset - collected.distance
    return any(
        part is value and offset == before
        for part, offset in zip(concat.inputs, part_offsets(concat), strict=True)
    )


def _is_given_up(steps: Steps, value: SSAValue) -> bool:
    """Whether an op computes a value that only steps read: its memory is theirs."""
    return (
        steps.line.place_of(value) >= 0
        and isinstance(value.owner, GenericOp)
        and all(
            steps.line.place_of_user(use.operation) < steps.stop for use in value.uses
        )
    )

"""Which operands of one op may have a buffer in common, whatever is decided.

    %1 = tensor.cast %0
    call @f(%0, %1, %2)     // the first two

Cost: linear in the operands. Of each, up to `MOST_ORIGINS` tensors are looked at.
"""

from collections import Counter
from collections.abc import Callable, Sequence, Set

from xdsl.ir import Operation, SSAValue

MOST_ORIGINS = 64
"""A tensor that may have the buffer of more tensors may have that of any."""

GetSources = Callable[[SSAValue], Sequence[SSAValue]]
"""The tensors, one op back, whose buffers a tensor may have."""


def operands_of_one_buffer(
    op: Operation, numbers: frozenset[int], get_sources: GetSources
) -> Set[int]:
    """Those of some operands that may have a buffer of another one of them."""
    if len(numbers) < 2:
        return frozenset()
    origins: dict[int, Set[SSAValue]] = {}
    for number in numbers:
        found = _origins(op.operands[number], get_sources)
        if found is None:
            return numbers
        origins[number] = found
    counts = Counter(value for found in origins.values() for value in found)
    return {
        number
        for number, found in origins.items()
        if any(counts[value] > 1 for value in found)
    }


def _origins(value: SSAValue, get_sources: GetSources) -> Set[SSAValue] | None:
    """The tensors whose buffers `value` may have; None if there are many."""
    found = {value}
    waiting = [value]
    while waiting:
        for source in get_sources(waiting.pop()):
            if source not in found:
                found.add(source)
                waiting.append(source)
        if len(found) > MOST_ORIGINS:
            return None
    return found

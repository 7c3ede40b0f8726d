"""The uses of a value, as many as a pattern may look at each time.

A pattern for an op is tried again whenever a user of the op goes away. With no bound,
the time for an op with many users would grow with the square of their number.
"""

from collections.abc import Iterator
from itertools import islice

from xdsl.ir import SSAValue, Use

MAX_USES = 64
"""How many uses are looked at."""


def first_uses(value: SSAValue) -> list[Use]:
    """The uses of a value, those first that were made last; `MAX_USES` at most."""
    return list(islice(value.uses, MAX_USES))


def uses_to_replace(value: SSAValue) -> Iterator[Use]:
    """The uses of a value, to a caller who replaces some; all, if that goes on.

    The end comes when `MAX_USES` in a row are still there.
    """
    before: list[Use] = []
    while (uses := first_uses(value)) != before:
        yield from uses
        before = uses

"""An op that is looked at as one of another class, with the same parts.

    copy_as(op, view)                   # another object: same operands and results
    do_as(op, view, properties, verify) # verify(op), while the op itself is a `view`

xDSL has no public way to do so: an op is made with uses of its operands, and results of
its own. So this file is the only one that relies on where xDSL 0.74 and 0.75 keep the
parts of an op, and that sets the class of an object.
"""

from collections.abc import Callable
from typing import TypeVar

from xdsl.ir import Attribute, Operation

_Op = TypeVar("_Op", bound=Operation)


def copy_as(op: Operation, op_type: type[_Op]) -> _Op:
    """An object of a class that has the parts of `op`, to be read only.

    What is asked about its place in a block should be asked of `op`.
    """
    copy = op_type.__new__(op_type)
    vars(copy).update(vars(op))
    return copy


def do_as(
    op: Operation,
    op_type: type[Operation],
    properties: dict[str, Attribute],
    action: Callable[[Operation], object],
) -> None:
    """Call `action`, for which `op` is of another class and has other properties."""
    before = type(op), op.properties
    op.__class__, op.properties = op_type, properties
    try:
        action(op)
    finally:
        op.__class__, op.properties = before

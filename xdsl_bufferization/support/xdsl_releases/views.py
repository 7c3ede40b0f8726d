"""An op in the terms of another class that defines the same op.

view_as(op, view)          # another object, with the parts of `op`
with seen_as(op, view): ...       # `op` itself is of the other class meanwhile
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from xdsl.ir import Operation

from .private_name import PrivateName

_Op = TypeVar("_Op", bound=Operation)


def _change_class(op: Operation, op_type: type[Operation]) -> Operation:
    """The op that was read, as one of the class `op_type`."""
    op.__class__ = op_type
    return op


class _One(Operation):
    """A class of ops with nothing of its own."""

    name = "xdsl_bufferization.one"


class _Other(Operation):
    """Another one."""

    name = "xdsl_bufferization.other"


def _classes_change() -> bool:
    """Whether an op may become one of another class."""
    try:
        _change_class(_One.create(), _Other)
    except TypeError:
        return False
    return True


CLASS = PrivateName(
    "xdsl.ir.core",
    "Operation",
    "__class__",
    reason="MLIR defines ops of xDSL with other fields, formats and rules. An op stays "
    "one of xDSL's class, for whoever matches it, and is read, printed and verified as "
    "MLIR defines it.",
    without="Rules about the neighbours of an op are not checked by MLIR's definition.",
    wish="The fields and formats of the lists below, so that xDSL's classes are "
    "MLIR's.",
    check=_classes_change,
)


_HAS_TABLE = Operation.__dictoffset__ != 0


def _parts_of(op: Operation) -> Iterator[tuple[str, Any]]:
    """All that an op has, whether it is kept in a table or in slots."""
    for cls in type(op).__mro__:
        for name in getattr(cls, "__slots__", ()):
            if hasattr(op, name):
                yield name, getattr(op, name)
    yield from getattr(op, "__dict__", {}).items()


def view_as(op: Operation, view: type[_Op]) -> _Op:
    """Another object of the class `view` that has what `op` has, to be read only."""
    made = view.__new__(view)
    if _HAS_TABLE:
        vars(made).update(vars(op))
        return made
    for name, value in _parts_of(op):
        object.__setattr__(made, name, value)
    return made


@contextmanager
def _in_other_class(op: Operation, view: type[Operation]) -> Generator[Operation]:
    """The op itself; until the end of the block, it is one of the class `view`."""
    op_type = type(op)
    op.__class__ = view
    try:
        yield op
    finally:
        op.__class__ = op_type


@contextmanager
def _in_a_view(op: Operation, view: type[Operation]) -> Generator[Operation]:
    yield view_as(op, view)


seen_as = _in_other_class if CLASS.is_there() else _in_a_view

"""What is found: faults, and what is not decided.

a.mlir:9: 'memref.load' op: the buffer of 'memref.alloc' at line 2 is used after it
was freed at line 7, when %c is true
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.text.locations import file_location
from xdsl_bufferization.support.errors import op_name

_SHOWN_VALUES = 4
"""How many values a message names."""


class Kind(Enum):
    """What can be wrong."""

    DOUBLE_FREE = "double free"
    USE_AFTER_FREE = "use after free"
    LEAK = "leak"
    NOT_OWNED = "free of what is not owned"
    VIEW = "free of a view"
    RESULT = "invalid result"


@dataclass(frozen=True)
class Fault:
    """A buffer that is not freed exactly once, or is used too late."""

    kind: Kind
    op: Operation
    """Where it shows."""

    message: str
    case: Mapping[SSAValue, bool]
    """Values of the program on one path on which it happens."""

    places: tuple[tuple[Operation, str], ...] = ()
    """What else has to do with it."""


@dataclass(frozen=True)
class Undecided:
    """What the analysis cannot say, and why."""

    op: Operation
    why: str


@dataclass
class Findings:
    """What is found in a program, in the order of its ops."""

    faults: list[Fault] = field(default_factory=list[Fault])
    undecided: list[Undecided] = field(default_factory=list[Undecided])


def place_of(op: Operation) -> str:
    """An op and its line, for a message."""
    return f"'{op_name(op)}'{_at_line(op)}"


def line_of(op: Operation) -> str:
    """`at line 7`; the name of the op if no line is known."""
    return _at_line(op).removeprefix(" ") or f"at '{op_name(op)}'"


def _at_line(op: Operation) -> str:
    location = file_location(op.location)
    return "" if location is None else f" at line {location.line.data}"


def describe_case(case: Mapping[SSAValue, bool]) -> str:
    """` when %c is true`; nothing if it always happens."""
    parts = [
        f"{name_of(value)} is {str(truth).lower()}" for value, truth in case.items()
    ]
    if len(parts) > _SHOWN_VALUES:
        parts[_SHOWN_VALUES - 1 :] = [f"{len(parts) - _SHOWN_VALUES + 1} others fit"]
    return f" when {' and '.join(parts)}" if parts else ""


def name_of(value: SSAValue) -> str:
    """`%c`; where a value without a name comes from."""
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    if isinstance(value, OpResult):
        return f"the result of {place_of(value.op)}"
    assert isinstance(value, BlockArgument)
    return f"block argument {value.index}"

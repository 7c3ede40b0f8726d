"""The buffers of a symbolic run, and what a value may point to.

%a = memref.alloc()              // a buffer
%s = arith.select %c, %a, %b     // a pointer: to a's buffer if %c, else to b's
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE

from .conditions import Scope

FIELDS: Final = ("freed", "given", "kept")
"""What may have happened to a buffer, by the names of its fields."""


class Owner(Enum):
    """Who has to free a buffer."""

    FUNCTION = "the function"
    ARGUMENT = "an argument"
    GLOBAL = "a global"
    STACK = "a buffer on the stack"
    OUTSIDE = "memory of a tensor"
    UNKNOWN = "unknown"


class Event(NamedTuple):
    """Something that ends the life of a buffer, or gives it away."""

    time: int
    condition: int
    op: Operation
    is_free: bool
    is_earlier: bool = False
    """Whether it was in an earlier iteration than this one."""


@dataclass(eq=False)
class Buffer:
    """One allocation: in a loop that of this iteration, or of some earlier one."""

    key: Hashable
    """What it is known by in each visit of its place."""

    owner: Owner
    op: Operation
    """Where it comes from."""

    scope: Scope
    born: int
    """The time from which it is known."""

    allocated: int
    """Where it is there; what is noted of it says nothing elsewhere."""

    place: int = -1
    """Among the buffers of the function; -1 if somebody else owns it."""

    freed: int = FALSE
    given: int = FALSE
    """Whether somebody else owns it by now: it must not be freed any more."""

    kept: int = FALSE
    """Whether it need not be freed, as a tensor may have it."""

    is_carried: bool = False
    """Whether it is what a loop carries, from some earlier iteration."""

    sources: Mapping["Buffer", int] = field(default_factory=dict["Buffer", int])
    """Of a stand-in: the buffers one of which it is, and when it is which."""

    follower: tuple["Buffer", int] | None = None
    """The stand-in that it is a source of, and when it is the one; one at most."""

    above: dict[str, int] = field(default_factory=dict[str, int])
    """By name of a field: what is known to have happened by the names of stand-ins."""

    below: dict[str, int] = field(default_factory=dict[str, int])
    """The same by the names of its sources."""

    events: list[Event] = field(default_factory=list[Event])

    def condition(self, name: str) -> int:
        """When something has happened by this very name; by the name of its field."""
        found: int = getattr(self, name)
        return found

    def set_condition(self, name: str, condition: int) -> None:
        """Say when something has happened, by the name of its field."""
        setattr(self, name, condition)


MOST_TARGETS = 1
"""Beyond, the buffers that a value may be in get a stand-in.

The stand-in is the one of them that the value is in. What happens through the value
happens to the stand-in, and its sources ask it. So a value that may be in any of a
thousand buffers is in one.
"""


@dataclass(frozen=True)
class Pointer:
    """A memref, or a tensor, or an address: which buffer it may be in, and when."""

    targets: Mapping[Buffer, int]
    view: int = FALSE
    """Whether it is a part of its buffer, or the buffer in another shape."""

    is_shifted: bool = False
    """Whether its address may not be that of its buffer."""


Value = int | Pointer
"""A number of type `i1` as a condition, or a pointer."""

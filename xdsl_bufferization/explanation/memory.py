"""What a program does with memory, as plain data: a lane for each buffer.

Time runs over the ops of the program on buffers, `MemoryTimeline.steps`, which know the
line of the program as written that they are from.

    0  %a = memref.alloc()      lane %a, 64 bytes    [0, 3)      live  64
    1  %b = memref.alloc()      lane %b, 32 bytes    [1, 2)            96
    2  memref.dealloc %b                                               64
    3  memref.dealloc %a                                                0

Nothing here knows the compiler; see `memory_lanes.py` for who fills this in.
"""

from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]
"""Steps from the first up to, but not including, the second."""


class LaneKind(StrEnum):
    """Where the memory of a lane is from."""

    ALLOCATED = "allocated"
    """An op of the function allocates it."""

    RETURNED = "returned"
    """A function that is called returns it."""

    JOINED = "joined"
    """A branch or loop hands it on: one of several buffers, the largest counts."""

    CALLED = "called"
    """What a function that is called needs while it runs."""


@dataclass(frozen=True)
class MemoryStep:
    """An op of the program on buffers."""

    op: str
    """Its name."""

    line: int | None
    """The line of the program as written that it comes from, where that is known."""

    depth: int
    """How many ops are around it inside the function."""


@dataclass(frozen=True)
class Lane:
    """A buffer, and when there is memory for it."""

    name: str
    """What it is called, `%a`, or what it is, `copy of %a`."""

    kind: LaneKind
    type: str
    """Its type, or the name of the function that is called."""

    line: int | None
    """Of the op that it is from."""

    bytes: int | None
    """None if only the running program knows; it then counts as 0."""

    allocated: tuple[Span, ...]
    """When it is allocated: several spans where paths differ."""

    needed: tuple[Span, ...]
    """When it holds something that is used later."""

    is_freed: bool
    """Whether it is freed or handed on at the end."""


@dataclass(frozen=True)
class MemoryTimeline:
    """The memory of one function over its ops.

    Paths that exclude each other have steps of their own. The largest sum of the lanes
    over all steps is therefore the largest sum on any path through the function. The
    iterations of a loop count one at a time.
    """

    function: str
    steps: tuple[MemoryStep, ...]
    lanes: tuple[Lane, ...]
    """In the order in which they begin."""

    live: tuple[int, ...]
    """The bytes that are allocated at each step: the sum of the lanes."""

    needed: tuple[int, ...]
    """The bytes at each step that hold something which is used later."""

    peak: int
    """The most of `live`."""

    is_upper_bound: bool
    """Whether the program decides at run time who frees a buffer, and may need less."""

    lower_bound: int
    """The most of `needed`: no placement of the buffers has a lower peak."""


@dataclass(frozen=True)
class MemoryStage:
    """The memory of all functions after some passes."""

    name: str
    """In a few words, for a switch between stages."""

    meaning: str
    """What becomes of buffers that are not used any more, in a sentence."""

    functions: tuple[MemoryTimeline, ...]
    """Those with a body, in the order of the program."""

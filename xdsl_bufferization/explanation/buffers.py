"""Who frees the buffers that a program allocates.

    %b = memref.alloc()      (line 3)      %b, 16 bytes: freed, at line 7
    memref.dealloc %b        (line 7)

The lanes of memory over time say it (`memory_lanes.py`): a buffer whose lane ends at an
op that frees is freed there. One whose lane goes on to the end is returned, or is lost.
"""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.cost.memory_profile import (
    MemoryProfile,
)

from .memory import Lane, LaneKind, MemoryTimeline
from .memory_lanes import trace_memory
from .report import Buffer, Fate


def list_buffers(
    module: ModuleOp, profiles: Sequence[MemoryProfile]
) -> Mapping[str, tuple[Buffer, ...]]:
    """The buffers of each function of a program on buffers, by its name."""
    return {
        timeline.function: tuple(
            _buffer(lane, timeline)
            for lane in timeline.lanes
            if lane.kind is LaneKind.ALLOCATED
        )
        for timeline in trace_memory(module, profiles)
    }


def _buffer(lane: Lane, timeline: MemoryTimeline) -> Buffer:
    end = max((end for _, end in lane.allocated), default=0)
    fate, freed_at = Fate.NOBODY, None
    if end < len(timeline.steps):
        fate, freed_at = Fate.FREED, timeline.steps[end].line
    elif lane.is_freed:
        fate = Fate.CALLER
    return Buffer(lane.name, lane.line, lane.bytes, fate, freed_at)

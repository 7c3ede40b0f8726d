"""Random programs, what their lanes say of memory, and what a heap measures.

As a script, many programs at once, which takes about a second each:

    PYTHONPATH=tests/pytest python -m harness.volume.memory_programs 0 200
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import (
    CommonSubexpressionElimination,
)

from harness.programs.random_programs import Shape, random_program
from xdsl_bufferization import parse
from xdsl_bufferization.bufferization.bufferize.drop_equivalent_buffer_results import (
    DropEquivalentBufferResultsPass,
)
from xdsl_bufferization.bufferization.bufferize.eliminate_empty_tensors import (
    EliminateEmptyTensorsPass,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.explanation.memory import MemoryStage, MemoryTimeline, Span
from xdsl_bufferization.explanation.memory_stages import follow_stages
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.heap import CountingHeap

ENTRY = "main"
TRIPS = (0, 1, 2, 3)

Traced = tuple[MemoryStage, ModuleOp]


def random_text(seed: int) -> str:
    """A program with loops and branches, every other one with calls."""
    return random_program(seed, Shape(ops=6, calls=seed % 2 == 0))


def trace(text: str) -> Iterator[Traced]:
    """What memory the program takes at each stage, and the program then."""
    module = parse(text)
    passes = (
        EliminateEmptyTensorsPass(),
        # The heap counts what it is asked for: more, to align what it returns.
        one_shot_of_programs(buffer_alignment=0),
        DropEquivalentBufferResultsPass(),
        # Loops that never run would count.
        CanonicalizePass(),
        CommonSubexpressionElimination(),
    )
    for stage in follow_stages(module, passes, get_context()):
        yield stage, module


def timeline_of(stage: MemoryStage) -> MemoryTimeline:
    """The memory of the function that is called."""
    return next(each for each in stage.functions if each.function == ENTRY)


def sum_of_lanes(timeline: MemoryTimeline) -> list[int]:
    """The bytes at each step, from the lanes alone."""
    changes = [0] * (len(timeline.steps) + 1)
    for span, size in _sizes(timeline):
        changes[span[0]] += size
        changes[span[1]] -= size
    sums = list[int]()
    for change in changes[:-1]:
        sums.append((sums[-1] if sums else 0) + change)
    return sums


def _sizes(timeline: MemoryTimeline) -> Iterator[tuple[Span, int]]:
    for lane in timeline.lanes:
        for span in lane.allocated:
            yield span, lane.bytes or 0


def is_static(timeline: MemoryTimeline) -> bool:
    """Whether all sizes are known."""
    return all(lane.bytes is not None for lane in timeline.lanes)


def takes_all_ways(module: ModuleOp) -> bool:
    """Whether some run takes each way: no branch is inside of one on the same value."""
    return not any(
        isinstance(op, scf.IfOp) and _is_decided(op, op.cond) for op in module.walk()
    )


def _is_decided(op: Operation, condition: SSAValue) -> bool:
    parent = op.parent_op()
    if parent is None:
        return False
    is_same = isinstance(parent, scf.IfOp) and parent.cond is condition
    return is_same or _is_decided(parent, condition)


def measure_peak(module: ModuleOp) -> int:
    """The most that the program has on a heap that counts, whatever way it takes.

    It is run with all that its branches and loops depend on.
    """
    compiled = compile_module(module, counting_heap=True, opt_level=0)
    heap = compiled.heap
    assert isinstance(heap, CountingHeap)
    most = 0
    for condition, trips in product((True, False), TRIPS):
        heap.reset()
        arrays = [np.zeros(size, np.float32) for size in (8, 8, 4)]
        result = compiled[ENTRY](*arrays, 1.0, trips, condition)
        most = max(most, heap.report().peak_bytes)
        del result
        assert heap.report().live_bytes == 0
    return most


def compare(seeds: Iterable[int], numbers: Iterable[int] = (0, 1, 2)) -> list[str]:
    """Programs whose lanes differ from what was measured; prints a summary.

    Where the running program decides who frees a buffer, lanes may only be too long.
    """
    wanted = set(numbers)
    wrong = list[str]()
    exact = most = 0
    for seed in seeds:
        for number, (stage, module) in enumerate(trace(random_text(seed))):
            timeline = timeline_of(stage)
            can_compare = is_static(timeline) and takes_all_ways(module)
            if number not in wanted or not can_compare:
                continue
            measured = measure_peak(module)
            peak = max(sum_of_lanes(timeline))
            is_right = measured == peak or (timeline.is_upper_bound and measured < peak)
            exact += measured == peak and not timeline.is_upper_bound
            most += timeline.is_upper_bound
            if not is_right:
                wrong.append(f"{seed} {stage.name}: {peak}, measured {measured}")
    sys.stdout.write(f"{exact} equal, {most} upper bounds, {len(wrong)} wrong\n")
    return wrong


if __name__ == "__main__":
    first, last = map(int, sys.argv[1:])
    sys.stdout.writelines(f"{line}\n" for line in compare(range(first, last)))

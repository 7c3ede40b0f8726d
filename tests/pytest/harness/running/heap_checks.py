"""What a program that was run must have left of its heap: nothing."""

import gc

from xdsl_bufferization.runtime import CountingHeap
from xdsl_bufferization.runtime.engine import CompiledModule


def assert_freed_once(compiled: CompiledModule) -> None:
    """Everything was freed, nothing twice, and nothing that was never allocated."""
    gc.collect()
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert report.double_frees == 0
    assert report.foreign_frees == 0
    assert report.live_bytes == 0
    assert report.allocs == report.frees

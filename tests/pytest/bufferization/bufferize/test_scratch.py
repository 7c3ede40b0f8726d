"""Loops and calls that start from one tensor without elements keep what they write.

Where the numbers are right by chance, the proofs still have to hold.
"""

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_scratch import random_scratch

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.verified import with_proofs
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap

PROGRAMS = 40


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_numbers_are_those_of_the_tensors(seed: int) -> None:
    text = random_scratch(seed)
    arguments = np.arange(4, dtype=np.float32), np.float32(3)
    expected = evaluate(parse(text), "main", arguments)
    module = parse(text)
    passes = one_shot_of_programs(), BufferDeallocationPipelinePass()
    for each in with_proofs(passes):
        each.apply(get_context(), module)
    compiled = compile_module(module, poison=True, counting_heap=True, opt_level=0)
    found = compiled["main"](*arguments)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    del found
    assert isinstance(compiled.heap, CountingHeap)
    assert compiled.heap.report().live_bytes == 0

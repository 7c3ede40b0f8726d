"""Random programs, deallocated with clones or copies, compiled, on a heap that counts.

Every second one has functions of several blocks.
"""

from collections.abc import Callable

import pytest
from bufferization.deallocation.test_deallocation_with_clones import STRATEGIES
from bufferization.deallocation.test_native_execution import checksum_of_run
from harness.programs import random_buffers
from harness.programs.buffer_programs import Style, generate_native
from harness.running.heap_checks import assert_freed_once
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.compile import compile_module

RUNS = 20


def program(seed: int) -> str:
    if seed % 2:
        style = random_buffers.GraphStyle(
            late_writes=False, recursion=False, stack=False, max_depth=1, size=3
        )
        return random_buffers.generate_native(seed, style)
    style = Style(late_writes=False, stack=False, max_depth=2, size=4)
    return generate_native(seed, style)


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("seed", range(4))
def test_compiled_programs_free_what_they_allocate(
    seed: int, strategy: str, parse: Callable[[str], ModuleOp]
) -> None:
    module = parse(program(seed))
    leaky = compile_module(module, counting_heap=True, opt_level=0)
    for transform in STRATEGIES[strategy]:
        transform(module)
    module.verify()
    compiled = compile_module(module, poison=True, opt_level=0)
    for run in range(RUNS):
        assert checksum_of_run(compiled, run) == checksum_of_run(leaky, run)
    assert_freed_once(compiled)

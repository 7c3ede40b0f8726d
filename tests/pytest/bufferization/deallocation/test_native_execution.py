"""Random programs, deallocated and compiled, on a heap that counts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness.programs import random_buffers
from harness.programs.buffer_programs import ARGUMENTS, Style, generate_native
from harness.running.heap_checks import assert_freed_once
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import deallocate
from xdsl_bufferization.pipelines.compile import compile_module

RUNS = 20


def checksum_of_run(compiled: Any, seed: int) -> bytes:
    """What a run observes, results included, as bits."""
    compiled["start"](seed)
    arguments = [np.full(8, -1.0, np.float32) for _ in range(ARGUMENTS)]
    results = compiled["main"](*arguments)
    checksum = np.float32(compiled["checksum"]())
    arrays: list[Any] = [results] if isinstance(results, np.ndarray) else results or []
    firsts = [array[0] for array in arrays]
    return np.array([checksum, *firsts], np.float32).tobytes()


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize("seed", range(8))
def test_compiled_programs_free_what_they_allocate(
    seed: int, parse: Callable[[str], ModuleOp]
) -> None:
    style = Style(only_m=seed % 2 == 0, max_depth=2, size=4, stack=False)
    check_execution(parse(generate_native(seed, style)), seed)


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize("seed", range(8))
def test_compiled_programs_of_several_blocks_free_what_they_allocate(
    seed: int, parse: Callable[[str], ModuleOp]
) -> None:
    style = random_buffers.GraphStyle(
        only_m=seed % 2 == 0, max_depth=1, size=3, stack=False, recursion=False
    )
    check_execution(parse(random_buffers.generate_native(seed, style)), seed)


def check_execution(module: ModuleOp, seed: int) -> None:
    """The results are those of the program that frees nothing, and nothing is left."""
    leaky = compile_module(module, counting_heap=True, opt_level=0)
    deallocate(module, private_function_dynamic_ownership=seed % 3 == 0)
    module.verify()
    compiled = compile_module(module, poison=True, opt_level=0)
    for run in range(RUNS):
        assert checksum_of_run(compiled, run) == checksum_of_run(leaky, run)
    assert_freed_once(compiled)

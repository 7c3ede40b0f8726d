"""Random programs that make tensors of buffers: on some paths, in loops, of choices.

Each tensor keeps its memory, whoever made it, and nothing else is left over.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from bufferization.deallocation.test_random_graphs import check_runs, expected_runs
from harness.programs.buffer_programs import Style, generate
from harness.programs.random_buffers import generate as generate_graph
from harness.programs.random_buffers import style_of
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation import (
    ownership_based_buffer_deallocation as ownership,
)
from xdsl_bufferization.bufferization.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)
from xdsl_bufferization.support.errors import OperationError

PROGRAMS = 60


def write_program(seed: int) -> str:
    """A program with tensors; every second one has several blocks."""
    if seed % 2:
        return generate_graph(
            seed, replace(style_of(seed), tensors=True, max_depth=1, max_blocks=5)
        )
    return generate(seed, Style(tensors=True, max_depth=2, size=4))


def deallocate(module: ModuleOp, strategy: str) -> bool:
    """Whether the strategy accepts the program."""
    if strategy == "ownership":
        ownership.deallocate_by_ownership(module)
        return True
    try:
        deallocate_with_clones(module)
    except OperationError as error:
        assert "strategy=ownership" in error.message
        return False
    return True


@pytest.mark.parametrize("strategy", ["ownership", "clone"])
def test_only_tensors_keep_memory(
    strategy: str, parse: Callable[[str], ModuleOp]
) -> None:
    captures = 0
    for seed in range(PROGRAMS):
        module = parse(write_program(seed))
        expected = expected_runs(module, seed)
        if deallocate(module, strategy):
            captures += str(module).count("bufferization.to_tensor")
            check_runs(module, expected)
    assert captures > PROGRAMS // 4

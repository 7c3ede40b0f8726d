"""What is on the stack is not used after its function has returned."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from harness.programs.placement_programs import check_graph, check_program
from harness.running.memory_machine import Buffer, Machine
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.placement.promote_buffers_to_stack import (
    promote_buffers,
)

PROGRAMS_PER_TEST = 10


@pytest.fixture
def stack_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory on the stack counts as freed when its function returns."""
    frames: list[list[Buffer]] = []
    run_call, run_allocate = Machine.call, Machine.allocate

    def call(self: Machine, name: str, arguments: Sequence[Any]) -> list[Any]:
        if name not in self.functions:
            return run_call(self, name, arguments)
        frames.append([])
        results = run_call(self, name, arguments)
        for buffer in frames.pop():
            buffer.allocation.is_freed = True
        return results

    def allocate(
        self: Machine, size: int, made_by: str, is_heap: bool = True
    ) -> Buffer:
        buffer = run_allocate(self, size, made_by, is_heap)
        if "memref.alloca(" in made_by:
            frames[-1].append(buffer)
        return buffer

    monkeypatch.setattr(Machine, "call", call)
    monkeypatch.setattr(Machine, "allocate", allocate)


@pytest.mark.volume(sample=4)
@pytest.mark.usefixtures("stack_frames")
@pytest.mark.parametrize("group", range(8))
def test_random_programs_do_not_use_old_frames(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        check_program(seed, parse, [promote_buffers], stack=False)


@pytest.mark.volume(sample=10)
@pytest.mark.usefixtures("stack_frames")
@pytest.mark.parametrize("seed", range(30))
def test_blocks_and_loops_between_them(
    seed: int, parse: Callable[[str], ModuleOp]
) -> None:
    check_graph(seed, parse, [promote_buffers], stack=False)


@pytest.mark.oracle
def test_mlir_promotes_nothing_for_a_large_limit(
    mlir_opt: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    program = """
    func.func @f(%i: index, %v: f32) {
      %a = memref.alloc() : memref<4xf32>
      memref.store %v, %a[%i] : memref<4xf32>
      return
    }
    """
    name = "promote-buffers-to-stack"
    for limit in (16, 1 << 20):
        ours = xdsl_opt(program, f"{name}{{max-alloc-size-in-bytes={limit}}}")
        theirs = mlir_opt(program, f"--{name}=max-alloc-size-in-bytes={limit}")
        assert mlir_opt(ours) == theirs
        assert "memref.alloca" in theirs
    limit = 1 << 29
    assert "memref.alloca" not in mlir_opt(
        program, f"--{name}=max-alloc-size-in-bytes={limit}"
    )
    ours = xdsl_opt(program, f"{name}{{max-alloc-size-in-bytes={limit}}}")
    assert "memref.alloca" in ours

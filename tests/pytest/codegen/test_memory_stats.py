"""The figures of `memory-stats` against what programs do when they run."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.programs.buffer_programs import ARGUMENTS, Style, generate
from harness.running.memory_machine import Buffer, Machine, run
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import deallocate
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.codegen.memory_stats import measure_memory
from xdsl_bufferization.support.algorithms.range_max import RangeMax

BYTES = 32
"""What each buffer of the programs takes."""

RUNS = 6


@pytest.fixture
def executed_peak(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleOp, int], int]:
    """The most that a run has on the heap, next to the arguments."""
    live = {"now": 0, "most": 0}
    run_allocate, run_free = Machine.allocate, Machine.free

    def allocate(
        self: Machine, size: int, made_by: str, is_heap: bool = True
    ) -> Buffer:
        if is_heap and not made_by.startswith("argument"):
            live["now"] += BYTES
            live["most"] = max(live.values())
        return run_allocate(self, size, made_by, is_heap)

    def free(self: Machine, buffer: Buffer) -> None:
        run_free(self, buffer)
        if not buffer.allocation.made_by.startswith("argument"):
            live["now"] -= BYTES

    monkeypatch.setattr(Machine, "allocate", allocate)
    monkeypatch.setattr(Machine, "free", free)

    def measure(module: ModuleOp, seed: int) -> int:
        live.update(now=0, most=0)
        run(module, "main", seed, ARGUMENTS)
        return live["most"]

    return measure


@pytest.mark.volume(sample=12)
@pytest.mark.parametrize("seed", range(40))
def test_no_run_needs_more_than_the_peak(
    seed: int,
    parse: Callable[[str], ModuleOp],
    executed_peak: Callable[[ModuleOp, int], int],
) -> None:
    rng = random.Random(seed)
    style = Style(only_m=True, stack=False, max_depth=rng.choice((1, 2, 3)), size=4)
    module = deallocate(parse(generate(seed, style)))
    for _ in range(2):
        figures = {each.name: each for each in measure_memory(module)}["main"]
        assert figures.lower_bound_bytes <= figures.peak_bytes
        for number in range(RUNS):
            assert executed_peak(module, seed * RUNS + number) <= figures.peak_bytes
        optimize_all_liveness(module)


def test_a_buffer_may_be_lent_freed_under_a_condition_and_passed_on(
    parse: Callable[[str], ModuleOp],
) -> None:
    module = parse("""
    func.func @f(%c: i1, %d: i1, %e: i1) {
      %r = scf.if %c -> (memref<4xf32>) {
        %a = memref.alloc() : memref<4xf32>
        %b = memref.alloc() : memref<4xf32>
        %s = arith.select %d, %a, %b : memref<4xf32>
        %t = arith.select %d, %s, %a : memref<4xf32>
        scf.if %e {
          memref.dealloc %t : memref<4xf32>
        }
        scf.yield %s : memref<4xf32>
      } else {
        %n = memref.alloc() : memref<4xf32>
        scf.yield %n : memref<4xf32>
      }
      scf.if %d {
        memref.dealloc %r : memref<4xf32>
      }
      return
    }""")
    (found,) = measure_memory(module)
    assert (found.allocations, found.total_bytes) == (3, 3 * 16)
    assert 2 * 16 <= found.peak_bytes <= 3 * 16


def test_figures_go_to_a_file(xdsl_opt: Callable[..., str], tmp_path: Path) -> None:
    program = "func.func @f() { %a = memref.alloc() : memref<4xf32> return }"
    path = tmp_path / "stats.json"
    xdsl_opt(program, f'memory-stats{{format="json" file="{path}"}}')
    (figures,) = json.loads(path.read_text())
    assert figures["name"] == "f"
    assert figures["never_freed"] == 1
    assert figures["peak_bytes"] == 16


@pytest.mark.parametrize("seed", range(20))
def test_range_max_is_the_largest_of_a_range(seed: int) -> None:
    rng = random.Random(seed)
    numbers = [rng.randrange(100) for _ in range(rng.randrange(1, 40))]
    ranges = RangeMax(numbers)
    for _ in range(50):
        start = rng.randrange(len(numbers))
        end = rng.randrange(start, len(numbers)) + 1
        added = rng.randrange(-20, 20)
        ranges.add(start, end, added)
        numbers[start:end] = [number + added for number in numbers[start:end]]
        assert ranges.max(start, end) == max(numbers[start:end])
        assert ranges.max(0, len(numbers)) == max(numbers)

"""Programs in an arena compute what they did, and need no more than they must."""

import gc
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from bufferization.deallocation.test_native_execution import checksum_of_run
from harness.programs import random_buffers
from harness.programs.buffer_programs import Style, generate_native
from harness.running.growth import growth
from harness.running.heap_checks import assert_freed_once
from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization import deallocate
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.bufferization.placement import lifetimes
from xdsl_bufferization.bufferization.placement.buffer_reuse import reuse_all_buffers
from xdsl_bufferization.bufferization.placement.static_memory_planner import (
    ARENA_BYTES,
    plan_memory,
)
from xdsl_bufferization.codegen.memory_stats import measure_memory
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CountingHeap
from xdsl_bufferization.support.algorithms.interval_packing import (
    LiveRange,
    pack_best_fit,
    pack_trivial,
)

RUNS = 10


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("algorithm", ["best-fit", "trivial"])
def test_compiled_programs_compute_the_same(
    seed: int, algorithm: str, parse: Callable[[str], ModuleOp]
) -> None:
    style = Style(only_m=seed % 2 == 0, max_depth=2, size=4, stack=False)
    module = parse(generate_native(seed, style))
    leaky = compile_module(module, counting_heap=True, opt_level=0)
    deallocate(module)
    optimize_all_liveness(module)
    if seed % 3 == 0:
        reuse_all_buffers(module)
    plan_memory(module, algorithm=algorithm)
    module.verify()
    compiled = compile_module(module, poison=True, opt_level=0)
    for run in range(RUNS):
        assert checksum_of_run(compiled, run) == checksum_of_run(leaky, run)
    gc.collect()
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    assert report.double_frees == report.foreign_frees == report.live_bytes == 0


def program_of_blocks(seed: int, parse: Callable[[str], ModuleOp]) -> ModuleOp:
    style = random_buffers.GraphStyle(
        only_m=seed % 2 == 0, max_depth=1, size=3, stack=False, recursion=False
    )
    return parse(random_buffers.generate_native(seed, style))


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("algorithm", ["best-fit", "trivial"])
def test_compiled_programs_of_several_blocks_compute_the_same(
    seed: int, algorithm: str, parse: Callable[[str], ModuleOp]
) -> None:
    module = program_of_blocks(seed, parse)
    leaky = compile_module(module, counting_heap=True, opt_level=0)
    deallocate(module)
    optimize_all_liveness(module)
    plan_memory(module, algorithm=algorithm)
    module.verify()
    compiled = compile_module(module, poison=True, opt_level=0)
    for run in range(RUNS):
        assert checksum_of_run(compiled, run) == checksum_of_run(leaky, run)
    assert_freed_once(compiled)


def count_allocations(module: ModuleOp) -> int:
    return sum(isinstance(op, memref.AllocOp) for op in module.walk())


def test_buffers_that_other_blocks_free_raise_no_peak(
    parse: Callable[[str], ModuleOp], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = 0
    for seed in range(40):
        module = program_of_blocks(seed, parse)
        deallocate(module)
        optimize_all_liveness(module)
        only_own_blocks = module.clone()
        plan_memory(module)
        with monkeypatch.context() as patch:
            patch.setattr(lifetimes, "_MAX_BLOCKS", -1)
            plan_memory(only_own_blocks)
        saved += count_allocations(only_own_blocks) - count_allocations(module)
        before, after = measure_memory(only_own_blocks), measure_memory(module)
        for old, new in zip(before, after, strict=True):
            assert new.peak_bytes <= old.peak_bytes
    assert saved > 0


DIAMONDS = """
func.func @main(%n: index, %x: memref<8xf32>) {{
  {allocs}
  cf.br ^d0
{blocks}
}}
"""


def diamonds(count: int) -> str:
    """Each of `count` buffers is freed in both blocks of a later diamond."""
    type_ = "memref<8xf32>"
    allocs = "\n".join(f"%a{n} = memref.alloc() : {type_}" for n in range(count))
    blocks = "".join(
        f"^d{n}:\n%c{n} = arith.cmpi eq, %n, %n : index\n"
        f"cf.cond_br %c{n}, ^l{n}, ^r{n}\n"
        f"^l{n}:\nmemref.dealloc %a{n} : {type_}\ncf.br ^d{n + 1}\n"
        f"^r{n}:\nmemref.dealloc %a{n} : {type_}\ncf.br ^d{n + 1}\n"
        for n in range(count)
    )
    return DIAMONDS.format(allocs=allocs, blocks=f"{blocks}^d{count}:\nreturn")


def test_work_grows_nearly_linearly_with_buffers_and_blocks(
    parse: Callable[[str], ModuleOp],
) -> None:
    small, large = parse(diamonds(60)), parse(diamonds(240))
    assert growth(plan_memory, small, large) < 5


CALLS = """
func.func @main(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
  func.call @square(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @square(%b, %x) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}
func.func @square(%in: memref<8xf32>, %out: memref<8xf32>) {
  %c = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  memref.copy %in, %c : memref<8xf32> to memref<8xf32>
  linalg.mul ins(%in, %c : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  memref.dealloc %c : memref<8xf32>
  return
}
"""


def test_a_caller_that_brings_the_arena_needs_no_heap(
    parse: Callable[[str], ModuleOp],
) -> None:
    module = parse(CALLS)
    plan_memory(module, arena="argument")
    module.verify()
    main = next(op for op in module.ops if isinstance(op, FuncOp))
    size: Any = main.attributes[ARENA_BYTES]
    assert isinstance(size, IntegerAttr)
    assert size.value.data == 3 * 64
    compiled = compile_module(module, counting_heap=True)
    x = np.arange(8, dtype=np.float32)
    compiled["main"](x, np.zeros(size.value.data, np.int8))
    np.testing.assert_array_equal(x, (2 * np.arange(8, dtype=np.float32)) ** 4)
    assert isinstance(compiled.heap, CountingHeap)
    assert compiled.heap.report().allocs == 0


def random_ranges(seed: int, count: int) -> list[LiveRange]:
    rng = random.Random(seed)
    starts = [rng.randrange(4 * count) for _ in range(count)]
    return [
        LiveRange(start, start + rng.randrange(1, 40), rng.randrange(20))
        for start in starts
    ]


def with_holes(ranges: list[LiveRange], seed: int) -> list[LiveRange]:
    """The same, where up to two parts of every other live range are holes."""
    rng = random.Random(seed)
    for number, each in enumerate(ranges[::2]):
        places = [rng.randrange(each.start + 1, each.end + 1) for _ in range(4)]
        first, second, third, fourth = sorted(places)
        holes = [(first, second), (third, fourth)]
        found = tuple((start, end) for start, end in holes if start < end)
        ranges[2 * number] = each._replace(holes=found)
    return ranges


def is_live(range_: LiveRange, moment: int) -> bool:
    return range_.start <= moment < range_.end and not any(
        start <= moment < end for start, end in range_.holes
    )


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("seed", range(50))
def test_buffers_that_are_live_at_one_time_do_not_overlap(
    seed: int, holes: bool
) -> None:
    ranges = random_ranges(seed, 40)
    without_holes = pack_best_fit(ranges)
    if holes:
        ranges = with_holes(ranges, seed)
    packing = pack_best_fit(ranges)
    assert packing.size <= without_holes.size
    for moment in range(200):
        areas = sorted(
            (offset, offset + each.size)
            for each, offset in zip(ranges, packing.offsets, strict=True)
            if is_live(each, moment) and each.size
        )
        assert all(first[1] <= second[0] for first, second in pairwise(areas))
        assert all(end <= packing.size for _, end in areas)
    assert packing.size <= pack_trivial(ranges).size


def test_equal_buffers_need_no_more_than_is_live_at_one_time() -> None:
    ranges = [each._replace(size=8) for each in random_ranges(0, 500)]
    most = max(
        sum(each.start <= other.start < each.end for each in ranges) for other in ranges
    )
    assert pack_best_fit(ranges).size == 8 * most


def test_a_hole_has_guests() -> None:
    host = LiveRange(0, 20, 64, ((5, 15),))
    guests = [LiveRange(5, 9, 32), LiveRange(6, 15, 32), LiveRange(10, 15, 16)]
    assert pack_best_fit([host, *guests]) == ((0, 0, 32, 0), 64)
    longer = LiveRange(6, 16, 32)
    assert pack_best_fit([host, longer]) == ((0, 64), 96)


BRANCHES = """
func.func @main(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  scf.if %c {
    linalg.exp ins(%a : memref<8xf32>) outs(%x : memref<8xf32>)
    memref.dealloc %a : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
    linalg.add ins(%b, %x : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>)
    memref.dealloc %b : memref<8xf32>
  } else {
    memref.dealloc %a : memref<8xf32>
  }
  return
}
"""


def test_what_a_branch_allocates_is_where_the_buffer_was_that_it_freed(
    parse: Callable[[str], ModuleOp],
) -> None:
    module = parse(BRANCHES)
    plan_memory(module, arena="argument")
    main = next(op for op in module.ops if isinstance(op, FuncOp))
    size: Any = main.attributes[ARENA_BYTES]
    assert size.value.data == 32
    compiled = compile_module(module)
    for condition in (False, True):
        x = np.zeros(8, np.float32)
        compiled["main"](condition, x, np.zeros(32, np.int8))
        np.testing.assert_array_equal(x, np.full(8, 3 if condition else 0))

"""Buffers die early, and not too early."""

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from harness.programs import random_buffers
from harness.programs.placement_programs import check_program
from harness.running.memory_machine import EndlessError, Outcome, run
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, i1

from xdsl_bufferization.bufferization.analyses.liveness import last_uses_across_blocks
from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import deallocate

PROGRAMS_PER_TEST = 10


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("group", range(10))
def test_random_programs_use_no_freed_memory(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        check_program(seed, parse, after=[optimize_all_liveness])


def test_copies_of_a_deallocation_are_few(parse: Callable[[str], ModuleOp]) -> None:
    depth = 40
    text = "func.func @f(%c: i1) {\n%a = memref.alloc() : memref<2xf32>\n"
    text += "scf.if %c {\nfunc.call @work() : () -> ()\n" * depth
    text += "%z = memref.cast %a : memref<2xf32> to memref<?xf32>\n"
    text += "func.call @work() : () -> ()\n" + "}\n" * depth
    text += "memref.dealloc %a : memref<2xf32>\nreturn\n}\nfunc.func private @work()"
    module = parse(text)
    optimize_all_liveness(module)
    module.verify()
    assert str(module).count("memref.dealloc") <= 16


SHARED_RESULTS = """
func.func private @same(%a: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %new = memref.alloc() : memref<4xf32>
  return %new, %new : memref<4xf32>, memref<4xf32>
}
func.func private @same_by_call() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %0:2 = call @same(%a) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  return %0#0, %0#1 : memref<4xf32>, memref<4xf32>
}
func.func @main(%i: index) -> f32 {
  %0:2 = call @same_by_call() : () -> (memref<4xf32>, memref<4xf32>)
  %x = memref.load %0#0[%i] : memref<4xf32>
  %y = memref.load %0#1[%i] : memref<4xf32>
  %sum = arith.addf %x, %y : f32
  return %sum : f32
}
"""


def test_a_buffer_that_is_two_results_of_a_call_is_freed_after_both(
    parse: Callable[[str], ModuleOp],
) -> None:
    module = parse(SHARED_RESULTS)
    deallocate(module, private_function_dynamic_ownership=True)
    optimize_all_liveness(module)
    ops = [op.name for op in module.walk()]
    last_load = len(ops) - 1 - ops[::-1].index("memref.load")
    assert "memref.dealloc" not in ops[ops.index("memref.load") : last_load]
    assert "memref.dealloc" in ops[last_load:]


def free_late(module: ModuleOp, seed: int) -> None:
    """Add a buffer that is allocated first, used here and there, and freed last."""
    rng = random.Random(seed)
    functions = (op for op in module.ops if isinstance(op, func.FuncOp))
    main = next(op for op in functions if op.sym_name.data == "main")
    type_ = MemRefType(i1, [64])
    alloc = memref.AllocOp([], [], type_)
    for block in main.body.blocks:
        ops = list(block.ops)
        if rng.random() < 0.4:
            zero = arith.ConstantOp(IntegerAttr.from_index_int_value(0))
            true = arith.ConstantOp(IntegerAttr.from_bool(True))
            store = memref.StoreOp.get(true, alloc, [zero])
            block.insert_ops_before([zero, true, store], rng.choice(ops))
        if isinstance(ops[-1], func.ReturnOp):
            block.insert_op_before(memref.DeallocOp.get(alloc), ops[-1])
    first = main.body.blocks[0]
    assert first.first_op is not None
    first.insert_op_before(alloc, first.first_op)


def runs(module: ModuleOp, seed: int) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for number in range(seed * 4, seed * 4 + 4):
        with suppress(EndlessError):
            outcomes.append(run(module, "main", number, random_buffers.ARGUMENTS))
    return outcomes


@pytest.mark.parametrize("group", range(3))
def test_buffers_die_in_earlier_blocks(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    earlier = 0
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        module = parse(random_buffers.generate(seed))
        deallocate(module)
        free_late(module, seed)
        before = runs(module, seed)
        optimize_all_liveness(module)
        module.verify()
        for old, new in zip(before, runs(module, seed), strict=True):
            assert new.observed == old.observed
            assert not new.leaked
            earlier += new.costs.peak_cells < old.costs.peak_cells
            assert new.costs.peak_cells <= old.costs.peak_cells
    assert earlier


def test_long_lives_end_where_short_ones_do(
    parse: Callable[[str], ModuleOp], monkeypatch: pytest.MonkeyPatch
) -> None:
    def moved(seed: int, many_blocks: int) -> list[str]:
        monkeypatch.setattr(last_uses_across_blocks, "MANY_BLOCKS", many_blocks)
        module = parse(random_buffers.generate(seed))
        deallocate(module)
        free_late(module, seed)
        optimize_all_liveness(module)
        # What is freed at one point has no order.
        return sorted(str(module).splitlines())

    for seed in range(4 * PROGRAMS_PER_TEST):
        assert moved(seed, many_blocks=-1) == moved(seed, many_blocks=10**9)

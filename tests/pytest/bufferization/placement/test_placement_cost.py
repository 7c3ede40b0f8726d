"""Passes that place buffers look at each op a bounded number of times."""

from collections.abc import Callable

import pytest
from harness.running.growth import Transform, growth
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    optimize_all_liveness,
)
from xdsl_bufferization.bufferization.placement.buffer_hoisting import hoist_buffers
from xdsl_bufferization.bufferization.placement.buffer_loop_hoisting import (
    hoist_buffers_out_of_loops,
)
from xdsl_bufferization.bufferization.placement.buffer_reuse import reuse_all_buffers
from xdsl_bufferization.bufferization.placement.buffer_sinking import sink_buffers
from xdsl_bufferization.bufferization.placement.promote_buffers_to_stack import (
    promote_buffers,
)
from xdsl_bufferization.bufferization.placement.static_memory_planner import plan_memory
from xdsl_bufferization.codegen.memory_stats import measure_memory

TYPE = "memref<4xf32>"


def chain(count: int, frees: bool) -> str:
    """Each buffer is computed from the one before it; all are freed at the end."""
    lines = [f"%a0 = memref.alloc() : {TYPE}"]
    for number in range(1, count):
        lines += [
            f"%a{number} = memref.alloc() : {TYPE}",
            f"memref.copy %a{number - 1}, %a{number} : {TYPE} to {TYPE}",
        ]
    lines += [f"memref.dealloc %a{n} : {TYPE}" for n in range(count) if frees]
    return "func.func @f(%c: i1, %n: index) {\n" + "\n".join(lines) + "\nreturn\n}"


def conditionals(count: int, frees: bool) -> str:
    """Buffers that branches use, and buffers that they allocate and return."""
    text = "func.func @f(%c: i1, %n: index) {\n"
    dealloc = f"memref.dealloc %x : {TYPE}\n" if frees else ""
    for n in range(count):
        text += (
            f"%a{n} = memref.alloc() : {TYPE}\n"
            f"%r{n} = scf.if %c -> ({TYPE}) {{\n%x = memref.alloc() : {TYPE}\n"
            f"memref.copy %a{n}, %x : {TYPE} to {TYPE}\n"
            f"{dealloc}%y = memref.alloc() : {TYPE}\nscf.yield %y : {TYPE}\n"
            f"}} else {{\n%z = memref.alloc() : {TYPE}\nscf.yield %z : {TYPE}\n}}\n"
        )
    if frees:
        for n in range(count):
            text += f"memref.dealloc %a{n} : {TYPE}\nmemref.dealloc %r{n} : {TYPE}\n"
    return text + "return\n}"


def loops(count: int, frees: bool) -> str:
    """Loops that allocate in each iteration."""
    text = "func.func @f(%c: i1, %n: index) {\n"
    dealloc = f"memref.dealloc %x : {TYPE}\n" if frees else ""
    for _ in range(count):
        text += (
            f"scf.for %i = %n to %n step %n {{\n%x = memref.alloc() : {TYPE}\n"
            f"memref.copy %x, %x : {TYPE} to {TYPE}\n{dealloc}}}\n"
        )
    return text + "return\n}"


AFTER = [
    *(optimize_all_liveness, sink_buffers),
    *(reuse_all_buffers, measure_memory, plan_memory),
]
BEFORE = [hoist_buffers, hoist_buffers_out_of_loops, promote_buffers]


@pytest.mark.volume(sample=7)
@pytest.mark.parametrize("program", [chain, conditionals, loops])
@pytest.mark.parametrize("transform", [*AFTER, *BEFORE])
def test_work_grows_nearly_linearly(
    transform: Transform,
    program: Callable[[int, bool], str],
    parse: Callable[[str], ModuleOp],
) -> None:
    small, large = (parse(program(count, transform in AFTER)) for count in (50, 200))
    assert growth(transform, small, large) < 4.8


def ladder(count: int) -> str:
    """Blocks, each below the one before it, that all allocate and lead to the last."""
    text = "func.func @f(%c: i1) {\n"
    for n in range(count):
        text += (
            f"%a{n} = memref.alloc() : {TYPE}\n"
            f"cf.cond_br %c, ^b{n}, ^e(%a{n} : {TYPE})\n^b{n}:\n"
        )
    return text + (
        f"%z = memref.alloc() : {TYPE}\ncf.br ^e(%z : {TYPE})\n"
        f"^e(%r: {TYPE}):\nreturn\n}}"
    )


@pytest.mark.parametrize("transform", BEFORE)
def test_blocks_far_below_each_other_are_not_walked_up_each_time(
    transform: Transform, parse: Callable[[str], ModuleOp]
) -> None:
    assert growth(transform, parse(ladder(30)), parse(ladder(120))) < 4.8

"""Allocations move, and programs compute what they did."""

from collections.abc import Callable

import pytest
from harness.programs.placement_programs import check_graph, check_program
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.placement.buffer_hoisting import hoist_buffers
from xdsl_bufferization.bufferization.placement.buffer_loop_hoisting import (
    hoist_buffers_out_of_loops,
)

PROGRAMS_PER_TEST = 10


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("group", range(8))
def test_random_programs_compute_the_same(
    group: int, parse: Callable[[str], ModuleOp]
) -> None:
    for seed in range(group * PROGRAMS_PER_TEST, (group + 1) * PROGRAMS_PER_TEST):
        check_program(seed, parse, [hoist_buffers, hoist_buffers_out_of_loops])


@pytest.mark.volume(sample=10)
@pytest.mark.parametrize("seed", range(30))
def test_loops_may_be_left_after_deallocation(
    seed: int, parse: Callable[[str], ModuleOp]
) -> None:
    check_program(seed, parse, after=[hoist_buffers_out_of_loops])
    check_graph(seed, parse, after=[hoist_buffers_out_of_loops])


def test_functions_inside_functions_return_for_themselves(
    xdsl_opt: Callable[..., str],
) -> None:
    program = """
    func.func @outer(%c: i1) {
      builtin.module {
        func.func @inner() -> memref<4xf32> {
          %b = memref.alloc() : memref<4xf32>
          return %b : memref<4xf32>
        }
      }
      return
    }"""
    assert xdsl_opt(program, "buffer-hoisting").count("memref.alloc") == 1


def test_nothing_is_known_of_a_reduction_of_buffers(
    xdsl_opt: Callable[..., str],
) -> None:
    program = """
    func.func @f(%n: index, %m: memref<4xf32>, %x: f32) -> memref<4xf32> {
      %r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%m) -> memref<4xf32> {
        %a = memref.alloc() : memref<4xf32>
        memref.store %x, %a[%n] : memref<4xf32>
        scf.reduce(%m : memref<4xf32>) {
        ^bb0(%left: memref<4xf32>, %right: memref<4xf32>):
          scf.reduce.return %left : memref<4xf32>
        }
      }
      return %r : memref<4xf32>
    }"""
    passes = (
        "buffer-hoisting,buffer-loop-hoisting,promote-buffers-to-stack,"
        "optimize-allocation-liveness,buffer-reuse,static-memory-planner"
    )
    assert xdsl_opt(program, passes).count("init (%m)") == 1


@pytest.mark.oracle
def test_mlir_moves_out_of_branches_what_we_move(
    mlir_opt: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    program = """
    func.func @f(%c: i1, %n: index, %in: memref<?xf32>) -> memref<?xf32> {
      %r = scf.if %c -> (memref<?xf32>) {
        %a = memref.alloc(%n) : memref<?xf32>
        scf.yield %a : memref<?xf32>
      } else {
        scf.yield %in : memref<?xf32>
      }
      cf.cond_br %c, ^one, ^two(%r : memref<?xf32>)
    ^one:
      %b = memref.alloc(%n) : memref<?xf32>
      cf.br ^two(%b : memref<?xf32>)
    ^two(%x: memref<?xf32>):
      return %x : memref<?xf32>
    }
    """
    ours = mlir_opt(xdsl_opt(program, "buffer-hoisting"))
    assert ours == mlir_opt(program, "--buffer-hoisting")


@pytest.mark.oracle
def test_mlir_frees_a_buffer_in_each_round_that_it_has_moved_out(
    mlir_opt: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    program = """
    func.func @f(%n: index) {
      scf.for %i = %n to %n step %n {
        %a = memref.alloc() : memref<4xf32>
        memref.dealloc %a : memref<4xf32>
      }
      return
    }
    """
    theirs = mlir_opt(program, "--buffer-loop-hoisting")
    assert theirs.index("memref.alloc") < theirs.index("scf.for")
    assert theirs.index("scf.for") < theirs.index("memref.dealloc")
    ours = xdsl_opt(program, "buffer-loop-hoisting")
    assert ours.index("scf.for") < ours.index("}") < ours.index("memref.dealloc")

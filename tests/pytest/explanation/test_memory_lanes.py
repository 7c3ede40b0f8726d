"""Lanes against what programs do with a heap when they run."""

from collections.abc import Callable

import pytest
from harness.running.growth import growth
from harness.volume.memory_programs import (
    compare,
    random_text,
    sum_of_lanes,
    timeline_of,
    trace,
)
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.memory_stats import measure_memory
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.explanation.memory import LaneKind, MemoryTimeline
from xdsl_bufferization.explanation.memory_lanes import trace_memory
from xdsl_bufferization.explanation.memory_stages import trace_stages
from xdsl_bufferization.pipelines.bufferize import BufferizePass

BRANCHES = """
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    %b = memref.alloc() : memref<8xf32>
    memref.dealloc %b : memref<8xf32>
  } else {
    %d = memref.alloc() : memref<2xf32>
    memref.dealloc %d : memref<2xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
"""


def trace_one(text: str) -> MemoryTimeline:
    """The last function of a program, with lines."""
    return trace_memory(parse_module(text, "<string>", get_context()))[-1]


@pytest.mark.parametrize("seed", range(0, 21, 3))
def test_peak_of_lanes_is_what_the_heap_measures(seed: int) -> None:
    # 0: freed late, 1: freed early, 2: used again.
    assert not compare([seed], [seed % 7 % 3])


@pytest.mark.parametrize("seed", range(10))
def test_lanes_sum_up_to_the_figures_of_memory_stats(seed: int) -> None:
    for stage, module in trace(random_text(seed)):
        figures = {each.name: each for each in measure_memory(module)}
        for timeline in stage.functions:
            assert sum_of_lanes(timeline) == list(timeline.live)
            assert max(timeline.live) == timeline.peak
            assert max(timeline.needed) == timeline.lower_bound
            assert timeline.peak == figures[timeline.function].peak_bytes


def test_stages_need_less_and_less() -> None:
    peaks = [timeline_of(stage).peak for stage, _ in trace(random_text(3))]
    assert peaks == sorted(peaks, reverse=True)
    assert len(peaks) == 3


def test_a_lane_goes_from_the_allocation_to_what_frees_it() -> None:
    outer, *inner = trace_one(BRANCHES).lanes
    assert [lane.name for lane in (outer, *inner)] == ["%a", "%b", "%d"]
    assert [lane.bytes for lane in (outer, *inner)] == [16, 32, 8]
    assert [lane.line for lane in (outer, *inner)] == [3, 5, 8]
    names = [step.op for step in trace_one(BRANCHES).steps]
    for lane in (outer, *inner):
        ((start, end),) = lane.allocated
        assert names[start] == "memref.alloc"
        assert names[end] == "memref.dealloc"


def test_branches_that_exclude_each_other_do_not_add_up() -> None:
    assert trace_one(BRANCHES).peak == 48


def test_what_a_callee_needs_counts_while_it_runs() -> None:
    timeline = trace_one("""
        func.func @inner() -> memref<4xf32> {
          %a = memref.alloc() : memref<16xf32>
          memref.dealloc %a : memref<16xf32>
          %r = memref.alloc() : memref<4xf32>
          return %r : memref<4xf32>
        }
        func.func @outer() {
          %0 = func.call @inner() : () -> memref<4xf32>
          "test.op"(%0) : (memref<4xf32>) -> ()
          memref.dealloc %0 : memref<4xf32>
          return
        }
    """)
    names = [lane.name for lane in timeline.lanes]
    assert names == ["in @inner", "result of @inner"]
    kinds = {lane.kind: lane.bytes for lane in timeline.lanes}
    assert kinds == {LaneKind.CALLED: 64, LaneKind.RETURNED: 16}
    assert timeline.peak == 64


def test_a_copy_that_has_no_name_says_what_it_copies() -> None:
    (lane,) = trace_one("""
        func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
          %0 = memref.alloc() : memref<4xf32>
          memref.copy %a, %0 : memref<4xf32> to memref<4xf32>
          return %0 : memref<4xf32>
        }
    """).lanes
    assert lane.name == "copy of %a"
    assert lane.is_freed


def test_unknown_sizes_and_buffers_that_nobody_frees_are_told() -> None:
    (lane,) = trace_one("""
        func.func @f(%n: index) {
          %a = memref.alloc(%n) : memref<?xf32>
          return
        }
    """).lanes
    assert lane.bytes is None
    assert not lane.is_freed


def test_frees_under_a_condition_make_the_figures_upper_bounds() -> None:
    timeline = trace_one("""
        func.func @f(%c: i1) {
          %a = memref.alloc() : memref<4xf32>
          scf.if %c {
            memref.dealloc %a : memref<4xf32>
          }
          return
        }
    """)
    assert timeline.is_upper_bound
    assert not trace_one(BRANCHES).is_upper_bound


def test_what_one_branch_frees_and_the_other_lends_counts_until_it_is_freed() -> None:
    timeline = trace_one("""
        func.func @f(%c: i1, %x: memref<4xf32>) {
          %true = arith.constant true
          %false = arith.constant false
          %a = memref.alloc() : memref<4xf32>
          %r, %owned = scf.if %c -> (memref<4xf32>, i1) {
            memref.dealloc %a : memref<4xf32>
            scf.yield %x, %false : memref<4xf32>, i1
          } else {
            scf.yield %a, %true : memref<4xf32>, i1
          }
          %b = memref.alloc() : memref<4xf32>
          memref.dealloc %b : memref<4xf32>
          scf.if %owned {
            memref.dealloc %r : memref<4xf32>
          }
          return
        }
    """)
    assert timeline.peak == 32


def test_a_loan_does_not_enlarge_what_a_branch_hands_on() -> None:
    timeline = trace_one("""
        func.func @f(%c: i1) {
          %true = arith.constant true
          %false = arith.constant false
          %big = memref.alloc() : memref<64xf32>
          %view = memref.subview %big[0] [4] [1]
            : memref<64xf32> to memref<4xf32, strided<[1]>>
          %r, %owned = scf.if %c -> (memref<4xf32, strided<[1]>>, i1) {
            %a = memref.alloc() : memref<4xf32>
            %cast = memref.cast %a : memref<4xf32> to memref<4xf32, strided<[1]>>
            scf.yield %cast, %true : memref<4xf32, strided<[1]>>, i1
          } else {
            scf.yield %view, %false : memref<4xf32, strided<[1]>>, i1
          }
          "test.op"(%r) : (memref<4xf32, strided<[1]>>) -> ()
          memref.dealloc %big : memref<64xf32>
          scf.if %owned {
            memref.dealloc %r : memref<4xf32, strided<[1]>>
          }
          return
        }
    """)
    assert timeline.peak == 256 + 16


def test_what_deallocation_inserts_has_the_line_of_what_is_beside_it() -> None:
    text = """
        func.func @f(%a: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
          %e = tensor.empty() : tensor<4xf32>
          %t = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
          %u = linalg.add ins(%a, %t : tensor<4xf32>, tensor<4xf32>)
            outs(%a : tensor<4xf32>) -> tensor<4xf32>
          return %u : tensor<4xf32>
        }
    """
    module = parse_module(text, "<string>", get_context())
    _, early, _ = trace_stages(module, [BufferizePass()], get_context())
    (timeline,) = early.functions
    lines = [step.line for step in timeline.steps if step.op == "memref.dealloc"]
    assert lines == [5]


def test_buffers_are_freed_where_the_pipeline_frees_none() -> None:
    text = """
        func.func @f() {
          %a = memref.alloc() : memref<4xf32>
          return
        }
    """
    module = parse_module(text, "<string>", get_context())
    late, *_ = trace_stages(module, [], get_context())
    assert [lane.is_freed for lane in late.functions[0].lanes] == [True]


def test_a_program_that_frees_some_buffers_is_left_to_leak_others() -> None:
    text = """
        func.func @f() {
          %a = memref.alloc() : memref<4xf32>
          %b = memref.alloc() : memref<4xf32>
          memref.dealloc %b : memref<4xf32>
          return
        }
    """
    module = parse_module(text, "<string>", get_context())
    late, *_ = trace_stages(module, [], get_context())
    assert [lane.is_freed for lane in late.functions[0].lanes] == [False, True]


@pytest.mark.parametrize(
    "line",
    [
        "%a{0} = memref.alloc() : memref<4xf32> memref.dealloc %a{0} : memref<4xf32>",
        "scf.if %c {{ %a{0} = memref.alloc() : memref<4xf32>"
        " memref.dealloc %a{0} : memref<4xf32> }}",
    ],
    ids=["allocations", "branches"],
)
def test_cost_is_linear(line: str, parse: Callable[[str], ModuleOp]) -> None:
    def program(size: int) -> ModuleOp:
        lines = "\n".join(line.format(number) for number in range(size))
        return parse(f"func.func @f(%c: i1) {{\n{lines}\nreturn\n}}")

    assert growth(trace_memory, program(50), program(400)) < 8 * 1.2

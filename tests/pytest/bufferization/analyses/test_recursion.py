"""What is found out about functions that call each other, and at what cost.

That programs with recursion compute the right numbers is in `test_random_programs.py`.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest
from harness.oracles.decisions import parse
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.bufferization.analyses.calls.call_graph import CallGraph
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.analyses.one_shot.recursion import settle
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.interfaces.state import FunctionSummary

TENSOR = "tensor<4xf32>"


def recursive(stop: str, more: str, *, returned: str = "%t") -> str:
    """A function of two tensors and a counter that calls itself."""
    return f"""
func.func private @f(%t: {TENSOR}, %u: {TENSOR}, %v: f32, %n: index) -> {TENSOR} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stop = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %stop, ^stop, ^more
^stop:
  {stop}
  return {returned} : {TENSOR}
^more:
  %less = arith.subi %n, %c1 : index
  {more}
  return %end : {TENSOR}
}}
"""


def call(arguments: str, result: str = "%end") -> str:
    types = f"({TENSOR}, {TENSOR}, f32, index) -> {TENSOR}"
    return f"{result} = func.call @f({arguments}, %v, %less) : {types}"


def summary_of(text: str) -> FunctionSummary:
    module = parse(text)
    analysis = analyze(module, BufferizationOptions(bufferize_function_boundaries=True))
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    summary = analysis.get_summary(function)
    assert summary is not None
    return summary


def numbers(*members: int) -> frozenset[int]:
    return frozenset(members)


def test_a_result_is_the_argument_on_all_ways() -> None:
    summary = summary_of(recursive("", call("%t, %u")))
    assert summary.equivalent_args == (0,)
    assert summary.aliasing_args == (numbers(0),)
    assert summary.read_args == numbers(0)
    assert not summary.written_args
    assert not summary.new_results


def test_arguments_change_places() -> None:
    summary = summary_of(recursive("", call("%u, %t")))
    assert summary.equivalent_args == (None,)
    assert summary.aliasing_args == (numbers(0, 1),)
    assert summary.read_args == numbers(0, 1)


def test_what_a_call_within_the_call_writes() -> None:
    write = f"%w = tensor.insert %v into %t[%c0] : {TENSOR}"
    summary = summary_of(recursive(write, call("%u, %t"), returned="%w"))
    assert summary.written_args == numbers(0, 1)


def test_a_constant_from_the_innermost_call() -> None:
    constant = f"%k = arith.constant dense<1.0> : {TENSOR}"
    summary = summary_of(recursive(constant, call("%t, %u"), returned="%k"))
    assert summary.read_only_results == numbers(0)
    assert summary.aliasing_args == (numbers(),)


def test_a_new_buffer_from_the_innermost_call() -> None:
    new = f"%k = tensor.splat %v : {TENSOR}"
    summary = summary_of(recursive(new, call("%t, %u"), returned="%k"))
    assert summary.new_results == numbers(0)
    assert not summary.read_only_results


def test_a_call_without_an_end_does_nothing() -> None:
    summary = summary_of(f"""
func.func private @f(%t: {TENSOR}) -> {TENSOR} {{
  %0 = func.call @f(%t) : ({TENSOR}) -> {TENSOR}
  return %0 : {TENSOR}
}}
""")
    assert not summary.read_args
    assert not summary.written_args


def test_results_that_share_a_buffer() -> None:
    summary = summary_of(f"""
func.func private @f(%t: {TENSOR}, %p: i1) -> ({TENSOR}, {TENSOR}, {TENSOR}) {{
  cf.cond_br %p, ^stop, ^more
^stop:
  %a = tensor.empty() : {TENSOR}
  %b = tensor.empty() : {TENSOR}
  return %a, %a, %b : {TENSOR}, {TENSOR}, {TENSOR}
^more:
  %0:3 = func.call @f(%t, %p) : ({TENSOR}, i1) -> ({TENSOR}, {TENSOR}, {TENSOR})
  return %0#2, %0#0, %0#1 : {TENSOR}, {TENSOR}, {TENSOR}
}}
""")
    assert summary.shared_results == (numbers(0, 1, 2),)


# --- cost ----------------------------------------------------------------------------


RING = 400


@pytest.fixture
def ring() -> list[FuncOp]:
    """Functions that call the next one each, the last one the first."""
    text = "".join(
        f"func.func private @f{number}(%t: {TENSOR}) -> {TENSOR} {{\n"
        f"  %0 = func.call @f{(number + 1) % RING}(%t) : ({TENSOR}) -> {TENSOR}\n"
        f"  return %0 : {TENSOR}\n"
        "}\n"
        for number in range(RING)
    )
    return [op for op in parse(text).ops if isinstance(op, FuncOp)]


Summaries = dict[str, FunctionSummary]

DOES_NOTHING = FunctionSummary(
    numbers(), numbers(), (numbers(),), (None,), defined_results=numbers()
)


def settle_counted(
    functions: list[FuncOp], analyze: Callable[[FuncOp, Summaries], FunctionSummary]
) -> tuple[Summaries, Counter[FuncOp]]:
    calls = CallGraph(functions)
    (circle,) = calls.circles()
    assert calls.is_recursive(circle)
    summaries: Summaries = {}
    counted = Counter[FuncOp]()

    def analyze_and_count(function: FuncOp) -> FunctionSummary:
        counted[function] += 1
        return analyze(function, summaries)

    settle(circle, calls.get_callers(circle).__getitem__, analyze_and_count, summaries)
    return summaries, counted


@pytest.mark.parametrize("writer", [0, 1, RING // 2, RING - 1])
def test_news_go_round_a_circle_once(ring: list[FuncOp], writer: int) -> None:
    place = {function: number for number, function in enumerate(ring)}

    def analyze(function: FuncOp, summaries: Summaries) -> FunctionSummary:
        number = place[function]
        callee = summaries[f"f{(number + 1) % RING}"]
        written = numbers(0) if number == writer else callee.written_args
        return replace(DOES_NOTHING, written_args=written)

    summaries, counted = settle_counted(ring, analyze)
    assert all(summary.written_args == numbers(0) for summary in summaries.values())
    assert max(counted.values()) <= 3


def test_who_never_settles_may_do_anything(ring: list[FuncOp]) -> None:
    analyses = count(1)

    def analyze(_: FuncOp, __: Summaries) -> FunctionSummary:
        # Each time another argument, though there is only one.
        return replace(DOES_NOTHING, written_args=numbers(next(analyses)))

    summaries, counted = settle_counted(ring, analyze)
    assert max(counted.values()) < 40
    for summary in summaries.values():
        assert summary.read_args == summary.written_args == numbers(0)
        assert summary.aliasing_args == (numbers(0),)
        assert summary.read_only_results == numbers(0)
        assert not summary.new_results

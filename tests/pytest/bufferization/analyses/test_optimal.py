"""Decisions of least cost: found, proven, and never worse than an order."""

from collections.abc import Callable, Iterator

import pytest
from harness.oracles.decisions import parse
from harness.oracles.exhaustive import Compared, compare
from harness.oracles.rules_hold import find_broken_rules
from harness.programs.random_programs import Shape, random_program
from harness.volume.all_decisions import MOST_FREE, SMALL
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization import bufferize
from xdsl_bufferization.bufferization.analyses.one_shot.alias_sets import AliasSets
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import ConflictRules
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.analyses.one_shot.optimal import search
from xdsl_bufferization.bufferization.analyses.one_shot.optimal.trial import Trials
from xdsl_bufferization.bufferization.analyses.one_shot.optimum import Optimum
from xdsl_bufferization.bufferization.analyses.tensor_facts.subsets import Subsets
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_facts import (
    TensorFacts,
)
from xdsl_bufferization.bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.explanation.explain import explain_module
from xdsl_bufferization.explanation.report import ReasonKind, Verdict
from xdsl_bufferization.support.algorithms import covering

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True,
    allow_return_allocs_from_loops=True,
    analysis_heuristic=AnalysisHeuristic.OPTIMAL,
)

LAST = """\
func.func @last(%a: tensor<8xf32>, %s: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%t = %s) -> (tensor<4xf32>) {
    %0 = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""
"""In place, the fill makes the loop yield a part of %a, which is copied each time."""


LARGE = Shape(ops=20, depth=3, calls=True)
"""Functions with loops in loops, some of which may permute buffers."""

MIDDLE = Shape(ops=8, depth=3, calls=True)


def _find_nothing(name: str) -> None:
    """As `find_spec` for a package that is not installed."""
    del name


def find(module: ModuleOp, options: BufferizationOptions = OPTIONS) -> list[Optimum]:
    """What was found for each function."""
    analysis = analyze(module, options)
    roots = map(analysis.get_root_analysis, analysis.functions)
    return [root.optimum for root in roots if root is not None and root.optimum]


def compare_all(module: ModuleOp, most_free: int) -> Iterator[Compared]:
    analysis = analyze(module, OPTIONS)
    for function in module.ops:
        if isinstance(function, FuncOp) and not function.is_declaration:
            compared = compare(function, analysis, most_free)
            if compared is not None:
                yield compared


def test_what_runs_once_is_allocated_to_save_what_is_copied_a_hundred_times() -> None:
    (optimum,) = find(parse(LAST))
    orders = dict(optimum.orders)
    assert min(orders.values()) == 100 * 16
    assert (optimum.bytes_copied, optimum.at_least, optimum.copies) == (0, 0, 0)
    assert optimum.is_proven


def test_the_program_is_bufferized_as_was_found() -> None:
    copies = {
        name: str(
            bufferize(
                parse(LAST),
                analysis_heuristic=name,
                bufferize_function_boundaries=True,
                allow_return_allocs_from_loops=True,
            )
        ).count("memref.copy")
        for name in ("auto", "optimal")
    }
    assert copies == {"auto": 1, "optimal": 0}


def test_a_buffer_that_a_tensor_is_put_into_costs_what_it_costs() -> None:
    (optimum,) = find(
        parse("""
        func.func @f(%m: memref<5xf32>, %f: f32, %c: i1) {
          %e = tensor.empty() : tensor<5xf32>
          %t = linalg.fill ins(%f : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
          bufferization.materialize_in_destination %t in writable %m
              : (tensor<5xf32>, memref<5xf32>) -> ()
          return
        }""")
    )
    assert optimum.bytes_copied == 20


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("write", SMALL.values(), ids=SMALL)
def test_trying_all_decisions_finds_none_that_are_cheaper(
    seed: int, write: Callable[[int], str]
) -> None:
    for compared in compare_all(parse(write(10_000 + seed)), MOST_FREE):
        assert compared.found == compared.cheapest
        assert compared.optimum.at_least <= compared.cheapest.copied


EXCHANGE = 30382
"""Which buffers its loops forward as they are has no simple cause."""


def test_all_decisions_are_tried_if_later_copies_have_no_rules() -> None:
    (compared, _) = compare_all(parse(SMALL["exchanges"](EXCHANGE)), MOST_FREE)
    assert compared.found == compared.cheapest
    assert compared.optimum.bytes_copied == compared.optimum.at_least == 1104
    assert min(copied for _, copied in compared.optimum.orders) == 1152


def test_what_decisions_cost_does_not_hinge_on_what_was_tried_before() -> None:
    analysis = analyze(parse(SMALL["exchanges"](EXCHANGE)), OPTIONS)
    function = next(iter(analysis.functions))
    facts = TensorFacts(function, OPTIONS, analysis.get_function_summary)
    subsets = Subsets(facts)
    sets = AliasSets(facts, ConflictRules(facts, subsets), tells_parts_apart=True)
    trials = Trials(function, facts, subsets, sets)
    numbers = range(len(trials.paths.uses))
    before = [trials.run((number,)) for number in numbers]
    for leaving_out in numbers:
        for step in (1, -1) * 4:
            trials.run(n for n in numbers[::step] if n != leaving_out)
    for number, trial in zip(numbers, before, strict=True):
        again = trials.run((number,))
        assert (again.plan, again.bytes) == (trial.plan, trial.bytes)


def test_small_programs_have_decisions_to_try() -> None:
    tried = [
        compared.free
        for seed in range(4)
        for compared in compare_all(parse(SMALL["slices"](seed)), MOST_FREE)
    ]
    assert max(tried) > 4


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("seed", range(20))
def test_no_order_copies_fewer_bytes(seed: int) -> None:
    text = random_program(seed, Shape(ops=12, depth=3, calls=True))
    for optimum in find(parse(text)):
        fewest = min(copied for _, copied in optimum.orders)
        assert optimum.at_least <= optimum.bytes_copied <= fewest


def test_without_the_solver_single_operands_are_tried_after_the_best_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(covering, "find_spec", _find_nothing)
    (optimum,) = find(parse(LAST))
    assert not optimum.has_solver
    assert min(copied for _, copied in optimum.orders) == 1600
    assert (optimum.bytes_copied, optimum.at_least) == (0, 0)


def test_without_the_solver_small_programs_are_proven_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = random_program(3, Shape(calls=True))
    with_solver = find(parse(text))
    monkeypatch.setattr(covering, "find_spec", _find_nothing)
    for first, second in zip(with_solver, find(parse(text)), strict=True):
        assert second.at_least <= first.at_least
        assert first.bytes_copied <= second.bytes_copied
        assert second.is_proven


def test_out_of_time_the_first_order_is_taken() -> None:
    options = BufferizationOptions(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        analysis_heuristic=AnalysisHeuristic.OPTIMAL,
        optimal_limit=0,
    )
    (optimum,) = find(parse(LAST), options)
    assert optimum.orders == (("bottom-up", 1600),)
    assert (optimum.bytes_copied, optimum.at_least) == (1600, 0)
    assert search.STARTS[0] is AnalysisHeuristic.BOTTOM_UP


def test_loops_that_must_yield_what_they_got_are_not_given_other_buffers() -> None:
    kept = """\
func.func @kept(%t: tensor<8xf32>, %f: f32, %n: index) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<8xf32>) {
    %y = tensor.insert %f into %x[%i] : tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  %e = tensor.extract %t[%c0] : tensor<8xf32>
  return %r, %e : tensor<8xf32>, f32
}
"""
    options = BufferizationOptions(
        bufferize_function_boundaries=True,
        analysis_heuristic=AnalysisHeuristic.OPTIMAL,
    )
    (optimum,) = find(parse(kept), options)
    assert (optimum.copies, optimum.bytes_copied, optimum.at_least) == (1, 32, 32)


def test_words_of_what_is_proven_and_of_what_is_not() -> None:
    proven = Optimum((), 96, 96, 3, 96, (), False, True)
    open_ = Optimum((), 96, 96, 3, 64, (), False, True)
    assert proven.in_words() == (
        "decided with 3 copies of 96 bytes; no decisions copy fewer bytes"
    )
    assert open_.in_words() == (
        "decided with 3 copies of 96 bytes; at least 64 bytes are needed"
    )
    unsearched = Optimum((), 96, 96, 1, 64, (), False, False)
    assert unsearched.in_words() == (
        "decided with 1 copy of 96 bytes; at least 64 bytes are needed "
        "(install highspy for a better bound)"
    )


def test_what_could_be_in_place_is_explained() -> None:
    explanation = explain_module(parse(LAST), analysis_heuristic="optimal")
    (function,) = explanation.functions
    assert function.optimum == "decided without a copy"
    (decision,) = (d for d in function.decisions if d.verdict is Verdict.ALLOCATED)
    assert [reason.kind for reason in decision.reasons] == [ReasonKind.CHEAPER]


@pytest.mark.parametrize("seed", [200636, 201026, 201206])
def test_copies_of_loops_that_may_exchange_buffers_have_causes(seed: int) -> None:
    """Without the causes, the bounds of these programs would be too low."""
    assert all(
        optimum.is_proven for optimum in find(parse(random_program(seed, LARGE)))
    )


@pytest.mark.volume(sample=6)
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("kind", ["middle", "exchanges", "renewals"])
def test_rules_hold_for_all_decisions(kind: str, seed: int) -> None:
    """A bound rests on the rules, so that none may be wrong."""
    text = random_program(seed, MIDDLE) if kind == "middle" else SMALL[kind](seed)
    analysis = analyze(parse(text), OPTIONS)
    for function in analysis.functions:
        if not function.is_declaration:
            assert not list(find_broken_rules(function, analysis, 16))

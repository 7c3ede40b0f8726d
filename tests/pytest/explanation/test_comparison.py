"""Heuristics and options side by side, and the choice of the cheapest."""

from dataclasses import replace

import pytest
from harness.oracles.decisions import parse
from harness.programs.random_cfgs import CfgShape, random_cfg
from harness.programs.random_programs import Shape, random_program

from xdsl_bufferization import bufferize
from xdsl_bufferization.bufferization.bufferize.choose_heuristics import (
    CANDIDATES,
    choose_heuristics,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.bufferize.trials import Trials, sum_bytes
from xdsl_bufferization.bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.explanation.comparison import compare_options

FILLED_ELSEWHERE = """\
func.func @two(%a: tensor<8xf32>, %f: f32, %i: index) -> (f32, f32) {
  %s = tensor.extract_slice %a[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %0 = tensor.insert %f into %s[%i] : tensor<2xf32>
  %1 = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.extract %0[%i] : tensor<2xf32>
  %3 = tensor.extract %1[%i] : tensor<8xf32>
  return %2, %3 : f32, f32
}
"""
"""Bottom-up copies a slice, top-down allocates another tensor without a copy."""

SAME = """\
func.func @same(%a: tensor<8xf32>, %f: f32, %i: index) -> f32 {
  %0 = tensor.insert %f into %a[%i] : tensor<8xf32>
  %1 = tensor.extract %0[%i] : tensor<8xf32>
  return %1 : f32
}
"""

OPTIONS = BufferizationOptions(
    analysis_heuristic=AnalysisHeuristic.AUTO, bufferize_function_boundaries=True
)


@pytest.mark.parametrize("seed", [1, 23, 32, 45])
def test_auto_is_as_cheap_as_the_cheapest(seed: int) -> None:
    # Seeds for which the heuristics do not cost the same, and one for which they do.
    module = parse(random_program(seed, Shape(ops=5, depth=1)))
    costs = {
        variant.name: (each.dynamic_copies, each.bytes_copied, each.peak)
        for variant in compare_options(module, None).variants
        for each in variant.functions
    }
    cheapest = min(costs[heuristic.value] for heuristic in CANDIDATES)
    assert costs["auto"] == cheapest
    differ = {costs[heuristic.value] for heuristic in CANDIDATES}
    assert (len(differ) > 1) == (seed != 1)


def test_the_cheapest_variants_are_marked() -> None:
    comparison = compare_options(parse(FILLED_ELSEWHERE), "two.mlir", ["a"])
    marked = [v.name for v in comparison.variants if v.functions[0].is_cheapest]
    assert marked == ["move-reads-before-writes", "both, then optimal"]


def test_a_search_says_how_far_its_decisions_are_from_the_best() -> None:
    comparison = compare_options(parse(FILLED_ELSEWHERE), "two.mlir")
    bounds = {v.name: v.functions[0].bound for v in comparison.variants}
    assert [name for name, bound in bounds.items() if bound] == [
        "optimal",
        "both, then optimal",
    ]
    assert bounds["optimal"] == "decided without a copy"


def test_each_function_gets_its_own_heuristic() -> None:
    module = parse(FILLED_ELSEWHERE + SAME)
    before = str(module)
    chosen = choose_heuristics(Trials(module, one_shot_bufferize), OPTIONS)
    assert chosen == {
        "two": AnalysisHeuristic.TOP_DOWN,
        # Of equals the first.
        "same": AnalysisHeuristic.BOTTOM_UP,
    }
    assert str(module) == before


def test_what_is_copied_in_loops_counts_for_each_iteration() -> None:
    module = parse(random_program(200_090, Shape(ops=20, depth=3, calls=True)))
    options = replace(OPTIONS, allow_return_allocs_from_loops=True)
    chosen = choose_heuristics(Trials(module, one_shot_bufferize), options)
    costs = {
        heuristic: Trials(module, one_shot_bufferize).measure(
            replace(options, analysis_heuristic=heuristic)
        )["main"]
        for heuristic in CANDIDATES
    }
    best = chosen["main"]
    assert best in CANDIDATES
    assert costs[best] == min(costs.values())
    # Another order has copies of fewer bytes in the text of the program.
    assert costs[best][1] > min(price for _, price in costs.values())


@pytest.mark.parametrize("seed", [17, 25])
def test_a_mix_of_heuristics_is_not_worse_than_one(seed: int) -> None:
    # The heuristics that are the cheapest for each function cost more together.
    module = parse(random_cfg(seed, CfgShape(calls=True, ops=3, blocks=4)))
    options = replace(OPTIONS, allow_return_allocs_from_loops=True)
    chosen = choose_heuristics(Trials(module, one_shot_bufferize), options)
    assert len(set(chosen.values())) == 1
    (heuristic,) = set(chosen.values())
    sums = {
        each: sum_bytes(
            Trials(module, one_shot_bufferize).measure(
                replace(options, analysis_heuristic=each)
            )
        )
        for each in CANDIDATES
    }
    assert heuristic in CANDIDATES
    assert sums[heuristic] == min(sums.values())


def test_nothing_is_chosen_unless_asked_for() -> None:
    options = BufferizationOptions()
    module = parse(FILLED_ELSEWHERE)
    assert choose_heuristics(Trials(module, one_shot_bufferize), options) == {}


def test_the_pass_takes_the_heuristic_that_was_chosen() -> None:
    texts = dict[str, str]()
    for name in ("bottom-up", "top-down", "auto", "optimal"):
        module = parse(FILLED_ELSEWHERE)
        bufferize(module, analysis_heuristic=name, bufferize_function_boundaries=True)
        texts[name] = str(module)
    assert texts["auto"] == texts["top-down"] == texts["optimal"]
    assert texts["auto"] != texts["bottom-up"]


def test_what_cannot_be_bufferized_so_has_an_error_instead_of_figures() -> None:
    comparison = compare_options(
        parse(
            """\
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
        ),
        None,
    )
    for variant in comparison.variants:
        assert variant.functions == ()
        assert variant.place == "test.mlir:2:8"
        assert variant.error is not None
        assert variant.error.startswith("op was not bufferized")


def test_the_same_decisions_are_bufferized_once() -> None:
    module = parse(FILLED_ELSEWHERE)
    before = str(module)
    trials = Trials(module, one_shot_bufferize)
    found = [
        trials.bufferize(replace(OPTIONS, analysis_heuristic=each))
        for each in CANDIDATES
    ]
    bottom_up, top_down, from_terminators, slices_first = found
    assert bottom_up is from_terminators
    assert top_down is slices_first
    assert str(bottom_up) != str(top_down)
    assert str(module) == before


def test_other_parts_told_apart_are_other_decisions() -> None:
    module = parse(
        """\
func.func @f(%t: tensor<8xf32>, %f: f32) -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  %3 = tensor.insert_slice %2 into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0, %3 : tensor<4xf32>, tensor<8xf32>
}
"""
    )
    trials = Trials(module, one_shot_bufferize)
    options = replace(OPTIONS, analysis_heuristic=AnalysisHeuristic.BOTTOM_UP)
    as_mlir = replace(options, disjoint_subsets=False)
    assert str(trials.bufferize(options)) != str(trials.bufferize(as_mlir))

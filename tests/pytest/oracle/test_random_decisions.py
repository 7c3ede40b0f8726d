"""Random programs: operands are in place here exactly where mlir-opt 22 has them."""

import pytest
from decisions import mlir_decisions, our_decisions
from random_insertions import random_insertions
from random_parallel import ParallelShape, random_parallel_program
from random_programs import Shape, random_program
from random_rich_programs import RichShape, random_rich_program

from xdsl_bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
)

PROGRAMS = 100

SHAPES = {
    "small": Shape(),
    "calls": Shape(calls=True),
    "deep": Shape(ops=12, depth=3, undefined=True, calls=True),
    "read-only": Shape(writable_arguments=False, undefined=True),
}


@pytest.mark.oracle
@pytest.mark.parametrize("allow_allocs", [False, True])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_decisions_are_those_of_mlir_opt(shape: Shape, allow_allocs: bool) -> None:
    options = BufferizationOptions(
        bufferize_function_boundaries=True, allow_return_allocs_from_loops=allow_allocs
    )
    flags = (
        f"bufferize-function-boundaries allow-return-allocs-from-loops={allow_allocs}"
    )
    texts = [random_program(seed, shape) for seed in range(PROGRAMS)]
    theirs = mlir_decisions(texts, flags.lower())
    for seed, (text, expected) in enumerate(zip(texts, theirs, strict=True)):
        assert our_decisions(text, options) == expected, f"seed {seed}:\n{text}"


RICH_SHAPES = {
    "several functions": (RichShape(comparable=True), False),
    "what cannot be executed": (
        RichShape(
            comparable=True,
            executable=False,
            undefined=True,
            writable_arguments=False,
        ),
        False,
    ),
    "unknown ops": (RichShape(comparable=True, unknown=True), True),
}


@pytest.mark.oracle
@pytest.mark.parametrize(("shape", "unknown"), RICH_SHAPES.values(), ids=RICH_SHAPES)
def test_decisions_about_ops_of_all_kinds(shape: RichShape, unknown: bool) -> None:
    """They are those of mlir-opt wherever it does not give up.

    It refuses some programs as soon as any decision could be wrong.
    """
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True,
        allow_unknown_ops=unknown,
        bufferize_function_boundaries=True,
        disjoint_subsets=False,
    )
    flags = (
        "bufferize-function-boundaries allow-return-allocs-from-loops "
        f"allow-unknown-ops={str(unknown).lower()}"
    )
    texts = [random_rich_program(seed, shape) for seed in range(PROGRAMS)]
    theirs = mlir_decisions(texts, flags)
    assert sum(expected is not None for expected in theirs) > PROGRAMS // 2
    for seed, (text, expected) in enumerate(zip(texts, theirs, strict=True)):
        if expected is not None:
            assert our_decisions(text, options) == expected, f"seed {seed}:\n{text}"


@pytest.mark.oracle
def test_decisions_without_function_boundaries() -> None:
    options = BufferizationOptions(allow_return_allocs_from_loops=True)
    texts = [random_program(seed) for seed in range(PROGRAMS)]
    theirs = mlir_decisions(texts, "allow-return-allocs-from-loops")
    for text, expected in zip(texts, theirs, strict=True):
        assert expected is not None
        assert our_decisions(text, options) == expected


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("heuristic", "seed"),
    [
        (AnalysisHeuristic.TOP_DOWN, 0),
        (AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS, 0),
        (AnalysisHeuristic.FUZZER, 0),
        (AnalysisHeuristic.FUZZER, 42),
    ],
)
def test_heuristics(heuristic: AnalysisHeuristic, seed: int) -> None:
    options = BufferizationOptions(
        analysis_fuzzer_seed=seed,
        analysis_heuristic=heuristic,
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=True,
    )
    flags = (
        f"analysis-heuristic={heuristic.value} analysis-fuzzer-seed={seed} "
        "allow-return-allocs-from-loops bufferize-function-boundaries"
    )
    shape = Shape(calls=True, undefined=True)
    texts = [random_program(number, shape) for number in range(PROGRAMS)]
    for text, expected in zip(texts, mlir_decisions(texts, flags), strict=True):
        assert our_decisions(text, options) == expected


@pytest.mark.oracle
@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("racy", [False, True])
def test_parallel_loops(racy: bool, check: bool) -> None:
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=True,
        check_parallel_regions=check,
    )
    flags = (
        "allow-return-allocs-from-loops bufferize-function-boundaries "
        f"check-parallel-regions={str(check).lower()}"
    )
    shape = ParallelShape(racy=racy, undefined=racy, calls=racy, crossing=False)
    texts = [random_parallel_program(seed, shape) for seed in range(PROGRAMS)]
    theirs = mlir_decisions(texts, flags)
    for seed, (text, expected) in enumerate(zip(texts, theirs, strict=True)):
        assert expected is not None
        assert our_decisions(text, options) == expected, f"seed {seed}:\n{text}"


@pytest.mark.oracle
def test_insertions_and_materializations() -> None:
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True, bufferize_function_boundaries=True
    )
    texts = [random_insertions(seed) for seed in range(PROGRAMS)]
    flags = "bufferize-function-boundaries allow-return-allocs-from-loops"
    for text, expected in zip(texts, mlir_decisions(texts, flags), strict=True):
        assert our_decisions(text, options) == expected, text

"""Random programs with branches: decided as mlir-opt 22 does where that is right.

It is wrong in two ways, which `test_where_mlir_opt_is_wrong` shows by running programs.
So the rules as mlir-opt has them must decide as mlir-opt does, and wherever the right
rules decide the same, the analysis must as well.
"""

import pytest
from harness.oracles.decisions import Decisions, mlir_decisions, parse, post_order
from harness.oracles.slow_reference import SlowReference
from harness.programs.random_cfgs import CfgShape, random_cfg
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    is_tensor,
    tensor_operands,
)
from xdsl_bufferization.bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
)

PROGRAMS = 20

SHAPES = {
    "small": CfgShape(blocks=3, ops=3),
    "branches": CfgShape(blocks=4, ops=2, only_branches=True),
    "read-only": CfgShape(blocks=3, ops=2, writable_arguments=False, undefined=True),
    "large": CfgShape(),
}

pytestmark = pytest.mark.oracle


def in_words(module: ModuleOp, in_place: set[OpOperand]) -> Decisions:
    return [
        [
            str(OpOperand(op, n) in in_place).lower() if is_tensor(value) else "none"
            for n, value in enumerate(op.operands)
        ]
        for op in post_order(module)
        if tensor_operands(op)
    ]


def slow_decisions(
    module: ModuleOp, options: BufferizationOptions, *, as_mlir: bool
) -> set[OpOperand]:
    return {
        operand
        for function in module.ops
        for operand in SlowReference(function, options, as_mlir=as_mlir).in_place
    }


def our_decisions(module: ModuleOp, options: BufferizationOptions) -> set[OpOperand]:
    analysis = analyze(module, options)
    return {
        operand
        for op in module.walk()
        for operand in tensor_operands(op)
        if analysis.is_in_place(operand)
    }


@pytest.mark.parametrize("boundaries", [False, True])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_decisions_are_those_of_mlir_opt(shape: CfgShape, boundaries: bool) -> None:
    options = BufferizationOptions(
        bufferize_function_boundaries=boundaries,
        allow_return_allocs_from_loops=True,
        disjoint_subsets=False,
        exchange_buffers=False,
    )
    check(shape, options, f"bufferize-function-boundaries={boundaries}".lower())


@pytest.mark.parametrize(
    ("heuristic", "seed"),
    [
        (AnalysisHeuristic.TOP_DOWN, 0),
        (AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS, 0),
        (AnalysisHeuristic.FUZZER, 42),
    ],
)
def test_heuristics(heuristic: AnalysisHeuristic, seed: int) -> None:
    options = BufferizationOptions(
        analysis_fuzzer_seed=seed,
        analysis_heuristic=heuristic,
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        disjoint_subsets=False,
        exchange_buffers=False,
    )
    flags = (
        f"analysis-heuristic={heuristic.value} analysis-fuzzer-seed={seed} "
        "bufferize-function-boundaries"
    )
    check(SHAPES["small"], options, flags)


def check(shape: CfgShape, options: BufferizationOptions, flags: str) -> None:
    texts = [random_cfg(seed, shape) for seed in range(PROGRAMS)]
    theirs = mlir_decisions(texts, f"{flags} allow-return-allocs-from-loops")
    compared = 0
    for text, expected in zip(texts, theirs, strict=True):
        module = parse(text)
        ours = our_decisions(module, options)
        right = slow_decisions(module, options, as_mlir=False)
        assert ours == right, text
        as_mlir = slow_decisions(module, options, as_mlir=True)
        if expected is not None:
            assert in_words(module, as_mlir) == expected, text
            compared += right == as_mlir
    assert compared >= PROGRAMS // 8

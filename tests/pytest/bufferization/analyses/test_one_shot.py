"""The analysis against the rules as MLIR states them, on random programs."""

import pytest
from harness.oracles.decisions import parse
from harness.oracles.slow_reference import SlowReference
from harness.programs.random_cfgs import CfgShape, random_cfg
from harness.programs.random_programs import Shape, random_program

from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import analyze
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    tensor_operands,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions

SHAPES = {
    "small": Shape(),
    "deep": Shape(ops=6, depth=4, undefined=True),
    "read-only": Shape(writable_arguments=False),
    "long": Shape(ops=30, depth=1),
}


@pytest.mark.volume(sample=40)
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_decisions_are_those_of_the_slow_reference(seed: int, shape: Shape) -> None:
    module = parse(random_program(seed, shape))
    options = BufferizationOptions(
        bufferize_function_boundaries=seed % 4 > 0,
        allow_return_allocs_from_loops=True,
        disjoint_subsets=False,
        exchange_buffers=False,
    )
    analysis = analyze(module, options)
    for function in module.ops:
        reference = SlowReference(function, options)
        ours: set[OpOperand] = {
            operand
            for op in function.walk()
            for operand in tensor_operands(op)
            if analysis.is_in_place(operand)
        }
        assert ours == reference.in_place


CFG_SHAPES = {
    "small": CfgShape(blocks=4, ops=3),
    "branches": CfgShape(only_branches=True, ops=2, blocks=14, switches=True),
    "deep": CfgShape(ops=3, depth=3, blocks=4, switches=True, many_yields=True),
}


@pytest.mark.volume(sample=30)
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("shape", CFG_SHAPES.values(), ids=CFG_SHAPES)
def test_decisions_between_blocks_are_those_of_the_slow_reference(
    seed: int, shape: CfgShape
) -> None:
    module = parse(random_cfg(seed, shape))
    options = BufferizationOptions(
        bufferize_function_boundaries=seed % 4 > 0,
        allow_return_allocs_from_loops=True,
        disjoint_subsets=False,
        exchange_buffers=False,
    )
    analysis = analyze(module, options)
    (function,) = module.ops
    ours = {
        operand
        for op in function.walk()
        for operand in tensor_operands(op)
        if analysis.is_in_place(operand)
    }
    assert ours == SlowReference(function, options).in_place

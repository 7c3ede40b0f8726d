"""Random programs with branches mean the same as tensors and as compiled code.

Nothing is freed here, as loops of blocks are the matter of other tests; fresh memory is
poisoned, so that a read of contents that nobody wrote shows as NaN.
"""

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_cfgs import CfgShape, random_cfg
from test_random_programs import arguments, compare

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate

PROGRAMS = 30
SHAPES = {
    "calls": CfgShape(calls=True, switches=True, many_yields=True),
    "deep": CfgShape(ops=5, switches=True),
    "branches": CfgShape(only_branches=True, ops=3, blocks=10, switches=True),
}


@pytest.mark.volume(sample=8)
@pytest.mark.parametrize("copy_before_write", [False, True])
@pytest.mark.parametrize("seed", range(PROGRAMS // 2))
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_compiled_programs_compute_what_tensors_mean(
    seed: int, shape: CfgShape, copy_before_write: bool
) -> None:
    check(random_cfg(2 * seed + copy_before_write, shape), seed, copy_before_write)


def check(text: str, seed: int, copy_before_write: bool) -> None:
    """Compare the results with the condition, and without it."""
    tensors, buffers = parse(text), parse(text)
    OneShotBufferizePass(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        copy_before_write=copy_before_write,
    ).apply(get_context(), buffers)
    buffers.verify()
    compiled = compile_module(buffers, poison=True, opt_level=0)
    for condition in (True, False):
        with np.errstate(all="ignore"):
            expected = evaluate(tensors, "main", arguments(seed, condition=condition))
        compare(compiled["main"](*arguments(seed, condition=condition)), expected)

"""Loops that pass one buffer on twice, or a constant, compute what the tensors mean.

Random programs run on buffers that know what was never written, and as compiled code on
a poisoned heap that counts, after each kind of deallocation.
"""

from dataclasses import replace

import numpy as np
import pytest
from bufferization.bufferize.test_permuted_buffers import (
    CASES,
    OPTIONS,
    PIPELINES,
    arguments,
    check_freed_once,
)
from harness.oracles.decisions import parse
from harness.programs.random_renewals import random_renewals
from harness.running.buffer_machine import run_on_buffers

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.interfaces.options import AnalysisHeuristic
from xdsl_bufferization.reference.evaluator import evaluate


@pytest.mark.volume(sample=12)
@pytest.mark.parametrize("seed", range(60))
def test_no_result_changes(seed: int) -> None:
    tensors = parse(random_renewals(seed))
    for heuristic in (AnalysisHeuristic.BOTTOM_UP, AnalysisHeuristic.TOP_DOWN):
        buffers = tensors.clone()
        one_shot_bufferize(buffers, replace(OPTIONS, analysis_heuristic=heuristic))
        buffers.verify()
        for iterations, flag in CASES:
            given = arguments(seed, iterations, flag)
            expected = evaluate(tensors, "main", [np.copy(each) for each in given])
            found, _ = run_on_buffers(buffers, "main", given)
            for ours, theirs in zip(found, expected, strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=1e-5)


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("pipeline", PIPELINES.values(), ids=PIPELINES)
def test_each_buffer_is_freed_once(seed: int, pipeline: str) -> None:
    check_freed_once(random_renewals(seed), seed, pipeline)

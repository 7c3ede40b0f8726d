"""Fused element-wise ops against NumPy, which computes them one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness.programs.random_chains import random_chain
from harness.running.meaning import check_rewrite
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.dialects.scf import ParallelOp
from xdsl.passes import PassPipeline

from xdsl_bufferization import jit
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.optimization.fusion.fuse_elementwise_ops import (
    fuse_elementwise_ops,
)
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.traversal import ops_inside

Parse = Callable[[str], ModuleOp]


def generics(module: ModuleOp) -> int:
    """How many ops there are to compute."""
    return sum(isinstance(op, GenericOp) for op in ops_inside(module))


def test_random_chains_mean_the_same(parse: Parse):
    before = after = 0
    for seed in range(60):
        chain = random_chain(seed)
        module = parse(chain.text)
        before += generics(module)
        check_rewrite(module, fuse_elementwise_ops, chain.arguments)
        after += generics(module)
    assert after < 0.8 * before


@pytest.mark.parametrize("seed", range(100, 108))
def test_random_chains_have_the_same_bits_by_two_threads(parse: Parse, seed: int):
    chain = random_chain(seed)
    expected = evaluate(parse(chain.text), "f", chain.arguments)
    results: Any = jit(chain.text, threads=1)(*chain.arguments)
    shared: Any = jit(chain.text, threads=2)(*chain.arguments)
    for result, same in zip(results, shared, strict=True):
        np.testing.assert_array_equal(result, same)
    for result, exact in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, np.asarray(exact), rtol=2e-5, atol=2e-5)


SOFTMAX = """
func.func @f(%x: tensor<40x24xf32>) -> tensor<40x24xf32> {
  %e = tensor.empty() : tensor<40x24xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<40x24xf32>)
      outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  return %y : tensor<40x24xf32>
}"""


def test_softmax_is_one_loop_over_rows(parse: Parse):
    """Of numbers on the way, only a row is kept. Large ones do not overflow."""
    module = parse(SOFTMAX)
    PassPipeline(default_passes()).apply(get_context(), module)
    loops = [op for op in ops_inside(module) if isinstance(op, ParallelOp)]
    assert len(loops) == 1
    assert not any(op.name.startswith("xsmm") for op in ops_inside(module))
    x = np.random.default_rng(1).standard_normal((40, 24)).astype(np.float32) * 50
    result: Any = jit(SOFTMAX)(x)
    exact = np.exp(x.astype(float) - x.max(1, keepdims=True))
    exact /= exact.sum(1, keepdims=True)
    np.testing.assert_allclose(result, exact, rtol=1e-6, atol=1e-12)

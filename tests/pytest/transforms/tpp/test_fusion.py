"""Fused element-wise ops against NumPy, which computes them one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.programs.random_chains import random_chain
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import GenericOp

from xdsl_bufferization import jit
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.transforms.tpp.fusion.linalg_fuse_elementwise_ops import (
    fuse_elementwise_ops,
)
from xdsl_bufferization.traversal import ops_inside

Parse = Callable[[str], ModuleOp]


def generics(module: ModuleOp) -> int:
    """How many ops there are to compute."""
    return sum(isinstance(op, GenericOp) for op in ops_inside(module))


def test_random_chains_mean_the_same(parse: Parse):
    before = after = 0
    for seed in range(60):
        chain = random_chain(seed)
        module = parse(chain.text)
        expected = evaluate(module, "f", chain.arguments)
        before += generics(module)
        fuse_elementwise_ops(module)
        module.verify()
        after += generics(module)
        results = evaluate(module, "f", chain.arguments)
        for result, exact in zip(results, expected, strict=True):
            np.testing.assert_array_equal(np.asarray(result), np.asarray(exact))
    assert after < 0.8 * before


@pytest.mark.parametrize("seed", range(100, 108))
def test_random_chains_compiled(parse: Parse, seed: int):
    chain = random_chain(seed)
    expected = evaluate(parse(chain.text), "f", chain.arguments)
    results: Any = jit(chain.text)(*chain.arguments)
    for result, exact in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, np.asarray(exact), rtol=2e-5, atol=2e-5)

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from xdsl_bufferization.context import get_context
from xdsl_bufferization.parsing import parse_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.tools.gen import MlpOptions, mlp

SMALL = MlpOptions(batch=3, layers=(4, 5, 2), seed=3)


@pytest.mark.parametrize(("bias", "relu"), [*product([False, True], repeat=2)])
def test_it_computes_a_perceptron(bias: bool, relu: bool):
    options = MlpOptions(3, (4, 5, 2), bias, relu, constants=False)
    module = parse_module(mlp(options), "mlp.mlir", get_context())
    module.verify()
    rng = np.random.default_rng(0)
    shapes = [(3, 4), (4, 5), (3, 5), (5, 2), (3, 2)]
    arrays = [rng.normal(size=shape).astype(np.float32) for shape in shapes]
    x, *parameters = arrays
    wanted = x.astype(np.float64)
    for weight, offset in zip(parameters[::2], parameters[1::2], strict=True):
        wanted = wanted @ weight + offset * bias
        wanted = np.maximum(wanted, 0) if relu else wanted
    arguments = arrays if bias else [x, *parameters[::2]]
    (result,) = evaluate(module, "entry", arguments)
    assert np.allclose(result, wanted, rtol=1e-5, atol=1e-6)


def test_constants_are_random_but_follow_from_the_seed():
    text = mlp(SMALL)
    assert text == mlp(SMALL)
    assert text != mlp(MlpOptions(batch=3, layers=(4, 5, 2), seed=4))
    assert text.count('dense<"0x') == 2


def test_activations_stay_in_range_over_many_layers():
    options = MlpOptions(batch=16, layers=(64,) * 21, bias=True, relu=True)
    module = parse_module(mlp(options), "mlp.mlir", get_context())
    x = np.random.default_rng(0).normal(size=(16, 64)).astype(np.float32)
    (result,) = evaluate(module, "entry", [x])
    assert 0.1 < result.std() < 10


@pytest.mark.oracle
@pytest.mark.parametrize(
    "options",
    [
        MlpOptions(bias=True, relu=True, seed=7),
        MlpOptions(bias=True, relu=True, constants=False),
        SMALL,
        MlpOptions(batch=1, layers=(1, 1)),
    ],
)
def test_mlir_opt_accepts_it(mlir_opt: Callable[..., str], options: MlpOptions):
    assert "return %" in mlir_opt(mlp(options))

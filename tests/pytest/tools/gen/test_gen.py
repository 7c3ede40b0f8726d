from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.tools.common.diagnostics import UserError
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp
from xdsl_bufferization.tools.gen.gen_layers import Layer, Tiles, dense

Array = NDArray[Any]

SMALL = MlpOptions(batch=3, layers=(4, 5, 2), seed=3)
BLOCKS = MlpOptions(
    batch=4, layers=(4, 6, 3), constants=False, tiles=Tiles(2, 3, 2), relu=True
)


def run(options: MlpOptions, arguments: list[Array]) -> Array:
    module = parse_module(mlp(options), "mlp.mlir", get_context())
    module.verify()
    (result,) = evaluate(module, "entry", arguments)
    return result


def perceptron(options: MlpOptions, arrays: list[Array]) -> Array:
    """What the program computes, in double precision, from whole matrices."""
    out, *parameters = (array.astype(np.float64) for array in arrays)
    for weight, bias in zip(parameters[::2], parameters[1::2], strict=True):
        out = out @ weight + bias * options.bias
        out = np.maximum(out, 0) if options.relu else out
    if options.softmax:
        out = np.exp(out - out.max(1, keepdims=True))
        out /= out.sum(1, keepdims=True)
    return out


def whole_matrices(options: MlpOptions) -> list[Array]:
    rng = np.random.default_rng(0)
    shapes = [(options.batch, options.layers[0])]
    for inputs, outputs in zip(options.layers, options.layers[1:], strict=False):
        rows = () if options.row_bias else (options.batch,)
        shapes += [(inputs, outputs), (*rows, outputs)]
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


@pytest.mark.parametrize(
    ("named", "bias", "row_bias", "relu", "softmax"),
    [case for case in product([False, True], repeat=5) if case[1] or not case[2]],
)
def test_it_computes_a_perceptron(
    named: bool, bias: bool, row_bias: bool, relu: bool, softmax: bool
):
    options = MlpOptions(
        3,
        (4, 5, 2),
        bias,
        relu,
        constants=False,
        named=named,
        row_bias=row_bias,
        softmax=softmax,
    )
    arrays = whole_matrices(options)
    arguments = arrays if bias else [arrays[0], *arrays[1::2]]
    result = run(options, arguments)
    assert np.allclose(result, perceptron(options, arrays), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("named", "row_bias"), [*product([False, True], repeat=2)])
@pytest.mark.parametrize("vnni", [0, 2])
def test_it_computes_a_perceptron_in_blocks(named: bool, row_bias: bool, vnni: int):
    float_type = "bf16" if vnni else "f32"
    options = MlpOptions(
        batch=4,
        layers=(4, 8, 12),
        bias=True,
        relu=True,
        constants=False,
        named=named,
        row_bias=row_bias,
        float_type=float_type,
        tiles=Tiles(2, 4, 2),
        vnni=vnni,
    )
    arrays = whole_matrices(options)
    if vnni:
        # Small integers, which bf16 adds without rounding.
        arrays = [np.rint(array).clip(-1, 1) for array in arrays]
    x, *parameters = arrays
    arguments = [x.reshape(2, 2, 2, 2).transpose(0, 2, 1, 3)]
    for index, inputs, outputs in ((0, 4, 8), (1, 8, 12)):
        layer = Layer(index, 4, inputs, outputs, float_type, options.tiles, vnni)
        weight, bias = parameters[2 * index : 2 * index + 2]
        arguments += [layer.blocks_of_weight(weight), layer.blocks_of_output(bias)]
    result = run(options, arguments)
    wanted = perceptron(options, arrays).reshape(2, 2, 3, 4).transpose(0, 2, 1, 3)
    assert np.allclose(result, wanted, rtol=1e-5, atol=1e-5)


def test_without_a_seed_all_parameters_are_one():
    options = MlpOptions(batch=2, layers=(3, 4), bias=True)
    result = run(options, [np.arange(6, dtype=np.float32).reshape(2, 3)])
    assert result.tolist() == [[4] * 4, [13] * 4]


def test_bf16_constants_are_rounded_to_the_nearest():
    # 1 and the next bf16; halfway between them, to even; and a bit above that.
    values = np.array([1, 1 + 2**-7, 1 + 2**-8, 1 + 2**-8 + 2**-20], np.float32)
    assert dense(values, "bf16") == 'dense<"0x803F813F803F813F">'


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (MlpOptions(layers=(4,)), "there is no layer"),
        (MlpOptions(row_bias=True), "needs a bias"),
        (MlpOptions(vnni=2, tiles=Tiles(32, 32, 32)), "needs --float-type bf16"),
        (MlpOptions(vnni=2, float_type="bf16"), "needs --tiles"),
        (MlpOptions(softmax=True, tiles=Tiles(32, 32, 32)), "leave --tiles out"),
        (MlpOptions(tiles=Tiles(48, 32, 32)), "--batch must be a multiple of 48"),
        (MlpOptions(tiles=Tiles(32, 32, 48)), "the first of --layers"),
        (MlpOptions(tiles=Tiles(32, 48, 32)), "each further one of --layers"),
        (
            MlpOptions(tiles=Tiles(32, 2, 32), float_type="bf16", vnni=4),
            "the tile of 2 is not a multiple of --vnni 4",
        ),
    ],
)
def test_options_that_do_not_fit_together(options: MlpOptions, message: str):
    with pytest.raises(UserError, match=message):
        mlp(options)


def test_constants_are_random_but_follow_from_the_seed():
    text = mlp(SMALL)
    assert text == mlp(SMALL)
    assert text != mlp(MlpOptions(batch=3, layers=(4, 5, 2), seed=4))
    assert text.count('dense<"0x') == 2


def test_activations_stay_in_range_over_many_layers():
    options = MlpOptions(batch=16, layers=(64,) * 21, bias=True, relu=True, seed=1)
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
        MlpOptions(bias=True, row_bias=True, relu=True, softmax=True),
        MlpOptions(named=True, bias=True, row_bias=True, relu=True, softmax=True),
        MlpOptions(float_type="bf16", bias=True, softmax=True, seed=1),
        BLOCKS,
        replace(BLOCKS, named=True, bias=True, row_bias=True),
        replace(BLOCKS, tiles=Tiles(2, 6, 2), layers=(4, 6), float_type="bf16", vnni=2),
    ],
)
def test_mlir_opt_accepts_it(mlir_opt: Callable[..., str], options: MlpOptions):
    assert "return %" in mlir_opt(mlp(options))


def test_layers_may_add_to_arguments():
    options = replace(SMALL, constants=False, out_args=True, seed=0)
    ones = [
        np.ones(shape, np.float32) for shape in ((3, 4), (4, 5), (3, 5), (5, 2), (3, 2))
    ]
    # Four products and one, and five times that and one.
    np.testing.assert_array_equal(run(options, ones), np.full((3, 2), 26))
    with pytest.raises(UserError, match="--out-args needs --kernel args"):
        mlp(replace(options, constants=True))

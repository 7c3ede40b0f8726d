"""Print a multi-layer perceptron on tensors, as mlir-gen of tpp-mlir does.

Each layer has a buffer of zeros and a GEMM that accumulates into it. You may ask for a
bias and a ReLU in each layer, and for a softmax at the end. As `linalg.generic`:

    %zeros0 = linalg.fill ...          // zeros
    %gemm0_out = linalg.generic ...    // out + in * weight
    %bias0_out = linalg.generic ...    // bias + out
    %layer0 = linalg.generic ...       // max(out, 0)

The options, and what they mean, are those of mlir-gen, but for `--bias=row`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..common.diagnostics import UsageError
from .gen_layers import Layer, Tiles, dense, dense_ones
from .gen_ops import GenericSteps, NamedSteps, Steps, Value

BIAS_SCALE = 0.1


@dataclass(frozen=True)
class MlpOptions:
    """What program to print."""

    batch: int = 256
    """Rows of the input and of every layer's output."""
    layers: tuple[int, ...] = (128, 256, 512)
    """Columns of the input, then of every layer's output."""
    bias: bool = False
    relu: bool = False
    seed: int = 0
    """The seed of weights and biases; with 0 they are all 1."""
    constants: bool = True
    """Weights and biases are in the program; otherwise they are arguments."""
    named: bool = False
    """Named ops of linalg, rather than `linalg.generic`."""
    row_bias: bool = False
    """The bias is one row that is added to all; otherwise a matrix."""
    softmax: bool = False
    """The rows of the last layer's output are normalized."""
    float_type: str = "f32"
    """The type of all tensors: f32 or bf16."""
    tiles: Tiles | None = None
    """The sizes of blocks, if all matrices are stored in blocks."""
    vnni: int = 0
    """How many rows of a weight are interleaved, or 0."""
    out_args: bool = False
    """Each layer adds to an argument, not to zeros."""


def mlp(options: MlpOptions) -> str:
    """The text of the program: one function `@entry` of tensors.

    Weights are normal with variance 2 over the number of inputs (1 without ReLU), so
    that activations neither vanish nor grow from layer to layer. Raises a `UsageError`
    for options that do not fit together.
    """
    _check(options)
    rng = np.random.default_rng(options.seed)
    steps, layers = _steps(options), _layers(options)
    body: list[str] = []
    for layer in layers:
        body += _layer(options, rng, steps, layer)
    last = Value(f"%layer{len(layers) - 1}", layers[-1].output)
    if options.softmax:
        body += steps.softmax("%softmax", last)
        last = last._replace(name="%softmax")
    arguments = ", ".join(_arguments(options, layers))
    lines = [
        f"func.func @entry({arguments}) -> {last.type} {{",
        f"  %zero = arith.constant 0.000000e+00 : {options.float_type}",
        *(f"  {line}" for line in body),
        f"  return {last.name} : {last.type}",
        "}",
    ]
    return steps.aliases() + "\n".join(lines) + "\n"


def _check(options: MlpOptions) -> None:
    """Raise a `UsageError` for what cannot be, or cannot be stored in blocks."""
    problem = None
    if len(options.layers) < 2:
        problem = "there is no layer: --layers needs two sizes"
    elif options.row_bias and not options.bias:
        problem = "a row for a bias needs a bias"
    elif options.out_args and options.constants:
        problem = "--out-args needs --kernel args"
    elif options.vnni and options.float_type != "bf16":
        problem = "--vnni needs --float-type bf16"
    elif options.vnni and options.tiles is None:
        problem = "--vnni needs --tiles; the pass pack-vnni packs what is not tiled"
    elif options.softmax and options.tiles is not None:
        problem = "--softmax does not work on blocks: leave --tiles out"
    elif options.tiles is not None:
        problem = _indivisible(options, options.tiles)
    if problem is not None:
        raise UsageError("xbuf gen", problem)


def _indivisible(options: MlpOptions, tiles: Tiles) -> str | None:
    inputs, *outputs = options.layers
    for what, size, tile in (
        ("--batch", options.batch, tiles.rows),
        ("the first of --layers", inputs, tiles.inputs),
        *(("each further one of --layers", size, tiles.outputs) for size in outputs),
    ):
        if size % tile:
            return f"{what} must be a multiple of {tile} for these --tiles, not {size}"
    for tile in (tiles.inputs, tiles.outputs):
        if options.vnni and tile % options.vnni:
            return f"the tile of {tile} is not a multiple of --vnni {options.vnni}"
    return None


def _layers(options: MlpOptions) -> list[Layer]:
    return [
        Layer(
            index,
            options.batch,
            inputs,
            outputs,
            options.float_type,
            options.tiles,
            options.vnni,
        )
        for index, (inputs, outputs) in enumerate(pairwise(options.layers))
    ]


def _steps(options: MlpOptions) -> Steps:
    steps = NamedSteps if options.named else GenericSteps
    return steps(options.float_type, options.tiles is not None, options.vnni > 0)


def _arguments(options: MlpOptions, layers: list[Layer]) -> Iterator[str]:
    yield f"%arg0: {layers[0].input}"
    if options.constants:
        return
    for layer in layers:
        yield f"%weight{layer.index}: {layer.weight}"
        if options.bias:
            yield f"%bias{layer.index}: {_bias_type(options, layer)}"
        if options.out_args:
            yield f"%output{layer.index}: {layer.output}"


def _bias_type(options: MlpOptions, layer: Layer) -> str:
    return layer.row if options.row_bias else layer.output


def _layer(
    options: MlpOptions, rng: np.random.Generator, steps: Steps, layer: Layer
) -> Iterator[str]:
    """The operations from the previous layer's result to `%layer<index>`."""
    index, type_ = layer.index, layer.output
    source = f"%layer{index - 1}" if index else "%arg0"
    if options.constants:
        yield from _parameters(options, rng, layer)
    if not options.out_args:
        yield f"%empty{index} = tensor.empty() : {type_}"
        yield (
            f"%zeros{index} = linalg.fill ins(%zero : {options.float_type}) "
            f"outs(%empty{index} : {type_}) -> {type_}"
        )
    # Every step but the last has a name of its own; the last is the layer.
    kinds = ["gemm", *["bias"] * options.bias, *["relu"] * options.relu]
    names = [f"%{kind}{index}_out" for kind in kinds[:-1]] + [f"%layer{index}"]
    start = f"%output{index}" if options.out_args else f"%zeros{index}"
    current = Value(start, type_)
    for kind, name in zip(kinds, names, strict=True):
        match kind:
            case "gemm":
                yield from steps.gemm(name, source, current.name, layer)
            case "bias":
                bias = Value(f"%bias{index}", _bias_type(options, layer))
                yield from steps.bias(name, bias, current)
            case _:
                yield from steps.relu(name, current)
        current = Value(name, type_)


def _parameters(
    options: MlpOptions, rng: np.random.Generator, layer: Layer
) -> Iterator[str]:
    """The weights of a layer, and its bias, as constants."""
    text, bias_text = dense_ones(), dense_ones()
    if options.seed:
        gain = 2.0 if options.relu else 1.0
        shape = layer.inputs, layer.outputs
        weight = rng.normal(0.0, (gain / layer.inputs) ** 0.5, shape)
        text = dense(layer.blocks_of_weight(weight), options.float_type)
    yield f"%weight{layer.index} = arith.constant {text} : {layer.weight}"
    if not options.bias:
        return
    if options.seed:
        rows = [] if options.row_bias else [options.batch]
        bias = rng.normal(0.0, BIAS_SCALE, [*rows, layer.outputs])
        bias_text = dense(layer.blocks_of_output(bias), options.float_type)
    type_ = _bias_type(options, layer)
    yield f"%bias{layer.index} = arith.constant {bias_text} : {type_}"

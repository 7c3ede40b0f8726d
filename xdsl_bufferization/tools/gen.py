"""Print a multi-layer perceptron on tensors, as mlir-gen of tpp-mlir does.

Per layer: a buffer of zeros, a GEMM that accumulates into it, and on request the
addition of a full-matrix bias and a ReLU, all as `linalg.generic`.

    %1 = linalg.fill ...          // zeros
    %2 = linalg.generic ...       // out + in * weight
    %3 = linalg.generic ...       // bias + out
    %4 = linalg.generic ...       // max(out, 0)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BIAS_SCALE = 0.1

_MAPS = """\
#in = affine_map<(d0, d1, d2) -> (d0, d2)>
#weight = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
"""

_PARALLEL = 'iterator_types = ["parallel", "parallel"]'

_ITERATIONS = {
    "gemm": "indexing_maps = [#in, #weight, #out], "
    'iterator_types = ["parallel", "parallel", "reduction"]',
    "bias": f"indexing_maps = [#id, #id], {_PARALLEL}",
    "relu": f"indexing_maps = [#id], {_PARALLEL}",
}

_PAYLOADS = {
    "gemm": (
        "^bb0(%in: f32, %weight: f32, %out: f32):",
        "  %product = arith.mulf %in, %weight : f32",
        "  %sum = arith.addf %out, %product : f32",
        "  linalg.yield %sum : f32",
    ),
    "bias": (
        "^bb0(%in: f32, %out: f32):",
        "  %sum = arith.addf %in, %out : f32",
        "  linalg.yield %sum : f32",
    ),
    "relu": (
        "^bb0(%out: f32):",
        "  %max = arith.maximumf %out, %zero : f32",
        "  linalg.yield %max : f32",
    ),
}


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
    """Of the generator that draws weights and biases."""
    constants: bool = True
    """Weights and biases are in the program; otherwise they are arguments."""


def mlp(options: MlpOptions) -> str:
    """The text of the program: one function `@entry` of f32 tensors.

    Weights are normal with variance 2 over the number of inputs (1 without ReLU), so
    that activations neither vanish nor grow from layer to layer.
    """
    rng = np.random.default_rng(options.seed)
    layers = list(enumerate(pairwise(options.layers)))
    body: list[str] = []
    for index, (inputs, outputs) in layers:
        body += _layer(options, rng, index, inputs, outputs)
    result = _matrix(options.batch, options.layers[-1])
    last = f"%layer{len(layers) - 1}" if layers else "%arg0"
    arguments = ", ".join(_arguments(options))
    lines = [
        f"func.func @entry({arguments}) -> {result} {{",
        "  %zero = arith.constant 0.000000e+00 : f32",
        *(f"  {line}" for line in body),
        f"  return {last} : {result}",
        "}",
    ]
    return _MAPS + "\n".join(lines) + "\n"


def _arguments(options: MlpOptions) -> Iterator[str]:
    yield f"%arg0: {_matrix(options.batch, options.layers[0])}"
    if options.constants:
        return
    for index, (inputs, outputs) in enumerate(pairwise(options.layers)):
        yield f"%weight{index}: {_matrix(inputs, outputs)}"
        if options.bias:
            yield f"%bias{index}: {_matrix(options.batch, outputs)}"


def _layer(
    options: MlpOptions,
    rng: np.random.Generator,
    index: int,
    inputs: int,
    outputs: int,
) -> Iterator[str]:
    """The operations from the previous layer's result to `%layer<index>`."""
    source = f"%layer{index - 1}" if index else "%arg0"
    type_ = _matrix(options.batch, outputs)
    if options.constants:
        yield from _parameters(options, rng, index, inputs, outputs)
    yield f"%empty{index} = tensor.empty() : {type_}"
    yield (
        f"%zeros{index} = linalg.fill ins(%zero : f32) "
        f"outs(%empty{index} : {type_}) -> {type_}"
    )
    # Every step but the last has a name of its own; the last is the layer.
    steps = ["gemm", *["bias"] * options.bias, *["relu"] * options.relu]
    names = [f"%{step}{index}_out" for step in steps[:-1]] + [f"%layer{index}"]
    inits = [f"%zeros{index}", *names]
    operands = {
        "gemm": f"ins({source}, %weight{index} : "
        f"{_matrix(options.batch, inputs)}, {_matrix(inputs, outputs)}) ",
        "bias": f"ins(%bias{index} : {type_}) ",
        "relu": "",
    }
    for step, init, name in zip(steps, inits, names, strict=False):
        yield f"{name} = linalg.generic {{{_ITERATIONS[step]}}}"
        yield f"    {operands[step]}outs({init} : {type_}) {{"
        yield from _PAYLOADS[step]
        yield f"}} -> {type_}"


def _parameters(
    options: MlpOptions,
    rng: np.random.Generator,
    index: int,
    inputs: int,
    outputs: int,
) -> Iterator[str]:
    """The weights of a layer, and its bias, as constants."""
    gain = 2.0 if options.relu else 1.0
    weight = rng.normal(0.0, (gain / inputs) ** 0.5, (inputs, outputs))
    type_ = _matrix(inputs, outputs)
    yield f"%weight{index} = arith.constant {_dense(weight)} : {type_}"
    if options.bias:
        bias = rng.normal(0.0, BIAS_SCALE, (options.batch, outputs))
        type_ = _matrix(options.batch, outputs)
        yield f"%bias{index} = arith.constant {_dense(bias)} : {type_}"


def _matrix(rows: int, columns: int) -> str:
    return f"tensor<{rows}x{columns}xf32>"


def _dense(values: NDArray[np.float64]) -> str:
    """All elements as one string of digits: the form that is quick to parse."""
    return f'dense<"0x{values.astype("<f4").tobytes().hex().upper()}">'

"""Models for the passes on packs, and what they compute."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.utils.hints import isa

from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.tools.gen.gen import MlpOptions

Array = NDArray[Any]
Pass = Callable[[ModuleOp], None]

SIZES = (16, 24, 32, 40, 64)
"""Multiples of blocks of 16 and 32, and sizes that are not."""


def random_model(rng: np.random.Generator) -> MlpOptions:
    """A small model with any of the options of `xbuf gen`."""
    bias = str(rng.choice(["none", "full", "row"]))
    return MlpOptions(
        batch=int(rng.choice(SIZES)),
        layers=tuple(int(size) for size in rng.choice(SIZES, rng.integers(2, 6))),
        bias=bias != "none",
        row_bias=bias == "row",
        relu=bool(rng.integers(2)),
        seed=int(rng.integers(1, 1000)),
        constants=bool(rng.integers(2)),
        named=bool(rng.integers(2)),
        softmax=bool(rng.integers(4) == 0),
        float_type=str(rng.choice(["f32", "bf16"])),
    )


def random_arguments(module: ModuleOp, rng: np.random.Generator) -> list[Array]:
    """Small integers, which even bf16 adds without rounding for a while."""
    function = entry(module)
    arguments: list[Array] = []
    for type_ in function.function_type.inputs:
        assert isa(type_, TensorType)
        values = rng.integers(-2, 3, type_.get_shape())
        arguments.append(values.astype(np.float32))
    return arguments


def entry(module: ModuleOp) -> FuncOp:
    """The only function."""
    (function,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    return function


def check_passes(
    module: ModuleOp,
    passes: Sequence[Pass],
    arguments: Sequence[Array],
    tolerance: float = 0,
) -> None:
    """The results after each pass are those before all, within a relative error."""
    name = entry(module).sym_name.data
    wanted = evaluate(module, name, arguments)
    for run in passes:
        run(module)
        module.verify()
        results = evaluate(module, name, arguments)
        for result, expected in zip(results, wanted, strict=True):
            scale = max(float(np.abs(expected).max(initial=0)), 1e-30)
            error = np.abs(result - expected).max(initial=0) / scale
            # Not the other way round: an error that is no number is too large.
            assert error <= tolerance, (run, error)


def layer_sizes(options: MlpOptions) -> Iterator[tuple[int, int, int]]:
    """Rows, columns and sums of each layer."""
    for inputs, outputs in pairwise(options.layers):
        yield options.batch, outputs, inputs

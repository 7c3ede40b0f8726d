"""Random models, executed after every pass of the default pipeline.

    PYTHONPATH=tests/pytest python -m harness.volume.model_stages --models 300

The reference is the evaluation in NumPy before the first pass. What is on tensors is
evaluated again, what is on buffers is compiled and called. Run as a program, it prints
how many models of each kind agreed, and stops at the first that does not.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.codegen.xsmm.convert_xsmm_to_func import (
    ConvertXsmmToFuncPass,
)
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.pipelines.pass_bundle import unbundle
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.xsmm_matrices import BFLOAT16
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp
from xdsl_bufferization.tools.run.arguments import is_bf16, round_to_bf16
from xdsl_bufferization.tools.run.compare import max_relative_error

Array = NDArray[Any]

SIZES = (16, 24, 32, 48, 64, 80, 96, 100, 128, 192, 256, 512)
TOLERANCES = {"f32": 1e-4, "bf16": 0.03}
"""Relative to the root mean square, for each layer."""

ROUNDED_SUMS = 0.15
"""The same for loops that add up in bf16: each of hundreds of steps rounds to 8 bits.

The reference and the kernels add up in f32.
"""


@dataclass(frozen=True)
class Model:
    """A program with one function `@entry`."""

    kind: str
    text: str
    float_type: str
    layers: int = 1

    def tolerance(self, *, rounds_sums: bool) -> float:
        """The largest error; a softmax counts as a layer, as exponentials magnify."""
        layers = self.layers + 2 * ("softmax" in self.kind)
        if self.float_type == "bf16" and rounds_sums:
            return ROUNDED_SUMS * layers
        return TOLERANCES[self.float_type] * layers


def random_model(seed: int) -> Model:
    """An MLP of any options, a convolution, or a product of a batch of matrices."""
    rng = np.random.default_rng(seed)
    match seed % 6:
        case 4:
            return _convolution(rng, channels_last=bool(seed % 4))
        case 5:
            return _batch_matmul(rng)
        case _:
            return _mlp(rng)


def _mlp(rng: np.random.Generator) -> Model:
    bias = str(rng.choice(["none", "row", "full"]))
    float_type = str(rng.choice(["f32", "f32", "bf16"]))
    count = int(rng.integers(2, 7))
    # Few of the layers may be large: rounding adds up, and so does time.
    sizes = sorted(int(size) for size in rng.choice(SIZES, count))[: count - 1]
    layers = [int(size) for size in rng.permutation([*sizes, int(rng.choice(SIZES))])]
    options = MlpOptions(
        batch=int(rng.choice(SIZES[:9])),
        layers=tuple(layers),
        bias=bias != "none",
        row_bias=bias == "row",
        relu=bool(rng.integers(2)),
        seed=int(rng.integers(1, 1000)),
        constants=bool(rng.integers(2)),
        named=bool(rng.integers(2)),
        softmax=bool(rng.integers(5) == 0),
        float_type=float_type,
    )
    softmax = ", softmax" if options.softmax else ""
    kind = "named" if options.named else "generic"
    kind = f"{float_type} {kind}, bias {bias}{softmax}"
    return Model(kind, mlp(options), float_type, len(layers) - 1)


def _convolution(rng: np.random.Generator, *, channels_last: bool) -> Model:
    images, height, width, kernel = (int(size) for size in rng.integers(1, 4, 4))
    inputs, outputs = (int(size) for size in rng.choice([24, 32, 64], 2))
    rows, columns = (size + kernel + 3 for size in (height, width))
    new = (rows - kernel + 1, columns - kernel + 1)
    if channels_last:
        name = "conv_2d_nhwc_hwcf"
        shapes = (images, rows, columns, inputs), (kernel, kernel, inputs, outputs)
        out = (images, *new, outputs)
    else:
        name = "conv_2d_nchw_fchw"
        shapes = (images, inputs, rows, columns), (outputs, inputs, kernel, kernel)
        out = (images, outputs, *new)
    return Model(name, _zero_based(f"linalg.{name}", *shapes, out), "f32")


def _batch_matmul(rng: np.random.Generator) -> Model:
    batch = int(rng.integers(1, 5))
    m, n, k = (int(size) for size in rng.choice(SIZES[:7], 3))
    shapes = (batch, m, k), (batch, k, n), (batch, m, n)
    return Model("batch_matmul", _zero_based("linalg.batch_matmul", *shapes), "f32")


def _zero_based(name: str, *shapes: tuple[int, ...]) -> str:
    a, b, c = (f"tensor<{'x'.join(map(str, shape))}xf32>" for shape in shapes)
    return f"""
    func.func @entry(%a: {a}, %b: {b}) -> {c} {{
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : {c}
      %zeros = linalg.fill ins(%zero : f32) outs(%empty : {c}) -> {c}
      %0 = {name} ins(%a, %b : {a}, {b}) outs(%zeros : {c}) -> {c}
      return %0 : {c}
    }}
    """


def check_model(model: Model, seed: int) -> int:
    """Execute a model after each pass that changes it; returns how many do.

    Raises an `AssertionError` that names the pass where the results change.
    """
    context = get_context()
    module = parse_module(model.text, "model.mlir", context)
    entry = _entry(module)
    inputs, outputs = entry.function_type.inputs.data, entry.function_type.outputs.data
    arguments = _arguments(inputs, seed)
    wanted = evaluate(module, "entry", arguments)
    text, stages = str(module), 0
    for each in unbundle([DefaultTppPassesPass(explain=False)]):
        each.apply(context, module)
        module.verify()
        now = str(module)
        if now == text:
            continue
        text, stages = now, stages + 1
        is_on_tensors = _has_tensors(module)
        if is_on_tensors:
            results = evaluate(module, "entry", arguments)
        else:
            results = _call(module, arguments, inputs, outputs)
        error = max_relative_error(results, wanted)
        rounds_sums = not is_on_tensors and "linalg." in now
        tolerance = model.tolerance(rounds_sums=rounds_sums)
        # Not the other way round: an error that is no number is too large.
        assert error <= tolerance, f"{model.kind}, seed {seed}: {each.name}: {error}"
    return stages


def _entry(module: ModuleOp) -> FuncOp:
    (entry,) = (op for op in module.ops if isinstance(op, FuncOp))
    return entry


def _has_tensors(module: ModuleOp) -> bool:
    return any(
        isinstance(result.type, TensorType)
        for op in module.walk()
        for result in op.results
    )


def _arguments(types: Sequence[Attribute], seed: int) -> list[Array]:
    rng = np.random.default_rng(seed)
    arguments: list[Array] = []
    for type_ in types:
        assert isa(type_, TensorType)
        shape = type_.get_shape()
        # About as large as what comes out, whatever is summed up.
        numbers = (rng.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)
        arguments.append(round_to_bf16(numbers) if is_bf16(type_) else numbers)
    return arguments


def _call(
    module: ModuleOp,
    arguments: Sequence[Array],
    inputs: Sequence[Attribute],
    outputs: Sequence[Attribute],
) -> list[Array]:
    module = module.clone()
    ConvertXsmmToFuncPass().apply(get_context(), module)
    compiled = compile_module(module, counting_heap=True, poison=True, opt_level=1)
    given = [
        BFLOAT16.from_floats(each) if is_bf16(type_) else each.copy()
        for each, type_ in zip(arguments, inputs, strict=True)
    ]
    returned: Any = compiled["entry"](*given)
    results: tuple[Array, ...] = returned if len(outputs) > 1 else (returned,)
    return [
        np.array(BFLOAT16.to_floats(each) if is_bf16(type_) else each)
        for each, type_ in zip(results, outputs, strict=True)
    ]


def main() -> int:
    """Check as many models as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=300)
    parser.add_argument("--start", type=int, default=0)
    options = parser.parse_args()
    attach_all()
    kinds: Counter[str] = Counter()
    stages = 0
    for seed in range(options.start, options.start + options.models):
        model = random_model(seed)
        stages += check_model(model, seed)
        kinds[model.kind] += 1
        sys.stdout.write(f"\r{kinds.total()} models")
        sys.stdout.flush()
    sys.stdout.write(f", executed after {stages} passes\n")
    for kind, count in sorted(kinds.items()):
        sys.stdout.write(f"{count:5} {kind}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

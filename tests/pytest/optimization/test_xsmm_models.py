"""Whole models that call kernels, against NumPy."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime import CountingHeap
from xdsl_bufferization.runtime.errors import ArgumentError
from xdsl_bufferization.support import abi
from xdsl_bufferization.tools.common.program import parse_passes, run_passes
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp
from xdsl_bufferization.tools.run.run import RunOptions, run

TILE = (
    "fold-into-eltwise,convert-linalg-to-inplace,"
    "tile-consumer-and-fuse-producers{tile-sizes=16,16}"
)
KERNELS = "convert-linalg-to-xsmm,convert-memref-to-xsmm"
COMBINE = "combine-xsmm-op-optimization,fold-xsmm-flags"
LOOPS = "convert-forall-to-parallel,loop-invariant-code-motion,cse"
CALLS = "verify-xsmm-calls,convert-xsmm-to-func"
PIPELINES = {
    "untiled": f"{PLAIN_PIPELINE},{KERNELS},{CALLS}",
    "tiled": f"{TILE},{PLAIN_PIPELINE},{KERNELS},{CALLS}",
    "fused": f"{TILE},{PLAIN_PIPELINE},{KERNELS},{COMBINE},{LOOPS},{CALLS}",
}
MODELS = {
    "matrix": MlpOptions(32, (16, 48, 32), bias=True, relu=True, seed=1),
    "row": MlpOptions(
        32, (16, 48, 32), bias=True, relu=True, seed=2, row_bias=True, named=True
    ),
    "arguments": MlpOptions(32, (16, 32), relu=True, constants=False),
}


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("model", MODELS)
def test_a_model_is_what_numpy_computes(
    model: str, pipeline: str, tmp_path: Path
) -> None:
    file = tmp_path / "model.mlir"
    file.write_text(mlp(MODELS[model]))
    options = RunOptions(
        str(file), pipeline=PIPELINES[pipeline], check=True, tolerance=1e-4, repeat=1
    )
    result = run(options)
    assert result.problem is None
    assert result.report.live_bytes == 0


def test_a_layer_is_one_call_in_one_loop(parse: Callable[[str], ModuleOp]) -> None:
    module = parse(mlp(MODELS["matrix"]))
    run_passes(module, parse_passes(PIPELINES["fused"]))
    called = [
        op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp)
    ]
    assert called == [
        abi.XSMM_FUSED_BRGEMM_DISPATCH,
        abi.XSMM_FUSED_BRGEMM_INVOKE,
        abi.XSMM_FUSED_BRGEMM_DISPATCH,
        abi.XSMM_FUSED_BRGEMM_INVOKE,
    ]
    assert not any(op.name.startswith("linalg.") for op in module.walk())


@pytest.mark.oracle
@pytest.mark.parametrize("model", MODELS)
def test_mlir_opt_accepts_the_calls(
    model: str, parse: Callable[[str], ModuleOp], mlir_opt: Callable[..., str]
) -> None:
    module = parse(mlp(MODELS[model]))
    run_passes(module, parse_passes(PIPELINES["fused"]))
    assert abi.XSMM_FUSED_BRGEMM_INVOKE in mlir_opt(str(module), "--canonicalize")


@pytest.mark.parametrize("vnni", (False, True))
def test_a_model_in_bfloat16(parse: Callable[[str], ModuleOp], *, vnni: bool) -> None:
    options = MlpOptions(64, (32, 64), bias=True, relu=True, seed=1, constants=False)
    text = mlp(replace(options, float_type="bf16"))
    packs = f"default-tpp-passes{{disable-vnni-packing={str(not vnni).lower()}}}"
    module = parse(text)
    run_passes(module, parse_passes(packs))
    assert ("vnni_b" in str(module)) == vnni
    run_passes(module, parse_passes(CALLS))
    rng = np.random.default_rng(0)
    shapes = (64, 32), (32, 64), (64, 64)
    x, weights, bias = (bfloat16(rng.normal(size=shape)) for shape in shapes)
    bits = compile_module(module)["entry"](x, weights, bias)
    expected = np.maximum(floats(x) @ floats(weights) + floats(bias), 0)
    np.testing.assert_allclose(floats(bits), expected, rtol=2**-7, atol=2**-7)


@pytest.mark.unguarded(reason="guarded buffers are not aligned")
@pytest.mark.parametrize(("shift", "allocs"), ((0, 1), (2, 2), (32, 2)))
def test_an_input_is_copied_only_if_its_rows_cross_cache_lines(
    parse: Callable[[str], ModuleOp], shift: int, allocs: int
) -> None:
    options = MlpOptions(48, (64, 32), bias=False, relu=False, float_type="bf16")
    module = parse(mlp(options))
    x = bfloat16(np.random.default_rng(0).normal(size=(48, 64)))
    (expected,) = evaluate(module, "entry", [floats(x)])
    packs = "default-tpp-passes{block-factors=16,32,32},canonicalize"
    run_passes(module, parse_passes(packs))
    compiled = compile_module(module, counting_heap=True)
    memory = np.zeros(x.nbytes + 2 * 64, np.uint8)
    start = -memory.ctypes.data % 64 + shift
    shifted = memory[start : start + x.nbytes].view(np.uint16).reshape(x.shape)
    shifted[...] = x
    before = shifted.copy()
    result = compiled["entry"](shifted)
    np.testing.assert_allclose(floats(result), expected, rtol=2**-7, atol=2**-7)
    np.testing.assert_array_equal(shifted, before)
    assert isinstance(compiled.heap, CountingHeap)
    assert compiled.heap.report().allocs == allocs
    del result
    assert compiled.heap.report().live_bytes == 0


def bfloat16(numbers: NDArray[np.float64]) -> NDArray[np.uint16]:
    """The upper halves of numbers in float32."""
    return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def floats(bits: NDArray[np.uint16]) -> NDArray[np.float32]:
    """The numbers with these upper halves."""
    return (bits.view(np.uint16).astype(np.uint32) << 16).view(np.float32)


RELU = """
func.func @f(%in: memref<8x4xf32>, %out: memref<8x4xf32>) {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  xsmm.unary relu(data_type = f32, %0, %in, %out)
      : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
  return
}
"""


def test_callers_know_which_arguments_kernels_write(
    parse: Callable[[str], ModuleOp],
) -> None:
    module = parse(RELU)
    run_passes(module, parse_passes(CALLS))
    run = compile_module(module)["f"]
    written = [
        isinstance(a, abi.MemRefSignature) and a.written
        for a in run.signature.arguments
    ]
    assert written == [False, True]
    constant = np.full((8, 4), -1, np.float32)
    constant.flags.writeable = False
    output = np.ones((8, 4), np.float32)
    run(constant, output)
    assert not output.any()
    with pytest.raises(ArgumentError, match="may write into this argument"):
        run(output, constant)

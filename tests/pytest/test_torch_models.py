"""Programs that torch-mlir exported from PyTorch (`tests/torch_models`).

mlir-opt 22 and we read and print them as the same program. Bufferized, compiled and
run, by loops or by kernels, they compute what PyTorch computed, and copy no more than
what mlir-opt bufferizes.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from harness.oracles.mlir_buffers import bufferized_by_mlir_opt
from harness.oracles.mlir_text import BothReaders

from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CountingHeap, HeapReport
from xdsl_bufferization.tools.run.run import (
    RunOptions,
    RunReport,
    run,
)

MODELS = Path(__file__).parents[1] / "torch_models"
TEXTS = {file.stem: file.read_text() for file in sorted(MODELS.glob("*.mlir"))}
BOTH = BothReaders(TEXTS)

TOLERANCE = 1e-5
"""Of the results in f32, relative to the larger of 1 and what PyTorch computed."""

KERNELS = "default-tpp-passes{explain=false}"
MLIR_OPT_PASSES = (
    "--one-shot-bufferize=bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map",
    "--buffer-deallocation-pipeline",
)


@pytest.mark.volume(sample=10)
@pytest.mark.parametrize("name", TEXTS)
def test_we_read_what_we_print(name: str) -> None:
    BOTH.check_our_round_trip(name)


@pytest.mark.oracle
@pytest.mark.parametrize("name", TEXTS)
def test_mlir_reads_the_same_program_from_our_text(name: str) -> None:
    BOTH.check_mlir_reads_ours(name)


@pytest.mark.volume(sample=5)
@pytest.mark.oracle
@pytest.mark.parametrize("name", TEXTS)
def test_we_read_the_same_program_from_mlirs_text(name: str) -> None:
    BOTH.check_we_read_mlirs(name)


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("pipeline", [PLAIN_PIPELINE, KERNELS], ids=["loops", "tpp"])
@pytest.mark.parametrize("name", TEXTS)
def test_compiled_code_computes_what_pytorch_computed(name: str, pipeline: str) -> None:
    results, _ = run_model(name, pipeline)
    with np.load(MODELS / f"{name}.npz") as expected:
        wanted = {key: expected[key] for key in expected if key.startswith("result")}
    assert results.keys() == wanted.keys()
    for key, array in wanted.items():
        tolerance = TOLERANCE if array.dtype.kind == "f" else 0
        np.testing.assert_allclose(
            results[key], array, rtol=tolerance, atol=tolerance, err_msg=key
        )


@pytest.mark.oracle
@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("name", TEXTS)
def test_no_more_copies_than_mlir_opt(name: str) -> None:
    """Executed copies; allocations as well where nothing is packed into blocks."""
    theirs = run_as_mlir_opt_bufferizes(name)
    _, loops = run_model(name, PLAIN_PIPELINE)
    _, kernels = run_model(name, KERNELS)
    assert max(loops.copies, kernels.copies) <= theirs.copies
    assert loops.allocs <= theirs.allocs


def run_as_mlir_opt_bufferizes(name: str) -> HeapReport:
    """What a call costs if mlir-opt bufferizes and deallocates the model."""
    module = bufferized_by_mlir_opt(MLIR_OPT_PASSES, MODELS / f"{name}.mlir")
    compiled = compile_module(module, count_copies=True)
    with np.load(MODELS / f"{name}.npz") as sample:
        count = sum(key.startswith("arg") for key in sample)
        compiled["main"](*(sample[f"arg{n}"] for n in range(count)))
    assert isinstance(compiled.heap, CountingHeap)
    return compiled.heap.report()


@cache
def run_model(name: str, pipeline: str) -> tuple[dict[str, np.ndarray], RunReport]:
    """The results of the compiled model on the arguments that PyTorch had."""
    with TemporaryDirectory() as directory:
        outputs = Path(directory) / "outputs.npz"
        result = run(
            RunOptions(
                file=str(MODELS / f"{name}.mlir"),
                inputs=str(MODELS / f"{name}.npz"),
                outputs=str(outputs),
                pipeline=pipeline,
                repeat=1,
            )
        )
        assert result.problem is None
        assert result.report.live_bytes == 0
        with np.load(outputs) as arrays:
            return dict(arrays), result.report

"""Programs that torch-mlir exported from PyTorch (`tests/torch_models`).

mlir-opt 22 and we read and print them as the same program. Bufferized, compiled and
run, they compute what PyTorch computed.
"""

from pathlib import Path

import numpy as np
import pytest
from mlir_text import BothReaders

from xdsl_bufferization.tools.run import RunOptions, run

MODELS = Path(__file__).parents[1] / "torch_models"
TEXTS = {file.stem: file.read_text() for file in sorted(MODELS.glob("*.mlir"))}
BOTH = BothReaders(TEXTS)

TOLERANCE = 1e-4


@pytest.mark.parametrize("name", TEXTS)
def test_we_read_what_we_print(name: str) -> None:
    BOTH.check_our_round_trip(name)


@pytest.mark.oracle
@pytest.mark.parametrize("name", TEXTS)
def test_mlir_reads_the_same_program_from_our_text(name: str) -> None:
    BOTH.check_mlir_reads_ours(name)


@pytest.mark.oracle
@pytest.mark.parametrize("name", TEXTS)
def test_we_read_the_same_program_from_mlirs_text(name: str) -> None:
    BOTH.check_we_read_mlirs(name)


@pytest.mark.parametrize("name", TEXTS)
def test_compiled_code_computes_what_pytorch_computed(
    name: str, tmp_path: Path
) -> None:
    results = run_model(name, tmp_path)
    with np.load(MODELS / f"{name}.npz") as expected:
        wanted = {key: expected[key] for key in expected if key.startswith("result")}
    assert results.keys() == wanted.keys()
    for key, array in wanted.items():
        tolerance = TOLERANCE if array.dtype.kind == "f" else 0
        np.testing.assert_allclose(
            results[key], array, rtol=tolerance, atol=tolerance, err_msg=key
        )


def run_model(name: str, tmp_path: Path) -> dict[str, np.ndarray]:
    """The results of the compiled model on the arguments that PyTorch had."""
    outputs = tmp_path / "outputs.npz"
    result = run(
        RunOptions(
            file=str(MODELS / f"{name}.mlir"),
            inputs=str(MODELS / f"{name}.npz"),
            outputs=str(outputs),
            repeat=1,
        )
    )
    assert result.problem is None
    assert result.report.live_bytes == 0
    with np.load(outputs) as arrays:
        return dict(arrays)

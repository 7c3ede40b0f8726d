"""mlir-opt accepts what one-shot-bufferize makes of every test of it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.context import Context

PROGRAMS = Path(__file__).parents[2] / "filecheck" / "transforms" / "one-shot-bufferize"
RUN = re.compile(r"^// RUN: .*-p ['\"]?(one-shot-bufferize(?:\{.*?\})?)", re.MULTILINE)
UNKNOWN_TO_MLIR = {"looking_ops.mlir", "tm_tensor.mlir"}
"""Programs with ops of dialects that mlir-opt does not have."""

CASES = [
    pytest.param(file, pipeline, id=f"{file.stem}-{number}")
    for file in sorted(PROGRAMS.glob("*.mlir"))
    if not file.stem.startswith("invalid") and file.name not in UNKNOWN_TO_MLIR
    for number, pipeline in enumerate(RUN.findall(file.read_text()))
    if "test-analysis-only" not in pipeline
]

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize(("file", "pipeline"), CASES)
def test_mlir_opt_accepts(
    file: Path,
    pipeline: str,
    ctx: Context,
    mlir_opt: Callable[..., str],
    xdsl_opt: Callable[..., str],
) -> None:
    ctx.allow_unregistered = True
    bufferized = xdsl_opt(file.read_text(), pipeline)
    assert "memref" in bufferized
    mlir_opt(bufferized, "--allow-unregistered-dialect")


def test_every_file_is_a_case() -> None:
    files = {file for file in PROGRAMS.glob("*") if "invalid" not in file.stem}
    assert {case.values[0] for case in CASES} == {
        file for file in files if file.name not in UNKNOWN_TO_MLIR
    }

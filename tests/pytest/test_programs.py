"""Whole programs in `tests/data/programs`, which mix all dialects.

mlir-opt 22 and we read and print them as the same. Those that compute on tensors are
bufferized, compiled and run, and compared with a NumPy evaluation of the tensors.
"""

from pathlib import Path

import pytest
from harness.oracles.mlir_text import BothReaders

from xdsl_bufferization.tools.run.run import RunOptions, RunResult, run

PROGRAMS = Path(__file__).parents[1] / "data" / "programs"
TEXTS = {file.stem: file.read_text() for file in sorted(PROGRAMS.glob("*.mlir"))}
BOTH = BothReaders(TEXTS)

ENTRIES = {
    "attention": "attention",
    "conv_layer": "classify",
    "fft": "fft",
    "gradient": "train",
    "histogram": "histogram",
    "inverse": "inverse",
    "life": "life",
    "lstm": "lstm",
    "packing": "packing",
    "sparse_gather": "sparse",
    "spectrum": "spectrum",
    "tiled_product": "tiled",
}
"""The function to run of each program that computes on tensors."""


@pytest.mark.parametrize("name", TEXTS)
def test_we_read_what_we_print(name: str) -> None:
    BOTH.check_our_round_trip(name)


@pytest.mark.oracle
@pytest.mark.parametrize("name", TEXTS)
def test_mlir_reads_the_same_program_from_our_text(name: str) -> None:
    BOTH.check_mlir_reads_ours(name)


@pytest.mark.oracle
@pytest.mark.parametrize("name", TEXTS)
def test_our_custom_text_is_what_mlir_prints(name: str) -> None:
    BOTH.check_our_text(name)


@pytest.mark.oracle
@pytest.mark.parametrize("name", TEXTS)
def test_we_read_the_same_program_from_mlirs_text(name: str) -> None:
    BOTH.check_we_read_mlirs(name)


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_compiled_code_computes_what_numpy_computes(name: str) -> None:
    result = run_program(name)
    assert result.problem is None
    assert result.report.max_rel_error is not None
    assert result.report.live_bytes == 0


def run_program(name: str) -> RunResult:
    """Run on random arguments, as `xbuf run --check` does."""
    file = str(PROGRAMS / f"{name}.mlir")
    return run(RunOptions(file, ENTRIES[name], check=True, repeat=1))

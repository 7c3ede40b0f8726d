"""Programs on RISC-V, through LLVM, in an emulator: the numbers are NumPy's."""

from pathlib import Path

import pytest
from harness.oracles.tools import find_oracle

from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp
from xdsl_bufferization.tools.run.run import RunOptions, run

PROGRAMS = Path(__file__).parents[2] / "data" / "programs"
KERNELS = "default-tpp-passes{explain=false}"

ENTRIES = {
    "attention": "attention",  # calls, softmax
    "fft": "fft",  # loops over strided parts
    "histogram": "histogram",  # integers, stores at computed places
    "inverse": "inverse",  # branches, and an allocation in each iteration
    "life": "life",  # i1, and buffers that loops exchange
    "tiled_product": "tiled",  # subviews in a parallel loop
}


@pytest.fixture(autouse=True)
def emulator() -> None:
    """What this needs."""
    find_oracle("riscv64-linux-gnu-gcc")
    find_oracle("qemu-riscv64")


def check(file: Path, pipeline: str, *, entry: str | None = None, target: str) -> None:
    options = RunOptions(
        str(file), entry, pipeline, check=True, repeat=1, target=target
    )
    result = run(options)
    assert result.problem is None
    assert result.report.max_rel_error is not None
    assert result.report.live_bytes == 0
    assert result.report.allocs > 0


@pytest.mark.oracle
@pytest.mark.parametrize("name", ENTRIES)
def test_numbers_are_right(name: str):
    file = PROGRAMS / f"{name}.mlir"
    check(file, PLAIN_PIPELINE, entry=ENTRIES[name], target="riscv64")


@pytest.mark.oracle
@pytest.mark.parametrize("target", ["riscv64", "aarch64", "x86-64-v3"])
@pytest.mark.parametrize("pipeline", [PLAIN_PIPELINE, KERNELS], ids=["loops", "tpp"])
@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_an_mlp(tmp_path: Path, target: str, pipeline: str, element: str):
    if target == "aarch64":
        find_oracle("aarch64-linux-gnu-gcc")
        find_oracle("qemu-aarch64")
    file = tmp_path / "mlp.mlir"
    options = MlpOptions(
        batch=32, layers=(32, 64, 32), bias=True, relu=True, seed=7, float_type=element
    )
    file.write_text(mlp(options))
    check(file, pipeline, target=target)

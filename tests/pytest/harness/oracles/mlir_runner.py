"""What a program prints when mlir-opt 22 lowers it and mlir-runner 22 runs it."""

from collections.abc import Sequence
from pathlib import Path

from harness.oracles.tool_runs import run_tool
from harness.oracles.tools import find_oracle


def runner_libraries() -> list[Path]:
    """What MLIR offers to programs: functions that print, and tell the time."""
    folder = Path(find_oracle("mlir-runner-22")).resolve().parents[1] / "lib"
    return [folder / f"libmlir_{name}_utils.so.22.1" for name in ("c_runner", "runner")]


def output_of_main(text: str, lowering: Sequence[str]) -> str:
    """What `main` of a program prints, once mlir-opt has lowered it by `lowering`."""
    libraries = ",".join(map(str, runner_libraries()))
    result = ["-e", "main", "--entry-point-result=void"]
    lowered = _output("mlir-opt-22", [*lowering, "-"], text)
    return _output("mlir-runner-22", [*result, f"--shared-libs={libraries}"], lowered)


def _output(tool: str, arguments: Sequence[str], text: str) -> str:
    """What a tool prints, given a text."""
    done = run_tool([find_oracle(tool), *arguments], text)
    done.check_returncode()
    return done.stdout

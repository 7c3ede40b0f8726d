"""What a program prints when mlir-opt 22 lowers it and mlir-runner 22 runs it."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path


def runner_libraries() -> list[Path]:
    """What MLIR offers to programs: functions that print, and tell the time."""
    runner = shutil.which("mlir-runner-22")
    assert runner is not None, "mlir-runner-22 is not installed"
    folder = Path(runner).resolve().parents[1] / "lib"
    return [folder / f"libmlir_{name}_utils.so.22.1" for name in ("c_runner", "runner")]


def output_of_main(text: str, lowering: Sequence[str]) -> str:
    """What `main` of a program prints, once mlir-opt has lowered it by `lowering`."""
    opt, runner = (shutil.which(f"mlir-{name}-22") for name in ("opt", "runner"))
    assert opt is not None, "mlir-opt-22 is not installed"
    assert runner is not None, "mlir-runner-22 is not installed"
    libraries = ",".join(map(str, runner_libraries()))
    lowered = subprocess.run(
        [opt, *lowering, "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    run = subprocess.run(
        [
            runner,
            "-e",
            "main",
            "--entry-point-result=void",
            f"--shared-libs={libraries}",
        ],
        input=lowered.stdout,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout

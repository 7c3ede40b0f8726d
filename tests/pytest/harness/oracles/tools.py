"""The tools that tests compare with, and what becomes of a test that lacks one."""

import os
import shutil
from typing import NoReturn

import pytest

from xdsl_bufferization.runtime.threads import openmp_runtime

MLIR_OPT = "mlir-opt-22"
PACKAGES = {
    "chromium": "chromium",
    "clang-22": "clang-22",
    "emacs": "emacs-nox and elpa-eglot",
    "gcc": "gcc",
    "nvim": "neovim",
    "node": "nodejs",
    "npm": "npm",
    "riscv64-linux-gnu-gcc": "gcc-riscv64-linux-gnu and libc6-dev-riscv64-cross",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu and libc6-dev-arm64-cross",
    "qemu-riscv64": "qemu-user",
    "qemu-aarch64": "qemu-user",
    "valgrind": "valgrind",
}
"""Where tools that are not of MLIR come from."""


def find_oracle(name: str, *other_names: str) -> str:
    """The path of a tool that tests compare with; skips or fails where it is missing.

    Debian's packages `mlir-22-tools`, `mlir-19-tools`, `mlir-14-tools` and `llvm-22`
    have the tools of MLIR; those for other machines are in `PACKAGES`.
    """
    for each in (name, *other_names):
        if (path := shutil.which(each)) is not None:
            return path
    version = name.rsplit("-", maxsplit=1)[-1]
    packages = PACKAGES.get(name, f"mlir-{version}-tools and llvm-{version}")
    return _leave_out(f"{name} is not installed (Debian's packages {packages})")


def require_openmp() -> None:
    """Skips or fails where no OpenMP runtime shares loops among threads."""
    if openmp_runtime() is None:
        _leave_out("there is no OpenMP runtime (Debian's package libgomp1)")


def _leave_out(message: str) -> NoReturn:
    """Skip the test; where `CI` is set, nothing may be missing."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)

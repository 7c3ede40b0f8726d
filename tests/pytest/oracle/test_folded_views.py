"""Views as arithmetic, and accesses without views: as mlir-opt 22 writes them."""

from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parents[2] / "filecheck" / "transforms"
CASES = [
    pytest.param(name, file, id=f"{name}-{file.stem}")
    for name in ("expand-strided-metadata", "fold-memref-alias-ops")
    for file in sorted((PROGRAMS / name).glob("*.mlir"))
    if not file.stem.startswith("invalid")
]
CLEAN = ("--canonicalize", "--cse", "--mlir-print-local-scope")

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize(("name", "file"), CASES)
def test_same_program(
    xdsl_opt: Callable[..., str], mlir_opt: Callable[..., str], name: str, file: Path
):
    text = file.read_text()
    if file.stem == "views":
        # mlir-opt divides sizes where the op says what they are.
        first, second = text.split("// CHECK-LABEL: func.func @expand\n")
        text = first + second[second.index("// CHECK-LABEL") :]
    ours = xdsl_opt(text, name)
    assert mlir_opt(ours, *CLEAN) == mlir_opt(text, f"--{name}", *CLEAN)

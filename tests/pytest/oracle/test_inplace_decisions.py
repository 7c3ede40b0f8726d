"""Our decisions are mlir-opt's, on every op of every analysis test.

The programs and the options are those of `tests/filecheck/analyses/one-shot`.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.utils.hints import isa

PROGRAMS = Path(__file__).parents[2] / "filecheck" / "analyses" / "one-shot"
FILES = sorted(f for f in PROGRAMS.glob("*.mlir") if not f.stem.endswith("invalid"))
PIPELINE = re.compile(r"^// RUN: .*(one-shot-bufferize\{(.*?)\})", re.MULTILINE)

Decisions = list[tuple[str, list[str]]]
"""The name of each op with its `__inplace_operands_attr__`, empty where it has none."""

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_decisions_are_those_of_mlir_opt(
    file: Path,
    mlir_opt: Callable[..., str],
    xdsl_opt: Callable[..., str],
    parse: Callable[[str], ModuleOp],
) -> None:
    program = file.read_text()
    found = PIPELINE.search(program)
    assert found is not None, "the test has no RUN line with one-shot-bufferize"
    theirs = mlir_opt(
        program,
        f"--one-shot-bufferize={found[2]}",
        "--mlir-print-op-generic",
        "--allow-unregistered-dialect",
    )
    # MLIR neither tells parts of a tensor apart nor exchanges buffers.
    by_rules = "disjoint-subsets=false exchange-buffers=false"
    pipeline = f"one-shot-bufferize{{{found[2]} {by_rules}}}"
    ours = parse(xdsl_opt(program, pipeline, generic=True))
    expected = decisions(parse(theirs))
    assert any(words for _, words in expected)
    assert decisions(ours) == expected


def decisions(module: ModuleOp) -> Decisions:
    found: Decisions = []
    for op in module.walk():
        words = op.attributes.get(
            "__inplace_operands_attr__", ArrayAttr[StringAttr]([])
        )
        assert isa(words, ArrayAttr[StringAttr])
        found.append((op.name, [word.data for word in words]))
    return found

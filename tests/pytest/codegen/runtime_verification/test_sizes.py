"""Operands whose sizes do not fit are found by both pipelines, at the op as written.

Each op that names its sizes by loops, or has sizes in common otherwise, is compiled
once with all sizes open. It is called with sizes that fit, and with all that differ
from them in one size by 1. Which of these fit follows from the loops.
"""

from collections.abc import Iterable

import pytest
from harness.cases.sizes import (
    KEYED,
    STRUCTURED,
    Shapes,
    SizedOp,
    shapes_of_keyed,
    shapes_of_structured,
    structure_in,
)
from harness.running.checked_pipelines import compiled
from xdsl.dialects.linalg import Linalg

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.common.definitions import load_extension
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.runtime.errors import ProgramError

both_pipelines = pytest.mark.parametrize("optimize", [True, False])


def check(op: SizedOp, all_shapes: Iterable[Shapes], *, optimize: bool) -> None:
    function = compiled(op.text, optimize=optimize)["f"]
    name = op.op.split()[0]
    counts = [0, 0]
    for each in all_shapes:
        counts[each.fit] += 1
        arguments = op.operands.arguments(each.shapes)
        if each.fit:
            function(*arguments)
            continue
        with pytest.raises(ProgramError) as raised:
            function(*arguments)
        assert str(raised.value).startswith(f"a.mlir:2:10: '{name}': "), each
    assert counts[True] > 0


@pytest.mark.volume(sample=40)
@pytest.mark.parametrize("name", STRUCTURED)
@both_pipelines
def test_sizes_of_structured_ops(name: str, optimize: bool) -> None:
    op = STRUCTURED[name]
    module = parse_module(op.text, "a.mlir", get_context())
    check(op, shapes_of_structured(structure_in(module)), optimize=optimize)


@pytest.mark.parametrize("name", KEYED)
@both_pipelines
def test_sizes_of_other_ops(name: str, optimize: bool) -> None:
    op = KEYED[name]
    check(op, shapes_of_keyed(op.keys), optimize=optimize)


def test_all_structured_ops_are_tried() -> None:
    """A class of ops with loops, of which no program has an op, would be missed."""
    context = get_context()
    tried = {
        op.name
        for each in STRUCTURED.values()
        for op in parse_module(each.text, "a.mlir", context).walk()
        if structure_of(op) is not None
    }
    known = {op.name for op in Linalg.operations} | {
        *load_extension("linalg").operations
    }
    assert known - tried == WITHOUT_LOOPS


WITHOUT_LOOPS = {
    "linalg.index",
    "linalg.pack",
    "linalg.softmax",
    "linalg.unpack",
    "linalg.winograd_filter_transform",
    "linalg.winograd_input_transform",
    "linalg.winograd_output_transform",
    "linalg.yield",
}
"""Packs and softmax are tried elsewhere; Winograd's transforms are not bufferized."""

"""Simplifying loops in loops: one walk, however many there are."""

import pytest
from harness.running.growth import growth
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.simplification.canonicalize import (
    CanonicalizePass,
)
from xdsl_bufferization.dialects.parsing import parse_module

LARGEST_GROWTH = 5.0
"""Twice as many levels are four times as much work: xDSL asks each op for all in it."""


def nested(levels: int) -> ModuleOp:
    """Loops that carry a buffer, which the innermost one writes a constant into."""
    begin = "".join(
        f"%r{level} = scf.for %i{level} = %l to %u step %s "
        f"iter_args(%a{level} = %a{level - 1}) -> (memref<4xf32>) {{\n"
        for level in range(1, levels + 1)
    )
    store = (
        "%f = arith.constant 1.0 : f32\n"
        f"memref.store %f, %a{levels}[%l] : memref<4xf32>"
    )
    end = f"\nscf.yield %a{levels} : memref<4xf32>\n}}" + "".join(
        f"\nscf.yield %r{level} : memref<4xf32>\n}}" for level in range(levels, 1, -1)
    )
    arguments = "%a0: memref<4xf32>, %l: index, %u: index, %s: index"
    text = f"func.func @f({arguments}) -> memref<4xf32> {{\n{begin}{store}{end}\n"
    return parse_module(f"{text}return %r1 : memref<4xf32>\n}}", "f", get_context())


def canonicalize(module: ModuleOp) -> None:
    CanonicalizePass().apply(get_context(), module)


def test_no_level_carries_the_buffer_and_the_constant_is_outside() -> None:
    module = nested(5)
    canonicalize(module)
    assert "iter_args" not in str(module)
    function, *_ = module.ops
    assert [op.name for op in function.regions[0].block.ops] == [
        "arith.constant",
        "scf.for",
        "func.return",
    ]


@pytest.mark.parametrize("levels", [10, 20, 40])
def test_the_work_does_not_grow_with_the_cube_of_the_levels(levels: int) -> None:
    assert growth(canonicalize, nested(levels), nested(2 * levels)) < LARGEST_GROWTH

"""Programs compute the same without empty tensors, and the cost grows linearly."""

from collections.abc import Callable

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_insertions import random_insertions
from harness.running.buffer_machine import run_on_buffers
from harness.running.growth import growth
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.bufferize.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.reference.evaluator import evaluate

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)


def arguments(offset: int, *, condition: bool) -> list[NDArray[np.generic]]:
    return [
        np.arange(16, dtype=np.float32),
        np.asarray(3.5, np.float32),
        np.asarray(offset),
        np.asarray(condition),
    ]


def run_tensors(
    module: ModuleOp, offset: int, *, condition: bool
) -> NDArray[np.float32]:
    with np.errstate(all="ignore"):
        (result,) = evaluate(module, "main", arguments(offset, condition=condition))
    return np.asarray(result)


@pytest.mark.parametrize("seed", range(40))
def test_defined_contents_stay(seed: int) -> None:
    before = parse(random_insertions(seed, reuse=seed % 2 == 0))
    after = before.clone()
    eliminate_empty_tensors(after)
    after.verify()
    buffers = after.clone()
    one_shot_bufferize(buffers, OPTIONS)
    buffers.verify()
    for offset, condition in ((0, True), (3, False)):
        expected = run_tensors(before, offset, condition=condition)
        on_tensors = run_tensors(after, offset, condition=condition)
        (on_buffers,), _ = run_on_buffers(
            buffers, "main", arguments(offset, condition=condition)
        )
        # What was undefined may be anything now.
        defined = ~np.isnan(expected)
        assert np.array_equal(on_tensors[defined], expected[defined])
        assert np.array_equal(np.asarray(on_buffers)[defined], expected[defined])


def insertions(n: int) -> str:
    """Each source is computed in an empty tensor of its own."""
    steps = "\n".join(
        f"""%e{i} = tensor.empty() : tensor<4xf32>
        %f{i} = linalg.fill ins(%f : f32) outs(%e{i} : tensor<4xf32>) -> tensor<4xf32>
        %t{i + 1} = tensor.insert_slice %f{i} into %t{i}[%n] [4] [1]
          : tensor<4xf32> into tensor<16xf32>"""
        for i in range(n)
    )
    return _function(steps, f"%t{n}")


def one_source(n: int) -> str:
    """A long chain is inserted after each step; its start can never be replaced."""
    steps = "\n".join(
        f"""%s{i + 1} = tensor.insert %f into %s{i}[%n] : tensor<4xf32>
        %t{i + 1} = tensor.insert_slice %s{i + 1} into %t{i}[%m] [4] [1]
          : tensor<4xf32> into tensor<16xf32>"""
        for i in range(n)
    )
    load = "%m = memref.load %p[] : memref<index>"
    start = "%e = tensor.empty() : tensor<4xf32>"
    first = "%s0 = tensor.insert %f into %e[%n] : tensor<4xf32>"
    return _function("\n".join((start, first, load, steps)), f"%t{n}")


def nested(n: int) -> str:
    """Each tensor is inserted into an empty one, which is inserted into the next."""
    steps = "\n".join(
        f"""%e{i} = tensor.empty() : tensor<{i + 5}xf32>
        %s{i + 1} = tensor.insert_slice %s{i} into %e{i}[0] [{i + 4}] [1]
          : tensor<{i + 4}xf32> into tensor<{i + 5}xf32>"""
        for i in range(n)
    )
    return _function(
        f"%e = tensor.empty() : tensor<4xf32>\n"
        "%s0 = tensor.insert %f into %e[%n] : tensor<4xf32>\n"
        f"{steps}\n%r = tensor.insert_slice %s{n} into %w[0] [{n + 4}] [1] : "
        f"tensor<{n + 4}xf32> into tensor<?xf32>",
        "%t0",
    )


def _function(body: str, result: str) -> str:
    arguments = "%t0: tensor<16xf32>, %w: tensor<?xf32>, %f: f32, %n: index"
    return (
        f"func.func @main({arguments}, %p: memref<index>) -> tensor<16xf32> {{\n"
        f"{body}\nreturn {result} : tensor<16xf32>\n}}"
    )


@pytest.mark.parametrize("program", [insertions, one_source, nested])
def test_cost_is_linear(program: Callable[[int], str]) -> None:
    small, large = (parse(program(size)) for size in (50, 400))
    assert growth(eliminate_empty_tensors, small, large) < 8.5


def test_nested_insertions_need_no_empty_tensor() -> None:
    module = parse(nested(5))
    eliminate_empty_tensors(module)
    assert "tensor.empty" not in str(module)

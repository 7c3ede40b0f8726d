"""Concatenations whose parts are computed in place, against NumPy."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness.running.meaning import check_rewrite
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.tensor import ConcatOp
from xdsl.passes import PassPipeline

from xdsl_bufferization import jit
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.optimization.packing.lower_concats import lower_concats
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.traversal import ops_inside

Parse = Callable[[str], ModuleOp]

ROWS = 3


class _Program:
    """Sums, products and concatenations of what was computed before."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._lines: list[str] = []
        self._values = [("%x", 4), ("%y", 5)]
        for _ in range(12):
            self._random.choice((self._combine, self._combine, self._concat))()
        results = self._values[-3:]
        types = ", ".join(self._type(size) for _, size in results)
        names = ", ".join(name for name, _ in results)
        body = "\n".join(self._lines)
        self.text = (
            f"func.func @f(%x: {self._type(4)}, %y: {self._type(5)}) -> ({types}) {{\n"
            f"{body}\n  return {names} : {types}\n}}"
        )

    def _type(self, size: int) -> str:
        return f"tensor<{ROWS}x{size}xf32>"

    def _add(self, text: str, size: int) -> None:
        self._values.append((f"%{len(self._values)}", size))
        self._lines.append(f"  {self._values[-1][0]} = {text}")

    def _combine(self) -> None:
        left, size = self._random.choice(self._values)
        right = self._random.choice([n for n, s in self._values if s == size])
        type_ = self._type(size)
        empty = f"%e{len(self._values)}"
        self._lines.append(f"  {empty} = tensor.empty() : {type_}")
        op = self._random.choice(("add", "mul", "sub"))
        ins = f"ins({left}, {right} : {type_}, {type_})"
        self._add(f"linalg.{op} {ins} outs({empty} : {type_}) -> {type_}", size)

    def _concat(self) -> None:
        parts = self._random.choices(self._values, k=self._random.randint(1, 4))
        size = sum(size for _, size in parts)
        if size > 40:
            return
        types = ", ".join(self._type(size) for _, size in parts)
        names = ", ".join(name for name, _ in parts)
        self._add(
            f"tensor.concat dim(1) {names} : ({types}) -> {self._type(size)}", size
        )


def _arguments() -> list[np.ndarray[Any, np.dtype[np.float32]]]:
    rng = np.random.default_rng(0)
    return [rng.uniform(-1, 1, (ROWS, n)).astype(np.float32) for n in (4, 5)]


def test_random_programs_mean_the_same(parse: Parse):
    """After the pass alone, there are no concatenations; the bits are the same."""
    count = 0
    for seed in range(60):
        module = parse(_Program(seed).text)
        count += sum(isinstance(op, ConcatOp) for op in ops_inside(module))
        check_rewrite(module, lower_concats, _arguments())
        assert not any(isinstance(op, ConcatOp) for op in ops_inside(module))
    assert count > 100


@pytest.mark.parametrize("seed", range(100, 106))
def test_random_programs_run(parse: Parse, seed: int):
    text = _Program(seed).text
    expected = evaluate(parse(text), "f", _arguments())
    for result, exact in zip(jit(text)(*_arguments()), expected, strict=True):
        np.testing.assert_allclose(result, np.asarray(exact), rtol=1e-5, atol=1e-5)


STEPS = """
func.func @f(%x: tensor<2x8xf32>, %h: tensor<2x8xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %a = linalg.add ins(%x, %h : tensor<2x8xf32>, tensor<2x8xf32>)
      outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %b = linalg.mul ins(%x, %a : tensor<2x8xf32>, tensor<2x8xf32>)
      outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %c = linalg.sub ins(%a, %b : tensor<2x8xf32>, tensor<2x8xf32>)
      outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %y = tensor.concat dim(0) %a, %b, %c
      : (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}"""


def test_steps_that_read_each_other_copy_nothing(parse: Parse):
    """The result is the only buffer: a step reads what the one before put into it."""
    module = parse(STEPS)
    PassPipeline(default_passes()).apply(get_context(), module)
    compiled = compile_module(module, count_copies=True)
    rng = np.random.default_rng(0)
    x, h = rng.uniform(-1, 1, (2, 2, 8)).astype(np.float32)
    result = compiled["f"](x, h)
    report: Any = compiled.heap
    figures = report.report()
    assert (figures.allocs, figures.copies) == (1, 0)
    a = x + h
    np.testing.assert_array_equal(result, np.concatenate([a, x * a, a - x * a]))

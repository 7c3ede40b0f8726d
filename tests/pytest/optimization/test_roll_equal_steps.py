"""Steps that become a loop, against the same program as it was."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from harness.running.meaning import check_rewrite
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.scf import ForOp
from xdsl.dialects.tensor import ConcatOp
from xdsl.passes import PassPipeline

from xdsl_bufferization import jit
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.optimization.rerolling.roll_equal_steps import (
    roll_equal_steps,
)
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.traversal import ops_inside

Parse = Callable[[str], ModuleOp]
Arrays = list[np.ndarray[Any, np.dtype[np.float32]]]

LONGEST = 12
ROW, WIDE = "tensor<1x4xf32>", f"tensor<1x{4 * LONGEST}xf32>"


class _Program:
    """Steps that read a part of %x, %w, and what the step before made.

    With a few steps that are otherwise, or that are read elsewhere.
    """

    def __init__(self, seed: int, odd: float = 0.1):
        self._random = random.Random(seed)
        self._odd = odd
        self._lines = [
            "  %zero = arith.constant 0.0 : f32",
            f"  %e = tensor.empty() : {ROW}",
            f"  %z = linalg.fill ins(%zero : f32) outs(%e : {ROW}) -> {ROW}",
        ]
        self._count = 0
        self._results: list[tuple[str, int]] = []
        source = "%x"
        for _ in range(self._random.choice((1, 1, 2))):
            source = self._steps(source)
        types = ", ".join(f"tensor<1x{size}xf32>" for _, size in self._results)
        names = ", ".join(name for name, _ in self._results)
        body = "\n".join(self._lines)
        self.text = (
            f"func.func @f(%x: {WIDE}, %h: {ROW}, %w: tensor<4x4xf32>) -> ({types}) "
            f"{{\n{body}\n  return {names} : {types}\n}}"
        )

    def _add(self, text: str) -> str:
        self._count += 1
        self._lines.append(f"  %{self._count} = {text}")
        return f"%{self._count}"

    def _op(self, name: str, *inputs: str) -> str:
        types = ", ".join([ROW] * len(inputs))
        ins = f"ins({', '.join(inputs)} : {types})"
        return self._add(f"linalg.{name} {ins} outs(%e : {ROW}) -> {ROW}")

    def _product(self, value: str) -> str:
        ins = f"ins({value}, %w : {ROW}, tensor<4x4xf32>)"
        return self._add(f"linalg.matmul {ins} outs(%z : {ROW}) -> {ROW}")

    def _part(self, source: str, place: int) -> str:
        return self._add(
            f"tensor.extract_slice {source}[0, {4 * place}] [1, 4] [1, 1] "
            f": {WIDE} to {ROW}"
        )

    def _steps(self, source: str) -> str:
        """Add steps; returns a tensor with a part for each."""
        rng, count = self._random, self._random.randint(4, LONGEST)
        places = list(range(count))
        if rng.random() < 0.3:
            places.reverse()
        parts = {}
        if rng.random() < 0.5:
            parts = {place: self._part(source, place) for place in places}
        kinds = [rng.choice(("add", "sub", "mul")) for _ in range(rng.randint(1, 4))]
        carried = ["%h"] * rng.randint(1, 2)
        reads_first = rng.random() < self._odd
        made: list[list[str]] = [[], []]
        for place in places:
            part = parts.get(place) or self._part(source, place)
            before = made[0][0] if made[0] and reads_first else carried[-1]
            value = self._product(carried[0])
            for number, kind in enumerate(kinds):
                if rng.random() < self._odd / len(kinds):
                    kind = "max"
                value = self._op(kind, value, (part, before)[number % 2])
            carried = [value, self._op("exp", part)][: len(carried)]
            for values, each in zip(made, carried, strict=False):
                values.append(each)
            if rng.random() < self._odd / 4:
                self._results.append((value, 4))
        if rng.random() < 0.5:
            self._results.append((carried[-1], 4))
        return self._collect(made[rng.randrange(len(carried))])

    def _collect(self, values: list[str]) -> str:
        """Concatenate what steps made, in most cases in order."""
        rng = self._random
        if rng.random() < 0.3:
            values.reverse()
        values += ["%h"] * (LONGEST - len(values))
        if rng.random() < self._odd:
            rng.shuffle(values)
        types = ", ".join([ROW] * LONGEST)
        whole = self._add(
            f"tensor.concat dim(1) {', '.join(values)} : ({types}) -> {WIDE}"
        )
        self._results.append((whole, 4 * LONGEST))
        return whole


def _arguments() -> Arrays:
    rng = np.random.default_rng(0)
    shapes = (1, 4 * LONGEST), (1, 4), (4, 4)
    return [rng.uniform(-0.5, 0.5, shape).astype(np.float32) for shape in shapes]


def _loops(module: ModuleOp) -> int:
    return sum(isinstance(op, ForOp) for op in ops_inside(module))


def test_random_programs_mean_the_same(parse: Parse):
    loops = 0
    for seed in range(40):
        module = parse(_Program(seed).text)
        check_rewrite(module, partial(roll_equal_steps, least=3), _arguments())
        loops += _loops(module)
    assert loops > 20


@pytest.mark.parametrize("seed", range(200, 206))
def test_random_programs_run(parse: Parse, seed: int):
    """All steps are equal, so that there is a loop."""
    text = _Program(seed, odd=0).text
    module = parse(text)
    roll_equal_steps(module, 3)
    assert _loops(module) > 0
    expected = evaluate(parse(text), "f", _arguments())
    results = jit(str(module))(*_arguments())
    if len(expected) == 1:
        results = (results,)
    for result, exact in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, np.asarray(exact), rtol=1e-5, atol=1e-5)


def _recurrent(count: int) -> str:
    """Each step multiplies, and adds what the step before made."""
    row, all_ = "tensor<1x32xf32>", f"tensor<{count}x32xf32>"
    lines = [
        f"  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : {row}",
        f"  %z = linalg.fill ins(%zero : f32) outs(%e : {row}) -> {row}",
    ]
    before = "%h"
    for step in range(count):
        lines += [
            f"  %p{step} = linalg.matmul ins({before}, %w : {row}, tensor<32x32xf32>) "
            f"outs(%z : {row}) -> {row}",
            f"  %s{step} = linalg.add ins({before}, %p{step} : {row}, {row}) "
            f"outs(%e : {row}) -> {row}",
            f"  %h{step} = linalg.tanh ins(%s{step} : {row}) outs(%e : {row}) -> {row}",
        ]
        before = f"%h{step}"
    made = ", ".join(f"%h{step}" for step in range(count))
    return (
        f"func.func @f(%h: {row}, %w: tensor<32x32xf32>) -> {all_} {{\n"
        + "\n".join(lines)
        + f"\n  %y = tensor.concat dim(0) {made} : ({', '.join([row] * count)}) "
        f"-> {all_}\n  return %y : {all_}\n}}"
    )


def test_parts_of_the_result_are_computed_in_place(parse: Parse):
    """As many buffers as with two steps; nothing is copied."""
    figures: list[Any] = []
    rng = np.random.default_rng(0)
    h, w = rng.uniform(-1, 1, (1, 32)), rng.uniform(-0.2, 0.2, (32, 32))
    for count in (2, 16):
        module = parse(_recurrent(count))
        PassPipeline(default_passes()).apply(get_context(), module)
        compiled = compile_module(module, count_copies=True)
        result = compiled["f"](h.astype(np.float32), w.astype(np.float32))
        value, expected = h, list[Any]()
        for _ in range(count):
            value = np.tanh(value + value @ w)
            expected.append(value)
        np.testing.assert_allclose(result, np.concatenate(expected), atol=1e-5)
        heap: Any = compiled.heap
        figures.append(heap.report())
    assert figures[0].copies == figures[1].copies
    assert figures[0].allocs == figures[1].allocs


def test_the_code_does_not_grow_with_the_steps(parse: Parse):
    sizes: list[int] = []
    for count in (16, 64):
        module = parse(_recurrent(count))
        PassPipeline(default_passes()).apply(get_context(), module)
        sizes.append(len(ops_inside(module)))
    assert sizes[0] == sizes[1]


def test_no_concatenation_is_left(parse: Parse):
    module = parse(_recurrent(9))
    roll_equal_steps(module)
    assert _loops(module) == 1
    assert not any(isinstance(op, ConcatOp) for op in ops_inside(module))

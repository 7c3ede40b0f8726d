"""Convolutions of concatenations, with parts of different lives, against NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness.programs.random_windows import Shape, tensor
from harness.volume.model_stages import Model, check_model
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.tensor import ConcatOp

from xdsl_bufferization import jit
from xdsl_bufferization.optimization.packing.split_concats import split_concats
from xdsl_bufferization.support.traversal import ops_inside

SEEDS = 8


class _Program:
    """Images that are computed one after the other, and put together at the end."""

    def __init__(self, seed: int):
        self._rng = np.random.default_rng(seed)
        self._arguments: list[str] = []
        self._lines: list[str] = []
        self.shapes: list[Shape] = []
        self._sizes = (int(self._rng.integers(1, 3)), 5, int(self._rng.integers(4, 9)))
        value, images = self._image(3), list[tuple[str, int]]()
        for _ in range(int(self._rng.integers(1, 4))):
            value = self._convolution(value, int(self._rng.choice((16, 32, 48, 20))))
            images.append(value)
        parts = [images[int(n)] for n in self._rng.integers(len(images), size=2)]
        parts += [self._image(16)] * int(self._rng.integers(2))
        parts = [parts[int(n)] for n in self._rng.permutation(len(parts))]
        joined = self._concat(parts)
        results = [
            self._convolution(joined, int(self._rng.choice((2, 16, 40))))
            for _ in range(int(self._rng.choice((1, 1, 1, 2))))
        ]
        if self._rng.integers(3) == 0:
            results.append(images[-1])
        names = ", ".join(name for name, _ in results)
        types = ", ".join(tensor(self._shape(channels)) for _, channels in results)
        body = "\n".join(self._lines)
        self.text = (
            f"func.func @entry({', '.join(self._arguments)}) -> ({types}) {{\n"
            f"%zero = arith.constant 0.0 : f32\n{body}\nreturn {names} : {types}\n}}"
        )

    def _shape(self, channels: int) -> Shape:
        batch, height, width = self._sizes
        return batch, channels, height, width

    def _argument(self, shape: Shape) -> str:
        name = f"%a{len(self._arguments)}"
        self._arguments.append(f"{name}: {tensor(shape)}")
        self.shapes.append(shape)
        return name

    def _image(self, channels: int) -> tuple[str, int]:
        return self._argument(self._shape(channels)), channels

    def _emit(self, text: str) -> str:
        self._lines.append(f"%{len(self._lines)} = {text}")
        return f"%{len(self._lines) - 1}"

    def _convolution(self, image: tuple[str, int], channels: int) -> tuple[str, int]:
        """With a border of zeros for windows of 3x3; some have a bias, and ReLU."""
        value, inputs = image
        kernel = int(self._rng.choice((1, 3)))
        shape = self._shape(inputs)
        if kernel == 3:
            old = tensor(shape)
            shape = (*shape[:2], shape[2] + 2, shape[3] + 2)
            value = self._emit(
                f"tensor.pad {value} low[0, 0, 1, 1] high[0, 0, 1, 1] {{\n"
                "^bb0(%i: index, %j: index, %k: index, %l: index):\n"
                f"  tensor.yield %zero : f32\n}} : {old} to {tensor(shape)}"
            )
        weights = (channels, inputs, kernel, kernel)
        result = tensor(self._shape(channels))
        empty = self._emit(f"tensor.empty() : {result}")
        start = self._emit(
            f"linalg.fill ins(%zero : f32) outs({empty} : {result}) -> {result}"
        )
        if self._rng.integers(2):
            bias = self._argument((channels,))
            start = self._emit(
                f"linalg.broadcast ins({bias} : {tensor((channels,))}) "
                f"outs({empty} : {result}) dimensions = [0, 2, 3]"
            )
        name = self._emit(
            f"linalg.conv_2d_nchw_fchw ins({value}, {self._argument(weights)} : "
            f"{tensor(shape)}, {tensor(weights)}) outs({start} : {result}) -> {result}"
        )
        if self._rng.integers(2):
            zeros = self._emit(
                f"linalg.fill ins(%zero : f32) outs({empty} : {result}) -> {result}"
            )
            name = self._emit(
                f"linalg.max ins({name}, {zeros} : {result}, {result}) "
                f"outs({empty} : {result}) -> {result}"
            )
        return name, channels

    def _concat(self, parts: list[tuple[str, int]]) -> tuple[str, int]:
        channels = sum(each for _, each in parts)
        names = ", ".join(name for name, _ in parts)
        types = ", ".join(tensor(self._shape(each)) for _, each in parts)
        result = tensor(self._shape(channels))
        return (
            self._emit(f"tensor.concat dim(1) {names} : ({types}) -> {result}"),
            channels,
        )


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_pass_keeps_the_meaning(seed: int) -> None:
    model = Model("concats", _Program(seed).text, "f32", 6)
    assert check_model(model, seed) >= 4


def test_concatenations_with_a_part_that_others_read_go(
    parse: Callable[[str], ModuleOp],
) -> None:
    counts = {True: 0, False: 0}
    for seed in range(40):
        module = parse(_Program(seed).text)
        split_concats(module)
        module.verify()
        counts[any(isinstance(op, ConcatOp) for op in ops_inside(module))] += 1
    assert min(counts.values()) > 5


@pytest.mark.parametrize("seed", range(SEEDS, SEEDS + 3))
def test_two_threads_give_the_bits_of_one(seed: int) -> None:
    program = _Program(seed)
    rng = np.random.default_rng(seed)
    arguments = [rng.normal(size=s).astype(np.float32) for s in program.shapes]
    one, two = (jit(program.text, threads=n)(*arguments) for n in (1, 2))
    is_single = isinstance(one, np.ndarray)
    results: list[Any] = [one, two] if is_single else [*zip(one, two, strict=True)]
    for each, other in [results] if is_single else results:
        np.testing.assert_array_equal(each, other)

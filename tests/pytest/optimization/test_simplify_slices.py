"""Slices that are taken of parts have the numbers that they had, against NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
from harness.programs.random_windows import Shape, tensor
from harness.running.growth import growth
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import TransposeOp
from xdsl.dialects.tensor import ConcatOp

from xdsl_bufferization import jit
from xdsl_bufferization.dialects.common.reshape_algebra import merge_static
from xdsl_bufferization.optimization.simplify.simplify_slices import simplify_slices
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.traversal import ops_inside

Parse = Callable[[str], ModuleOp]
SHAPES: tuple[Shape, ...] = ((1, 2, 3), (2, 1, 1))
PROGRAMS = 120


class _Program:
    """Concatenations, transposes and slices of two arguments, and of each other."""

    def __init__(self, seed: int):
        self._rng = np.random.default_rng(seed)
        self._lines: list[str] = []
        self._values = [("%x", SHAPES[0]), ("%y", SHAPES[1])]
        for _ in range(8):
            steps = (self._concat, self._transpose, self._slice, self._squeeze)
            steps[self._rng.integers(4)]()
        self._slice()
        name, shape = self._values[-1]
        arguments = ", ".join(f"{n}: {tensor(s)}" for n, s in self._values[:2])
        self.text = "\n".join(
            (
                f"func.func @f({arguments}) -> {tensor(shape)} {{",
                *self._lines,
                f"return {name} : {tensor(shape)}",
                "}",
            )
        )

    def _add(self, text: str, shape: Shape) -> None:
        name = f"%{len(self._values)}"
        self._values.append((name, shape))
        self._lines.append(f"{name} = {text}")

    def _any(self) -> tuple[str, Shape]:
        return self._values[-1 - int(self._rng.integers(min(3, len(self._values))))]

    def _concat(self) -> None:
        (_, shape), dim = self._any(), int(self._rng.integers(3))
        fitting = [
            (name, other)
            for name, other in self._values
            if all(
                a == b
                for d, (a, b) in enumerate(zip(shape, other, strict=True))
                if d != dim
            )
        ]
        parts = [fitting[int(n)] for n in self._rng.integers(len(fitting), size=3)]
        size = sum(other[dim] for _, other in parts)
        result = tuple(size if d == dim else n for d, n in enumerate(shape))
        names = ", ".join(name for name, _ in parts)
        types = ", ".join(tensor(other) for _, other in parts)
        self._add(
            f"tensor.concat dim({dim}) {names} : ({types}) -> {tensor(result)}", result
        )

    def _transpose(self) -> None:
        name, shape = self._any()
        order = [int(d) for d in self._rng.permutation(3)]
        result = tuple(shape[d] for d in order)
        empty = f"%e{len(self._values)}"
        self._lines.append(f"{empty} = tensor.empty() : {tensor(result)}")
        self._add(
            f"linalg.transpose ins({name} : {tensor(shape)}) outs({empty} : "
            f"{tensor(result)}) permutation = {order}",
            result,
        )

    def _slice(self) -> None:
        name, shape = self._any()
        offsets = [int(self._rng.integers(size)) for size in shape]
        strides = [int(self._rng.integers(1, 3)) for _ in shape]
        most = [
            -(-(size - offset) // stride)
            for size, offset, stride in zip(shape, offsets, strides, strict=True)
        ]
        sizes = tuple(int(self._rng.integers(1, each + 1)) for each in most)
        self._add(
            f"tensor.extract_slice {name}{offsets} {list(sizes)} {strides} : "
            f"{tensor(shape)} to {tensor(sizes)}",
            sizes,
        )

    def _squeeze(self) -> None:
        """Leave out sizes of 1, by a reshape or a slice; then put them in front."""
        name, shape = self._any()
        sizes = tuple(size for size in shape if size != 1)
        missing = len(shape) - len(sizes)
        if not missing or not sizes:
            return
        small, types = f"%s{len(self._values)}", f"{tensor(shape)} to {tensor(sizes)}"
        offsets, ones = [0] * len(shape), [1] * len(shape)
        text = f"tensor.extract_slice {name}{offsets} {list(shape)} {ones} : {types}"
        if self._rng.integers(2):
            groups = merge_static(shape, sizes)
            types = f"{tensor(shape)} into {tensor(sizes)}"
            text = f"tensor.collapse_shape {name} {groups} : {types}"
        self._lines.append(f"{small} = {text}")
        result = (*[1] * missing, *sizes)
        groups = merge_static(result, sizes)
        self._add(
            f"tensor.expand_shape {small} {groups} output_shape {list(result)} : "
            f"{tensor(sizes)} into {tensor(result)}",
            result,
        )


def _arguments() -> list[np.ndarray[Any, np.dtype[np.float32]]]:
    rng = np.random.default_rng(0)
    return [rng.uniform(-1, 1, shape).astype(np.float32) for shape in SHAPES]


def _count(module: ModuleOp) -> int:
    return sum(isinstance(op, ConcatOp | TransposeOp) for op in ops_inside(module))


def test_random_programs_mean_the_same(parse: Parse) -> None:
    fewer = 0
    for seed in range(PROGRAMS):
        module = parse(_Program(seed).text)
        wanted = evaluate(module, "f", _arguments())
        before = _count(module)
        simplify_slices(module)
        module.verify()
        fewer += _count(module) < before
        np.testing.assert_array_equal(evaluate(module, "f", _arguments()), wanted)
    assert fewer > PROGRAMS // 2


def test_compiled_programs_give_the_same_bits(parse: Parse) -> None:
    for seed in range(4):
        text = _Program(seed).text
        (wanted,) = evaluate(parse(text), "f", _arguments())
        np.testing.assert_array_equal(jit(text)(*_arguments()), wanted)


def _steps(count: int) -> str:
    """All parts of a concatenation, taken out of it again."""
    part, whole = "tensor<1x2xf32>", f"tensor<{count}x2xf32>"
    names, types = ", ".join(["%x"] * count), ", ".join([part] * count)
    slices = "\n".join(
        f"%{n} = tensor.extract_slice %w[{n}, 0] [1, 2] [1, 1] : {whole} to {part}"
        for n in range(count)
    )
    return (
        f"func.func @f(%x: {part}) -> {part} {{\n"
        f"%w = tensor.concat dim(0) {names} : ({types}) -> {whole}\n{slices}\n"
        f"return %{count - 1} : {part}\n}}"
    )


def test_work_grows_linearly(parse: Parse) -> None:
    small, large = parse(_steps(50)), parse(_steps(200))
    assert growth(simplify_slices, small, large) < 4.8

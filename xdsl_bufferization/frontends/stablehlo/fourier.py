"""Fourier transforms as products with matrices, in StableHLO.

    stablehlo.fft of 1024 elements    ->    32 transforms of 32, turned, and 32 of 32

A transform of n = r * m elements is m transforms of r elements, products with roots of
unity, and r transforms of m elements (J. Cooley and J. Tukey, 1965). What is not
divided further is a product with a matrix, for which there are kernels.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

_DENSE: Final = 64
"""So many elements are transformed by a matrix."""

LONGEST_PRIME: Final = 512
"""The most elements of a transform whose number has no factors."""


def largest_prime(size: int) -> int:
    """The largest prime factor of a number."""
    factor, largest = 2, 1
    while factor * factor <= size:
        while size % factor == 0:
            size, largest = size // factor, factor
        factor += 1
    return max(largest, size)


@dataclass(frozen=True)
class _Complex:
    """The names of two tensors of a shape: the real and the imaginary parts."""

    real: str
    imaginary: str | None
    """None: zeros."""

    shape: tuple[int, ...]


class _Text:
    """The body of a function, written op by op."""

    def __init__(self, element: str):
        self.element = element
        self.lines: list[str] = []

    def type(self, shape: Sequence[int], element: str | None = None) -> str:
        return f"tensor<{'x'.join([*map(str, shape), element or self.element])}>"

    def op(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def binary(self, op: str, a: str, b: str, shape: Sequence[int]) -> str:
        return self.op(f"stablehlo.{op} {a}, {b} : {self.type(shape)}")

    def constant(self, array: NDArray[np.float64]) -> str:
        text = str(array.tolist()) if array.ndim else repr(float(array))
        return self.op(f"stablehlo.constant dense<{text}> : {self.type(array.shape)}")

    def moved(
        self, x: _Complex, shape: Sequence[int], op: Callable[[str], str]
    ) -> _Complex:
        """What an op makes of both parts, which have another shape then."""
        types = f"({self.type(x.shape)}) -> {self.type(shape)}"
        real = self.op(f"{op(x.real)} : {types}")
        imaginary = None
        if x.imaginary is not None:
            imaginary = self.op(f"{op(x.imaginary)} : {types}")
        return _Complex(real, imaginary, tuple(shape))

    def reshape(self, x: _Complex, *shape: int) -> _Complex:
        return self.moved(x, shape, lambda part: f"stablehlo.reshape {part}")

    def transpose(self, x: _Complex, *order: int) -> _Complex:
        shape = tuple(x.shape[n] for n in order)
        dims = [*order]
        return self.moved(
            x, shape, lambda part: f"stablehlo.transpose {part}, dims = {dims}"
        )

    def part(self, x: _Complex, count: int) -> _Complex:
        """The first elements of each row."""
        shape = (x.shape[0], count)
        ranges = f"[0:{x.shape[0]}, 0:{count}]"
        return self.moved(x, shape, lambda part: f"stablehlo.slice {part} {ranges}")

    def product(self, x: str, rows: int, matrix: str, sizes: tuple[int, int]) -> str:
        types = f"({self.type((rows, sizes[0]))}, {self.type(sizes)})"
        return self.op(
            f"stablehlo.dot_general {x}, {matrix}, contracting_dims = [1] x [0] : "
            f"{types} -> {self.type((rows, sizes[1]))}"
        )

    def times(self, x: _Complex, factors: NDArray[np.complex128]) -> _Complex:
        """A product of each row, or of all elements, with numbers that are known."""
        assert x.imaginary is not None
        names: list[str] = []
        dims = [*range(len(x.shape) - factors.ndim, len(x.shape))]
        for each in (factors.real, factors.imag):
            constant = self.constant(np.asarray(each))
            types = f"({self.type(factors.shape)}) -> {self.type(x.shape)}"
            text = f"stablehlo.broadcast_in_dim {constant}, dims = {dims} : {types}"
            names.append(self.op(text))
        parts = [
            self.binary("multiply", one, other, x.shape)
            for one, other in zip(
                (x.real, x.imaginary, x.real, x.imaginary),
                (names[0], names[1], names[1], names[0]),
                strict=True,
            )
        ]
        return _Complex(
            self.binary("subtract", parts[0], parts[1], x.shape),
            self.binary("add", parts[2], parts[3], x.shape),
            x.shape,
        )

    def transform(self, x: _Complex, sign: int) -> _Complex:
        """The transforms of all rows."""
        rows, size = x.shape
        inner = _factor(size)
        if inner is None:
            return self._dense(x, sign)
        outer = size // inner
        x = self.transpose(self.reshape(x, rows, inner, outer), 0, 2, 1)
        x = self._dense(self.reshape(x, rows * outer, inner), sign)
        x = self.reshape(x, rows, outer, inner)
        x = self.times(x, _roots(np.arange(outer), np.arange(inner), size, sign))
        x = self.reshape(self.transpose(x, 0, 2, 1), rows * inner, outer)
        x = self.reshape(self.transform(x, sign), rows, inner, outer)
        return self.reshape(self.transpose(x, 0, 2, 1), rows, size)

    def _dense(self, x: _Complex, sign: int) -> _Complex:
        rows, size = x.shape
        places = np.arange(size)
        roots = _roots(places, places, size, sign)
        cosines, sines = self.constant(roots.real), self.constant(roots.imag)

        def product(part: str, matrix: str) -> str:
            return self.product(part, rows, matrix, (size, size))

        real, imaginary = product(x.real, cosines), product(x.real, sines)
        if x.imaginary is not None:
            others = product(x.imaginary, sines), product(x.imaginary, cosines)
            real = self.binary("subtract", real, others[0], x.shape)
            imaginary = self.binary("add", imaginary, others[1], x.shape)
        return _Complex(real, imaginary, x.shape)


def _factor(size: int) -> int | None:
    """A factor that a matrix transforms; None if `size` is small or prime.

    Two matrices suffice for most sizes, and are the faster the smaller they are.
    """
    if size <= _DENSE:
        return None
    small = [each for each in range(2, _DENSE + 1) if size % each == 0]
    pairs = [each for each in small if size // each <= _DENSE]
    if pairs:
        return min(pairs, key=lambda each: each + size // each)
    if small:
        return small[-1]
    factors = [each for each in range(2, size) if size % each == 0]
    return factors[0] if factors else None


def _roots(
    rows: NDArray[np.int64], columns: NDArray[np.int64], size: int, sign: int
) -> NDArray[np.complex128]:
    """Roots of unity by the products of two numbers."""
    turns = np.outer(rows, columns) % size
    return np.exp(sign * 2j * pi * turns / size)


def transform_text(
    name: str, kind: str, lengths: Sequence[int], shape: Sequence[int], element: str
) -> str:
    """The text of a function for `stablehlo.fft` of a tensor of a shape."""
    text = _Text(element)
    is_inverse = kind in ("IFFT", "IRFFT")
    sign = 1 if is_inverse else -1
    wide = f"complex<{element}>"
    given = text.type(shape, element if kind == "RFFT" else wide)
    if kind == "RFFT":
        x = _Complex("%arg0", None, tuple(shape))
    else:
        parts = [
            text.op(f"stablehlo.{each} %arg0 : ({given}) -> {text.type(shape)}")
            for each in ("real", "imag")
        ]
        x = _Complex(parts[0], parts[1], tuple(shape))
    rank, count = len(shape), len(lengths)
    axes = [*range(rank - count, rank)]
    if kind != "IRFFT":
        axes.reverse()
    for axis in axes:
        is_last = axis == rank - 1
        x = _along(text, x, axis, sign, lengths[axis - rank], kind if is_last else "")
    if is_inverse:
        x = text.times(x, np.array(1 / prod(lengths), np.complex128))
    if kind == "IRFFT":
        result, type_ = x.real, text.type(x.shape)
    else:
        type_ = text.type(x.shape, wide)
        types = f"({text.type(x.shape)}, {text.type(x.shape)}) -> {type_}"
        result = text.op(f"stablehlo.complex {x.real}, {x.imaginary} : {types}")
    body = "\n".join(text.lines)
    return (
        f"func.func private @{name}(%arg0: {given}) -> {type_} {{\n{body}\n"
        f"return {result} : {type_}\n}}"
    )


def _along(
    text: _Text, x: _Complex, axis: int, sign: int, length: int, kind: str
) -> _Complex:
    """The transforms along one dimension; `kind` is what is real, at the last one."""
    order = [*range(len(x.shape))]
    order[axis], order[-1] = order[-1], order[axis]
    x = text.transpose(x, *order)
    shape = x.shape
    x = text.reshape(x, prod(shape[:-1]), shape[-1])
    if kind == "IRFFT":
        x = _whole(text, x, length)
    x = text.transform(x, sign)
    if kind == "RFFT":
        x = text.part(x, length // 2 + 1)
    x = text.reshape(x, *shape[:-1], x.shape[-1])
    return text.transpose(x, *order)


def _whole(text: _Text, x: _Complex, length: int) -> _Complex:
    """Each row with the half that is left out: the conjugates in the other order."""
    rows, half = x.shape
    rest = length - half
    if rest <= 0:
        return x
    assert x.imaginary is not None
    inner = text.type((rows, rest))
    bounds = f"[0:{rows}, 1:{rest + 1}]"
    parts: list[str] = []
    for part in (x.real, x.imaginary):
        types = f"({text.type(x.shape)}) -> {inner}"
        cut = text.op(f"stablehlo.slice {part} {bounds} : {types}")
        turned = text.op(f"stablehlo.reverse {cut}, dims = [1] : {inner}")
        if part == x.imaginary:
            turned = text.op(f"stablehlo.negate {turned} : {inner}")
        whole = text.type((rows, length))
        types = f"({text.type(x.shape)}, {inner}) -> {whole}"
        parts.append(
            text.op(f"stablehlo.concatenate {part}, {turned}, dim = 1 : {types}")
        )
    return _Complex(parts[0], parts[1], (rows, length))

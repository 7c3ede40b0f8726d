"""Products and convolutions, in all layouts, against their definitions."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from harness.running.stablehlo_ops import ELEMENTS, run_text, tensor

from xdsl_bufferization import jit


def _random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


Dims = list[int]
Product = tuple[
    tuple[int, ...], tuple[int, ...], tuple[Dims, Dims], tuple[Dims, Dims], str
]


PRODUCTS: list[Product] = [
    ((4, 5), (5, 6), ([], []), ([1], [0]), "ij,jk->ik"),
    ((5,), (5,), ([], []), ([0], [0]), "i,i->"),
    ((5,), (3, 5), ([], []), ([0], [1]), "i,ji->j"),
    ((4,), (3,), ([], []), ([], []), "i,j->ij"),
    ((2, 3, 4, 5), (2, 3, 6, 5), ([0, 1], [0, 1]), ([3], [3]), "abij,abkj->abik"),
    ((4, 2, 5), (5, 3, 2), ([1], [2]), ([2], [0]), "ibj,jkb->bik"),
    ((4, 2, 3), (3, 2, 5), ([], []), ([1, 2], [1, 0]), "iab,baj->ij"),
    ((2, 0), (0, 3), ([], []), ([1], [0]), "ij,jk->ik"),
]


@pytest.mark.parametrize(
    ("left", "right", "batching", "contracting", "subscripts"), PRODUCTS
)
def test_products(
    left: tuple[int, ...],
    right: tuple[int, ...],
    batching: tuple[Dims, Dims],
    contracting: tuple[Dims, Dims],
    subscripts: str,
) -> None:
    a, b = _random(*left), _random(*right)
    expected = np.einsum(subscripts, a, b)
    batches = f"batching_dims = {batching[0]} x {batching[1]}, " if batching[0] else ""
    sums = f"contracting_dims = {contracting[0]} x {contracting[1]}"
    result = run_text(
        f"""func.func @main(%a: {tensor(a)}, %b: {tensor(b)}) -> {tensor(expected)} {{
  %0 = stablehlo.dot_general %a, %b, {batches}{sums}
      : ({tensor(a)}, {tensor(b)}) -> {tensor(expected)}
  return %0 : {tensor(expected)}
}}""",
        a,
        b,
    )
    np.testing.assert_allclose(result, expected, 1e-5, 1e-6)


@pytest.mark.parametrize(
    ("dtype", "result"),
    [
        (np.uint8, np.int32),
        (np.int8, np.int32),
        (np.int32, np.int32),
        (np.bool_, np.bool_),
        (np.complex64, np.complex64),
    ],
)
def test_products_of_other_elements(dtype: Any, result: Any) -> None:
    generator = np.random.default_rng(3)
    a, b = (
        generator.integers(0, 256, shape).astype(dtype) for shape in [(2, 3), (3, 4)]
    )
    if dtype is np.complex64:
        a, b = a * np.complex64(1 + 2j), b * np.complex64(2 - 1j)
    expected = a.astype(result) @ b.astype(result)
    type_ = f"tensor<2x4x{ELEMENTS[np.dtype(result).name]}>"
    got = run_text(
        f"""func.func @main(%a: {tensor(a)}, %b: {tensor(b)}) -> {type_} {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : ({tensor(a)}, {tensor(b)}) -> {type_}
  return %0 : {type_}
}}""",
        a,
        b,
    )
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("is_optimized", [True, False])
@pytest.mark.parametrize("result", [np.float16, np.float32])
def test_sums_of_small_numbers_are_rounded_once(
    is_optimized: bool, result: type[np.floating[Any]]
) -> None:
    a, b = (_random(*shape).astype(np.float16) for shape in [(3, 1000), (1000, 4)])
    expected = (a.astype(np.float64) @ b.astype(np.float64)).astype(result)
    window = np.ascontiguousarray(a[:, None, None])
    kernel = np.ascontiguousarray(b.T[:, None, None])
    of = tensor(expected)
    of_windows = of.replace("x4x", "x4x1x1x")
    found: Any = jit(
        f"""func.func @main(%a: {tensor(a)}, %b: {tensor(b)}, %w: {tensor(window)},
    %k: {tensor(kernel)}) -> ({of}, {of_windows}) {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : ({tensor(a)}, {tensor(b)}) -> {of}
  %1 = stablehlo.convolution(%w, %k)
      dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
      window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
      : ({tensor(window)}, {tensor(kernel)}) -> {of_windows}
  return %0, %1 : {of}, {of_windows}
}}""",
        optimize=is_optimized,
    )(a, b, window, kernel)
    ulp = 1e-5 if result is np.float32 else 2.0**-10
    for each in found:
        assert each.dtype == result
        np.testing.assert_allclose(each.reshape(3, 4), expected, ulp, 1e-4)


@dataclass(frozen=True)
class Convolution:
    """A convolution; sizes are of the canonical layouts, `bf01` and `oi01`."""

    source: tuple[int, ...] = (2, 3, 6, 5)
    kernel: tuple[int, ...] = (4, 3, 3, 2)
    layouts: tuple[str, str, str] = ("bf01", "oi01", "bf01")
    strides: tuple[int, int] = (1, 1)
    padding: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    lhs: tuple[int, int] = (1, 1)
    rhs: tuple[int, int] = (1, 1)
    turned: tuple[bool, bool] = (False, False)
    features: int = 1
    batches: int = 1


def _spread(x: np.ndarray, by: tuple[int, int]) -> np.ndarray:
    """With zeros between the elements in space."""
    rows, columns = ((n - 1) * d + 1 for n, d in zip(x.shape[2:], by, strict=True))
    result = np.zeros((*x.shape[:2], rows, columns), x.dtype)
    result[:, :, :: by[0], :: by[1]] = x
    return result


def _with_padding(
    x: np.ndarray, padding: tuple[tuple[int, int], tuple[int, int]]
) -> np.ndarray:
    """With zeros around; what is negative is cut off."""
    more = [(max(low, 0), max(high, 0)) for low, high in padding]
    x = np.pad(x, ((0, 0), (0, 0), *more))
    (a, b), (c, d) = ((max(-low, 0), max(-high, 0)) for low, high in padding)
    return x[:, :, a : x.shape[2] - b, c : x.shape[3] - d]


def _expected(c: Convolution, x: np.ndarray, k: np.ndarray) -> np.ndarray:
    """By the definition, in the canonical layouts."""
    if c.features > 1:
        parts = zip(np.split(x, c.features, 1), np.split(k, c.features, 0), strict=True)
        one = replace(c, features=1)
        return np.concatenate([_expected(one, *part) for part in parts], 1)
    if c.batches > 1:
        parts = zip(np.split(x, c.batches, 0), np.split(k, c.batches, 0), strict=True)
        one = replace(c, batches=1)
        return np.concatenate([_expected(one, *part) for part in parts], 1)
    x = _with_padding(_spread(x, c.lhs), c.padding)
    k = k[:, :, :: -1 if c.turned[0] else 1, :: -1 if c.turned[1] else 1]
    k = _spread(k, c.rhs)
    if any(n < m for n, m in zip(x.shape[2:], k.shape[2:], strict=True)):
        sizes = (max(0, n - m + 1) for n, m in zip(x.shape, k.shape, strict=True))
        return np.zeros((len(x), len(k), *[*sizes][2:]), x.dtype)
    windows = np.lib.stride_tricks.sliding_window_view(x, k.shape[2:], (2, 3))
    windows = windows[:, :, :: c.strides[0], :: c.strides[1]]
    return np.einsum("bihwyx,oiyx->bohw", windows, k)


CONVOLUTIONS = {
    "plain": Convolution(),
    "same": Convolution(padding=((1, 1), (0, 1)), strides=(2, 1)),
    "channels last": Convolution(layouts=("b01f", "01io", "b01f"), rhs=(2, 1)),
    "mixed": Convolution(layouts=("f01b", "i01o", "01bf"), padding=((2, 1), (1, 1))),
    "of a gradient": Convolution(lhs=(2, 3), padding=((1, 2), (2, 0))),
    "cut": Convolution(padding=((-1, 2), (1, -2))),
    "turned": Convolution(turned=(True, False), rhs=(1, 2)),
    "groups": Convolution((2, 4, 6, 5), (6, 2, 3, 2), features=2),
    "depthwise": Convolution(
        (1, 3, 6, 5), (6, 1, 3, 2), ("b01f", "01io", "b01f"), features=3
    ),
    "no place for the kernel": Convolution((2, 3, 6, 1), padding=((1, 1), (0, 0))),
    "groups of a batch": Convolution((4, 3, 6, 5), (6, 3, 3, 2), batches=2),
}


def _moved(array: np.ndarray, letters: str, layout: str) -> np.ndarray:
    return np.ascontiguousarray(
        array.transpose([letters.index(each) for each in layout])
    )


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(name: str) -> None:
    c = CONVOLUTIONS[name]
    x, k = _random(*c.source), _random(*c.kernel)
    expected = _moved(_expected(c, x, k), "bf01", c.layouts[2])
    x, k = _moved(x, "bf01", c.layouts[0]), _moved(k, "oi01", c.layouts[1])
    first, second, third = (f"[{', '.join(layout)}]" for layout in c.layouts)
    turned = str([*c.turned]).lower()
    padding = str([list(pair) for pair in c.padding])
    result = run_text(
        f"""func.func @main(%x: {tensor(x)}, %k: {tensor(k)}) -> {tensor(expected)} {{
  %0 = stablehlo.convolution(%x, %k) dim_numbers = {first}x{second}->{third},
      window = {{stride = {[*c.strides]}, pad = {padding}, lhs_dilate = {[*c.lhs]},
                rhs_dilate = {[*c.rhs]}, reverse = {turned}}}
      {{batch_group_count = {c.batches} : i64,
        feature_group_count = {c.features} : i64}}
      : ({tensor(x)}, {tensor(k)}) -> {tensor(expected)}
  return %0 : {tensor(expected)}
}}""",
        x,
        k,
    )
    np.testing.assert_allclose(result, expected, 1e-5, 1e-5)

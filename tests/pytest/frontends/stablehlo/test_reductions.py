"""Reductions, windows, scans, sorts, gathers and scatters against slow definitions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from harness.running.stablehlo_ops import run_text, tensor

import xdsl_bufferization as xbuf
from xdsl_bufferization.frontends.stablehlo.stablehlo_legalize_to_linalg import (
    stablehlo_legalize_to_linalg,
)
from xdsl_bufferization.support.errors import OperationError


def _random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def _region(name: str, element: str = "f32") -> str:
    """A region that applies an op to its two arguments."""
    return (
        f"({{\n^bb0(%a: tensor<{element}>, %b: tensor<{element}>):\n"
        f"  %c = stablehlo.{name} %a, %b : tensor<{element}>\n"
        f"  stablehlo.return %c : tensor<{element}>\n}})"
    )


def _window(
    x: np.ndarray,
    name: str,
    init: float,
    window: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    dilations: Sequence[int],
    shape: tuple[int, ...],
) -> np.ndarray:
    element = {"float32": "f32", "int32": "i32"}[x.dtype.name]
    low_high = str([list(pair) for pair in padding])
    result = f"tensor<{'x'.join(map(str, shape))}x{element}>"
    number = f"{init:e}" if element == "f32" else str(int(init))
    number = "0xFF800000" if init == -np.inf else number
    return run_text(
        f"""func.func @main(%x: {tensor(x)}) -> {result} {{
  %i = stablehlo.constant dense<{number}> : tensor<{element}>
  %0 = "stablehlo.reduce_window"(%x, %i) <{{
      padding = dense<{low_high}> : tensor<{len(window)}x2xi64>,
      window_dilations = array<i64: {", ".join(map(str, dilations))}>,
      window_dimensions = array<i64: {", ".join(map(str, window))}>,
      window_strides = array<i64: {", ".join(map(str, strides))}>}}>
    {_region(name, element)}
    : ({tensor(x)}, tensor<{element}>) -> {result}
  return %0 : {result}
}}""",
        x,
    )


FUNCTIONS = {"add": np.sum, "maximum": np.max, "multiply": np.prod}


@pytest.mark.parametrize(
    ("name", "init", "window", "strides", "padding", "dilations"),
    [
        ("add", 0.0, (2, 3), (1, 2), ((0, 1), (1, 1)), (1, 1)),
        ("maximum", -np.inf, (3, 2), (2, 1), ((1, 2), (0, 1)), (1, 2)),
        ("multiply", 1.0, (1, 4), (1, 1), ((0, 0), (0, 0)), (1, 1)),
    ],
)
def test_windows(
    name: str,
    init: float,
    window: tuple[int, int],
    strides: tuple[int, int],
    padding: tuple[tuple[int, int], ...],
    dilations: tuple[int, int],
) -> None:
    x = _random(6, 7)
    padded = np.pad(x, padding, constant_values=init)
    spans = [(w - 1) * d + 1 for w, d in zip(window, dilations, strict=True)]
    shape = tuple(
        (n - span) // s + 1
        for n, span, s in zip(padded.shape, spans, strides, strict=True)
    )
    expected = np.empty(shape, np.float32)
    for i, j in np.ndindex(*shape):
        a, b = i * strides[0], j * strides[1]
        part = padded[a : a + spans[0] : dilations[0], b : b + spans[1] : dilations[1]]
        expected[i, j] = FUNCTIONS[name](part)
    result = _window(x, name, init, window, strides, padding, dilations, shape)
    np.testing.assert_allclose(result, expected, 1e-6)


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_a_window_that_ends_at_its_element_is_a_scan(
    is_reversed: bool, dtype: Any
) -> None:
    x = (_random(3, 5) * 10).astype(dtype)
    padding = ((0, 0), (0, 4) if is_reversed else (4, 0))
    result = _window(x, "add", 0, (1, 5), (1, 1), padding, (1, 1), (3, 5))
    turned = x[:, ::-1] if is_reversed else x
    expected = np.cumsum(turned, 1, dtype=dtype)
    expected = expected[:, ::-1] if is_reversed else expected
    np.testing.assert_allclose(result, expected, 1e-6)


def test_reductions_start_with_their_first_value() -> None:
    x = _random(3, 4, 5)
    result = run_text(
        """func.func @main(%x: tensor<3x4x5xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.maximum
      across dimensions = [0, 2] : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""",
        x,
        np.array(0.5, "f4"),
    )
    np.testing.assert_array_equal(result, np.maximum(x.max((0, 2)), np.float32(0.5)))


def test_the_maximum_of_nan_is_nan() -> None:
    result = run_text(
        """func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [0]
      : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}""",
        np.array([1, np.nan, 2], "f4"),
    )
    assert np.isnan(result)


def test_sorts_are_stable_and_take_tensors_together() -> None:
    keys = np.array([[3, 1, 2, 1, 3, 1]] * 2, np.int32)
    keys[1] = keys[1, ::-1]
    places = np.broadcast_to(np.arange(6, dtype=np.uint8), (2, 6)).copy()
    ordered, moved = run_text(
        """func.func @main(%x: tensor<2x6xi32>, %n: tensor<2x6xui8>)
    -> (tensor<2x6xi32>, tensor<2x6xui8>) {
  %0:2 = "stablehlo.sort"(%x, %n) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %i: tensor<ui8>, %j: tensor<ui8>):
    %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x6xi32>, tensor<2x6xui8>) -> (tensor<2x6xi32>, tensor<2x6xui8>)
  return %0#0, %0#1 : tensor<2x6xi32>, tensor<2x6xui8>
}""",
        keys,
        places,
    )
    order = np.argsort(-keys, axis=1, kind="stable")
    assert ordered.tolist() == np.take_along_axis(keys, order, 1).tolist()
    assert moved.tolist() == order.tolist()


def test_the_largest_elements_come_first_and_nan_before_all() -> None:
    x = np.array([[1, np.nan, 3, 3], [0, -1, -0.0, 2]], "f4")
    values, places = run_text(
        """func.func @main(%x: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %v, %i = chlo.top_k(%x, k = 3) : tensor<2x4xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %v, %i : tensor<2x3xf32>, tensor<2x3xi32>
}""",
        x,
    )
    np.testing.assert_array_equal(values, [[np.nan, 3, 3], [2, 0, -0.0]])
    assert places.tolist() == [[1, 2, 3], [3, 0, 2]]


@pytest.mark.parametrize("count", [1, 3, 10, 11])
@pytest.mark.parametrize("type_", ["f4", "i1", "u1"])
def test_a_few_of_many_elements_are_selected(count: int, type_: str) -> None:
    x = _random(2, 40).round(1).astype(type_)
    if type_ == "f4":
        x[0, 30], x[1, :3] = np.nan, -np.inf
    kind = {"f4": "f32", "i1": "i8", "u1": "ui8"}[type_]
    row, result = f"tensor<2x40x{kind}>", f"tensor<2x{count}x{kind}>"
    text = f"""func.func @main(%x: {row}) -> ({result}, tensor<2x{count}xi32>) {{
  %v, %i = chlo.top_k(%x, k = {count}) : {row} -> ({result}, tensor<2x{count}xi32>)
  return %v, %i : {result}, tensor<2x{count}xi32>
}}"""
    module = xbuf.parse(text)
    stablehlo_legalize_to_linalg(module)
    assert ("tm_tensor.sort" in str(module)) == (count > 10)
    values, places = run_text(text, x)
    keys = -np.nan_to_num(x.astype(float), nan=100, neginf=-100)
    order = np.argsort(keys, axis=1, kind="stable")[:, :count]
    assert places.tolist() == order.tolist()
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))


@pytest.mark.parametrize("sign", ["", "u"])
def test_gathers_move_parts_so_that_they_fit(sign: str) -> None:
    x, rows = _random(6, 4), np.array([0, 9, 4, 255], f"{sign}int8" if sign else "i4")
    if sign:
        rows = rows.astype(np.uint8)
    kind = "ui8" if sign else "i32"
    result = run_text(
        f"""func.func @main(%x: tensor<6x4xf32>, %i: tensor<4x{kind}>)
    -> tensor<4x2x4xf32> {{
  %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<
      offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>,
      indices_are_sorted = false, slice_sizes = array<i64: 2, 4>}}>
      : (tensor<6x4xf32>, tensor<4x{kind}>) -> tensor<4x2x4xf32>
  return %0 : tensor<4x2x4xf32>
}}""",
        x,
        rows,
    )
    expected = [x[min(int(row), 4) :][:2] for row in rows]
    np.testing.assert_array_equal(result, expected)


def test_gathers_of_batches() -> None:
    x = _random(3, 5)
    columns = np.array([[4], [-3], [2]], np.int32)
    result = run_text(
        """func.func @main(%x: tensor<3x5xf32>, %i: tensor<3x1xi32>) -> tensor<3xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 1>}>
      : (tensor<3x5xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}""",
        x,
        columns,
    )
    np.testing.assert_array_equal(result, [x[0, 4], x[1, 0], x[2, 2]])


SCATTER = """func.func @main(%x: tensor<5xf32>, %i: tensor<4xi32>, %u: tensor<4x2xf32>)
    -> tensor<5xf32> {{
  %0 = "stablehlo.scatter"(%x, %i, %u) <{{
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
      indices_are_sorted = false, unique_indices = false}}> {region}
      : (tensor<5xf32>, tensor<4xi32>, tensor<4x2xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}}"""


def test_scatters_leave_out_what_does_not_fit() -> None:
    x, updates = _random(5), _random(4, 2)
    starts = np.array([1, 4, -1, 2], np.int32)
    text = SCATTER.format(region=_region("add"))
    expected = x.copy()
    expected[1:3] += updates[0]
    expected[2:4] += updates[3]
    np.testing.assert_allclose(run_text(text, x, starts, updates), expected, 1e-6)


def test_scatters_update_in_order() -> None:
    region = (
        "({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
        "  stablehlo.return %b : tensor<f32>\n})"
    )
    x, updates = _random(5), _random(4, 2)
    starts = np.array([0, 1, 0, 3], np.int32)
    result = run_text(SCATTER.format(region=region), x, starts, updates)
    expected = x.copy()
    for start, update in zip(starts, updates, strict=True):
        expected[start : start + 2] = update
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(("size", "is_combined_as_parts"), [(3, False), (4, True)])
def test_scatters_of_parts(size: int, is_combined_as_parts: bool) -> None:
    """A part is a matrix that lacks the middle dimension; the last one starts at 1."""
    x, updates = _random(2, 5, size + 2), _random(2, 6, size)
    starts = np.array([[0, 4, 4, -1, 5, 2], [1, 0, 1, 0, 0, 3]], np.int32)
    region = _region("subtract")
    types = f"{tensor(x)}, tensor<2x6xi32>, {tensor(updates)}"
    text = f"""func.func @main(%x: {tensor(x)}, %i: tensor<2x6xi32>,
    %u: {tensor(updates)}) -> {tensor(x)} {{
  %0 = "stablehlo.scatter"(%x, %i, %u) <{{
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 2],
      inserted_window_dims = [1], scatter_dims_to_operand_dims = [1, 2],
      index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}}>
    {region} : ({types}) -> {tensor(x)}
  return %0 : {tensor(x)}
}}"""
    module = xbuf.parse(text)
    stablehlo_legalize_to_linalg(module)
    assert ("linalg.generic" in str(module)) == is_combined_as_parts
    expected = x.copy()
    for part, (middle, last) in enumerate(starts.T):
        if 0 <= middle < 5 and 0 <= last <= 2:
            expected[:, middle, last : last + size] -= updates[:, part]
    np.testing.assert_allclose(run_text(text, x, starts, updates), expected, 1e-6)


def test_the_gradient_of_a_maximum_of_windows() -> None:
    x = np.array([1, 5, 2, 5, 3, 4, 4], "f4")
    source = np.array([10, 20, 40], "f4")
    result = run_text(
        """func.func @main(%x: tensor<7xf32>, %s: tensor<3xf32>) -> tensor<7xf32> {
  %z = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{
      padding = dense<[[1, 0]]> : tensor<1x2xi64>,
      window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7xf32>, tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}""",
        x,
        source,
    )
    # The windows are [-, 1, 5], [5, 2, 5] and [5, 3, 4]: the first of equal ones wins.
    assert result.tolist() == [0, 30, 0, 40, 0, 0, 0]


LOGADDEXP = """
func.func private @larger(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.maximum %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @logaddexp(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = func.call @larger(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.subtract %a, %b : tensor<f32>
  %2 = stablehlo.abs %1 : tensor<f32>
  %3 = stablehlo.negate %2 : tensor<f32>
  %4 = stablehlo.exponential %3 : tensor<f32>
  %5 = stablehlo.log_plus_one %4 : tensor<f32>
  %6 = stablehlo.add %0, %5 : tensor<f32>
  return %6 : tensor<f32>
}
func.func @main(%x: tensor<3x4xf32>) -> (tensor<3xf32>, tensor<3x4xf32>) {
  %least = stablehlo.constant dense<-1.0e+30> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %least) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = func.call @logaddexp(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = "stablehlo.reduce_window"(%x, %least) <{
      padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>,
      window_dimensions = array<i64: 1, 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = func.call @logaddexp(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %0, %1 : tensor<3xf32>, tensor<3x4xf32>
}"""
"""JAX writes `jax.lax.cumlogsumexp` with such calls."""


def test_a_function_combines_two_elements():
    x = _random(3, 4)
    total, sums = run_text(LOGADDEXP, x)
    np.testing.assert_allclose(total, np.logaddexp.reduce(x, axis=1), 1e-6)
    np.testing.assert_allclose(sums, np.logaddexp.accumulate(x, axis=1), 1e-6)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("@larger(%a, %b) :", "@logaddexp(%a, %b) :", "@logaddexp calls itself"),
        ("@larger(%a, %b) :", "@other(%a, %b) :", "@other is called where elements"),
    ],
)
def test_functions_that_cannot_combine_elements(before: str, after: str, message: str):
    other = "func.func private @other(tensor<f32>, tensor<f32>) -> tensor<f32>\n"
    text = other + LOGADDEXP.replace(before, after)
    with pytest.raises(OperationError, match=message):
        stablehlo_legalize_to_linalg(xbuf.parse(text))

"""Ops of StableHLO that JAX does not write, compared with NumPy's."""

import numpy as np
import pytest
from harness.running.stablehlo_ops import run_lines, run_text, tensor

import xdsl_bufferization as xbuf
from xdsl_bufferization.frontends.stablehlo.stablehlo_legalize_to_linalg import (
    stablehlo_legalize_to_linalg,
)
from xdsl_bufferization.support.errors import OperationError

RNG = np.random.default_rng(0)


def numbers(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


@pytest.mark.parametrize(
    ("left", "right"), [((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 2)), ((3, 4), (4, 2))]
)
@pytest.mark.parametrize("dtype", ["f4", "i4"])
def test_dot(left: tuple[int, ...], right: tuple[int, ...], dtype: str):
    a, b = (np.rint(9 * numbers(*shape)).astype(dtype) for shape in (left, right))
    expected = np.asarray(np.dot(a, b))
    type_ = tensor(expected)
    line = f'"stablehlo.dot"(%0, %1) : ({tensor(a)}, {tensor(b)}) -> {type_}'
    (result,) = run_lines([line], [type_], [a, b])
    np.testing.assert_array_equal(result, expected)


def test_broadcast():
    x = numbers(4)
    line = "stablehlo.broadcast %0, sizes = [2, 3] : (tensor<4xf32>) -> "
    type_ = "tensor<2x3x4xf32>"
    (result,) = run_lines([line + type_], [type_], [x])
    np.testing.assert_array_equal(result, np.broadcast_to(x, (2, 3, 4)))


@pytest.mark.parametrize("shape", [(), (3,), (0, 2), (2, 3)])
def test_map(shape: tuple[int, ...]):
    """Elements of two types, one from outside of the region, and a constant."""
    x, flags = numbers(*shape), RNG.integers(0, 2, shape).astype(bool)
    outer = np.float32(3)
    dims = ": " + ", ".join(map(str, range(len(shape)))) if shape else ""
    text = f"""
    func.func @main(%x: {tensor(x)}, %c: {tensor(flags)}, %outer: tensor<f32>)
        -> {tensor(x)} {{
      %0 = "stablehlo.map"(%c, %x) <{{dimensions = array<i64{dims}>}}> ({{
      ^bb0(%b: tensor<i1>, %a: tensor<f32>):
        %two = stablehlo.constant dense<2.0> : tensor<f32>
        %1 = stablehlo.multiply %a, %two : tensor<f32>
        %2 = stablehlo.select %b, %1, %outer : tensor<i1>, tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }}) : ({tensor(flags)}, {tensor(x)}) -> {tensor(x)}
      return %0 : {tensor(x)}
    }}"""
    result = run_text(text, x, flags, np.asarray(outer))
    np.testing.assert_array_equal(result, np.where(flags, 2 * x, outer))


@pytest.mark.parametrize("feature", [0, 1, 2])
def test_batch_norm_inference(feature: int):
    x = numbers(3, 4, 2)
    size = x.shape[feature]
    scale, offset, mean = (numbers(size) for _ in range(3))
    variance = np.abs(numbers(size))
    numbers_type = tensor(scale)
    types = ", ".join([tensor(x), *[numbers_type] * 4])
    line = (
        f'"stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{{epsilon = 0.1 : f32,'
        f" feature_index = {feature} : i64}}> : ({types}) -> {tensor(x)}"
    )
    given = [x, scale, offset, mean, variance]
    (result,) = run_lines([line], [tensor(x)], given)
    sizes = [size if d == feature else 1 for d in range(3)]
    s, o, m, v = (each.reshape(sizes) for each in given[1:])
    np.testing.assert_allclose(result, s * (x - m) / np.sqrt(v + 0.1) + o, 1e-5)


@pytest.mark.parametrize("batch", [(), (2, 3)])
@pytest.mark.parametrize("lower", [True, False])
def test_cholesky_reads_one_triangle(batch: tuple[int, ...], *, lower: bool):
    half = RNG.normal(size=(*batch, 5, 5))
    a = half @ np.swapaxes(half, -1, -2) + 5 * np.eye(5)
    expected = np.linalg.cholesky(a)
    given = np.tril(a) if lower else np.triu(a)
    line = f"stablehlo.cholesky %0, lower = {str(lower).lower()} : {tensor(a)}"
    (result,) = run_lines([line], [tensor(a)], [given])
    wanted = expected if lower else np.swapaxes(expected, -1, -2)
    np.testing.assert_allclose(result, wanted, atol=1e-12)


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
def test_triangular_solve(transpose: str, *, left: bool, lower: bool, unit: bool):
    a = RNG.normal(size=(2, 4, 4)) + 4 * np.eye(4)
    b = RNG.normal(size=(2, 4, 3) if left else (2, 3, 4))
    words = {"left_side": left, "lower": lower, "unit_diagonal": unit}
    clauses = ", ".join(f"{key} = {str(each).lower()}" for key, each in words.items())
    line = (
        f'"stablehlo.triangular_solve"(%0, %1) <{{{clauses}, transpose_a = '
        f"#stablehlo<transpose {transpose}>}}> : ({tensor(a)}, {tensor(b)}) -> "
        f"{tensor(b)}"
    )
    (x,) = run_lines([line], [tensor(b)], [a, b])
    triangle = np.tril(a) if lower else np.triu(a)
    if unit:
        triangle = triangle - triangle * np.eye(4) + np.eye(4)
    if transpose != "NO_TRANSPOSE":
        triangle = np.swapaxes(triangle, -1, -2)
    np.testing.assert_allclose(triangle @ x if left else x @ triangle, b, atol=1e-10)


def test_factors_of_16_bits_are_computed_in_32():
    a = np.eye(4) + 0.5
    half = a.astype(np.float16)
    solve = (
        '"stablehlo.triangular_solve"(%0, %0) <{left_side = true, lower = true, '
        "unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : "
        f"({tensor(half)}, {tensor(half)}) -> {tensor(half)}"
    )
    lines = [f"stablehlo.cholesky %0, lower = true : {tensor(half)}", solve]
    factor, x = run_lines(lines, [tensor(half)] * 2, [half])
    np.testing.assert_array_equal(factor, np.linalg.cholesky(a).astype(np.float16))
    expected = np.linalg.solve(np.tril(a), a)
    np.testing.assert_array_equal(x, expected.astype(np.float16))


def test_factors_of_other_numbers_are_refused():
    text = """func.func @f(%a: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
      %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xcomplex<f32>>
      return %0 : tensor<4x4xcomplex<f32>>
    }"""
    expected = "cholesky' of complex<f32> is not lowered; of f64, f32, f16 "
    with pytest.raises(OperationError, match=expected):
        stablehlo_legalize_to_linalg(xbuf.parse(text))

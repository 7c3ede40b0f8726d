"""Shapes, slices and padding: the elements of NumPy, in the same places."""

from itertools import product

import numpy as np
import pytest
from harness.running.stablehlo_ops import run_lines, tensor

from xdsl_bufferization import jit


def _numbers(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def _check(lines: list[tuple[str, np.ndarray]], *arguments: np.ndarray) -> None:
    """Each line, to which the type of what is expected is added."""
    types = [tensor(expected) for _, expected in lines]
    texts = [text + each for (text, _), each in zip(lines, types, strict=True)]
    results = run_lines(texts, types, arguments)
    for (text, expected), result in zip(lines, results, strict=True):
        np.testing.assert_array_equal(result, expected, err_msg=text, strict=True)


def test_reshapes_of_all_kinds() -> None:
    shapes = [(4, 6), (24,), (2, 3, 2, 2), (3, 8), (1, 24, 1), (2, 12, 1, 1), (8, 3)]
    x = _numbers(2, 3, 4)
    _check(
        [
            (f"stablehlo.reshape %0 : ({tensor(x)}) -> ", x.reshape(shape))
            for shape in shapes
        ],
        x,
    )


def test_reshapes_with_one_element_and_with_none() -> None:
    one, none = _numbers(1, 1), _numbers(0, 3)
    _check(
        [
            ("stablehlo.reshape %0 : (tensor<1x1xf32>) -> ", one.reshape(())),
            ("stablehlo.reshape %0 : (tensor<1x1xf32>) -> ", one.reshape(1)),
            ("stablehlo.reshape %1 : (tensor<0x3xf32>) -> ", none.reshape(0)),
            ("stablehlo.reshape %1 : (tensor<0x3xf32>) -> ", none.reshape(4, 0, 2)),
            ("stablehlo.reshape %2 : (tensor<f32>) -> ", np.full((1, 1), 7, "f4")),
        ],
        one,
        none,
        np.array(7, "f4"),
    )


def test_broadcasts_transposes_and_reverses() -> None:
    x = _numbers(2, 1, 3)
    row = _numbers(3)
    t = tensor(x)
    _check(
        [
            (
                f"stablehlo.broadcast_in_dim %0, dims = [0, 1, 3] : ({t}) -> ",
                np.broadcast_to(x[:, :, None, :], (2, 4, 5, 3)).copy(),
            ),
            (
                "stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<3xf32>) -> ",
                np.broadcast_to(row[:, None], (3, 2)).copy(),
            ),
            (
                f"stablehlo.transpose %0, dims = [2, 0, 1] : ({t}) -> ",
                x.transpose(2, 0, 1),
            ),
            ("stablehlo.reverse %0, dims = [0, 2] : ", x[::-1, :, ::-1]),
            (
                f"stablehlo.concatenate %0, %0, dim = 1 : ({t}, {t}) -> ",
                np.concatenate([x, x], 1),
            ),
        ],
        x,
        row,
    )


def test_indices_of_all_element_types() -> None:
    dtypes = np.int32, np.uint8, np.float32, np.float64, np.int64, np.complex64
    _check(
        [
            (
                "stablehlo.iota dim = 1 : ",
                np.broadcast_to(np.arange(5, dtype=dtype), (2, 5)).copy(),
            )
            for dtype in dtypes
        ],
        np.array(0, "f4"),
    )


def test_slices() -> None:
    x = _numbers(4, 9)
    t = tensor(x)
    _check(
        [
            (f"stablehlo.slice %0 [0:4, 1:9:2] : ({t}) -> ", x[:, 1:9:2].copy()),
            (f"stablehlo.slice %0 [2:2, 0:9] : ({t}) -> ", x[2:2].copy()),
            (f"stablehlo.slice %0 [3:4, 8:9] : ({t}) -> ", x[3:4, 8:9].copy()),
        ],
        x,
    )


@pytest.mark.parametrize("optimize", [True, False])
def test_parts_without_elements_at_the_end_of_what_is_computed(optimize: bool) -> None:
    text = """
    func.func @main(%x: tensor<4x2xf32>) -> (tensor<4x0xf32>, tensor<4x2xf32>) {
      %product = stablehlo.multiply %x, %x : tensor<4x2xf32>
      %part = stablehlo.slice %product [0:4, 2:2] : (tensor<4x2xf32>) -> tensor<4x0xf32>
      %sum = stablehlo.add %part, %part : tensor<4x0xf32>
      %all = stablehlo.concatenate %product, %sum, dim = 1
        : (tensor<4x2xf32>, tensor<4x0xf32>) -> tensor<4x2xf32>
      return %sum, %all : tensor<4x0xf32>, tensor<4x2xf32>
    }
    """
    x = _numbers(4, 2)
    nothing, all_ = jit(text, optimize=optimize)(x)
    assert nothing.shape == (4, 0)
    np.testing.assert_array_equal(all_, x * x)


@pytest.mark.parametrize(("row", "column"), [*product([-5, 0, 2, 3, 99], [-1, 4, 7])])
def test_dynamic_slices_are_moved_so_that_they_fit(row: int, column: int) -> None:
    x, part = _numbers(4, 9), -_numbers(2, 3)
    t, index = tensor(x), "tensor<i32>"
    i, j = min(max(row, 0), 2), min(max(column, 0), 6)
    updated = x.copy()
    updated[i : i + 2, j : j + 3] = part
    _check(
        [
            (
                f"stablehlo.dynamic_slice %0, %2, %3, sizes = [2, 3] : ({t}, {index}, "
                f"{index}) -> ",
                x[i : i + 2, j : j + 3].copy(),
            ),
            (
                f"stablehlo.dynamic_update_slice %0, %1, %2, %3 : ({t}, "
                f"tensor<2x3xf32>, {index}, {index}) -> ",
                updated,
            ),
        ],
        x,
        part,
        np.array(row, np.int32),
        np.array(column, np.int32),
    )


def test_starts_without_a_sign_are_large_not_negative() -> None:
    x = _numbers(8)
    _check(
        [
            (
                "stablehlo.dynamic_slice %0, %1, sizes = [3] : (tensor<8xf32>, "
                "tensor<ui8>) -> ",
                x[5:],
            )
        ],
        x,
        np.array(255, np.uint8),
    )


def _padded(
    x: np.ndarray, value: float, low: list[int], high: list[int], interior: list[int]
) -> np.ndarray:
    """By the definition: the place of each element, if there is one."""
    sizes = [
        a + n + max(n - 1, 0) * i + b
        for n, a, b, i in zip(x.shape, low, high, interior, strict=True)
    ]
    result = np.full(sizes, value, x.dtype)
    for index in np.ndindex(*x.shape):
        place = tuple(
            a + n * (i + 1) for n, a, i in zip(index, low, interior, strict=True)
        )
        if all(0 <= p < s for p, s in zip(place, sizes, strict=True)):
            result[place] = x[index]
    return result


@pytest.mark.parametrize(
    ("low", "high", "interior"),
    [
        ([1, 0], [2, 3], [0, 0]),
        ([0, 1], [0, 0], [2, 1]),
        ([-1, 2], [2, -2], [1, 0]),
        ([-2, -1], [-1, -1], [3, 0]),
        ([0, 0], [0, 0], [0, 0]),
    ],
)
def test_pads(low: list[int], high: list[int], interior: list[int]) -> None:
    x, fill = _numbers(3, 4), np.array(-7, "f4")
    line = (
        f"stablehlo.pad %0, %1, low = {low}, high = {high}, interior = {interior} : "
        "(tensor<3x4xf32>, tensor<f32>) -> "
    )
    _check([(line, _padded(x, -7, low, high, interior))], x, fill)

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xdsl_bufferization.support.errors import OperationError

Run = Callable[..., list[Any]]


def pack(source: str, dest: str, attributes: str, padding: str = "") -> str:
    return f"""
    func.func @f(%s: tensor<{source}>, %d: tensor<{dest}>, %p: f32) -> tensor<{dest}> {{
      %0 = linalg.pack %s {padding} {attributes} into %d
          : tensor<{source}> -> tensor<{dest}>
      return %0 : tensor<{dest}>
    }}"""


def unpack(source: str, dest: str, attributes: str) -> str:
    return f"""
    func.func @f(%s: tensor<{source}>, %d: tensor<{dest}>) -> tensor<{dest}> {{
      %0 = linalg.unpack %s {attributes} into %d : tensor<{source}> -> tensor<{dest}>
      return %0 : tensor<{dest}>
    }}"""


def numbers(*shape: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_pack_puts_tiles_behind(run: Run) -> None:
    text = pack(
        "4x6xf32", "2x2x2x3xf32", "inner_dims_pos = [0, 1] inner_tiles = [2, 3]"
    )
    source = numbers(4, 6)
    (found,) = run(text, source, np.zeros((2, 2, 2, 3), np.float32), 0.0)
    for i in range(4):
        for j in range(6):
            assert found[i // 2, j // 3, i % 2, j % 3] == source[i, j]


def test_pack_permutes_outer_and_inner_dimensions(run: Run) -> None:
    text = pack(
        "4x6xf32",
        "2x2x3x2xf32",
        "outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 2]",
    )
    source = numbers(4, 6)
    (found,) = run(text, source, np.zeros((2, 2, 3, 2), np.float32), 0.0)
    for i in range(4):
        for j in range(6):
            assert found[j // 3, i // 2, j % 3, i % 2] == source[i, j]


def test_pack_pads(run: Run) -> None:
    text = pack(
        "5xf32",
        "2x3xf32",
        "inner_dims_pos = [0] inner_tiles = [3]",
        "padding_value(%p : f32)",
    )
    (found,) = run(text, numbers(5), np.zeros((2, 3), np.float32), 7.0)
    assert found.tolist() == [[0, 1, 2], [3, 4, 7]]


def test_unpack_leaves_padding_out(run: Run) -> None:
    text = unpack("2x3xf32", "5xf32", "inner_dims_pos = [0] inner_tiles = [3]")
    (found,) = run(text, numbers(2, 3), np.zeros(5, np.float32))
    assert found.tolist() == [0, 1, 2, 3, 4]


def test_unpack_undoes_pack(run: Run) -> None:
    attributes = "outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 2]"
    source = numbers(4, 6)
    (packed,) = run(
        pack("4x6xf32", "2x2x3x2xf32", attributes),
        source,
        np.zeros((2, 2, 3, 2), np.float32),
        0.0,
    )
    (found,) = run(
        unpack("2x2x3x2xf32", "4x6xf32", attributes),
        packed,
        np.zeros((4, 6), np.float32),
    )
    assert np.array_equal(found, source)


def test_tiles_that_do_not_cover_the_tensor(run: Run) -> None:
    text = pack("?xf32", "?x3xf32", "inner_dims_pos = [0] inner_tiles = [3]")
    with pytest.raises(OperationError, match="5 elements along dimension 0 in 1 tiles"):
        run(text, numbers(5), np.zeros((1, 3), np.float32), 0.0)


def test_softmax_adds_up_to_one_along_its_dimension(run: Run) -> None:
    text = """
    func.func @f(%t: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = linalg.softmax dimension(1) ins(%t : tensor<2x3xf32>)
          outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }"""
    source = np.array([[0, 1, 2], [1000, 1000, 1000]], np.float32)
    (found,) = run(text, source, np.zeros((2, 3), np.float32))
    np.testing.assert_allclose(found.sum(1), 1, rtol=1e-6)
    np.testing.assert_allclose(found[0, 2] / found[0, 1], np.e, rtol=1e-6)
    np.testing.assert_allclose(found[1], 1 / 3, rtol=1e-6)

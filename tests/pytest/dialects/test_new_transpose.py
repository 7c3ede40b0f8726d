"""Transposes and packs of elements that are no plain numbers, as complex ones."""

from typing import Any

import numpy as np
import pytest

from xdsl_bufferization import jit

DTYPES = {"complex<f32>": np.complex64, "index": np.int64, "i1": np.bool_}


def values(shape: tuple[int, ...], dtype: Any) -> Any:
    return (np.arange(np.prod(shape)) % 7).reshape(shape).astype(dtype)


@pytest.mark.parametrize("element", DTYPES)
def test_transposes(element: str):
    source, target = f"tensor<2x3x4x{element}>", f"tensor<4x2x3x{element}>"
    moved = jit(f"""
    func.func @f(%a: {source}, %b: {target}) -> {target} {{
      %r = linalg.transpose ins(%a : {source}) outs(%b : {target})
        permutation = [2, 0, 1]
      return %r : {target}
    }}""")
    a = values((2, 3, 4), DTYPES[element])
    result = moved(a, np.zeros((4, 2, 3), DTYPES[element]))
    np.testing.assert_array_equal(result, a.transpose(2, 0, 1))


@pytest.mark.parametrize("element", DTYPES)
def test_packs(element: str):
    plain, packed = f"tensor<6x8x{element}>", f"tensor<3x2x2x4x{element}>"
    there_and_back = jit(f"""
    func.func @f(%a: {plain}, %b: {packed}) -> ({packed}, {plain}) {{
      %p = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %b
        : {plain} -> {packed}
      %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %a
        : {packed} -> {plain}
      return %p, %u : {packed}, {plain}
    }}""")
    a = values((6, 8), DTYPES[element])
    tiles, again = there_and_back(a, np.zeros((3, 2, 2, 4), a.dtype))
    expected = a.reshape(3, 2, 2, 4).transpose(0, 2, 1, 3)
    np.testing.assert_array_equal(tiles, expected)
    np.testing.assert_array_equal(again, a)

"""Products of small numbers that are summed in f32: the numbers, and who computes."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from xdsl_bufferization import jit

Array = NDArray[Any]


def _bits(array: Array) -> Array:
    """The bits of bf16, of which the numbers must not have more."""
    return (np.ascontiguousarray(array).view(np.uint32) >> 16).astype(np.uint16)


def _rounded(array: Array) -> Array:
    """f32 as the nearest numbers of bf16, as f32; ties to even."""
    bits = array.astype(np.float32).view(np.uint32).astype(np.uint64)
    bits += 0x7FFF + ((bits >> 16) & 1)
    return (bits & 0xFFFF0000).astype(np.uint32).view(np.float32)


def _program(element: str, sizes: tuple[int, int, int], *, is_open: bool) -> str:
    m, n, k = ("?",) * 3 if is_open else sizes
    a, b = f"tensor<{m}x{k}x{element}>", f"tensor<{k}x{n}x{element}>"
    wide, small = f"tensor<{m}x{n}xf32>", f"tensor<{m}x{n}x{element}>"
    dims = "%m, %n" if is_open else ""
    return f"""
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%a: {a}, %b: {b}) -> {small} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : {a}
  %n = tensor.dim %b, %c1 : {b}
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty({dims}) : {wide}
  %1 = linalg.fill ins(%zero : f32) outs(%0 : {wide}) -> {wide}
  %2 = linalg.matmul ins(%a, %b : {a}, {b}) outs(%1 : {wide}) -> {wide}
  %3 = tensor.empty({dims}) : {small}
  %4 = linalg.generic {{indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}} ins(%2 : {wide}) outs(%3 : {small}) {{
  ^bb0(%x: f32, %y: {element}):
    %r = arith.truncf %x : f32 to {element}
    linalg.yield %r : {element}
  }} -> {small}
  return %4 : {small}
}}
"""


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("element", ["f16", "bf16"])
@pytest.mark.parametrize(
    "sizes", [(64, 32, 512), (1, 7, 500), (33, 5, 64), (32, 32, 31), (2, 3, 0)]
)
def test_sums_are_rounded_once(
    element: str, sizes: tuple[int, int, int], is_open: bool
) -> None:
    m, n, k = sizes
    rng = np.random.default_rng(k)
    a, b = (rng.standard_normal(s).astype(np.float32) for s in [(m, k), (k, n)])
    text = _program(element, sizes, is_open=is_open)
    if element == "bf16":
        a, b = _rounded(a), _rounded(b)
        found: Any = jit(text)(_bits(a), _bits(b))
        found = np.asarray(found).view(np.uint16).astype(np.uint32) << 16
        found, ulp = found.astype(np.uint32).view(np.float32), 2.0**-7
    else:
        a, b = a.astype(np.float16), b.astype(np.float16)
        found, ulp = jit(text)(a, b), 2.0**-10
    expected = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_allclose(found.astype(np.float64), expected, ulp, 1e-4)

"""Transposes and copies of complex numbers and indices are made as all others."""

from collections.abc import Callable
from types import EllipsisType

import numpy as np
import pytest
from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import (
    ComplexType,
    IndexType,
    MemRefType,
    ModuleOp,
    TensorType,
    f32,
    i8,
)
from xdsl.dialects.linalg.ops import TransposeOp
from xdsl.ir import Attribute, Operation

from xdsl_bufferization import jit
from xdsl_bufferization.dialects.linalg.moves import new_copy, new_transpose
from xdsl_bufferization.optimization.packing.lower_packs_unpacks import (
    lower_packs_unpacks,
)
from xdsl_bufferization.optimization.simplify.simplify_slices import simplify_slices
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.traversal import ops_inside

Parse = Callable[[str], ModuleOp]

SLICED = """
func.func @f(%x: tensor<1x2x3xcomplex<f32>>) -> tensor<3x1xcomplex<f32>> {
  %e = tensor.empty() : tensor<1x3x2xcomplex<f32>>
  %t = linalg.transpose ins(%x : tensor<1x2x3xcomplex<f32>>)
    outs(%e : tensor<1x3x2xcomplex<f32>>) permutation = [0, 2, 1]
  %s = tensor.extract_slice %t[0, 0, 1] [1, 3, 1] [1, 1, 1]
    : tensor<1x3x2xcomplex<f32>> to tensor<3x1xcomplex<f32>>
  return %s : tensor<3x1xcomplex<f32>>
}
"""
COLLAPSED = """
func.func @f(%x: tensor<1x2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>> {
  %e = tensor.empty() : tensor<1x3x2xcomplex<f32>>
  %t = linalg.transpose ins(%x : tensor<1x2x3xcomplex<f32>>)
    outs(%e : tensor<1x3x2xcomplex<f32>>) permutation = [0, 2, 1]
  %r = tensor.collapse_shape %t [[0, 1], [2]]
    : tensor<1x3x2xcomplex<f32>> into tensor<3x2xcomplex<f32>>
  return %r : tensor<3x2xcomplex<f32>>
}
"""
PACKED = """
func.func @f(%x: tensor<4x6xcomplex<f32>>) -> tensor<2x2x3x2xcomplex<f32>> {
  %e = tensor.empty() : tensor<2x2x3x2xcomplex<f32>>
  %p = linalg.pack %x inner_dims_pos = [1, 0] inner_tiles = [3, 2] into %e
    : tensor<4x6xcomplex<f32>> -> tensor<2x2x3x2xcomplex<f32>>
  return %p : tensor<2x2x3x2xcomplex<f32>>
}
"""


def numbers(*shape: int) -> np.ndarray:
    real, imaginary = np.random.default_rng(0).normal(size=(2, *shape))
    return (real + 1j * imaginary).astype(np.complex64)


@pytest.mark.parametrize("element", [f32, i8, IndexType(), ComplexType(f32)])
def test_new_ops_are_valid(element: Attribute) -> None:
    source = tensor.EmptyOp([], TensorType(element, [2, 3]))
    target = tensor.EmptyOp([], TensorType(element, [3, 2]))
    transpose = new_transpose(source.tensor, target.tensor, [1, 0])
    buffers = [memref.AllocOp([], [], MemRefType(element, [2, 3])) for _ in range(2)]
    copy = new_copy(*(each.memref for each in buffers))
    ops: list[Operation] = [source, target, transpose, *buffers, copy]
    ModuleOp(ops).verify()
    assert transpose.results[0].type == target.tensor.type


@pytest.mark.parametrize(("text", "rows"), [(SLICED, slice(1, 2)), (COLLAPSED, ...)])
def test_slices_of_transposes(
    parse: Parse, text: str, rows: slice | EllipsisType
) -> None:
    module, x = parse(text), numbers(1, 2, 3)
    result = x[0, rows].T
    simplify_slices(module)
    module.verify()
    (found,) = evaluate(module, "f", [x])
    assert np.array_equal(found, result)
    assert np.array_equal(jit(parse(text))(x), result)


def test_packs(parse: Parse) -> None:
    module, x = parse(PACKED), numbers(4, 6)
    lower_packs_unpacks(module)
    assert any(isinstance(op, TransposeOp) for op in ops_inside(module))
    (found,) = evaluate(module, "f", [x])
    assert np.array_equal(found, x.reshape(2, 2, 2, 3).transpose(0, 2, 3, 1))

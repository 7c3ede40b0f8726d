"""What tensors and vectors can be made of, and that vectors have elements.

xDSL 0.74 takes any type. MLIR takes numbers and the types of other dialects; tensors
can be of vectors and complex numbers as well.

    tensor<4xtensor<4xf32>>, vector<0xf32>     // errors, at the type

Source: `TensorType::isValidElementType`, and `VectorElementTypeInterface` in
https://mlir.llvm.org/docs/Dialects/Builtin/#vectortype
"""

from functools import cache
from typing import Any

from xdsl.dialects.builtin import (
    ComplexType,
    FunctionType,
    MemRefType,
    NoneType,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import TypeAttribute
from xdsl.utils.exceptions import VerifyException

_NOT_IN_TENSORS = (
    FunctionType
    | MemRefType
    | NoneType
    | TensorType
    | TupleType
    | UnrankedMemRefType
    | UnrankedTensorType
)
_NOT_IN_VECTORS = _NOT_IN_TENSORS | ComplexType | VectorType


@cache
def amend_element_types() -> None:
    """Correct xDSL's classes; once in a process."""
    TensorType.verify = _verify_tensor
    UnrankedTensorType.verify = _verify_tensor
    VectorType.verify = _verify_vector


def _verify_tensor(self: TensorType[Any] | UnrankedTensorType[Any]) -> None:
    element = self.element_type
    if not isinstance(element, TypeAttribute) or isinstance(element, _NOT_IN_TENSORS):
        raise VerifyException("invalid tensor element type")


def _verify_vector(self: VectorType[Any]) -> None:
    element = self.element_type
    if not isinstance(element, TypeAttribute) or isinstance(element, _NOT_IN_VECTORS):
        raise VerifyException("invalid vector element type")
    if any(size < 1 for size in self.get_shape()):
        raise VerifyException("vector types must have positive constant sizes")

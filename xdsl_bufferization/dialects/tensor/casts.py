"""Ops that change what is known of a tensor, or how its bits are read.

xDSL 0.74 lacks `tensor.bitcast`, and lets `tensor.cast` change the element type.

    %0 = tensor.cast %t : tensor<4x?xf32> to tensor<?x8xf32>
    %1 = tensor.bitcast %t : tensor<4x?xf32> to tensor<4x?xi32>

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorcast-tensorcastop
"""

from typing import cast

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    AnyFloat,
    IntegerType,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..common.types import have_compatible_shapes, have_same_element_type

_TensorOfBits = (
    TensorType[IntegerType | AnyFloat] | UnrankedTensorType[IntegerType | AnyFloat]
)


class CastOp(tensor.CastOp):
    """What `tensor.cast` should do differently."""

    traits = traits_def(Canonicalized())

    @override
    def verify_(self) -> None:
        """The shapes agree, and the element types are the same."""
        source, dest = self.source.type, self.dest.type
        same = have_same_element_type(source, dest)
        _verify_cast(source, dest, compatible=same)


@irdl_op_definition
class BitcastOp(IRDLOperation):
    """The same bits, read as elements of another type of the same width."""

    name = "tensor.bitcast"

    source = operand_def(_TensorOfBits)
    dest = result_def(_TensorOfBits)

    traits = traits_def(Pure(), Canonicalized())

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def __init__(self, source: SSAValue | Operation, dest: Attribute):
        super().__init__(operands=[source], result_types=[dest])

    @override
    def verify_(self) -> None:
        """The shapes agree, and the elements have as many bits."""
        source, dest = self.source.type, self.dest.type
        same = _width(source) == _width(dest)
        _verify_cast(source, dest, compatible=same)


def _width(type_: Attribute) -> int:
    # The definition of the op says that its types are such.
    return cast(_TensorOfBits, type_).element_type.bitwidth


def _verify_cast(source: Attribute, dest: Attribute, *, compatible: bool) -> None:
    if not (compatible and have_compatible_shapes(source, dest)):
        raise VerifyException(
            f"operand type '{source}' and result type '{dest}' are cast incompatible"
        )

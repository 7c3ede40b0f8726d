"""Ops that make new tensors and buffers.

    %0 = bufferization.alloc_tensor() copy(%t) {memory_space = 1 : i64} : tensor<4xf32>
    %1 = bufferization.clone %m : memref<4xf32> to memref<4xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from collections.abc import Set as AbstractSet
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..common.types import verify_same_contents
from ..tensor.constraints import verify_dynamic_sizes
from .constraints import BUFFER, TENSOR


@irdl_op_definition
class AllocTensorOp(IRDLOperation):
    """A new tensor of undefined contents, or of those of `copy`."""

    name = "bufferization.alloc_tensor"

    _T: ClassVar = VarConstraint("T", TENSOR)

    dynamic_sizes = var_operand_def(IndexType())
    copy = opt_operand_def(_T)
    size_hint = opt_operand_def(IndexType())
    memory_space = opt_prop_def(Attribute)
    tensor = result_def(_T)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(Canonicalized())

    assembly_format = (
        "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)?"
        "(`size_hint` `` `=` `` $size_hint^)? attr-dict `:` type($tensor)"
    )

    @override
    def verify_(self) -> None:
        """One size for each dynamic dimension, none if they come from `copy`."""
        if self.copy is not None and self.dynamic_sizes:
            raise VerifyException("dynamic sizes not needed when copying a tensor")
        if self.copy is None:
            verify_dynamic_sizes(self.dynamic_sizes, self.tensor.type)


class ReadsAndAllocates(MemoryEffect):
    """Reads its operands and allocates its results; nobody sees it fill these."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """The effects, so that xDSL may drop the op where its results are unused."""
        return {
            EffectInstance(MemoryEffectKind.READ),
            *(EffectInstance(MemoryEffectKind.ALLOC, result) for result in op.results),
        }


@irdl_op_definition
class CloneOp(IRDLOperation):
    """A buffer with the contents of `input`, which neither is written to later."""

    name = "bufferization.clone"

    input = operand_def(BUFFER)
    output = result_def(BUFFER)

    traits = traits_def(ReadsAndAllocates(), Canonicalized())

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    @override
    def verify_(self) -> None:
        """The output has the shape and the element type of the input."""
        verify_same_contents(self.input.type, self.output.type)

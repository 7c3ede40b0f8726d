"""Ops that the project adds to dialects of xDSL, which lack them.

bufferization.dealloc %m : memref<4xf32>
%r = tensor.rank(%t) : tensor<*xf32>
"""

from xdsl.dialects.bufferization import Bufferization
from xdsl.dialects.builtin import (
    IndexType,
    MemRefType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
)
from xdsl.ir import Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryFreeEffect, Pure


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """Frees one buffer, whoever owns it."""

    name = "bufferization.dealloc"

    buffer = operand_def(MemRefType)
    lazily = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryFreeEffect())

    assembly_format = "$buffer (`lazily` $lazily^)? attr-dict `:` type($buffer)"

    def __init__(self, buffer: SSAValue | Operation):
        super().__init__(operands=[buffer])


@irdl_op_definition
class RankOp(IRDLOperation):
    """How many dimensions a tensor has."""

    name = "tensor.rank"

    tensor = operand_def(base(TensorType) | base(UnrankedTensorType))
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "`(` $tensor `)` attr-dict `:` type($tensor)"


ExtendedBufferization = Dialect(
    Bufferization.name,
    [*Bufferization.operations, DeallocOp],
    list(Bufferization.attributes),
)

"""Ops that free buffers, and say who owns them from then on.

    %owned = bufferization.dealloc (%a : memref<2xf32>) if (%c)
        retain (%r : memref<2xf32>)

Source of all definitions: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyInt,
    AttrSizedOperandSegments,
    IntVarConstraint,
    IRDLOperation,
    RangeOf,
    eq,
    irdl_op_definition,
    operand_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryFreeEffect
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from .constraints import BUFFER, TENSOR


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """Free the allocations of `memrefs` that nobody needs any more.

    The allocation of a memref is freed if its condition holds and if it is not the
    allocation of any of `retained`. It is freed once, also if several memrefs share it.
    Result `i` says whether the allocation of `retained[i]` was due, and is now owned
    by whoever holds `retained[i]`.
    """

    name = "bufferization.dealloc"

    _RETAINED: ClassVar = IntVarConstraint("retained memrefs", AnyInt())

    memrefs = var_operand_def(BUFFER)
    conditions = var_operand_def(i1)
    retained = var_operand_def(RangeOf(BUFFER).of_length(_RETAINED))
    updated_conditions = var_result_def(RangeOf(eq(i1)).of_length(_RETAINED))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryFreeEffect(), Canonicalized())

    assembly_format = (
        "(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)?"
        "(`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict"
    )

    def __init__(
        self,
        memrefs: Sequence[SSAValue] = (),
        conditions: Sequence[SSAValue] = (),
        retained: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[memrefs, conditions, retained],
            result_types=[[i1] * len(retained)],
        )

    @override
    def verify_(self) -> None:
        """As many conditions as memrefs."""
        if len(self.memrefs) != len(self.conditions):
            raise VerifyException(
                "must have the same number of conditions as memrefs to deallocate, has "
                f"{len(self.conditions)} and {len(self.memrefs)}"
            )


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """Release what a tensor holds; its tensor must not be used afterwards."""

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(TENSOR)

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=[tensor])

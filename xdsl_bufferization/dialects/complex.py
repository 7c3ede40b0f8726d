"""The op of MLIR's complex dialect that xDSL lacks.

    %0 = complex.powi %z, %n : complex<f32>, i32

xDSL defines the others as MLIR does. Source:
https://mlir.llvm.org/docs/Dialects/ComplexOps/
"""

from typing import ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.complex import ComplexTypeConstr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure


@irdl_op_definition
class PowIOp(IRDLOperation):
    """A complex number to the power of an integer."""

    name = "complex.powi"

    T: ClassVar = VarConstraint("T", ComplexTypeConstr)

    lhs = operand_def(T)
    rhs = operand_def(base(IntegerType))
    result = result_def(T)
    fastmath = opt_prop_def(FastMathFlagsAttr)

    traits = traits_def(Pure())
    assembly_format = (
        "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` "
        "type($rhs)"
    )

    def __init__(
        self,
        lhs: Operation | SSAValue,
        rhs: Operation | SSAValue,
        fastmath: FastMathFlagsAttr | None = None,
    ):
        lhs = SSAValue.get(lhs)
        super().__init__(
            operands=[lhs, rhs],
            result_types=[lhs.type],
            properties={"fastmath": fastmath},
        )

"""The check dialect: what a running program demands of its own results.

    check.expect_true(%ok) : i1
    check.expect_almost_eq(%a, %b, %threshold) : tensor<4xf32>, tensor<4xf32>, f32
    check.expect_sane(%a) : tensor<4xf32>

What is not as demanded ends the program with an error at the op.

Source: the `check` dialect of tpp-mlir, https://github.com/plaidml/tpp-mlir
"""

from typing_extensions import override
from xdsl.dialects.builtin import AnyFloatConstr, MemRefType, TensorType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .common.looks_only import LooksOnly

Shaped = TensorType | MemRefType


def shaped_type(value: SSAValue) -> Shaped:
    """The type of an operand, which must be a tensor or a buffer with a rank."""
    type_: Attribute = value.type
    if isa(type_, TensorType) or isa(type_, MemRefType):
        return type_
    raise VerifyException(
        f"expected a tensor or a memref that has a rank, but got '{type_}'"
    )


@irdl_op_definition
class ExpectTrueOp(IRDLOperation):
    """Demands that a bit is set."""

    name = "check.expect_true"

    operand = operand_def(i1)

    traits = traits_def(LooksOnly())
    assembly_format = "`(` $operand `)` attr-dict `:` type($operand)"

    def __init__(self, operand: SSAValue | Operation):
        super().__init__(operands=[operand])


@irdl_op_definition
class ExpectAlmostEqOp(IRDLOperation):
    """Demands that no two elements at one place differ by more than a threshold."""

    name = "check.expect_almost_eq"

    lhs = operand_def(AnyAttr())
    rhs = operand_def(AnyAttr())
    threshold = operand_def(AnyFloatConstr)

    traits = traits_def(LooksOnly())
    assembly_format = (
        "`(` $lhs `,` $rhs `,` $threshold `)` attr-dict "
        "`:` type($lhs) `,` type($rhs) `,` type($threshold)"
    )

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        threshold: SSAValue | Operation,
    ):
        super().__init__(operands=[lhs, rhs, threshold])

    @override
    def verify_(self) -> None:
        """Both have the same shape and elements; layouts of buffers may differ."""
        lhs, rhs = shaped_type(self.lhs), shaped_type(self.rhs)
        if (
            type(lhs) is not type(rhs)
            or lhs.get_shape() != rhs.get_shape()
            or lhs.element_type != rhs.element_type
        ):
            raise VerifyException(
                f"expected operands of one type, but got '{lhs}' and '{rhs}'"
            )


@irdl_op_definition
class ExpectSaneOp(IRDLOperation):
    """Demands that no element is NaN or infinite."""

    name = "check.expect_sane"

    operand = operand_def(AnyAttr())

    traits = traits_def(LooksOnly())
    assembly_format = "`(` $operand `)` attr-dict `:` type($operand)"

    def __init__(self, operand: SSAValue | Operation):
        super().__init__(operands=[operand])

    @override
    def verify_(self) -> None:
        """The operand has a rank."""
        shaped_type(self.operand)

"""Ops that check a running program, between `generate-runtime-verification` and LLVM.

No text has them, and no dialect. A check goes through all passes from the program that
was written to the one that is lowered. Its effects keep it where it is, and it has
neither tensors nor buffers. `cf.assert` says less, as it has no operands to show.

    check %is_inside, "index {0} is not in the {1} of dimension 0" (%i, %n)
        for 'memref.load' at a.mlir:3:8
    check_stack %bytes
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import LocationAttr, StringAttr, i1
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
    var_operand_def,
)

from xdsl_bufferization.dialects.common.looks_only import LooksOnly


@irdl_op_definition
class CheckOp(IRDLOperation):
    """End the call with an error unless a condition holds."""

    name = "xbuf.check"

    traits = traits_def(LooksOnly())

    condition = operand_def(i1)
    values = var_operand_def(AnyAttr())
    subject = prop_def(StringAttr)
    """The name of the op that is checked."""

    reason = prop_def(StringAttr)
    """As that of a `Failure`."""

    def __init__(
        self,
        condition: SSAValue,
        subject: str,
        reason: str,
        values: Sequence[SSAValue],
        location: LocationAttr,
    ):
        super().__init__(
            operands=[condition, values],
            properties={"subject": StringAttr(subject), "reason": StringAttr(reason)},
        )
        self.location = location


@irdl_op_definition
class CheckStackOp(IRDLOperation):
    """End the call with an error unless the stack has room for some bytes."""

    name = "xbuf.check_stack"

    bytes = operand_def(AnyAttr())
    subject = prop_def(StringAttr)
    reason = prop_def(StringAttr)

    def __init__(
        self, bytes: SSAValue, subject: str, reason: str, location: LocationAttr
    ):
        super().__init__(
            operands=[bytes],
            properties={"subject": StringAttr(subject), "reason": StringAttr(reason)},
        )
        self.location = location

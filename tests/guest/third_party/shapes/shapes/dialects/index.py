"""The dialect `index`: not MLIR's.

%c = index.add(%a, %b) {checked}
"""

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Dialect
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure


@irdl_op_definition
class AddOp(IRDLOperation):
    """A sum."""

    name = "index.add"

    lhs = operand_def(IndexType())
    rhs = operand_def(IndexType())
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "`(` $lhs `,` $rhs `)` attr-dict"


Index = Dialect("index", [AddOp])

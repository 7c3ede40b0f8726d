"""Remove tensors that were made to be written to, once nothing writes to them.

%0 = tensor.empty()
%1 = linalg.fill ins(%zero) outs(%0)     // no longer used: both are erased
"""

from xdsl.dialects import tensor
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter


def erase_unused_destination(value: SSAValue) -> None:
    """Erase a new tensor that nothing uses, and what fills it."""
    while value.first_use is None and isinstance(owner := value.owner, FillOp):
        value = owner.outputs[0]
        Rewriter.erase_op(owner)
    if value.first_use is None and isinstance(owner := value.owner, tensor.EmptyOp):
        Rewriter.erase_op(owner)

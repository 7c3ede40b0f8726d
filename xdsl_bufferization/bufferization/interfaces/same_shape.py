"""Of which operand the result of an op has the sizes.

%1 = tensor.insert %x into %0[%i]           %1 has the sizes of %0
%1 = linalg.fill ins(%x) outs(%0)           %1 has the sizes of %0
"""

from xdsl.dialects import bufferization, tensor
from xdsl.ir import Operation, SSAValue

from .destination_style import DestinationStyleOpInterface
from .destination_style_bufferization import get_tensor_inits


def same_shape(op: Operation, result: int) -> SSAValue | None:
    """The operand of which `op` keeps the shape in a result."""
    if isinstance(op, tensor.CastOp):
        return op.source
    if isinstance(op, tensor.InsertOp):
        return op.dest
    if isinstance(op, bufferization.AllocTensorOp):
        return op.copy
    if not op.has_trait(DestinationStyleOpInterface):
        return None
    inits = get_tensor_inits(op)
    return inits[result].value if result < len(inits) else None

"""How ops of tm_tensor on buffers are lowered: by way of the loops they stand for.

    tm_tensor.sort dimension(0) outs(%x : memref<4xf32>) { ... }   ->   scf.while ...

Parallel loops among them run in order: whoever wants threads runs `tm-tensor-to-loops`
before `parallel-loops-to-openmp`.
"""

from xdsl_bufferization.dialects.tm_tensor.common import TMTensorOp
from xdsl_bufferization.dialects.tm_tensor.yields import YieldOp

from ...tm_tensor_to_loops import loops_of
from ..emission.function import FunctionLowering, Rules


def _lower(op: TMTensorOp, f: FunctionLowering) -> None:
    loops = loops_of(op)
    loops.add_op(YieldOp())
    f.lower_ops(loops)
    loops.erase(safe_erase=False)


RULES: Rules = {TMTensorOp: _lower}

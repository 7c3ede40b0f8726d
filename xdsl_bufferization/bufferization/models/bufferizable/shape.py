"""Bufferization of `shape.assuming`, which runs its region once.

%1 = shape.assuming %w -> (tensor<4xf32>) {     %1 = shape.assuming %w -> (memref<..>) {
  shape.assuming_yield %0 : tensor<4xf32>         shape.assuming_yield %0 : memref<..>
}                                               }
"""

from typing_extensions import override
from xdsl.ir import Operation

from xdsl_bufferization.dialects.shape import AssumingOp, AssumingYieldOp

from ...interfaces.bufferizable import BufferizableOpInterface
from .scf import YieldOpBufferization
from .scf_branches import BranchOpBufferization


class AssumingOpBufferization(BranchOpBufferization):
    """`shape.assuming`: each result is what its region yields."""

    @override
    def is_definite(self, op: Operation) -> bool:
        return True


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    AssumingOp: AssumingOpBufferization(),
    AssumingYieldOp: YieldOpBufferization(),
}

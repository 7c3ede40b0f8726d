"""Bufferization of the affine dialect: loops that carry tensors, and branches.

%1 = affine.for %i = 0 to 4 iter_args(%t = %0) -> (tensor<4xf32>) {
%1 = affine.for %i = 0 to 4 iter_args(%t = %0) -> (memref<4xf32>) {

MLIR has no model for them; what they do is what `scf.for` and `scf.if` do.
"""

from typing_extensions import override
from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr

from ...interfaces.bufferizable import BufferizableOpInterface
from .scf import ForOpBufferization, YieldOpBufferization
from .scf_branches import BranchOpBufferization


class AffineForOpBufferization(ForOpBufferization):
    """`affine.for`."""

    @override
    def runs(self, op: Operation) -> bool:
        assert isinstance(op, affine.ForOp)
        # The largest of several lower bounds counts, and the smallest upper one.
        lower, upper = _constants(op.lowerBoundMap), _constants(op.upperBoundMap)
        return lower is not None and upper is not None and max(lower) < min(upper)


def _constants(bound: AffineMapAttr) -> list[int] | None:
    """The results of a map, or None if they are not all constant."""
    results = bound.data.results
    constants = [e.value for e in results if isinstance(e, AffineConstantExpr)]
    return constants if len(constants) == len(results) else None


MODELS: dict[type[Operation], BufferizableOpInterface] = {
    affine.ForOp: AffineForOpBufferization(),
    affine.IfOp: BranchOpBufferization(),
    affine.YieldOp: YieldOpBufferization(),
}

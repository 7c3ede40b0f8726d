"""The pass `convert-linalg-to-loops` of xDSL, for windows whose steps nobody wrote.

    linalg.conv_2d_nchw_fchw ins(...)       strides and dilations are 1, as in MLIR
        -> linalg.conv_2d_nchw_fchw {strides = dense<1>, dilations = dense<1>} ins(...)
        -> scf.for ...

xDSL looks the attributes up in the op, and so they are written into the op before.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntElementsAttr, ModuleOp, TensorType, i64
from xdsl.dialects.linalg.abstract_ops import ConvOperation, PoolingOperation
from xdsl.transforms.convert_linalg_to_loops import ConvertLinalgToLoopsPass

from xdsl_bufferization.support.traversal import ops_inside

_WINDOW = (1, 1)
"""Each window of these ops has two dimensions."""


@dataclass(frozen=True)
class LinalgToLoopsPass(ConvertLinalgToLoopsPass):
    """Make loops of structured ops, also of those that leave out what MLIR can."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        write_default_windows(op)
        super().apply(ctx, op)


def write_default_windows(module: ModuleOp) -> None:
    """Give each convolution and pooling strides and dilations: 1 if it has none."""
    ones = DenseIntElementsAttr.from_list(TensorType(i64, [len(_WINDOW)]), _WINDOW)
    for op in ops_inside(module):
        if isinstance(op, ConvOperation | PoolingOperation):
            for name in ("strides", "dilations"):
                op.properties.setdefault(name, ones)

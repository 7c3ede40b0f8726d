"""shape-bufferize: core bufferization of the ops of dialect shape alone.

    %1 = shape.assuming %w -> (tensor<4xf32>) { ... shape.assuming_yield %0 : ... }

    %r = shape.assuming %w -> (memref<4xf32>) { ... shape.assuming_yield %m : ... }
    %1 = bufferization.to_tensor %r : memref<4xf32> to tensor<4xf32>

Runs before or after the passes for other dialects, and before `finalizing-bufferize`.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..mlir_pass import TensorPass
from .core_bufferization import bufferize_dialects


@dataclass(frozen=True)
class ShapeBufferizePass(TensorPass):
    """Bufferize the ops of dialect shape; each op writes to a copy."""

    name = "shape-bufferize"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        bufferize_dialects(op, "shape")

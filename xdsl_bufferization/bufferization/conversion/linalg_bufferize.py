"""linalg-bufferize: core bufferization of the ops of dialect linalg alone.

    %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>

    %c = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    linalg.fill ins(%f : f32) outs(%c : memref<4xf32>)
    %1 = bufferization.to_tensor %c : memref<4xf32> to tensor<4xf32>

Runs before or after the passes for other dialects, and before `finalizing-bufferize`.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..mlir_pass import TensorPass
from .core_bufferization import bufferize_dialects


@dataclass(frozen=True)
class LinalgBufferizePass(TensorPass):
    """Bufferize the ops of dialect linalg; each op writes to a copy."""

    name = "linalg-bufferize"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        bufferize_dialects(op, "linalg")

"""vector-bufferize: core bufferization of the ops of dialect vector alone.

    %1 = vector.transfer_read %0[%i], %f : tensor<8xf32>, vector<4xf32>

    %m = bufferization.to_buffer %0 : tensor<8xf32> to memref<8xf32>
    %1 = vector.transfer_read %m[%i], %f : memref<8xf32>, vector<4xf32>

Runs before or after the passes for other dialects, and before `finalizing-bufferize`.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..mlir_pass import TensorPass
from .core_bufferization import bufferize_dialects


@dataclass(frozen=True)
class VectorBufferizePass(TensorPass):
    """Bufferize the ops of dialect vector; each op writes to a copy."""

    name = "vector-bufferize"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        bufferize_dialects(op, "vector")

"""bufferization-bufferize: core bufferization of the ops of that dialect.

    %0 = bufferization.alloc_tensor() : tensor<4xf32>

    %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

Runs before or after the passes for other dialects, and before `finalizing-bufferize`.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..mlir_pass import TensorPass
from .core_bufferization import bufferize_dialects


@dataclass(frozen=True)
class BufferizationBufferizePass(TensorPass):
    """Bufferize the ops of dialect bufferization; each op writes to a copy."""

    name = "bufferization-bufferize"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        bufferize_dialects(op, "bufferization")

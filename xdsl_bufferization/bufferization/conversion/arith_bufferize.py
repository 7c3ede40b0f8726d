"""arith-bufferize: core bufferization of the ops of dialect arith alone.

    %0 = arith.constant dense<1.0> : tensor<4xf32>

    %m = memref.get_global @__constant_4xf32 : memref<4xf32>
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
class ArithBufferizePass(TensorPass):
    """Bufferize the ops of dialect arith; each op writes to a copy."""

    name = "arith-bufferize"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        bufferize_dialects(op, "arith")

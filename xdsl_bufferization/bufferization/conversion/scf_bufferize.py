"""scf-bufferize: core bufferization of the ops of dialect scf alone.

    %1 = scf.for ... iter_args(%t = %0) -> (tensor<4xf32>)

    %m = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
    %r = scf.for ... iter_args(%b = %m) -> (memref<4xf32>)
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
class SCFBufferizePass(TensorPass):
    """Bufferize the ops of dialect scf; each op writes to a copy."""

    name = "scf-bufferize"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        bufferize_dialects(op, "scf")

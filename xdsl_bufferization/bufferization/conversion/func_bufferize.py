"""func-bufferize: core bufferization of functions, calls, returns and branches alone.

    func.func @f(%t: tensor<4xf32>) -> tensor<4xf32>

    func.func @f(%m: memref<4xf32>) -> memref<4xf32>
      %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

Runs before or after the passes for other dialects, and before `finalizing-bufferize`.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..mlir_pass import TensorPass
from .core_bufferization import bufferize_dialects


@dataclass(frozen=True)
class FuncBufferizePass(TensorPass):
    """Bufferize signatures, calls, returns, and the branches between blocks."""

    name = "func-bufferize"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        bufferize_dialects(op, "func", "cf")

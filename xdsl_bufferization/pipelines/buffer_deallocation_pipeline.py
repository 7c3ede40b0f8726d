"""The pass `buffer-deallocation-pipeline`: from buffers without owners to plain frees.

Runs after bufferization. It keeps the name and the stages of MLIR's pipeline, without
the clean-up in between: the stages build nothing that is known to be superfluous.

    %a = memref.alloc() : memref<4xf32>      %a = memref.alloc() : memref<4xf32>
    "use"(%a)                                "use"(%a)
    return                                   memref.dealloc %a : memref<4xf32>
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.deallocation.deallocate import deallocate
from xdsl_bufferization.bufferization.mlir_pass import MLIRPass


@dataclass(frozen=True)
class BufferDeallocationPipelinePass(MLIRPass):
    """Free every buffer, down to `memref.dealloc`."""

    name = "buffer-deallocation-pipeline"

    private_function_dynamic_ownership: bool = False
    """Private functions say at run time which of their results the caller owns."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        deallocate(
            op,
            private_function_dynamic_ownership=self.private_function_dynamic_ownership,
        )

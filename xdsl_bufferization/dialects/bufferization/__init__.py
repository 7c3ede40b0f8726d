"""Ops of MLIR's bufferization dialect that xDSL lacks, or defines too narrowly.

xDSL 0.74 has `alloc_tensor` without `memory_space`, ties the buffers of `to_tensor`,
`to_buffer` and `materialize_in_destination` to the identity layout in the default
memory space, and has neither `dealloc` nor `dealloc_tensor`. The classes here that
carry the name of one of xDSL's are MLIR's definitions of these ops. xDSL's class stays
the one to construct and to match.

    %m = bufferization.to_buffer %t read_only
        : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>, 1>
    %owned = bufferization.dealloc (%a : memref<2xf32>) if (%c)
        retain (%r : memref<2xf32>)

Source of all definitions: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from .conversions import ToMemRefOp
from .deallocation import DeallocOp, DeallocTensorOp

__all__ = ["MODULES", "DeallocOp", "DeallocTensorOp", "ToMemRefOp"]

MODULES = ("allocation", "conversions", "deallocation")
"""Where the ops are."""

"""Free every buffer, copying what has no single allocation that could be freed.

The strategy `copy` of `buffer-deallocation`. Where `clone` has one op, `copy` writes
out the allocation and the copy. The pass `copy-removal` afterwards removes the copies
of buffers that are freed right away.

    %1 = bufferization.clone %0 : memref<?xf32> to memref<?xf32>

    %c0 = arith.constant 0 : index
    %d = memref.dim %0, %c0 : memref<?xf32>
    %1 = memref.alloc(%d) : memref<?xf32>
    linalg.copy ins(%0 : memref<?xf32>) outs(%1 : memref<?xf32>)

A memref without a rank is copied by `memref.copy`, as linalg needs to know the rank.

Source: MLIR's documentation of 2020, "Bufferization on MLIR", "Introduction of Copies".
"""

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp, UnrankedMemRefType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.linalg.moves import new_copy
from xdsl_bufferization.support.garbage import without_garbage_collection

from .convert_bufferization_to_memref import lower_clone
from .deallocation_with_clones import deallocate_with_clones


@without_garbage_collection()
def deallocate_with_copies(module: ModuleOp) -> None:
    """Insert copies and `memref.dealloc` in the functions of `module`.

    Raises an `OperationError` for programs that it cannot handle.
    """
    for clone in deallocate_with_clones(module):
        lower_clone(clone, _build_copy)


def _build_copy(source: SSAValue, target: SSAValue) -> Operation:
    if isinstance(target.type, UnrankedMemRefType):
        return memref.CopyOp(source, target)
    return new_copy(source, target)

"""From buffers to the llvm dialect: the last stage before LLVM.

Takes modules after bufferization and deallocation. One walk lowers everything. The cost
is linear in the size of the module, and there are no states in between. MLIR has a
conversion pass for each dialect instead; a last pass removes the casts between them.

    memref.alloc, linalg.matmul, scf.for, func.func, ...   -> llvm.* only
    xdsl-opt -p lower-to-llvm -t llvm                      prints LLVM IR
"""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.bufferization.mlir_pass import MLIRPass, is_any_op
from xdsl_bufferization.codegen.llvm.emission.symbols import LoweringOptions
from xdsl_bufferization.codegen.llvm.module import lower_to_llvm
from xdsl_bufferization.codegen.local_dialects import lower_local_dialects
from xdsl_bufferization.dialects.common.data_layout import index_bits


@dataclass(frozen=True)
class ToLLVMPass(MLIRPass):
    """Lower a module on buffers to the llvm dialect, with MLIR's calling convention."""

    name = "lower-to-llvm"
    is_about = staticmethod(is_any_op)

    use_generic_functions: bool = False
    """Allocate by `_mlir_memref_to_llvm_alloc` and free by `..._free` (see `abi`),
    so that whoever runs the code can supply a heap; default is malloc and free."""

    count_copies: bool = False
    """Call `_xbuf_count_copy` with the number of bytes at every memref.copy."""

    threads: int = 0
    """How many threads an omp.parallel gets that asks for none; 0: as many as the
    OpenMP runtime gives, by `OMP_NUM_THREADS` or one for each core."""

    index_bitwidth: int | None = None
    """How many bits an `index` has, and with it the sizes, strides and offsets of
    buffers: 32 or 64. Without it: what the module says by `dlti.dl_spec`, or 64."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        width = self.index_bitwidth
        if width is None:
            width = index_bits(op) or 64
        if width not in (32, 64):
            raise PassFailedException(
                f"index-bitwidth is {width}, but must be 32 or 64"
            )
        options = LoweringOptions(
            self.use_generic_functions,
            self.count_copies,
            self.threads,
            width,
        )
        lower_local_dialects(op)
        lower_to_llvm(op, options)

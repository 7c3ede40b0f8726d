"""Ask for C-compatible wrappers of the functions that callers outside can see.

The lowering to the llvm dialect then adds `_mlir_ciface_<name>`, which takes pointers
to descriptors: the only way to call a function on memrefs from C or ctypes.

    func.func @f(%m: memref<4xf32>) {...}
        -> func.func @f(%m: memref<4xf32>) attributes {llvm.emit_c_interface} {...}
"""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from xdsl_bufferization.support import abi


def request_c_wrappers(module: ModuleOp) -> None:
    """Mark every public function that has a body."""
    for op in module.ops:
        if isinstance(op, func.FuncOp) and op.body.blocks and _is_public(op):
            op.attributes[abi.EMIT_C_INTERFACE] = UnitAttr()


def _is_public(op: func.FuncOp) -> bool:
    return op.sym_visibility is None or op.sym_visibility.data == "public"


@dataclass(frozen=True)
class LLVMRequestCWrappersPass(ModulePass):
    """Mark public functions with `llvm.emit_c_interface`, as MLIR's pass does.

    MLIR's marks every function; a private one is not called from outside, and one
    without a body would be called through a wrapper that C would have to provide.
    """

    name = "llvm-request-c-wrappers"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        request_c_wrappers(op)

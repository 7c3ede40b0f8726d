"""How functions of our runtime are called where an index has fewer than 64 bits.

The runtime is compiled for an index of 64 bits (see `abi`). Numbers are extended for
it. Buffers cannot be passed, as their descriptors would have to be written anew.

    func.call @xsmm_unary_invoke(..., %pointer, %offset, ...) : (..., index, ...) -> ()
        -> %wide = llvm.sext %offset : i32 to i64; llvm.call @xsmm_unary_invoke(...)
"""

from __future__ import annotations

from typing_extensions import TypeIs
from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import IndexType, UnrankedMemRefType
from xdsl.ir import Operation

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at

from ..emission.function import FunctionLowering
from ..emission.types import TypeConverter, is_buffer
from ..scalars.casts import resize_integer

RUNTIME_TYPES = TypeConverter()
"""What the types of the runtime's functions become."""

_RUNTIME = abi.XSMM_FUNCTIONS | abi.PRINT_FUNCTIONS | abi.CLOCK_FUNCTIONS


def has_wider_index(
    callee: Operation | None, types: TypeConverter
) -> TypeIs[func.FuncOp]:
    """Whether `callee` is a function of the runtime, whose index is wider than ours."""
    return (
        types.is_narrow
        and isinstance(callee, func.FuncOp)
        and callee.is_declaration
        and callee.sym_name.data in _RUNTIME
    )


def check_passes_no_buffers(callee: func.FuncOp) -> None:
    """An error at `callee`, a function of the runtime, if it takes buffers."""
    for type in callee.function_type.inputs:
        if is_buffer(type) or isinstance(type, UnrankedMemRefType):
            fail_at(
                callee,
                f"@{callee.sym_name.data} of the runtime takes buffers whose sizes "
                "have 64 bits: use index-bitwidth=64",
            )


def call_runtime(op: func.CallOp, callee: func.FuncOp, f: FunctionLowering) -> None:
    """Emit a call with numbers that are as wide as the runtime has them."""
    check_passes_no_buffers(callee)
    arguments = [
        resize_integer(f, f.scalar(argument), RUNTIME_TYPES.index, llvm.SExtOp)
        if isinstance(argument.type, IndexType)
        else f.scalar(argument)
        for argument in op.arguments
    ]
    name = callee.sym_name.data
    if not op.results:
        f.call(name, arguments, None)
        return
    (result,) = op.results
    returned = f.call(name, arguments, RUNTIME_TYPES.scalar(result.type)).results[0]
    if isinstance(result.type, IndexType):
        returned = resize_integer(f, returned, f.types.index, llvm.SExtOp)
    f.bind(result, returned)

"""One function for all aligned allocations of a module whose failures end the call.

To allocate, to look at the result and to align it takes a dozen ops. A network has a
hundred buffers.

    memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        -> %both = llvm.call @_xbuf_allocate_64_0(%c80, %failure) : (i64, i64) -> ...
           %allocated = llvm.extractvalue %both[0]
           %aligned = llvm.extractvalue %both[1]
"""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import UnitAttr, i8, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.runtime.failure_kinds import FAIL, VALUES

from ..emission.failing import no_memory_at
from ..emission.function import FunctionLowering
from ..emission.symbols import OnFailure
from ..emission.types import PTR

_BOTH = llvm.LLVMStructType.from_type_list([PTR, PTR])


def has_shared_allocation(f: FunctionLowering) -> bool:
    """Whether the module has such a function."""
    options = f.symbols.options
    raises = options.on_failure is OnFailure.RAISE
    return raises and not options.is_tracking and f.types.index == i64


def allocate_aligned(
    size: OpFoldResult, alignment: int, op: Operation, f: FunctionLowering
) -> tuple[SSAValue, SSAValue]:
    """Call the function; returns the pointer to free, and an aligned one for `size`.

    `size` and `alignment` are in bytes.
    """
    name = f.symbols.allocators.get(alignment)
    if name is None:
        name = f.symbols.fresh(f"_xbuf_allocate_{alignment}")
        f.symbols.allocators[alignment] = name
        f.symbols.added[name] = _function(name, alignment, op, f)
    number = f.integer(f.symbols.failure(no_memory_at(op)), i64)
    call = f.call(name, [f.index(f.add(size, alignment)), number], _BOTH)
    both = call.results[0]
    return f.extract(both, [0]), f.extract(both, [1])


def _function(
    name: str, alignment: int, op: Operation, caller: FunctionLowering
) -> llvm.FuncOp:
    f = FunctionLowering(symbols=caller.symbols, rules=caller.rules)
    parameters = [f.types.index, i64]
    f.start(Block(arg_types=parameters))
    size, failure = f.block.args
    allocated = f.call_external(f.symbols.alloc, [size], PTR, op).results[0]
    address = f.cast(llvm.PtrToIntOp, allocated, i64)
    exists, fails = Block(), Block()
    is_there = f.compare("ne", address, f.integer(0, i64))
    f.cond_branch(is_there, exists, (), fails, ())
    f.start(fails)
    rest = [f.integer(0, i64)] * (VALUES - 1)
    f.call_external(FAIL, [failure, size, *rest], None, op)
    f.run(llvm.UnreachableOp())
    f.start(exists)
    aligned = align(allocated, alignment, f)
    f.run(llvm.ReturnOp(f.struct([allocated, aligned])))
    type = llvm.LLVMFunctionType(parameters, _BOTH)
    properties: dict[str, Attribute | None] = {"no_inline": UnitAttr()}
    return llvm.FuncOp(name, type, other_props=properties, body=f.finish())


def align(pointer: SSAValue, alignment: int, f: FunctionLowering) -> SSAValue:
    """Move a pointer up to a multiple of `alignment`, a power of two."""
    address = f.cast(llvm.PtrToIntOp, pointer, f.types.index)
    if f.types.is_narrow:
        # Only the lowest bits of an address matter; the others may not fit.
        below = f.integer_op(llvm.SubOp, f.integer(0), address)
        gap = f.integer_op(llvm.AndOp, below, f.integer(alignment - 1))
        return f.untyped(f.element_pointer(pointer, gap, i8))
    raised = f.integer_op(llvm.AddOp, address, f.integer(alignment - 1))
    lowered = f.integer_op(llvm.AndOp, raised, f.integer(-alignment))
    return f.cast(llvm.IntToPtrOp, lowered, PTR)

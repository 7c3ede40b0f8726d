"""The pass `convert-perf-to-func`: timers as calls of the C library's clock.

Runs on buffers, right before the lowering to LLVM.

    %t = perf.start_timer : !perf.timer     -> the nanoseconds of the clock, an i64
    %s = perf.stop_timer(%t) : f64          -> the difference, as seconds

    perf.sink(%x) : memref<4xf32>           -> llvm.inline_asm has_side_effects "", ...

The clock is `clock_gettime(CLOCK_MONOTONIC, ...)`, which writes to 16 bytes on the
stack. A sink is assembly without instructions. LLVM must assume that the assembly reads
the value, and all memory that the value leads to.

Source: `convert-perf-to-func` of tpp-mlir, which calls functions of its runtime.
"""

from collections.abc import Sequence
from typing import Final

from xdsl.dialects import arith, func, llvm, memref
from xdsl.dialects.builtin import (
    FunctionType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnrealizedConversionCastOp,
    f64,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.perf import SinkOp, StartTimerOp, StopTimerOp
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from .convert_perf_to_loops import convert_perf_to_loops
from .loop_builder import LoopBuilder

CLOCK: Final = "clock_gettime"
_MONOTONIC: Final = 1
_NANOSECONDS: Final = 1_000_000_000
"""How many nanoseconds a second has."""

_POINTER: Final = llvm.LLVMPointerType()


def convert_perf_to_func(module: ModuleOp) -> None:
    """Replace every op of the perf dialect in `module`.

    Raises an `OperationError` at a timer that something else uses, at a sink of a
    tensor, and if a symbol of the module has the name of the clock.
    """
    convert_perf_to_loops(module)
    starts: list[StartTimerOp] = []
    for op in ops_inside(module):
        match op:
            case SinkOp():
                _convert_sink(op)
            case StopTimerOp():
                _convert_stop(op)
            case StartTimerOp():
                starts.append(op)
            case _:
                pass
    for start in starts:
        _convert_start(start)
    if starts:
        _declare_clock(module)


def _convert_sink(op: SinkOp) -> None:
    if is_tensor(op.input):
        fail_at(op, "'perf.sink' of a tensor must be bufferized first")
    code = LoopBuilder(InsertPoint.at_end(Block()), op.location)
    if isinstance(op.input.type, MemRefType):
        _sink(code, op.input)
    else:
        scope = _Scope(code)
        slot = scope.code.insert(memref.AllocaOp.get(op.input.type, shape=[])).memref
        scope.code.store(op.input, slot, [])
        _sink(scope.code, slot)
        scope.close()
    _replace(op, code, [])


def _sink(code: LoopBuilder, buffer: SSAValue) -> None:
    """Let LLVM believe that the memory of a buffer is read."""
    address = _address(code, buffer)
    code.insert(llvm.InlineAsmOp("", "r,~{memory}", [address], has_side_effects=True))


def _address(code: LoopBuilder, buffer: SSAValue) -> SSAValue:
    pointer = code.insert(memref.ExtractAlignedPointerAsIndexOp.get(buffer))
    return code.insert(arith.IndexCastOp(pointer.aligned_pointer, i64)).result


def _convert_stop(op: StopTimerOp) -> None:
    """The seconds since the start, whose result is an i64 from now on."""
    code = LoopBuilder(InsertPoint.at_end(Block()), op.location)
    start = op.timer
    assert isinstance(start.owner, StartTimerOp)
    started = code.insert(UnrealizedConversionCastOp.get([start], [i64])).results[0]
    passed = code.insert(arith.SubiOp(_now(code), started)).result
    nanoseconds = code.insert(arith.SIToFPOp(passed, f64)).result
    seconds = arith.DivfOp(nanoseconds, code.number(float(_NANOSECONDS), f64))
    _replace(op, code, [code.insert(seconds).result])


def _convert_start(op: StartTimerOp) -> None:
    code = LoopBuilder(InsertPoint.at_end(Block()), op.location)
    now = _now(code)
    for use in list(op.timer.uses):
        cast = use.operation
        if not isinstance(cast, UnrealizedConversionCastOp):
            fail_at(
                cast,
                f"'{cast.name}' uses a timer; only perf.stop_timer can be lowered",
            )
        Rewriter.replace_op(cast, [], [now])
    _replace(op, code, [])


def _now(code: LoopBuilder) -> SSAValue:
    """The nanoseconds of the clock."""
    scope = _Scope(code)
    inner = scope.code
    slot = inner.insert(memref.AllocaOp.get(i64, shape=[2])).memref
    address = inner.insert(llvm.IntToPtrOp(_address(inner, slot))).output
    kind = inner.insert(arith.ConstantOp(IntegerAttr(_MONOTONIC, i32))).result
    inner.insert(func.CallOp(CLOCK, [kind, address], [i32]))
    seconds, nanoseconds = (inner.load(slot, [inner.index(n)]) for n in (0, 1))
    billion = inner.insert(arith.ConstantOp(IntegerAttr(_NANOSECONDS, i64))).result
    whole = inner.insert(arith.MuliOp(seconds, billion)).result
    return scope.close(inner.insert(arith.AddiOp(whole, nanoseconds)).result)[0]


class _Scope:
    """Code whose memory on the stack is given back at its end, also in a loop."""

    def __init__(self, around: LoopBuilder):
        self._around = around
        self.code = around.inside()

    def close(self, *values: SSAValue) -> Sequence[SSAValue]:
        """End the code, and insert it; returns what the values are outside."""
        end = memref.AllocaScopeReturnOp.build(operands=[values])
        self.code.insert(end)
        scope = memref.AllocaScopeOp.build(
            result_types=[[value.type for value in values]],
            regions=[Region(self.code.block)],
        )
        return self._around.insert(scope).results


def _replace(op: Operation, code: LoopBuilder, results: Sequence[SSAValue]) -> None:
    Rewriter.inline_block(code.block, InsertPoint.before(op))
    for old, new in zip(op.results, results, strict=False):
        old.replace_all_uses_with(new)
    Rewriter.erase_op(op)


def _declare_clock(module: ModuleOp) -> None:
    type_ = FunctionType.from_lists([i32, _POINTER], [i32])
    for op in module.ops:
        name = op.get_attr_or_prop("sym_name")
        if name != StringAttr(CLOCK):
            continue
        if not isinstance(op, func.FuncOp) or op.function_type != type_:
            fail_at(
                op,
                f"timers need the C library's function @{CLOCK}, of type {type_}, but "
                "this is another symbol of that name; rename it",
            )
        return
    clock = func.FuncOp.external(CLOCK, type_.inputs.data, type_.outputs.data)
    Rewriter.insert_op(clock, InsertPoint.at_start(module.body.block))


class ConvertPerfToFuncPass(LoweringPass):
    """Turn timers into calls of the C library's clock."""

    name = "convert-perf-to-func"
    rewrite = staticmethod(convert_perf_to_func)

"""The pass `time-loop-nests`: how long each loop nest, copy and allocation takes.

Runs on buffers, before the lowering to LLVM. Times and numbers of runs are added up in
two globals, which whoever loads the code defines.

    linalg.fill ...    ->    %t = perf.start_timer
                             linalg.fill ...
                             %s = perf.stop_timer(%t)
                             @nest_seconds[0] += %s;  @nest_runs[0] += 1

- Loops, ops that become loops, copies, allocations, deallocations and calls of kernels
  are timed, each as a whole.
- Functions and branches are looked into. A sequential loop is looked into if its body
  has many nests, as by `outline-loop-nests`.
- Calls of functions with a body are not timed: what the functions do is.
"""

from __future__ import annotations

from typing import Final

from xdsl.dialects import affine, arith, func, memref, scf
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.perf import StartTimerOp, StopTimerOp

from .loop_builder import LoopBuilder
from .outline_loop_nests import MOST_NESTS, is_nest

SECONDS: Final = "nest_seconds"
"""The global that seconds are added to: an f64 for each nest."""

RUNS: Final = "nest_runs"
"""The global that counts how often each nest ran: an i64 for each."""

_MEMORY: Final = (memref.AllocOp, memref.DeallocOp, memref.CopyOp)
_SEQUENTIAL: Final = (scf.ForOp, scf.WhileOp, affine.ForOp)


def time_loop_nests(module: ModuleOp) -> list[Operation]:
    """Time the nests of a module; returns them in the order of their numbers."""
    bodies = {
        op.sym_name.data
        for op in module.ops
        if isinstance(op, func.FuncOp) and not op.is_declaration
    }
    nests = [
        nest
        for op in module.ops
        if isinstance(op, func.FuncOp)
        for nest in _nests_in(op, bodies)
    ]
    if not nests:
        return []
    seconds, runs = (MemRefType(each, [len(nests)]) for each in (f64, i64))
    for number, nest in enumerate(nests):
        _time(nest, number, seconds, runs)
    for name, type_ in ((SECONDS, seconds), (RUNS, runs)):
        declaration = memref.GlobalOp(
            properties={
                "sym_name": StringAttr(name),
                "sym_visibility": StringAttr("private"),
                "type": type_,
            }
        )
        Rewriter.insert_op(declaration, InsertPoint.at_start(module.body.block))
    return nests


def _nests_in(op: Operation, bodies: set[str]) -> list[Operation]:
    """The nests in the regions of an op, in order."""
    return [
        nest
        for region in op.regions
        for block in region.blocks
        for each in block.ops
        for nest in _nests_of(each, bodies)
    ]


def _nests_of(op: Operation, bodies: set[str]) -> list[Operation]:
    """An op as a nest, or the nests in it; none for what takes no time worth naming."""
    if isinstance(op, func.CallOp):
        return [] if op.callee.string_value() in bodies else [op]
    if isinstance(op, _SEQUENTIAL):
        inside = _nests_in(op, bodies)
        return inside if len(inside) > MOST_NESTS else [op]
    if isinstance(op, _MEMORY) or is_nest(op) or _is_kernel(op):
        return [op]
    return _nests_in(op, bodies)


def _is_kernel(op: Operation) -> bool:
    return op.dialect_name() == "xsmm" and not op.results


def _time(nest: Operation, number: int, seconds: Attribute, runs: Attribute) -> None:
    start = StartTimerOp()
    start.location = nest.location
    Rewriter.insert_op(start, InsertPoint.before(nest))
    code = LoopBuilder(InsertPoint.at_end(Block()), nest.location)
    passed = code.insert(StopTimerOp(start.timer)).delta
    at = code.index(number)
    one = code.insert(arith.ConstantOp(IntegerAttr(1, i64))).result
    _add(code, SECONDS, seconds, at, passed)
    _add(code, RUNS, runs, at, one)
    Rewriter.inline_block(code.block, InsertPoint.after(nest))


def _add(
    code: LoopBuilder, name: str, type_: Attribute, at: SSAValue, by: SSAValue
) -> None:
    total = code.insert(memref.GetGlobalOp(name, type_)).memref
    old = code.load(total, [at])
    sum_ = arith.AddfOp(old, by) if by.type == f64 else arith.AddiOp(old, by)
    code.store(code.insert(sum_).result, total, [at])


class TimeLoopNestsPass(LoweringPass):
    """Add up how long each loop nest, copy and allocation takes."""

    name = "time-loop-nests"
    rewrite = staticmethod(time_loop_nests)

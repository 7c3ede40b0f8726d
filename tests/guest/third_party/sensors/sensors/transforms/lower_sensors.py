"""Turns sensors into calls, loops and buffers.

    sensors.sample %buffer : memref<8xf32> { ... sensors.emit %v : f32 }

    ->
    scf.for %i = %c0 to %c8 step %c1 { ... memref.store %v, %buffer[%i] }

A reading is a call of a function that is declared only. The numbers of a calibration
are a global. With `place-in`, they are read from another memory space than that of the
global; a later tool makes both agree.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    TensorType,
    UnrealizedConversionCastOp,
    f32,
    i32,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from sensors.dialect import CalibrationAttr, EmitOp, ReadOp, SampleOp, ValueOp

READ_FUNCTION = "sensors_read"
"""The function of the runtime that reads a channel; programs declare it."""


@dataclass
class LowerRead(RewritePattern):
    """A reading is a call, times the scale, plus the offset."""

    table_space: Attribute

    tables: dict[CalibrationAttr, memref.GlobalOp]
    """The globals that the module needs, and what is in them."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReadOp, rewriter: PatternRewriter) -> None:
        channel = arith.ConstantOp(op.channel)
        call = func.CallOp(READ_FUNCTION, [channel, op.index], [f32])
        new_ops: list[Operation] = [channel, call]
        value = call.res[0]
        if op.calibration is not None:
            calibrated = self.calibrate(op.calibration, value)
            new_ops += calibrated
            value = calibrated[-1].results[0]
        cast = UnrealizedConversionCastOp.get([value], [op.reading.type])
        rewriter.replace(op, [*new_ops, cast])

    def calibrate(self, by: CalibrationAttr, raw: SSAValue) -> list[Operation]:
        """The ops that turn a raw number into a reading."""
        table = self.tables.get(by)
        if table is None:
            table = memref.GlobalOp.get(
                StringAttr(f"calibration_{len(self.tables)}"),
                MemRefType(f32, [2]),
                DenseIntOrFPElementsAttr.from_list(
                    TensorType(f32, [2]), [by.scale.value.data, by.offset.value.data]
                ),
            )
            self.tables[by] = table
        used = memref.GetGlobalOp(
            table.sym_name.data, MemRefType(f32, [2], NoneAttr(), self.table_space)
        )
        zero, one = (
            arith.ConstantOp.from_int_and_width(n, IndexType()) for n in (0, 1)
        )
        scale = memref.LoadOp.get(used, [zero])
        offset = memref.LoadOp.get(used, [one])
        scaled = arith.MulfOp(raw, scale)
        return [used, zero, one, scale, offset, scaled, arith.AddfOp(scaled, offset)]


class LowerValue(RewritePattern):
    """The value of a reading is the number that the reading was made of."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ValueOp, rewriter: PatternRewriter) -> None:
        cast = UnrealizedConversionCastOp.get([op.reading], [op.value.type])
        rewriter.replace(op, cast)


class LowerSample(RewritePattern):
    """A sample is a loop that stores."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SampleOp, rewriter: PatternRewriter) -> None:
        size = op.buffer_type.get_shape()[0]
        start, stop, step = (
            arith.ConstantOp.from_int_and_width(number, IndexType())
            for number in (0, size, 1)
        )
        block = op.body.block
        emit = block.last_op
        assert isinstance(emit, EmitOp)
        store = memref.StoreOp.get(emit.value, op.buffer, [block.args[0]])
        rewriter.insert(store, InsertPoint.before(emit))
        rewriter.replace(emit, scf.YieldOp())
        body = rewriter.move_region_contents_to_new_regions(op.body)
        loop = scf.ForOp(start, stop, step, [], body)
        rewriter.replace(op, [start, stop, step, loop])


@dataclass(frozen=True)
class LowerSensorsPass(ModulePass):
    """Turn sensors into calls, loops and buffers."""

    name = "lower-sensors"

    place_in: str | None = None
    """The memory space from which calibrations are read; none if left out."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        space = NoneAttr() if self.place_in is None else StringAttr(self.place_in)
        tables: dict[CalibrationAttr, memref.GlobalOp] = {}
        PatternRewriteWalker(
            GreedyRewritePatternApplier(
                [LowerRead(space, tables), LowerValue(), LowerSample()]
            ),
            apply_recursively=False,
        ).rewrite_module(op)
        declaration = func.FuncOp(READ_FUNCTION, ((i32, IndexType()), (f32,)), Region())
        op.body.block.insert_ops_before([*tables.values(), declaration], _first_op(op))


def _first_op(module: ModuleOp) -> Operation:
    first = module.body.block.first_op
    assert first is not None, "an empty module has nothing to lower"
    return first

"""The pass `convert-arith-to-riscv64`: arithmetic that xDSL's conversion gets wrong.

Runs before xDSL's `convert-arith-to-riscv`, which does the rest.

    %0 = arith.maximumf %x, %y : f32     %m = riscv.fmax.s %x, %y
                                         %n = riscv.fadd.s %x, %y   NaN if one is NaN
                                         %0 = both ordered ? %m : %n
    %1 = arith.constant 0.1 : f64        %b = rv64.li bits; %1 = fmv.d.x %b

RISC-V's fmax.s prefers a number to NaN, as `arith.maxnumf` does. xDSL puts a constant
of 64 bits below the stack pointer, where a signal may overwrite it, and takes -0.0 for
0.
"""

import struct

from typing_extensions import override
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FloatAttr,
    ModuleOp,
    UnrealizedConversionCastOp,
)
from xdsl.dialects.riscv import ops as riscv
from xdsl.dialects.riscv.registers import Registers
from xdsl.ir import Operation
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass

from .convert_memref_to_riscv64 import constant, in_register

_FLOAT = Registers.UNALLOCATED_FLOAT


def convert_arith_to_riscv64(module: ModuleOp) -> None:
    """Rewrite maxima and minima of f32, and constants of f64."""
    PatternRewriteWalker(
        GreedyRewritePatternApplier([_Extremum(), _Constant()]), apply_recursively=False
    ).rewrite_module(module)


class _Extremum(RewritePattern):
    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        match op:
            case arith.MaximumfOp():
                instruction = riscv.FMaxSOp
            case arith.MinimumfOp():
                instruction = riscv.FMinSOp
            case _:
                return
        if not isinstance(op.result.type, Float32Type):
            return
        left, right = (in_register(each, rewriter, _FLOAT) for each in (op.lhs, op.rhs))
        number, sum_ = instruction(left, right), riscv.FAddSOp(left, right)
        ordered = [riscv.FeqSOp(each, each) for each in (left, right)]
        both = riscv.AndOp(ordered[0].rd, ordered[1].rd)
        # All bits if neither is NaN, and none if one is.
        zero = constant(0)
        mask = riscv.SubOp(zero.rd, both.rd)
        bits = [riscv.FMvXWOp(each.rd) for each in (number, sum_)]
        # What differs between the two, where the number goes; none of it elsewhere.
        difference = riscv.XorOp(bits[0].rd, bits[1].rd)
        changed = riscv.AndOp(difference.rd, mask.rd)
        chosen = riscv.XorOp(bits[1].rd, changed.rd)
        result = riscv.FMvWXOp(chosen.rd)
        cast = UnrealizedConversionCastOp.get((result.rd,), (op.result.type,))
        ops = [number, sum_, *ordered, both, zero, mask, *bits, difference, changed]
        rewriter.replace(op, [*ops, chosen, result, cast])


class _Constant(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: arith.ConstantOp, rewriter: PatternRewriter
    ) -> None:
        if not isinstance(op.result.type, Float64Type):
            return
        assert isinstance(op.value, FloatAttr)
        (bits,) = struct.unpack("<q", struct.pack("<d", op.value.value.data))
        number = constant(bits)
        move = riscv.CustomAssemblyInstructionOp("fmv.d.x", [number.rd], [_FLOAT])
        cast = UnrealizedConversionCastOp.get(move.results, (op.result.type,))
        rewriter.replace(op, [number, move, cast])


class ConvertArithToRiscv64Pass(LoweringPass):
    """Convert what xDSL's convert-arith-to-riscv gets wrong."""

    name = "convert-arith-to-riscv64"
    rewrite = staticmethod(convert_arith_to_riscv64)

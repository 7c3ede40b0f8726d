"""How index ops become ops of the llvm dialect: an index has 64 bits, or 32.

%r = index.ceildivu %a, %b  -> a division and a correction, as in arith
%c = index.cmp slt(%a, %b)  -> llvm.icmp "slt" %a, %b : i64
"""

from __future__ import annotations

from xdsl.dialects import arith, llvm
from xdsl.ir import Operation

from xdsl_bufferization.dialects import index

from ..emission.function import FunctionLowering, Rules
from ..emission.types import integer_width
from .arith import RULES as ARITH_RULES
from .casts import resize_rule

_LIKE_ARITH: dict[type[Operation], type[Operation]] = {
    index.AddOp: arith.AddiOp,
    index.SubOp: arith.SubiOp,
    index.MulOp: arith.MuliOp,
    index.DivSOp: arith.DivSIOp,
    index.DivUOp: arith.DivUIOp,
    index.CeilDivSOp: arith.CeilDivSIOp,
    index.CeilDivUOp: arith.CeilDivUIOp,
    index.FloorDivSOp: arith.FloorDivSIOp,
    index.RemSOp: arith.RemSIOp,
    index.RemUOp: arith.RemUIOp,
    index.MaxSOp: arith.MaxSIOp,
    index.MaxUOp: arith.MaxUIOp,
    index.MinSOp: arith.MinSIOp,
    index.MinUOp: arith.MinUIOp,
    index.ShlOp: arith.ShLIOp,
    index.ShrSOp: arith.ShRSIOp,
    index.ShrUOp: arith.ShRUIOp,
    index.AndOp: arith.AndIOp,
    index.OrOp: arith.OrIOp,
    index.XOrOp: arith.XOrIOp,
}
"""Which op of arith, on what an index becomes, each op of two operands is."""


def _lower_cmp(op: index.CmpOp, f: FunctionLowering) -> None:
    lhs, rhs = f.scalar(op.lhs), f.scalar(op.rhs)
    f.bind(op.result, f.compare(op.pred.data.value, lhs, rhs))


def _lower_constant(
    op: index.ConstantOp | index.BoolConstantOp, f: FunctionLowering
) -> None:
    type = f.scalar_type(op.result.type, op)
    f.bind(op.result, f.integer(op.value.value.data, type))


def _lower_sizeof(op: index.SizeOfOp, f: FunctionLowering) -> None:
    f.bind(op.result, f.integer(integer_width(f.types.index)))


RULES: Rules = {
    **{op: ARITH_RULES[like] for op, like in _LIKE_ARITH.items()},
    index.CastSOp: resize_rule(llvm.SExtOp),
    index.CastUOp: resize_rule(llvm.ZExtOp),
    index.CmpOp: _lower_cmp,
    index.ConstantOp: _lower_constant,
    index.BoolConstantOp: _lower_constant,
    index.SizeOfOp: _lower_sizeof,
}

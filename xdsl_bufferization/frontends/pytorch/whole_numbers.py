"""Integers that MLIR leaves open, in programs of torch-mlir, as in PyTorch.

    arith.fptosi %x : f32 to i64   ->   where %x is no number from -2**63 to 2**63 - 1:
                                        -2**63
    arith.fptosi %x : f32 to i8    ->   the last 8 bits of such an integer of 32 bits

    arith.shli %x, %n : i8         ->   0, if %n is no number from 0 to 7
    arith.shrsi %x, %n : i8        ->   0 or -1, which is the sign, if %n is none

MLIR leaves the result of `arith.fptosi` open where a number does not fit, and checked
code refuses the number. In PyTorch and ONNX Runtime, the result is the one of
`cvttss2si` of x86-64: the smallest integer (Intel's manual, volume 1, table 4-1). T5
converts log(0) in this way, and never reads the result. Of a shift by too many bits,
MLIR leaves the result open as well, and compiled code returned what was in memory.
"""

from xdsl.builder import Builder, ImplicitBuilder
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    i32,
)
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.support.traversal import ops_inside

_SMALL = 16
"""Integers of so many bits at most are cut from those of 32."""


def define_integers(module: ModuleOp) -> None:
    """Let conversions and shifts say what they make of all numbers."""
    for op in [*ops_inside(module)]:
        if isinstance(op, arith.FPToSIOp | arith.FPToUIOp):
            _convert(op)
        elif isinstance(op, arith.ShLIOp | arith.ShRSIOp | arith.ShRUIOp):
            _shift(op)


def _shift(op: arith.ShLIOp | arith.ShRSIOp | arith.ShRUIOp) -> None:
    number, amount, type_ = op.lhs, op.rhs, op.result.type
    if not isa(type_, IntegerType):
        return
    bits = type_.width.data
    with ImplicitBuilder(Builder(InsertPoint.before(op))):
        most = arith.ConstantOp(IntegerAttr(bits, type_)).result
        # Below 0, it is a large number without a sign.
        fits = arith.CmpiOp(amount, most, "ult").result
        last = arith.ConstantOp(IntegerAttr(bits - 1, type_)).result
        safe = arith.SelectOp(fits, amount, last).result
        result = type(op)(number, safe).result
        if not isinstance(op, arith.ShRSIOp):
            zero = arith.ConstantOp(IntegerAttr(0, type_)).result
            result = arith.SelectOp(fits, result, zero).result
    Rewriter.replace_op(op, [], [result])


def _convert(op: arith.FPToSIOp | arith.FPToUIOp) -> None:
    number, type_ = op.input, op.result.type
    if not isa(number.type, AnyFloat) or not isa(type_, IntegerType):
        return
    bits = type_.width.data
    if 1 < bits <= _SMALL:
        type_ = i32
    elif isinstance(op, arith.FPToUIOp) or bits not in (32, 64):
        return
    with ImplicitBuilder(Builder(InsertPoint.before(op))):
        result = arith.FPToSIOp(_fitting(number, type_.width.data), type_).result
        if bits < type_.width.data:
            result = arith.TruncIOp(result, op.result.type).result
    Rewriter.replace_op(op, [], [result])


def _fitting(number: SSAValue, bits: int) -> SSAValue:
    """The number if it fits a signed integer, else the smallest one that does.

    The bounds are powers of two, which floats of 32 bits hold. The smallest integer is
    not below the bound in size, and is chosen all the same.
    """
    assert isa(number.type, AnyFloat)
    if number.type.bitwidth < Float32Type().bitwidth:
        number = arith.ExtFOp(number, Float32Type()).result
    assert isa(number.type, AnyFloat)
    bound = 2.0 ** (bits - 1)
    above = arith.ConstantOp(FloatAttr(bound, number.type)).result
    least = arith.ConstantOp(FloatAttr(-bound, number.type)).result
    fits = arith.CmpfOp(math.AbsFOp(number).result, above, "olt").result
    return arith.SelectOp(fits, number, least).result

"""How affine maps, and the ops that apply them, become index arithmetic.

xDSL's `lower-affine` takes the remainder for `mod`, which is wrong for negative
values; here `mod` has the sign of its divisor, as MLIR defines it.

    %r = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%i)  -> %i * 4 + 1
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, llvm
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xdsl_bufferization.transforms.lowering.llvm.arith import round_division
from xdsl_bufferization.transforms.lowering.llvm.descriptor import Index
from xdsl_bufferization.transforms.lowering.llvm.function import (
    FunctionLowering,
    Rules,
)
from xdsl_bufferization.transforms.lowering.llvm.memref import (
    load_element,
    store_element,
)


def evaluate(
    expr: AffineExpr,
    dims: Sequence[Index],
    symbols: Sequence[Index],
    f: FunctionLowering,
) -> Index:
    """Emit the value of an affine expression."""
    match expr:
        case AffineConstantExpr():
            return expr.value
        case AffineDimExpr():
            return dims[expr.position]
        case AffineSymExpr():
            return symbols[expr.position]
        case AffineBinaryOpExpr():
            lhs = evaluate(expr.lhs, dims, symbols, f)
            rhs = evaluate(expr.rhs, dims, symbols, f)
            return _binary(expr.kind, lhs, rhs, f)
        case _:
            raise AssertionError(f"no affine expression: {expr}")


def _binary(
    kind: AffineBinaryOpKind, lhs: Index, rhs: Index, f: FunctionLowering
) -> Index:
    match kind:
        case AffineBinaryOpKind.Add:
            return f.add(lhs, rhs)
        case AffineBinaryOpKind.Mul:
            return f.multiply(lhs, rhs)
        case AffineBinaryOpKind.FloorDiv:
            return round_division(f, f.index(lhs), f.index(rhs), same_sign=False)
        case AffineBinaryOpKind.CeilDiv:
            return round_division(f, f.index(lhs), f.index(rhs), same_sign=True)
        case AffineBinaryOpKind.Mod:
            return _modulo(f.index(lhs), f.index(rhs), f)


def _modulo(lhs: SSAValue, rhs: SSAValue, f: FunctionLowering) -> SSAValue:
    """Emit `lhs mod rhs`, which is never negative; `rhs` is positive."""
    remainder = f.integer_op(llvm.SRemOp, lhs, rhs)
    negative = f.compare("slt", remainder, f.integer(0))
    raised = f.integer_op(llvm.AddOp, remainder, rhs)
    return f.select(negative, raised, remainder)


def apply_map(
    map: AffineMap, operands: Sequence[Index], f: FunctionLowering
) -> list[Index]:
    """Emit the results of `map`, whose operands are dimensions, then symbols."""
    dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
    return [evaluate(expr, dims, symbols, f) for expr in map.results]


def _scalars(values: Sequence[SSAValue], f: FunctionLowering) -> list[Index]:
    return [f.scalar(value) for value in values]


def _lower_apply(op: affine.ApplyOp, f: FunctionLowering) -> None:
    (result,) = apply_map(op.map.data, _scalars(op.mapOperands, f), f)
    f.bind_index(op.result, result)


def _lower_min(op: affine.MinOp, f: FunctionLowering) -> None:
    first, *others = apply_map(op.map.data, _scalars(op.arguments, f), f)
    smallest = f.index(first)
    for other in others:
        operands = [smallest, f.index(other)]
        smallest = f.value_of_intrinsic("llvm.smin.i64", operands, smallest.type)
    f.bind(op.result, smallest)


def _element(
    op: affine.LoadOp | affine.StoreOp, f: FunctionLowering
) -> Sequence[Index]:
    indices = _scalars(op.indices, f)
    return apply_map(op.map.data, indices, f)


def _lower_load(op: affine.LoadOp, f: FunctionLowering) -> None:
    f.bind(op.result, load_element(f.buffer(op.memref), _element(op, f), f))


def _lower_store(op: affine.StoreOp, f: FunctionLowering) -> None:
    store_element(f.scalar(op.value), f.buffer(op.memref), _element(op, f), f)


RULES: Rules = {
    affine.ApplyOp: _lower_apply,
    affine.MinOp: _lower_min,
    affine.LoadOp: _lower_load,
    affine.StoreOp: _lower_store,
}

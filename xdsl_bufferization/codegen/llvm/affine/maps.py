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

from xdsl_bufferization.dialects.affine.accesses import PrefetchOp
from xdsl_bufferization.dialects.affine.maps import (
    DelinearizeIndexOp,
    LinearizeIndexOp,
    MaxOp,
)
from xdsl_bufferization.dialects.common.static_values import OpFoldResult

from ..emission.boundary import bind_packed, pack
from ..emission.function import FunctionLowering, Rule, Rules
from ..memory.memref import load_element, prefetch, store_element
from ..scalars.arith import round_division
from ..vectors.loads_and_stores import load_vector, store_vector


def evaluate(
    expr: AffineExpr,
    dims: Sequence[OpFoldResult],
    symbols: Sequence[OpFoldResult],
    f: FunctionLowering,
) -> OpFoldResult:
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
    kind: AffineBinaryOpKind, lhs: OpFoldResult, rhs: OpFoldResult, f: FunctionLowering
) -> OpFoldResult:
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
    map: AffineMap, operands: Sequence[OpFoldResult], f: FunctionLowering
) -> list[OpFoldResult]:
    """Emit the results of `map`, whose operands are dimensions, then symbols."""
    dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
    return [evaluate(expr, dims, symbols, f) for expr in map.results]


def _lower_apply(op: affine.ApplyOp, f: FunctionLowering) -> None:
    (result,) = apply_map(op.map.data, f.indices(op.mapOperands), f)
    f.bind_index(op.result, result)


def _extremum_rule(intrinsic: str) -> Rule:
    """Lower to the smallest or largest result of a map."""

    def lower(op: affine.MinOp | MaxOp, f: FunctionLowering) -> None:
        values = apply_map(op.map.data, f.indices(op.operands), f)
        f.bind(op.results[0], extremum(intrinsic, values, f))

    return lower


def extremum(
    intrinsic: str, values: Sequence[OpFoldResult], f: FunctionLowering
) -> SSAValue:
    """Return the smallest or largest of some numbers."""
    first, *others = map(f.index, values)
    for other in others:
        first = f.typed_intrinsic(intrinsic, [first, other])
    return first


# Indices in a basis of sizes. The outermost size, if it is given, is not needed.


def _inner_basis(
    op: DelinearizeIndexOp | LinearizeIndexOp, digits: int, f: FunctionLowering
) -> list[OpFoldResult]:
    basis = f.mixed_values(op.static_basis.get_values(), op.dynamic_basis)
    return basis[len(basis) - digits + 1 :]


def _lower_delinearize(op: DelinearizeIndexOp, f: FunctionLowering) -> None:
    rest: OpFoldResult = f.scalar(op.linear_index)
    outermost, *inner = op.multi_index
    sizes = _inner_basis(op, len(op.multi_index), f)
    for result, size in zip(reversed(inner), reversed(sizes), strict=True):
        f.bind_index(result, _binary(AffineBinaryOpKind.Mod, rest, size, f))
        rest = _binary(AffineBinaryOpKind.FloorDiv, rest, size, f)
    f.bind_index(outermost, rest)


def _lower_linearize(op: LinearizeIndexOp, f: FunctionLowering) -> None:
    if not op.multi_index:
        f.bind(op.linear_index, f.integer(0))
        return
    linear, *inner = f.indices(op.multi_index)
    sizes = _inner_basis(op, len(op.multi_index), f)
    for digit, size in zip(inner, sizes, strict=True):
        linear = f.add(f.multiply(linear, size), digit)
    f.bind_index(op.linear_index, linear)


# Memory.


def _element(
    op: affine.LoadOp
    | affine.StoreOp
    | affine.VectorLoadOp
    | affine.VectorStoreOp
    | PrefetchOp,
    f: FunctionLowering,
) -> Sequence[OpFoldResult]:
    return apply_map(op.map.data, f.indices(op.indices), f)


def _lower_load(op: affine.LoadOp, f: FunctionLowering) -> None:
    element = load_element(f.buffer(op.memref), _element(op, f), f)
    bind_packed(op.result, element, f, op)


def _lower_store(op: affine.StoreOp, f: FunctionLowering) -> None:
    value = pack(f.values[op.value], f)
    store_element(value, f.buffer(op.memref), _element(op, f), f)


def _lower_vector_load(op: affine.VectorLoadOp, f: FunctionLowering) -> None:
    load_vector(f.buffer(op.memref), _element(op, f), op.result, f)


def _lower_vector_store(op: affine.VectorStoreOp, f: FunctionLowering) -> None:
    store_vector(op.value, f.buffer(op.memref), _element(op, f), f)


def _lower_prefetch(op: PrefetchOp, f: FunctionLowering) -> None:
    prefetch(op, _element(op, f), f)


RULES: Rules = {
    affine.ApplyOp: _lower_apply,
    affine.MinOp: _extremum_rule("llvm.smin"),
    MaxOp: _extremum_rule("llvm.smax"),
    DelinearizeIndexOp: _lower_delinearize,
    LinearizeIndexOp: _lower_linearize,
    PrefetchOp: _lower_prefetch,
    affine.LoadOp: _lower_load,
    affine.StoreOp: _lower_store,
    affine.VectorLoadOp: _lower_vector_load,
    affine.VectorStoreOp: _lower_vector_store,
}

"""Let accesses through views go to the buffer that is viewed.

After bufferization, where loads and stores see many small views; the views that nobody
uses any more are removed.

    %v = memref.subview %m[%i, 2] [4, 4] [2, 1] : memref<8x8xf32> to ...
    %x = memref.load %v[%j, %k]
        -> %a = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 2)>()[%i, %j]
           %b = affine.apply affine_map<()[s0] -> (s0 + 2)>()[%k]
           %x = memref.load %m[%a, %b]

Source: MLIR's pass of this name. Folded are loads, stores and vector accesses through
subviews, loads and stores through reshapes, and subviews of subviews with steps of 1.
MLIR's also knows ops of the nvgpu and gpu dialects.
"""

from collections.abc import Sequence

from xdsl.dialects import memref, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    ModuleOp,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.affine.maps import DelinearizeIndexOp, LinearizeIndexOp
from xdsl_bufferization.dialects.common.reshape_algebra import numbers_of
from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    decompose_mixed_values,
    mixed_values,
)
from xdsl_bufferization.dialects.memref.constraints import ranked
from xdsl_bufferization.dialects.memref.slices import dropped_dims, infer_subview_type
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from .index_sums import as_value, remove_unused, sum_of_products

_Scalar = memref.LoadOp | memref.StoreOp
_Vector = vector.LoadOp | vector.StoreOp | vector.MaskedLoadOp | vector.MaskedStoreOp
_Transfer = vector.TransferReadOp | vector.TransferWriteOp
_Access = _Scalar | _Vector | _Transfer


@without_garbage_collection()
def fold_memref_alias_ops(module: ModuleOp) -> None:
    """Let accesses in `module` go to the buffers that their views are of."""
    for op in ops_inside(module):
        match op:
            case memref.LoadOp() | memref.StoreOp():
                _fold_access(op)
            case (
                vector.LoadOp()
                | vector.StoreOp()
                | vector.MaskedLoadOp()
                | vector.MaskedStoreOp()
                | vector.TransferReadOp()
                | vector.TransferWriteOp()
            ):
                _fold_access(op)
            case memref.SubviewOp():
                _fold_subview(op)
            case _:
                pass
    remove_unused(module)


def _buffer_number(op: _Access) -> int:
    """Return which operand of an access is the buffer; its indices follow."""
    buffer = op.memref if isinstance(op, _Scalar) else _buffer_of_vector(op)
    return next(n for n, operand in enumerate(op.operands) if operand is buffer)


def _buffer_of_vector(op: _Vector | _Transfer) -> SSAValue:
    return op.source if isinstance(op, _Transfer) else op.base


def _fold_access(op: _Access) -> None:
    """Fold all views on the way to the buffer that is accessed."""
    number = _buffer_number(op)
    while True:
        view = op.operands[number].owner
        indices = op.operands[number + 1 : number + 1 + len(op.indices)]
        match view:
            case memref.SubviewOp() if _may_fold(op, view):
                folded = _through_subview(view, indices, op)
            case memref.ExpandShapeOp() if isinstance(op, _Scalar):
                folded = _through_expansion(view, indices, op)
            case memref.CollapseShapeOp() if isinstance(op, _Scalar):
                folded = _through_collapse(view, indices, op)
            case _:
                return
        op = _redirect(op, number, view, [as_value(n, op) for n in folded])


def _may_fold(op: _Access, view: memref.SubviewOp) -> bool:
    """Whether an access finds the same elements through a view and without it.

    A transfer looks at the bounds of its buffer, and steps along its dimensions.
    """
    if not isinstance(op, _Transfer):
        return True
    steps = view.static_strides.get_values()
    in_bounds = all(flag.value.data for flag in op.in_bounds)
    return in_bounds and all(step == 1 for step in steps)


def _redirect(
    op: _Access, number: int, view: Operation, indices: Sequence[SSAValue]
) -> _Access:
    """Put an access to what is viewed in the place of `op`."""
    before, after = op.operands[:number], op.operands[number + 1 + len(op.indices) :]
    properties = dict(op.properties)
    if isinstance(op, _Transfer) and isinstance(view, memref.SubviewOp):
        properties["permutation_map"] = _permutation_map(op, view)
        segments = [1] * number + [1, len(indices)] + [1] * len(after)
        if op.mask is None:
            segments.append(0)
        properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, segments)
    new = type(op).create(
        operands=[*before, view.operands[0], *indices, *after],
        result_types=op.result_types,
        properties=properties,
        attributes=op.attributes,
    )
    Rewriter.replace_op(op, [new])
    return new


def _permutation_map(op: _Transfer, view: memref.SubviewOp) -> AffineMapAttr:
    """Return the map of a transfer for the dimensions of what is viewed."""
    kept = [AffineExpr.dimension(dim) for dim in _kept_dims(view)]
    results = [
        kept[expr.position] if isinstance(expr, AffineDimExpr) else expr
        for expr in op.permutation_map.data.results
    ]
    rank = ranked(view.source).get_num_dims()
    return AffineMapAttr(AffineMap(rank, 0, tuple(results)))


# Indices of the buffer that is viewed.


def _kept_dims(view: memref.SubviewOp) -> list[int]:
    """Return the dimensions of a subview that its type has."""
    full = infer_subview_type(
        ranked(view.source),
        view.static_offsets.get_values(),
        view.static_sizes.get_values(),
        view.static_strides.get_values(),
    )
    dropped = dropped_dims(full, ranked(view.result))
    if dropped is None:
        fail_at(view, f"the sizes of the view do not fit its type {view.result.type}")
    return [dim for dim in range(full.get_num_dims()) if dim not in dropped]


def _through_subview(
    view: memref.SubviewOp, indices: Sequence[OpFoldResult], before: Operation
) -> list[OpFoldResult]:
    positions = dict(zip(_kept_dims(view), indices, strict=True))
    offsets = mixed_values(view.static_offsets.get_values(), view.offsets)
    steps = mixed_values(view.static_strides.get_values(), view.strides)
    return [
        sum_of_products([(offset, 1), (positions.get(dim, 0), step)], before)
        for dim, (offset, step) in enumerate(zip(offsets, steps, strict=True))
    ]


def _through_expansion(
    view: memref.ExpandShapeOp, indices: Sequence[SSAValue], before: Operation
) -> list[OpFoldResult]:
    sizes = mixed_values(view.static_output_shape.get_values(), view.output_shape)
    return [
        _linear([indices[dim] for dim in group], [sizes[dim] for dim in group], before)
        for group in numbers_of(view.reassociation)
    ]


def _linear(
    digits: Sequence[SSAValue], basis: Sequence[OpFoldResult], before: Operation
) -> OpFoldResult:
    if len(digits) == 1:
        return digits[0]
    static, dynamic = decompose_mixed_values(basis)
    op = LinearizeIndexOp.create(
        operands=[*digits, *dynamic],
        result_types=[IndexType()],
        properties={
            "static_basis": DenseArrayBase.from_list(i64, static),
            "disjoint": UnitAttr(),
            "operandSegmentSizes": DenseArrayBase.from_list(
                i32, [len(digits), len(dynamic)]
            ),
        },
    )
    Rewriter.insert_op(op, InsertPoint.before(before))
    return op.linear_index


def _through_collapse(
    view: memref.CollapseShapeOp, indices: Sequence[SSAValue], before: Operation
) -> list[OpFoldResult]:
    groups = numbers_of(view.reassociation)
    if not groups:
        return [0] * ranked(view.src).get_num_dims()
    joined = {dim for group in groups if len(group) > 1 for dim in group}
    sizes = _sizes(view.src, joined, before)
    result: list[OpFoldResult] = []
    for group, index in zip(groups, indices, strict=True):
        result += _digits(index, [sizes[dim] for dim in group], before)
    return result


def _sizes(buffer: SSAValue, needed: set[int], before: Operation) -> list[OpFoldResult]:
    shape = ranked(buffer).get_shape()
    if not any(shape[dim] == DYNAMIC_INDEX for dim in needed):
        return [max(size, 0) for size in shape]
    op = memref.ExtractStridedMetaDataOp(buffer)
    Rewriter.insert_op(op, InsertPoint.before(before))
    return [
        value if size == DYNAMIC_INDEX else size
        for value, size in zip(op.sizes, shape, strict=True)
    ]


def _digits(
    index: SSAValue, basis: Sequence[OpFoldResult], before: Operation
) -> Sequence[OpFoldResult]:
    if len(basis) == 1:
        return [index]
    static, dynamic = decompose_mixed_values(basis)
    op = DelinearizeIndexOp.create(
        operands=[index, *dynamic],
        result_types=[IndexType()] * len(basis),
        properties={"static_basis": DenseArrayBase.from_list(i64, static)},
    )
    Rewriter.insert_op(op, InsertPoint.before(before))
    return op.multi_index


# Subviews of subviews.


def _fold_subview(op: memref.SubviewOp) -> None:
    """Make a subview one of what its source is a subview of, if no one steps."""
    view = op.source.owner
    if not isinstance(view, memref.SubviewOp):
        return
    steps = (*op.static_strides.get_values(), *view.static_strides.get_values())
    if any(step != 1 for step in steps):
        return
    kept = _kept_dims(view)
    own_offsets = mixed_values(op.static_offsets.get_values(), op.offsets)
    own_sizes = dict(
        zip(kept, mixed_values(op.static_sizes.get_values(), op.sizes), strict=True)
    )
    offsets = _through_subview(view, own_offsets, op)
    new = memref.SubviewOp.get(
        view.source,
        offsets,
        [own_sizes.get(dim, 1) for dim in range(len(offsets))],
        [1] * len(offsets),
        ranked(op.result),
    )
    Rewriter.replace_op(op, [new])


class FoldMemrefAliasOpsPass(LoweringPass):
    """Let accesses through views go to the buffer that is viewed."""

    name = "fold-memref-alias-ops"
    rewrite = staticmethod(fold_memref_alias_ops)

"""Leave out loops of one iteration, by slices that drop dimensions of size 1.

    %1 = tensor.extract_slice %0[%i, 0] [1, 32] : ... to tensor<1x32xf32>
    %2 = linalg.generic (d0, d1) -> (d0, d1)  outs(%1 : tensor<1x32xf32>)

    %1 = tensor.extract_slice %0[%i, 0] [1, 32] : ... to tensor<32xf32>
    %2 = linalg.generic (d0) -> (d0)  outs(%1 : tensor<32xf32>)

After tiling: the loops that are left of a packed GEMM are those of a small one. An
index that is a multiple of a loop becomes the stride of a slice.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    TensorType,
)
from xdsl.dialects.linalg.ops import GenericOp, IndexOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.common.slices import Slice, slice_of
from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    rank_of,
    structure_of,
)
from xdsl_bufferization.dialects.linalg.table import NAMED_OPS
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

_INSERTIONS = (tensor.InsertSliceOp, ParallelInsertSliceOp)


class _Reduced(NamedTuple):
    """A value without some dimensions of size 1."""

    value: SSAValue
    kept: Sequence[int]


class _Index(NamedTuple):
    """A dimension of an operand that is kept, and what it is indexed by."""

    dimension: int
    expr: AffineExpr
    stride: int
    """What `expr` is multiplied with; then a slice has `size` elements."""

    size: int


def drop_unit_loops(ops: Sequence[Operation]) -> list[Operation]:
    """Leave out the loops of one iteration of `ops`, which stand in this order.

    The ops that now compute what `ops` did. What they make may only be used by each
    other and be inserted into other tensors; an op with other users stays as it is.
    """
    group = frozenset(ops)
    reduced: dict[SSAValue, _Reduced] = {}
    new_ops: list[Operation] = []
    replaced: list[Operation] = []
    for op in ops:
        new_op = _drop(op, reduced) if len(op.results) == 1 else None
        if new_op is not None and not _can_replace(op, new_op, group):
            _erase_unused(new_op)
            reduced.pop(op.results[0], None)
            new_op = None
        new_ops.append(new_op or op)
        if new_op is not None:
            replaced.append(op)
    for op in replaced:
        _insert_reduced(op, reduced)
    for op in reversed(replaced):
        _erase_unused(op)
    return [op for op in new_ops if op.parent is not None]


def _can_replace(op: Operation, new_op: Operation, group: frozenset[Operation]) -> bool:
    """Whether all users of `op` can use `new_op`."""
    return new_op.results[0].type == op.results[0].type or all(
        use.operation in group
        or (isinstance(use.operation, _INSERTIONS) and not use.index)
        for use in op.results[0].uses
    )


def _insert_reduced(op: Operation, reduced: Mapping[SSAValue, _Reduced]) -> None:
    """Insert the results without unit dimensions, of the same elements."""
    (result,) = op.results
    new_value = reduced[result].value
    if new_value.type == result.type:
        result.replace_all_uses_with(new_value)
    for use in list(result.uses):
        if isinstance(use.operation, _INSERTIONS):
            use.operation.operands[use.index] = new_value


def _erase_unused(op: Operation) -> None:
    """Erase `op` and the slices that only it used."""
    if any(result.first_use is not None for result in op.results):
        return
    operands = list(dict.fromkeys(op.operands))
    Rewriter.erase_op(op)
    for operand in operands:
        owner = operand.owner
        if (
            isinstance(
                owner, tensor.ExtractSliceOp | tensor.EmptyOp | tensor.ExpandShapeOp
            )
            and operand.first_use is None
        ):
            Rewriter.erase_op(owner)


def _drop(op: Operation, reduced: dict[SSAValue, _Reduced]) -> Operation | None:
    structure = structure_of(op)
    if structure is None:
        return None
    counts = trip_counts(structure)
    kept = [loop for loop, count in enumerate(counts) if count != 1]
    if not kept or len(kept) == len(counts):
        return None
    substitution: list[AffineExpr] = [AffineConstantExpr(0)] * len(counts)
    for new, old in enumerate(kept):
        substitution[old] = AffineDimExpr(new)
    values: list[SSAValue] = []
    output_kept: list[int] = []
    maps: list[AffineMap] = []
    place = InsertPoint.before(op)
    for number, (value, map_) in enumerate(
        zip(op.operands, structure.maps, strict=True)
    ):
        indices = _kept_indices(map_, substitution, [counts[loop] for loop in kept])
        is_output = number >= len(structure.inputs)
        new_value = _reduce(value, indices, reduced, place, is_output)
        if indices is None or new_value is None:
            return None
        values.append(new_value)
        maps.append(AffineMap(len(kept), 0, tuple(index.expr for index in indices)))
        if is_output:
            output_kept = [index.dimension for index in indices]
    new_op = _rebuild(op, structure, values, maps, kept)
    new_op.location = op.location
    Rewriter.insert_op(new_op, place)
    reduced[op.results[0]] = _Reduced(new_op.results[0], output_kept)
    return new_op


def _kept_indices(
    map_: AffineMap, substitution: Sequence[AffineExpr], counts: Sequence[int]
) -> list[_Index] | None:
    """The dimensions whose index is not always 0; None if one is another constant."""
    indices: list[_Index] = []
    for dimension, expr in enumerate(map_.results):
        expr = expr.replace_dims_and_symbols(substitution, ())
        loop, stride = multiple_of_loop(expr)
        if loop is not None:
            indices.append(_Index(dimension, loop, stride, counts[loop.position]))
        elif not isinstance(expr, AffineConstantExpr):
            indices.append(_Index(dimension, expr, 1, DYNAMIC_INDEX))
        elif expr.value:
            return None
    return indices


def multiple_of_loop(expr: AffineExpr) -> tuple[AffineDimExpr | None, int]:
    """The loop that an index is a multiple of, if any, and how many times."""
    match expr:
        case AffineDimExpr():
            return expr, 1
        case AffineBinaryOpExpr(
            AffineBinaryOpKind.Mul, AffineDimExpr() as loop, AffineConstantExpr(stride)
        ):
            return loop, stride
        case _:
            return None, 0


def _reduce(
    value: SSAValue,
    indices: Sequence[_Index] | None,
    reduced: Mapping[SSAValue, _Reduced],
    place: InsertPoint,
    is_output: bool,
) -> SSAValue | None:
    """`value` with just the dimensions of `indices`."""
    if indices is None:
        return None
    if not rank_of(value.type):
        return value
    type_ = ranked_type(value)
    # An image may go on behind the last pixel that a window reaches.
    shape = [
        type_.get_shape()[i.dimension] if i.size == DYNAMIC_INDEX else i.size
        for i in indices
    ]
    strides = [index.stride for index in indices]
    if tuple(shape) == type_.get_shape() and set(strides) <= {1}:
        return value
    if value in reduced:
        found = reduced[value]
        is_same = found.kept == [i.dimension for i in indices] and set(strides) <= {1}
        return found.value if is_same else None
    if any(i.stride != 1 and i.size == DYNAMIC_INDEX for i in indices):
        return None
    new_type = TensorType(type_.element_type, shape, type_.encoding)
    if isinstance(value.owner, tensor.ExpandShapeOp):
        source = value.owner.src
        if source.type == new_type and set(strides) <= {1}:
            return source
    if isinstance(value.owner, tensor.EmptyOp) and is_output:
        op = tensor.EmptyOp(value.owner.dynamic_sizes, new_type)
    else:
        source, piece = _slice(value)
        if piece is None:
            return None
        op = tensor.ExtractSliceOp(source, *_with_strides(piece, indices), new_type)
    Rewriter.insert_op(op, place)
    return op.results[0]


def _slice(value: SSAValue) -> tuple[SSAValue, Slice | None]:
    """`value` as a slice of full rank, of the tensor that it is taken from."""
    owner, shape = value.owner, ranked_type(value).get_shape()
    if isinstance(owner, tensor.ExtractSliceOp):
        piece = slice_of(owner)
        if piece.shape() == shape and all(stride == 1 for stride in piece.strides):
            return owner.source, piece
    if DYNAMIC_INDEX in shape:
        return value, None
    return value, Slice([0] * len(shape), shape, [1] * len(shape))


def _with_strides(piece: Slice, indices: Sequence[_Index]) -> Slice:
    kept = {index.dimension: index for index in indices}
    sizes, strides = list(piece.sizes), list(piece.strides)
    for dimension in range(len(sizes)):
        index = kept.get(dimension)
        if index is None:
            sizes[dimension] = 1
        elif index.size != DYNAMIC_INDEX:
            sizes[dimension] = index.size
            strides[dimension] = index.stride
    return Slice(piece.offsets, sizes, strides)


def _rebuild(
    op: Operation,
    structure: Structure,
    values: Sequence[SSAValue],
    maps: Sequence[AffineMap],
    kept: Sequence[int],
) -> Operation:
    """The op with the loops `kept`: the same one, if it has one loop a dimension."""
    body = structure.body.clone()
    row = NAMED_OPS.get(op.name)
    if row is not None and row.loops == ("...",):
        return type(op).create(
            operands=values,
            result_types=[values[-1].type],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=[body],
        )
    _renumber_indices(body, kept)
    return GenericOp(
        values[: len(structure.inputs)],
        values[len(structure.inputs) :],
        body,
        [AffineMapAttr(map_) for map_ in maps],
        [structure.iterator_types[loop] for loop in kept],
        [values[-1].type],
    )


def _renumber_indices(body: Region, kept: Sequence[int]) -> None:
    for op in list(body.walk()):
        if not isinstance(op, IndexOp):
            continue
        loop = op.dim.value.data
        if loop in kept:
            Rewriter.replace_op(op, IndexOp(kept.index(loop)))
        else:
            zero = index_constant(0)
            Rewriter.replace_op(op, zero)

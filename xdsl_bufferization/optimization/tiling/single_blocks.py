"""Ops whose tile lies in one block of a packed operand: the block as a matrix.

    %1 = tensor.extract_slice %b[%j, 0, 0] [1, 128, 64] : ... to tensor<1x128x64xf32>
    %2 = linalg.generic (m, n, k) -> (n floordiv 64, k, n mod 64)  ins(%a, %1)

    %1 = tensor.extract_slice %b[%j, 0, 0] [1, 128, 64] : ... to tensor<128x64xf32>
    %2 = linalg.generic (m, n, k) -> (k, n)  ins(%a, %1)

After tiling: `pack-matmul` packs the columns of weights, and leaves all else as it is.
"""

from collections.abc import Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import AffineMapAttr, TensorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.models.tiling.linalg import block_of_loop
from xdsl_bufferization.dialects.common.slices import Slice, slice_of
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from .drop_unit_loops import trip_counts


def use_single_blocks(op: Operation) -> Operation:
    """Index matrices instead of blocks, where `op` needs one block; the op for it."""
    structure = structure_of(op)
    if not isinstance(op, GenericOp) or structure is None:
        return op
    counts = trip_counts(structure)
    operands: list[SSAValue] = []
    maps: list[AffineMap] = []
    for value, map_ in zip(op.operands, structure.maps, strict=True):
        if any(block_of_loop(expr) for expr in map_.results):
            if not _is_in_one_block(value, map_, counts):
                return op
            value, map_ = _as_matrix(op, value, map_)
        operands.append(value)
        maps.append(map_)
    if maps == list(structure.maps):
        return op
    number = len(structure.inputs)
    new_op = GenericOp(
        operands[:number],
        operands[number:],
        op.detach_region(0),
        [AffineMapAttr(map_) for map_ in maps],
        structure.iterator_types,
        [result.type for result in op.results],
    )
    new_op.location = op.location
    old = [value.owner for value in op.operands]
    Rewriter.replace_op(op, new_op)
    for owner in old:
        if isinstance(owner, tensor.ExtractSliceOp) and owner.result.first_use is None:
            Rewriter.erase_op(owner)
    return new_op


def _is_in_one_block(value: SSAValue, map_: AffineMap, counts: Sequence[int]) -> bool:
    """Whether the blocks that are read are one, which is a slice."""
    blocks = [block_of_loop(expr) for expr in map_.results]
    return ranked_type(value).has_static_shape() and all(
        0 <= counts[block[0]] <= block[1] for block in blocks if block is not None
    )


def _as_matrix(
    op: Operation, value: SSAValue, map_: AffineMap
) -> tuple[SSAValue, AffineMap]:
    """A block without the dimension of its number, and how it is indexed."""
    owner, shape = value.owner, ranked_type(value).get_shape()
    if isinstance(owner, tensor.ExtractSliceOp):
        source, piece = owner.source, slice_of(owner)
    else:
        source, piece = value, Slice([0] * len(shape), shape, [1] * len(shape))
    kept = [
        dimension
        for dimension, expr in enumerate(map_.results)
        if not _is_number_of_block(expr)
    ]
    type_ = ranked_type(value)
    new_shape = [shape[dimension] for dimension in kept]
    new_type = TensorType(type_.element_type, new_shape, type_.encoding)
    slice_ = tensor.ExtractSliceOp(source, *piece, new_type)
    Rewriter.insert_op(slice_, InsertPoint.before(op))
    results = tuple(_place_in_block(map_.results[dimension]) for dimension in kept)
    return slice_.result, AffineMap(map_.num_dims, 0, results)


def _is_number_of_block(expr: AffineExpr) -> bool:
    return (
        block_of_loop(expr) is not None
        and isinstance(expr, AffineBinaryOpExpr)
        and expr.kind is AffineBinaryOpKind.FloorDiv
    )


def _place_in_block(expr: AffineExpr) -> AffineExpr:
    block = block_of_loop(expr)
    return expr if block is None else AffineDimExpr(block[0])

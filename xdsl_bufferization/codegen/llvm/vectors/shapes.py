"""How ops that move the elements of vectors around are lowered (see `vectors`).

Each element of the result is named by its number in the operands:

    %r = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
        -> each element of the result is named by its number in %v: 0 4, 1 5, 2 6, 3 7
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import (
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.elementwise import bit_width
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.vector import shapes, slices
from xdsl_bufferization.dialects.vector.checks import static_values
from xdsl_bufferization.dialects.vector.masks import ConstantMaskOp
from xdsl_bufferization.support.errors import fail_at

from ..emission.function import FunctionLowering, Rules
from ..emission.vector_elements import (
    Vector,
    all_indices,
    iota,
    lane,
    number_of,
    outer_indices,
    rearrange,
    row_width,
    rows_of,
    splat,
)


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """Return the shape of a vector; a scalar has none."""
    return tuple(value.type.get_shape()) if isa(value.type, VectorType) else ()


def check_fixed(op: Operation) -> None:
    """An error at `op` if it has vectors whose size only the processor knows."""
    for type in (*op.operand_types, *op.result_types):
        if isa(type, VectorType) and type.get_num_scalable_dims():
            fail_at(op, f"'{op.name}' on {type} has no lowering: use a fixed size")


def bind_vector(value: SSAValue, vector: Vector, f: FunctionLowering) -> None:
    """Record what the vector `value` became; a scalar is its only element."""
    if isa(value.type, VectorType):
        f.bind_rows(value, vector.rows)
    else:
        f.bind(value, lane(vector.rows[0], 0, f))


def vector_or_scalar(value: SSAValue, f: FunctionLowering) -> Vector:
    """Return a vector; a scalar as one of a single element."""
    if isa(value.type, VectorType):
        return f.vector(value)
    return Vector((), (splat(f.scalar(value), 1, f),))


def _rearranging(
    op: Operation,
    source_index: Callable[[tuple[int, ...]], Sequence[int]],
    f: FunctionLowering,
) -> None:
    """Lower an op that takes each element of its result from its first operand."""
    check_fixed(op)
    source, result = f.vector(op.operands[0]), op.results[0]
    shape = shape_of(result)
    numbers = [
        number_of(source_index(index), source.shape) for index in all_indices(shape)
    ]
    bind_vector(result, rearrange([source], numbers, shape, f), f)


def _lower_broadcast(op: vector.BroadcastOp, f: FunctionLowering) -> None:
    check_fixed(op)
    shape = shape_of(op.vector)
    if not isa(op.source.type, VectorType):
        row = splat(f.scalar(op.source), row_width(shape), f)
        f.bind_rows(op.vector, [row] * prod(shape[:-1]))
        return
    source_shape = shape_of(op.source)
    added = len(shape) - len(source_shape)

    def source_index(index: tuple[int, ...]) -> list[int]:
        kept = zip(index[added:], source_shape, strict=True)
        return [0 if size == 1 else at for at, size in kept]

    _rearranging(op, source_index, f)


def _lower_shape_cast(op: shapes.ShapeCastOp, f: FunctionLowering) -> None:
    check_fixed(op)
    shape = shape_of(op.result)
    cast = rearrange([f.vector(op.source)], range(prod(shape)), shape, f)
    f.bind_rows(op.result, cast.rows)


def _lower_transpose(op: shapes.TransposeOp, f: FunctionLowering) -> None:
    permutation = op.permutation.get_values()

    def source_index(index: tuple[int, ...]) -> list[int]:
        source = [0] * len(index)
        for at, dimension in zip(index, permutation, strict=True):
            source[dimension] = at
        return source

    _rearranging(op, source_index, f)


def _lower_extract_slice(op: slices.ExtractStridedSliceOp, f: FunctionLowering) -> None:
    offsets = static_values(op.offsets)

    def source_index(index: tuple[int, ...]) -> list[int]:
        padded = (*offsets, *[0] * (len(index) - len(offsets)))
        return [at + offset for at, offset in zip(index, padded, strict=True)]

    _rearranging(op, source_index, f)


def _lower_insert_slice(op: slices.InsertStridedSliceOp, f: FunctionLowering) -> None:
    check_fixed(op)
    part, dest = f.vector(op.value_to_store), f.vector(op.dest)
    offsets = static_values(op.offsets)
    added = len(dest.shape) - len(part.shape)
    count = prod(dest.shape)
    numbers = [*range(count)]
    for number, index in enumerate(all_indices(part.shape)):
        padded = (*[0] * added, *index)
        target = [at + offset for at, offset in zip(padded, offsets, strict=True)]
        numbers[number_of(target, dest.shape)] = count + number
    inserted = rearrange([dest, part], numbers, dest.shape, f)
    f.bind_rows(op.result, inserted.rows)


def _lower_shuffle(op: vector.ShuffleOp, f: FunctionLowering) -> None:
    """Lower a choice among the first dimensions of two vectors."""
    check_fixed(op)
    first, second = f.vector(op.v1), f.vector(op.v2)
    shape = shape_of(op.result)
    inner = prod(shape[1:])
    numbers = [
        max(chosen, 0) * inner + at
        for chosen in op.mask.get_values()
        for at in range(inner)
    ]
    f.bind_rows(op.result, rearrange([first, second], numbers, shape, f).rows)


def _lower_interleave(op: shapes.InterleaveOp, f: FunctionLowering) -> None:
    check_fixed(op)
    lhs, rhs = f.vector(op.lhs), f.vector(op.rhs)
    count = prod(lhs.shape)
    numbers = [side * count + at for at in range(count) for side in (0, 1)]
    f.bind_rows(op.result, rearrange([lhs, rhs], numbers, shape_of(op.result), f).rows)


def _lower_deinterleave(op: shapes.DeinterleaveOp, f: FunctionLowering) -> None:
    check_fixed(op)
    source = f.vector(op.source)
    for side, result in enumerate(op.results):
        numbers = range(side, prod(source.shape), 2)
        f.bind_rows(result, rearrange([source], numbers, shape_of(result), f).rows)


# Elements, numbers and masks.


def _lower_from_elements(op: shapes.FromElementsOp, f: FunctionLowering) -> None:
    check_fixed(op)
    width = row_width(shape_of(op.dest))
    f.bind_rows(op.dest, rows_of(f.scalars(op.elements), width, f))


def _lower_to_elements(op: shapes.ToElementsOp, f: FunctionLowering) -> None:
    check_fixed(op)
    source = f.vector(op.source)
    for number, result in enumerate(op.elements):
        row, at = divmod(number, source.width)
        f.bind(result, lane(source.rows[row], at, f))


def _lower_step(op: shapes.StepOp, f: FunctionLowering) -> None:
    check_fixed(op)
    f.bind(op.result, iota(row_width(shape_of(op.result)), f))


def _lower_bitcast(op: vector.BitcastOp, f: FunctionLowering) -> None:
    check_fixed(op)
    type = op.result.type
    assert isa(type, VectorType)
    element = f.scalar_type(type.element_type, op)
    row = VectorType(element, [row_width(type.get_shape())])
    source = f.vector(op.source)
    if _row_bits(row) != _row_bits(source.rows[0].type):
        fail_at(
            op,
            f"{op.source.type} has not as many bits as {type} where an index has "
            f"{bit_width(f.types.index)}: use index-bitwidth=64",
        )
    f.bind_rows(op.result, [f.cast(llvm.BitcastOp, each, row) for each in source.rows])


def _row_bits(row: Attribute) -> int:
    assert isa(row, VectorType)
    return row.element_count() * bit_width(row)


def _lower_create_mask(op: vector.CreateMaskOp, f: FunctionLowering) -> None:
    check_fixed(op)
    sizes = [f.known(f.scalar(size)) for size in op.mask_dim_sizes]
    _bind_mask(op.mask_vector, sizes, f)


def _lower_constant_mask(op: ConstantMaskOp, f: FunctionLowering) -> None:
    check_fixed(op)
    _bind_mask(op.mask_vector, op.mask_dim_sizes.get_values(), f)


def _bind_mask(
    mask: SSAValue, sizes: Sequence[OpFoldResult], f: FunctionLowering
) -> None:
    """Record a mask of the first elements of each dimension."""
    shape = shape_of(mask)
    width = row_width(shape)
    last = splat(f.index(sizes[-1]), width, f)
    row = f.compare("slt", iota(width, f), last)
    rows: list[SSAValue] = []
    for index in outer_indices(shape):
        masked = row
        for at, size in zip(index, sizes[:-1], strict=True):
            inside = f.compare("slt", f.integer(at), f.index(size))
            masked = f.integer_op(llvm.AndOp, masked, splat(inside, width, f))
        rows.append(masked)
    f.bind_rows(mask, rows)


RULES: Rules = {
    vector.BroadcastOp: _lower_broadcast,
    vector.ShuffleOp: _lower_shuffle,
    vector.BitcastOp: _lower_bitcast,
    vector.CreateMaskOp: _lower_create_mask,
    ConstantMaskOp: _lower_constant_mask,
    shapes.ShapeCastOp: _lower_shape_cast,
    shapes.TransposeOp: _lower_transpose,
    slices.ExtractStridedSliceOp: _lower_extract_slice,
    slices.InsertStridedSliceOp: _lower_insert_slice,
    shapes.InterleaveOp: _lower_interleave,
    shapes.DeinterleaveOp: _lower_deinterleave,
    shapes.FromElementsOp: _lower_from_elements,
    shapes.ToElementsOp: _lower_to_elements,
    shapes.StepOp: _lower_step,
}

"""What views of memory demand: that they lie in it, and that types say the truth.

memref.subview %m[%i] [%n] [1]         0 <= %i, 0 <= %n, %i + %n <= size of %m
memref.cast %m : ... to memref<8xf32>  the size of %m is 8
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from xdsl.dialects import memref
from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
)
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.reshape_algebra import numbers_of
from xdsl_bufferization.dialects.common.slices import Slice, slice_of
from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.memref.layouts import get_strided_form
from xdsl_bufferization.dialects.memref.reshapes import Groups
from xdsl_bufferization.dialects.memref.views import ReshapeOp
from xdsl_bufferization.support.abi import ELEMENT_BYTES

from .accesses import Rules
from .checks import Checks, is_unranked


def _check_subview(op: memref.SubviewOp, checks: Checks) -> None:
    require_slices(slice_of(op), op.source, checks)


def require_slices(piece: Slice, whole: SSAValue, checks: Checks) -> None:
    """Demand that a slice lies in a buffer or tensor, and has no negative size."""
    numbers = [map(checks.number_of, each) for each in piece]
    parts = zip(*numbers, checks.sizes(whole), strict=True)
    for dimension, (offset, size, step, available) in enumerate(parts):
        checks.require(
            checks.holds("sge", size, 0),
            f"the size {{0}} of dimension {dimension} is negative",
            size,
        )
        _require_slice(dimension, (offset, size, step), available, checks)


def _require_slice(
    dimension: int,
    slice: tuple[OpFoldResult, OpFoldResult, OpFoldResult],
    whole: OpFoldResult,
    checks: Checks,
) -> None:
    """Demand that a slice begins and ends inside of a dimension of `whole` elements.

    A slice of no elements may begin behind the last element.
    """
    offset, size, step = slice
    is_empty = checks.holds("eq", size, 0)
    checks.require(
        checks.either(
            checks.holds("ult", offset, whole),
            checks.both(is_empty, checks.holds("eq", offset, whole)),
        ),
        f"offset {{0}} is out of bounds: dimension {dimension} has size {{1}}",
        offset,
        whole,
    )
    last = checks.subtract(size, 1)
    upwards = checks.subtract(checks.subtract(whole, 1), offset)
    if isinstance(step, int):
        room = upwards if step > 0 else offset
        if step == 0:
            return
        fits = checks.holds("ule", last, checks.divide(room, abs(step)))
    else:
        back = checks.divide(offset, checks.subtract(0, step))
        fits = checks.either(
            checks.either(
                checks.holds("eq", step, 0),
                checks.both(
                    checks.holds("sgt", step, 0),
                    checks.holds("ule", last, checks.divide(upwards, step)),
                ),
            ),
            checks.both(checks.holds("slt", step, 0), checks.holds("ule", last, back)),
        )
    checks.require(
        checks.either(is_empty, fits),
        f"the slice of {{1}} elements from {{0}} on is out of bounds: dimension "
        f"{dimension} has size {{2}}",
        offset,
        size,
        whole,
    )


# Casts.


def _check_cast(op: memref.CastOp, checks: Checks) -> None:
    target = op.dest.type
    if not isa(target, MemRefType):
        return
    source: SSAValue = op.source
    rank = target.get_num_dims()
    if is_unranked(source):
        rank_op = memref.RankOp.create(operands=[source], result_types=[IndexType()])
        found = checks.value(rank_op)
        checks.require(
            checks.holds("eq", found, rank), f"rank {{0}} is not {rank}", found
        )
        any_of_rank = _any_of_rank(target)
        cast = memref.CastOp.create(operands=[source], result_types=[any_of_rank])
        source = checks.value(cast)
    _require_type(source, target, checks)


def _any_of_rank(type_: MemRefType) -> MemRefType:
    """The type with nothing but the rank and the elements of `type_`."""
    unknown = [DYNAMIC_INDEX] * type_.get_num_dims()
    layout = StridedLayoutAttr([None] * len(unknown), None)
    return MemRefType(type_.element_type, unknown, layout, type_.memory_space)


def _require_type(source: SSAValue, target: MemRefType, checks: Checks) -> None:
    """Demand that a buffer is what a type says."""
    for dimension, wanted in enumerate(target.get_shape()):
        if wanted != DYNAMIC_INDEX:
            checks.require_static(checks.size(source, dimension), wanted, dimension)
    form = get_strided_form(target)
    if form is None:
        return
    assert isa(source.type, MemRefType)
    own = get_strided_form(source.type)
    if own == form:
        return
    strides, offset = checks.layout(source)
    # Of dimensions with one element, nobody uses the strides.
    for dimension, (found, wanted) in enumerate(
        zip(strides, form.strides, strict=True)
    ):
        if wanted is not None and own is not None and own.strides[dimension] is None:
            is_unused = checks.holds("sle", checks.size(source, dimension), 1)
            checks.require(
                checks.either(is_unused, checks.holds("eq", found, wanted)),
                f"stride {{0}} of dimension {dimension} is not {{1}}",
                found,
                wanted,
            )
    if form.offset is not None and (own is None or own.offset is None):
        checks.require(
            checks.holds("eq", offset, form.offset),
            "offset {0} is not {1}",
            offset,
            form.offset,
        )


def _check_reinterpret_cast(op: memref.ReinterpretCastOp, checks: Checks) -> None:
    """Sizes are not negative; of memory whose end is known, the view is inside."""
    sizes = checks.mixed_values(op.static_sizes.get_values(), op.sizes)
    (offset,) = checks.mixed_values(op.static_offsets.get_values(), op.offsets)
    strides = checks.mixed_values(op.static_strides.get_values(), op.strides)
    for dimension, size in enumerate(sizes):
        checks.require(
            checks.holds("sge", size, 0),
            f"size {{0}} of dimension {dimension} is negative",
            size,
        )
    root = _root(op.source)
    if root is None or any(isinstance(s, int) and s < 0 for s in strides):
        return
    last = offset
    is_empty = checks.holds("eq", 0, 1)
    for size, stride in zip(sizes, strides, strict=True):
        distance = checks.multiply(checks.subtract(size, 1), stride)
        last = checks.add(last, distance)
        is_empty = checks.either(is_empty, checks.holds("eq", size, 0))
    elements = checks.product(checks.sizes(root))
    is_inside = checks.both(
        checks.holds("sge", offset, 0), checks.holds("ult", last, elements)
    )
    checks.require(
        checks.either(is_empty, is_inside),
        "the elements from {0} to {1} are out of bounds: the buffer has {2}",
        offset,
        last,
        elements,
    )


def _root(source: SSAValue) -> SSAValue | None:
    """The allocation, global or argument that a buffer is, if nothing moves in it."""
    owner = source.owner
    if isinstance(owner, memref.ExtractStridedMetaDataOp):
        return None if source is not owner.base_buffer else _root(owner.source)
    if isinstance(owner, memref.AllocOp | memref.AllocaOp | memref.GetGlobalOp):
        return source
    return None


# Reshapes.


def _check_expand_shape(op: memref.ExpandShapeOp, checks: Checks) -> None:
    type_ = op.result.type
    assert isa(type_, MemRefType)
    sizes = checks.mixed_values(type_.get_shape(), op.output_shape)
    require_expanded(op.src, numbers_of(op.reassociation), sizes, checks)


def require_expanded(
    source: SSAValue, groups: Groups, sizes: Sequence[OpFoldResult], checks: Checks
) -> None:
    """Demand that each dimension has as many elements as the group it becomes."""
    for dimension, group in enumerate(groups):
        expanded = [sizes[each] for each in group]
        for size in expanded:
            checks.require(checks.holds("sge", size, 0), "size {0} is negative", size)
        found, wanted = checks.size(source, dimension), checks.product(expanded)
        reason = f"dimension {dimension} has {{0}} elements, which become {{1}}"
        checks.require_same(found, wanted, reason, found, wanted)


def _check_collapse_shape(op: memref.CollapseShapeOp, checks: Checks) -> None:
    """Dimensions become one only where their elements lie without gaps."""
    assert isa(op.src.type, MemRefType)
    if isinstance(op.src.type.layout, NoneAttr):
        return
    strides, _ = checks.layout(op.src)
    shape = op.src.type.get_shape()
    for group in numbers_of(op.reassociation):
        real = [dimension for dimension in group if shape[dimension] != 1]
        for outer, inner in pairwise(real):
            size = checks.size(op.src, inner)
            wanted = checks.multiply(size, strides[inner])
            is_unused = checks.holds("sle", checks.size(op.src, outer), 1)
            lies_so = checks.holds("eq", strides[outer], wanted)
            checks.require(
                checks.either(is_unused, lies_so),
                f"there are gaps between the elements of dimension {outer}: its stride "
                "is {0}, but must be {1}",
                strides[outer],
                wanted,
            )


def _check_reshape(op: ReshapeOp, checks: Checks) -> None:
    if is_unranked(op.source) or not isa(op.result.type, MemRefType):
        return

    def element(place: SSAValue) -> SSAValue:
        size = checks.value(memref.LoadOp.get(op.shape, [place]))
        if isinstance(size.type, IndexType):
            return size
        return checks.value(IndexCastOp(size, IndexType()))

    require_reshaped(op.source, op.result.type.get_shape(), element, checks)


def require_reshaped(
    source: SSAValue,
    shape: Sequence[int],
    element: Callable[[SSAValue], SSAValue],
    checks: Checks,
) -> None:
    """Demand as many elements as before, in the shape of a type.

    `element` emits what reads a size at a place.
    """
    sizes: list[OpFoldResult] = []
    for dimension, static in enumerate(shape):
        size = element(checks.index(dimension))
        checks.require_static(size, static, dimension)
        if static == DYNAMIC_INDEX:
            checks.require(
                checks.holds("sge", size, 0),
                f"size {{0}} of dimension {dimension} is negative",
                size,
            )
        sizes.append(size if static == DYNAMIC_INDEX else static)
    found, wanted = checks.product(checks.sizes(source)), checks.product(sizes)
    checks.require_same(found, wanted, "{0} elements become {1}", found, wanted)


def _check_view(op: memref.ViewOp, checks: Checks) -> None:
    type_ = op.results[0].type
    assert isa(type_, MemRefType)
    sizes = checks.mixed_values(type_.get_shape(), op.sizes)
    element = element_bytes(type_)
    for dimension, size in enumerate(sizes):
        checks.require(
            checks.holds("sge", size, 0),
            f"size {{0}} of dimension {dimension} is negative",
            size,
        )
    if element is None:
        return
    shift = checks.number_of(op.byte_shift)
    have = checks.size(op.source, 0)
    need = checks.multiply(checks.product(sizes), element)
    room = checks.subtract(have, shift)
    checks.require(
        checks.both(
            checks.both(checks.holds("sge", shift, 0), checks.holds("sge", room, 0)),
            checks.holds("ule", need, room),
        ),
        "{1} bytes from {0} on are out of bounds: the buffer has {2}",
        shift,
        need,
        have,
    )


def element_bytes(type_: MemRefType) -> int | None:
    """How many bytes an element has in memory, if that is known."""
    return ELEMENT_BYTES.get(str(type_.element_type))


RULES: Rules = {
    memref.SubviewOp: _check_subview,
    memref.CastOp: _check_cast,
    memref.ReinterpretCastOp: _check_reinterpret_cast,
    memref.ExpandShapeOp: _check_expand_shape,
    memref.CollapseShapeOp: _check_collapse_shape,
    ReshapeOp: _check_reshape,
    memref.ViewOp: _check_view,
}

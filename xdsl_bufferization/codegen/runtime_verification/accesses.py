"""What accesses to memory demand: that the elements are there.

memref.load %m[%i]                     0 <= %i < size of %m
vector.load %m[%i] : vector<4xf32>     0 <= %i, %i + 3 < size of %m
vector.transfer_read %m[%i] in_bounds  the same; without it, 0 <= %i
"""

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, memref, vector
from xdsl.dialects.builtin import IndexType, MemRefType, VectorType, i1
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.memref.atomics import GenericAtomicRMWOp
from xdsl_bufferization.dialects.vector import memory

from .checks import Checks
from .lanes import broadcast, compare_lanes, count_lanes, require_lanes
from .tensor_sizes import shape_of

Rule = Callable[[Any, Checks], None]
"""Emits the checks of an op."""

Rules = dict[type[Operation], Rule]
"""What is checked of ops, by their class."""


def require_element(
    buffer: SSAValue, indices: Sequence[OpFoldResult], checks: Checks
) -> None:
    """Demand that an element of a buffer or tensor is there."""
    for dimension, index in enumerate(indices):
        size = checks.size(buffer, dimension)
        checks.require_index(index, size, dimension)


def require_block(
    buffer: SSAValue,
    indices: Sequence[OpFoldResult],
    shape: Sequence[int],
    checks: Checks,
) -> None:
    """Demand a block of elements, which lies in the last dimensions of a buffer."""
    outer = len(indices) - len(shape)
    for dimension, index in enumerate(indices):
        extent = shape[dimension - outer] if dimension >= outer else 1
        size = checks.size(buffer, dimension)
        checks.require_index(index, size, dimension, extent - 1)


def _check_element(
    op: memref.LoadOp | memref.StoreOp | memref.AtomicRMWOp | GenericAtomicRMWOp,
    checks: Checks,
) -> None:
    require_element(op.memref, op.indices, checks)


# vector.


def shape_of_vector(value: SSAValue) -> Sequence[int]:
    """The sizes of a vector; of a number, none."""
    return value.type.get_shape() if isa(value.type, VectorType) else ()


def _holds_vectors(buffer: SSAValue) -> bool:
    return isa(buffer.type, MemRefType) and isa(buffer.type.element_type, VectorType)


def _check_vector(op: vector.LoadOp | vector.StoreOp, checks: Checks) -> None:
    value = op.result if isinstance(op, vector.LoadOp) else op.vector
    shape = () if _holds_vectors(op.base) else shape_of_vector(value)
    require_block(op.base, op.indices, shape, checks)


TransferOp = vector.TransferReadOp | vector.TransferWriteOp


def check_transfer(
    op: TransferOp, checks: Checks, mask: SSAValue | None = None
) -> None:
    """A transfer may leave its buffer upwards, except where it says that it does not.

    Where a mask is given too, the elements that it leaves out need not be there.
    """
    if shape_of(op.source) is None:
        return
    mask = op.mask if mask is None else mask
    value = op.result if isinstance(op, vector.TransferReadOp) else op.vector
    extents = {
        expr.position: (extent, bool(flag.value.data))
        for expr, extent, flag in zip(
            op.permutation_map.data.results,
            shape_of_vector(value),
            op.in_bounds,
            strict=True,
        )
        if isinstance(expr, AffineDimExpr)
    }
    for dimension, index in enumerate(op.indices):
        extent, in_bounds = extents.get(dimension, (1, True))
        size = checks.size(op.source, dimension)
        if not in_bounds or (mask is not None and dimension in extents):
            checks.require(
                checks.holds("sge", index, 0), "index {0} is negative", index
            )
        else:
            checks.require_index(index, size, dimension, extent - 1)
    if mask is not None and len(extents) == 1 and len(shape_of_vector(mask)) == 1:
        ((dimension, (_, in_bounds)),) = extents.items()
        if in_bounds:
            size = checks.size(op.source, dimension)
            _require_row(op.indices[dimension], size, mask, checks)


def _require_row(
    index: SSAValue, size: OpFoldResult, mask: SSAValue, checks: Checks
) -> None:
    """Demand of neighbours those that a mask selects."""
    lanes = shape_of_vector(mask)[0]
    room = checks.subtract(size, index)
    type = VectorType(i1, [lanes])
    is_there = checks.value(vector.CreateMaskOp([checks.index(room)], type))
    require_lanes(
        is_there,
        mask,
        "an element of the mask, which begins at {0}, is out of bounds: the dimension "
        "has size {1}",
        checks,
        index,
        size,
    )


def _check_masked(
    op: vector.MaskedLoadOp | vector.MaskedStoreOp, checks: Checks
) -> None:
    if shape_of(op.base) is None:
        return
    *outer, last = op.indices
    _require_outer(op.base, outer, checks)
    checks.require(checks.holds("sge", last, 0), "index {0} is negative", last)
    if len(shape_of_vector(op.mask)) == 1:
        _require_row(last, checks.size(op.base, len(outer)), op.mask, checks)


def _require_outer(
    buffer: SSAValue, indices: Sequence[SSAValue], checks: Checks
) -> None:
    for dimension, index in enumerate(indices):
        checks.require_index(index, checks.size(buffer, dimension), dimension)


def _check_scattered(op: memory.GatherOp | memory.ScatterOp, checks: Checks) -> None:
    """Positions count from an index of the last dimension, and stay in that."""
    if shape_of(op.base) is None or len(shape_of_vector(op.positions)) != 1:
        return
    *outer, last = op.indices
    _require_outer(op.base, outer, checks)
    size = checks.size(op.base, len(outer))
    lanes = shape_of_vector(op.positions)[0]
    positions = op.positions
    type = VectorType(IndexType(), [lanes])
    if positions.type != type:
        cast = arith.IndexCastOp.create(operands=[positions], result_types=[type])
        positions = checks.value(cast)
    starts = broadcast(last, type, checks)
    sums = checks.value(
        arith.AddiOp.create(operands=[starts, positions], result_types=[type])
    )
    is_there = compare_lanes("ult", sums, size, checks)
    reason = "a position from {0} on is out of bounds: the dimension has size {1}"
    require_lanes(is_there, op.mask, reason, checks, last, size)


def _check_counted(
    op: memory.ExpandLoadOp | memory.CompressStoreOp, checks: Checks
) -> None:
    """As many neighbours are accessed as the mask selects."""
    *outer, last = op.indices
    _require_outer(op.base, outer, checks)
    size = checks.size(op.base, len(outer))
    count = count_lanes(op.mask, checks)
    end = checks.add(last, count)
    is_inside = checks.both(
        checks.holds("sge", last, 0), checks.holds("sle", end, size)
    )
    checks.require(
        checks.either(checks.holds("eq", count, 0), is_inside),
        "the {1} elements from {0} on are out of bounds: the dimension has size {2}",
        last,
        count,
        size,
    )


RULES: Rules = {
    memref.LoadOp: _check_element,
    memref.StoreOp: _check_element,
    memref.AtomicRMWOp: _check_element,
    GenericAtomicRMWOp: _check_element,
    vector.LoadOp: _check_vector,
    vector.StoreOp: _check_vector,
    vector.TransferReadOp: check_transfer,
    vector.TransferWriteOp: check_transfer,
    vector.MaskedLoadOp: _check_masked,
    vector.MaskedStoreOp: _check_masked,
    memory.GatherOp: _check_scattered,
    memory.ScatterOp: _check_scattered,
    memory.ExpandLoadOp: _check_counted,
    memory.CompressStoreOp: _check_counted,
}

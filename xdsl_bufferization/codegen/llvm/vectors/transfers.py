"""How transfers between buffers and vectors, and masked ops, are lowered.

A row moves at once, with a mask if some of its elements may not move:

    %v = vector.transfer_read %m[%i, %j], %p {in_bounds = [true, false]}
        : memref<?x?xf32>, vector<2x8xf32>
        -> for each of 2 rows a load with the mask %j + (0, 1, ..) < size
    %r = vector.mask %k { vector.reduction <add>, %v ... }
        -> the reduction with a select after each step
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import llvm, vector
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.vector import contractions
from xdsl_bufferization.dialects.vector.masks import MaskOp, require_places
from xdsl_bufferization.support.errors import fail_at

from ..emission.descriptor import Buffer
from ..emission.function import FunctionLowering, Rules
from ..emission.vector_elements import (
    Vector,
    all_indices,
    iota,
    number_of,
    outer_indices,
    rearrange,
    row_width,
    splat,
)
from ..memory.memref import element_address
from .combining import lower_contract, lower_multi_reduction, lower_reduction
from .loads_and_stores import (
    Elements,
    buffer_of,
    load_lanes,
    load_masked,
    load_row,
    store_lanes,
    store_masked,
    store_row,
)
from .shapes import shape_of

TransferOp = vector.TransferReadOp | vector.TransferWriteOp


@dataclass(frozen=True)
class _Row:
    """One row of a transfer."""

    indices: Sequence[OpFoldResult]
    """Where its first element is in the buffer."""

    mask: SSAValue | None
    """Which elements move; None if all of them do."""


class _Transfer:
    """A transfer in the terms of its buffer and its rows."""

    buffer: Buffer
    shape: tuple[int, ...]
    width: int
    elements: Elements

    def __init__(
        self,
        op: TransferOp,
        vector_value: SSAValue,
        mask: Vector | None,
        f: FunctionLowering,
    ):
        self.buffer = buffer_of(op, op.source, f)
        there, here = (
            get_element_type_or_self(value.type) for value in (op.source, vector_value)
        )
        if there != here:
            fail_at(
                op,
                f"'{op.name}' of elements {there} as {here} has no lowering: use one "
                "type",
            )
        self.shape = shape_of(vector_value)
        self.width = row_width(self.shape)
        self.elements = Elements.of(self.buffer.type)
        self._f = f
        self._start = f.indices(op.indices)
        self._map = _dimensions(op.permutation_map.data)
        self._in_bounds = [bool(flag.value.data) for flag in op.in_bounds]
        if mask is None and op.mask is not None:
            mask = f.vector(op.mask)
        self._mask = None if mask is None else self._as_vector(mask)

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements of a row are neighbours in memory."""
        if not self.shape:
            return True
        dimension = self._map[-1]
        return dimension is not None and self.buffer.strides[dimension] == 1

    def rows(self) -> list[_Row]:
        """Return the rows of the vector, in order."""
        return [
            self._row(number, outer)
            for number, outer in enumerate(outer_indices(self.shape))
        ]

    def pointers(self, row: _Row) -> list[SSAValue]:
        """Return the address of each element of a row."""
        f, dimension = self._f, self._map[-1] if self._map else None
        pointers: list[SSAValue] = []
        for at in range(self.width):
            indices = list(row.indices)
            if dimension is not None:
                indices[dimension] = f.add(indices[dimension], at)
            pointers.append(element_address(self.buffer, indices, f, exists=False))
        return pointers

    def address(self, row: _Row) -> SSAValue:
        """Return the address of the first element of a row, which may not exist."""
        return element_address(self.buffer, row.indices, self._f, exists=False)

    def _row(self, number: int, outer: Sequence[int]) -> _Row:
        f = self._f
        indices = list(self._start)
        conditions: list[SSAValue] = []
        for at, dimension, in_bounds in zip(
            outer, self._map[: len(outer)], self._in_bounds[: len(outer)], strict=True
        ):
            if dimension is None:
                continue
            indices[dimension] = f.add(indices[dimension], at)
            if not in_bounds:
                conditions.append(self._inside(indices[dimension], dimension))
        mask = self._last_mask(indices)
        for condition in conditions:
            mask = self._both(mask, splat(condition, self.width, f))
        if self._mask is not None:
            mask = self._both(mask, self._mask.rows[number])
        return _Row(indices, mask)

    def _last_mask(self, indices: Sequence[OpFoldResult]) -> SSAValue | None:
        """Return which elements of a row lie in the buffer; None if all do."""
        f = self._f
        if not self._map or self._in_bounds[-1]:
            return None
        dimension = self._map[-1]
        if dimension is None:
            return None
        starts = splat(f.index(indices[dimension]), self.width, f)
        places = f.integer_op(llvm.AddOp, starts, iota(self.width, f))
        size = splat(f.index(self.buffer.sizes[dimension]), self.width, f)
        return f.compare("ult", places, size)

    def _inside(self, index: OpFoldResult, dimension: int) -> SSAValue:
        f = self._f
        size = f.index(self.buffer.sizes[dimension])
        return f.compare("ult", f.index(index), size)

    def _both(self, first: SSAValue | None, second: SSAValue) -> SSAValue:
        if first is None:
            return second
        return self._f.integer_op(llvm.AndOp, first, second)

    def _as_vector(self, mask: Vector) -> Vector:
        """Return a mask, whose dimensions are those of the buffer, as the vector's."""
        used = sorted(d for d in self._map if d is not None)
        numbers = [
            number_of(
                [index[self._map.index(dimension)] for dimension in used], mask.shape
            )
            for index in all_indices(self.shape)
        ]
        return rearrange([mask], numbers, self.shape, self._f)


def _dimensions(map: AffineMap) -> list[int | None]:
    """Return the dimension of the buffer for each of the vector; None: repeated."""
    return [
        expr.position if isinstance(expr, AffineDimExpr) else None
        for expr in map.results
    ]


def _lower_transfer_read(
    op: vector.TransferReadOp, f: FunctionLowering, mask: Vector | None = None
) -> None:
    """Lower a read of the elements that a mask selects and that exist."""
    transfer = _Transfer(op, op.result, mask, f)
    padding = splat(f.scalar(op.padding), transfer.width, f)
    rows = [_read_row(transfer, row, padding, f) for row in transfer.rows()]
    f.bind_rows(op.result, rows)


def _read_row(
    transfer: _Transfer, row: _Row, padding: SSAValue, f: FunctionLowering
) -> SSAValue:
    elements = transfer.elements
    if not transfer.is_contiguous:
        return load_lanes(transfer.pointers(row), row.mask, padding, elements, f)
    pointer = transfer.address(row)
    if row.mask is None:
        return load_row(pointer, transfer.width, elements, f)
    return load_masked(pointer, row.mask, padding, elements, f)


def _lower_transfer_write(
    op: vector.TransferWriteOp, f: FunctionLowering, mask: Vector | None = None
) -> None:
    """Lower a write of the elements that a mask selects and that have a place."""
    transfer = _Transfer(op, op.vector, mask, f)
    elements = transfer.elements
    for values, row in zip(f.vector(op.vector).rows, transfer.rows(), strict=True):
        if not transfer.is_contiguous:
            store_lanes(values, transfer.pointers(row), row.mask, elements, f)
            continue
        pointer = transfer.address(row)
        if row.mask is None:
            store_row(values, pointer, elements, f)
        else:
            store_masked(values, pointer, row.mask, elements, f)


_MASKABLE: Mapping[type[Operation], Callable[[Any, FunctionLowering, Vector], None]] = {
    vector.TransferReadOp: _lower_transfer_read,
    vector.TransferWriteOp: _lower_transfer_write,
    vector.ReductionOp: lower_reduction,
    contractions.MultiReductionOp: lower_multi_reduction,
    contractions.ContractionOp: lower_contract,
}


def _lower_mask(op: MaskOp, f: FunctionLowering) -> None:
    """Lower the one op inside with its mask."""
    require_places(op)
    block = op.mask_region.block
    terminator = block.last_op
    assert terminator is not None
    masked, mask = terminator.prev_op, f.vector(op.mask)
    if masked is not None:
        rule = _MASKABLE.get(type(masked))
        if rule is None:
            fail_at(op, f"a masked '{masked.name}' has no lowering: select its result")
        rule(masked, f, mask)
    for result, value in zip(op.res, terminator.operands, strict=True):
        if op.passthru is None:
            f.bind(result, f.values[value])
        else:
            _select(mask, result, value, op.passthru, f)


def _select(
    mask: Vector,
    result: SSAValue,
    value: SSAValue,
    otherwise: SSAValue,
    f: FunctionLowering,
) -> None:
    chosen, other = f.vector(value), f.vector(otherwise)
    rows = zip(mask.rows, chosen.rows, other.rows, strict=True)
    f.bind_rows(result, [f.select(*row) for row in rows])


RULES: Rules = {
    vector.TransferReadOp: _lower_transfer_read,
    vector.TransferWriteOp: _lower_transfer_write,
    MaskOp: _lower_mask,
}

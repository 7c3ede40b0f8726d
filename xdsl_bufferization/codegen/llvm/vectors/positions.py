"""How parts of vectors are extracted and inserted, at positions known now or later.

A row that only the running program knows is selected among all rows:

    %x = vector.extract %v[%i, 2] : f32 from vector<2x4xf32>
        -> one llvm.select for each row that %i may name
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.common.elementwise import bit_width, with_element_type
from xdsl_bufferization.dialects.common.static_values import OpFoldResult

from ..emission.function import FunctionLowering, Rules
from ..emission.vector_elements import (
    Vector,
    iota,
    lane,
    lanes_of,
    outer_indices,
    row_width,
    set_lane,
    splat,
    undefined,
)
from .shapes import bind_vector, check_fixed, shape_of


def _positions(
    op: vector.ExtractOp | vector.InsertOp, f: FunctionLowering
) -> list[OpFoldResult]:
    positions = f.mixed_values(op.static_position.get_values(), op.dynamic_position)
    return list(map(f.known, positions))


def _may_be(
    positions: Sequence[OpFoldResult], index: Sequence[int], f: FunctionLowering
) -> SSAValue | bool | None:
    """Whether `positions` are `index`: known now, or the i1 that says so."""
    hit: SSAValue | None = None
    for position, at in zip(positions, index, strict=True):
        if isinstance(position, int):
            if position != at:
                return False
            continue
        equal = f.compare("eq", position, f.integer(at))
        hit = equal if hit is None else f.integer_op(llvm.AndOp, hit, equal)
    return hit if hit is not None else True


def _lower_extract(op: vector.ExtractOp, f: FunctionLowering) -> None:
    check_fixed(op)
    source, positions = f.vector(op.vector), _positions(op, f)
    shape = shape_of(op.result)
    if -1 in positions:
        row = undefined(source.element, row_width(shape), f)
        bind_vector(op.result, Vector(shape, (row,) * prod(shape[:-1])), f)
        return
    if isa(op.result.type, VectorType):
        f.bind_rows(op.result, _extract_rows(source, positions, shape, f))
        return
    row = _extract_rows(source, positions[:-1], source.shape[-1:], f)[0]
    f.bind(op.result, _extract_lane(row, positions[-1] if positions else 0, f))


def _extract_rows(
    source: Vector,
    positions: Sequence[OpFoldResult],
    shape: tuple[int, ...],
    f: FunctionLowering,
) -> list[SSAValue]:
    """Return the rows of the part of `source` at `positions`, of `shape`."""
    count = prod(shape[:-1])
    result: list[SSAValue] | None = None
    parts = product(*map(range, source.shape[: len(positions)]))
    for number, index in enumerate(parts):
        hit = _may_be(positions, index, f)
        if hit is False:
            continue
        part = list(source.rows[number * count : (number + 1) * count])
        if result is None or not isinstance(hit, SSAValue):
            result = part
        else:
            result = [f.select(hit, a, b) for a, b in zip(part, result, strict=True)]
    assert result is not None
    return result


def _extract_lane(
    row: SSAValue, position: OpFoldResult, f: FunctionLowering
) -> SSAValue:
    """Return an element; one at run time is all that is left of the bits of its row.

    xDSL's llvm dialect has no `extractelement`.
    """
    if isinstance(position, int):
        return lane(row, position, f)
    width, element = lanes_of(row), get_element_type_or_self(row.type)
    bits_type = with_element_type(row.type, IntegerType(bit_width(row.type)))
    is_integer = isinstance(element, IntegerType)
    bits = row if is_integer else f.cast(llvm.BitcastOp, row, bits_type)
    chosen = f.compare("eq", iota(width, f), splat(position, width, f))
    others = f.integer(0, bits_type)
    name = f"llvm.vector.reduce.or.v{width}{get_element_type_or_self(bits_type)}"
    only = f.select(chosen, bits, others)
    found = f.value_of_intrinsic(name, [only], get_element_type_or_self(bits_type))
    return found if is_integer else f.cast(llvm.BitcastOp, found, element)


def _lower_insert(op: vector.InsertOp, f: FunctionLowering) -> None:
    check_fixed(op)
    dest, positions = f.vector(op.dest), _positions(op, f)
    if -1 in positions:
        f.bind_rows(op.result, dest.rows)
        return
    if isa(op.source.type, VectorType):
        rows = _insert_rows(dest, f.vector(op.source).rows, positions, f)
    else:
        rows = _insert_element(dest, f.scalar(op.source), positions, f)
    f.bind_rows(op.result, rows)


def _insert_rows(
    dest: Vector,
    part: Sequence[SSAValue],
    positions: Sequence[OpFoldResult],
    f: FunctionLowering,
) -> list[SSAValue]:
    rows = list(dest.rows)
    parts = product(*map(range, dest.shape[: len(positions)]))
    for number, index in enumerate(parts):
        hit = _may_be(positions, index, f)
        if hit is False:
            continue
        for at, new in enumerate(part, number * len(part)):
            is_dynamic = isinstance(hit, SSAValue)
            rows[at] = f.select(hit, new, rows[at]) if is_dynamic else new
    return rows


def _insert_element(
    dest: Vector,
    value: SSAValue,
    positions: Sequence[OpFoldResult],
    f: FunctionLowering,
) -> list[SSAValue]:
    rows = list(dest.rows)
    at = f.index(positions[-1] if positions else 0)
    for number, index in enumerate(outer_indices(dest.shape)):
        hit = _may_be(positions[:-1], index, f)
        if hit is False:
            continue
        new = set_lane(rows[number], value, at, f)
        is_dynamic = isinstance(hit, SSAValue)
        rows[number] = f.select(hit, new, rows[number]) if is_dynamic else new
    return rows


RULES: Rules = {
    vector.ExtractOp: _lower_extract,
    vector.InsertOp: _lower_insert,
}

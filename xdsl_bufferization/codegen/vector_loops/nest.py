"""A structured op on buffers in the terms of its loops, simplified.

    (d0, d1, d2) of 4 x 1 x 8      ->   one loop over 32, if all buffers allow it

Loops of one iteration go. Two loops become one where each operand either uses both for
neighbouring dimensions without gaps, or neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    MemRefType,
    i64,
)
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.making import make
from xdsl_bufferization.dialects.linalg.structure import Structure
from xdsl_bufferization.dialects.memref.layouts import get_strided_form
from xdsl_bufferization.dialects.memref.reshapes import get_collapsed_type

Expressions = tuple[AffineExpr, ...]


@dataclass(frozen=True)
class Access:
    """An operand, and the element that an iteration takes or gives."""

    value: SSAValue
    where: Expressions
    """One index for each dimension; of a number, none."""

    @property
    def type(self) -> MemRefType | None:
        """The type of a buffer; None for a number."""
        return self.value.type if isa(self.value.type, MemRefType) else None

    def uses(self, loop: int) -> bool:
        """Whether another iteration of a loop means another element."""
        return any(loop in each.used_dims() for each in self.where)

    def step(self, loop: int) -> int | None:
        """How far apart the elements of two iterations are; 0 if the loop has no say.

        None if that is unknown, or if a layout puts different elements in one place: as
        rows without elements do, of which no vector can be loaded.
        """
        places = [i for i, each in enumerate(self.where) if loop in each.used_dims()]
        if not places:
            return 0
        form = None if self.type is None else get_strided_form(self.type)
        if form is None or len(places) > 1:
            return None
        is_plain = isinstance(self.where[places[0]], AffineDimExpr)
        return (form.strides[places[0]] or None) if is_plain else None


@dataclass(frozen=True)
class Loop:
    """A loop of a nest."""

    size: int | None
    """None: only known when the program runs."""

    is_parallel: bool
    origins: tuple[int, ...]
    """The loops of the op that it stands for."""


@dataclass
class Nest:
    """The loops of an op; `accesses` are those of all operands, outputs last."""

    op: Operation
    body: Block
    loops: list[Loop]
    accesses: list[Access]
    outputs: int
    views: list[Operation] = field(default_factory=list[Operation])
    """Views of operands, which are not yet in the program."""

    @property
    def results(self) -> list[Access]:
        """The outputs."""
        return self.accesses[len(self.accesses) - self.outputs :]


def nest_of(op: Operation, structure: Structure) -> Nest | None:
    """The loops of an op, none of which has one iteration.

    None if a trip count is neither known nor the size of a buffer.
    """
    operands = (*structure.inputs, *structure.outputs)
    accesses = [
        Access(value, map_.results)
        for value, map_ in zip(operands, structure.maps, strict=True)
    ]
    parallel = structure.parallel
    sizes = [_size(accesses, loop) for loop in range(len(parallel))]
    if any(size == _UNKNOWN for size in sizes):
        return None
    loops = [
        Loop(None if size == DYNAMIC_INDEX else size, kind, (loop,))
        for loop, (size, kind) in enumerate(zip(sizes, parallel, strict=True))
    ]
    body = structure.body.block
    nest = Nest(op, body, loops, accesses, len(structure.outputs))
    _drop_unit_loops(nest)
    _merge_loops(nest)
    return nest


def is_along_rows(nest: Nest, loop: int) -> bool:
    """Whether each operand has its elements next to each other, or one for all.

    And whether there are enough of them for a vector.
    """
    size = nest.loops[loop].size
    steps = {access.step(loop) for access in nest.accesses}
    return (size is None or size >= _FEWEST_ELEMENTS) and steps <= {0, 1}


_FEWEST_ELEMENTS = 4
"""Shorter rows are not worth a vector."""

_UNKNOWN = -2


def _size(accesses: Sequence[Access], loop: int) -> int:
    size = _UNKNOWN
    for access in accesses:
        if access.type is None:
            continue
        for each, found in zip(access.where, access.type.get_shape(), strict=True):
            if each == AffineDimExpr(loop) and size < 0:
                size = found
    return size


def _substitute(nest: Nest, loops: list[Loop], new: Sequence[AffineExpr]) -> None:
    """Let the nest have other loops; `new` says what each old loop is in them."""
    nest.loops = loops
    nest.accesses = [
        Access(
            each.value,
            tuple(expr.replace_dims_and_symbols(new, []) for expr in each.where),
        )
        for each in nest.accesses
    ]


def _drop_unit_loops(nest: Nest) -> None:
    kept = [loop for loop in nest.loops if loop.size != 1]
    if len(kept) == len(nest.loops):
        return
    numbers = {loop: number for number, loop in enumerate(kept)}
    new: list[AffineExpr] = [
        AffineDimExpr(numbers[loop]) if loop in numbers else AffineConstantExpr(0)
        for loop in nest.loops
    ]
    _substitute(nest, kept, new)


# Two loops as one.


def _merge_loops(nest: Nest) -> None:
    asked = {op.dim.value.data for op in nest.body.ops if isinstance(op, IndexOp)}
    for first in reversed(range(len(nest.loops) - 1)):
        pair = nest.loops[first : first + 2]
        if (
            pair[0].is_parallel == pair[1].is_parallel
            and all(loop.size is not None for loop in pair)
            and asked.isdisjoint(origin for loop in pair for origin in loop.origins)
            and all(_is_contiguous(each, first) for each in nest.accesses)
        ):
            _merge(nest, first)


def _is_contiguous(access: Access, first: int) -> bool:
    """Whether an operand uses neither loop, or both for what is one row."""
    if not access.uses(first) and not access.uses(first + 1):
        return True
    group = _group(access, first)
    form = None if access.type is None else get_strided_form(access.type)
    if group is None or access.type is None or form is None:
        return False
    outer, inner = form.strides[group[0]], form.strides[group[-1]]
    size = access.type.get_shape()[group[-1]]
    return None not in (outer, inner) and size > 0 and outer == size * (inner or 0)


def _group(access: Access, first: int) -> range | None:
    """The dimensions of two loops, and those of size 1 between; None if others are."""
    pair = (AffineDimExpr(first), AffineDimExpr(first + 1))
    uses = [
        place
        for place, each in enumerate(access.where)
        if not {first, first + 1}.isdisjoint(each.used_dims())
    ]
    if len(uses) != len(pair) or tuple(access.where[i] for i in uses) != pair:
        return None
    group = range(uses[0], uses[1] + 1)
    assert access.type is not None
    shape = access.type.get_shape()
    return group if all(shape[i] == 1 for i in group[1:-1]) else None


def _merge(nest: Nest, first: int) -> None:
    nest.accesses = [
        _collapsed(each, group, nest.views)
        if each.uses(first) and (group := _group(each, first)) is not None
        else each
        for each in nest.accesses
    ]
    outer, inner = nest.loops[first : first + 2]
    assert outer.size is not None and inner.size is not None
    merged = Loop(
        outer.size * inner.size, outer.is_parallel, (*outer.origins, *inner.origins)
    )
    loops = [*nest.loops[:first], merged, *nest.loops[first + 2 :]]
    new: list[AffineExpr] = [
        AffineDimExpr(loop if loop <= first else loop - 1)
        for loop in range(len(nest.loops))
    ]
    _substitute(nest, loops, new)


@lru_cache(maxsize=1 << 8)
def _number(value: int) -> IntegerAttr:
    return IntegerAttr(value, i64)


def _collapsed(access: Access, group: range, views: list[Operation]) -> Access:
    """An operand with one dimension in the place of a group."""
    type_ = access.type
    assert type_ is not None
    rank = type_.get_num_dims()
    groups = (
        *([i] for i in range(group[0])),
        list(group),
        *([i] for i in range(group[-1] + 1, rank)),
    )
    shape = list(type_.get_shape())
    is_known = DYNAMIC_INDEX not in (shape[group[0]], shape[group[-1]])
    size = shape[group[0]] * shape[group[-1]] if is_known else DYNAMIC_INDEX
    shape[group[0] : group[-1] + 1] = [size]
    view = make(
        memref.CollapseShapeOp,
        operands=[access.value],
        result_types=[get_collapsed_type(type_, groups, shape)],
        properties={
            "reassociation": ArrayAttr(ArrayAttr(map(_number, each)) for each in groups)
        },
    )
    views.append(view)
    where = list(access.where)
    where[group[0] : group[-1] + 1] = [access.where[group[0]]]
    return Access(view.result, tuple(where))

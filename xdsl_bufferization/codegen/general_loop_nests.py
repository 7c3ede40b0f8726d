"""Loop nests in a form that is equal for more of them, before they become functions.

    linalg.generic of 1 x 96 x 112 x 112 elements     ->  of ? elements in a row
    linalg.generic of 1 x 24 x 112 x 112 elements     ->  of ? elements in a row
    linalg.generic of 1 x 128 elements from 384 on    ->  of 128 elements from ? on

Elements are what they were, and each is computed as before. A function gets the place
of its buffers and the length of a row as arguments in any case, so that leaving them
open costs nothing.

- Dimensions of size 1 go, and neighbouring loops become one where all buffers allow it.
- In parallel loops, all is left open but what the loop over vectors needs: that its
  elements are neighbours, and how many there are if they are few.
- Ops whose body asks for an index, or whose operands are accessed in another way than
  by loops, stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
)
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.linalg.structure import shape_of, structure_of
from xdsl_bufferization.dialects.memref.layouts import get_strided_form

from .vector_loops.bodies import is_vectorizable
from .vector_loops.nest import Access, Nest, is_along_rows, nest_of

_LONG_ROW: Final = 128
"""Rows of so many elements take whole vectors, whatever their length is."""


def generalize_nest(op: Operation) -> Operation:
    """Replace a structured op by a more general one, which is returned, or `op`."""
    if not isinstance(op, GenericOp | FillOp) or op.results:
        return op
    structure = structure_of(op)
    if structure is None or not is_vectorizable(structure.body.block):
        return op
    if any(each.name == "linalg.index" for each in structure.body.block.ops):
        return op
    # A part of a buffer without elements would start at its end.
    if any(0 in shape_of(each.type) for each in op.operands):
        return op
    nest = nest_of(op, structure)
    if nest is None:
        return op
    views = _views(nest)
    if views is None:
        return op
    new = _op_on_views(op, nest, views)
    new.location = op.location
    new.attributes.update(op.attributes)
    Rewriter.replace_op(op, [*nest.views, *views.ops, new])
    return new


@dataclass
class _Views:
    """Operands without the dimensions that no loop moves along."""

    ops: list[Operation] = field(default_factory=list[Operation])
    values: list[SSAValue] = field(default_factory=list[SSAValue])
    maps: list[AffineMap] = field(default_factory=list[AffineMap])


@dataclass(frozen=True)
class _Open:
    """What of the loops need not be known when code is made."""

    sizes: frozenset[int] = frozenset()
    """Loops whose number of iterations is left open."""

    strides: frozenset[int] = frozenset()
    """Loops along which the distance of elements is left open."""


def _what_is_open(nest: Nest) -> _Open:
    """All but what the loop over vectors needs; nothing if a loop is a reduction."""
    if not all(loop.is_parallel for loop in nest.loops):
        return _Open()
    loops = range(len(nest.loops))
    innermost = next(
        (each for each in reversed(loops) if is_along_rows(nest, each)), -1
    )
    if innermost < 0:
        return _Open()
    others = frozenset(loops) - {innermost}
    size = nest.loops[innermost].size
    is_long = size is not None and size >= _LONG_ROW
    return _Open(others | {innermost} if is_long else others, others)


def _views(nest: Nest) -> _Views | None:
    views = _Views()
    loops = len(nest.loops)
    open_ = _what_is_open(nest)
    for access in nest.accesses:
        if access.type is None:
            views.values.append(access.value)
            views.maps.append(AffineMap(loops, 0, ()))
            continue
        dims = _plain_dims(access.where)
        if dims is None or not _add_view(views, access, access.type, dims, open_):
            return None
        views.maps.append(
            AffineMap(loops, 0, tuple(access.where[dim] for dim in dims.values()))
        )
    return views


def _plain_dims(where: Sequence[AffineExpr]) -> dict[int, int] | None:
    """The dimension of each loop; None if others are no numbers."""
    dims = {
        each.position: at
        for at, each in enumerate(where)
        if isinstance(each, AffineDimExpr)
    }
    rest = (each for at, each in enumerate(where) if at not in dims.values())
    return dims if all(isinstance(each, AffineConstantExpr) for each in rest) else None


def _add_view(
    views: _Views,
    access: Access,
    type_: MemRefType,
    dims: Mapping[int, int],
    open_: _Open,
) -> bool:
    """Add a view of an operand; returns whether there is one."""
    form = get_strided_form(type_)
    shape = type_.get_shape()
    if form is None or None in form.strides or DYNAMIC_INDEX in shape:
        return False
    if not isinstance(type_.memory_space, NoneAttr):
        return False
    value = access.value
    if len(dims) < len(shape):
        value = _add_part(views, access, type_, list(dims.values()))
    is_open = not open_.sizes.isdisjoint(dims) or not open_.strides.isdisjoint(dims)
    if is_open or value is not access.value or not isinstance(type_.layout, NoneAttr):
        sizes = [
            DYNAMIC_INDEX if loop in open_.sizes else shape[dim]
            for loop, dim in dims.items()
        ]
        strides = [
            None if loop in open_.strides else form.strides[dim]
            for loop, dim in dims.items()
        ]
        layout = StridedLayoutAttr(strides, None)
        general = MemRefType(type_.element_type, sizes, layout)
        if value.type != general:
            cast = memref.CastOp.get(value, general)
            views.ops.append(cast)
            value = cast.dest
    views.values.append(value)
    return True


def _add_part(
    views: _Views, access: Access, type_: MemRefType, dims: Sequence[int]
) -> SSAValue:
    """The part of a buffer that loops move along."""
    form = get_strided_form(type_)
    assert form is not None
    starts = [
        each.value if isinstance(each, AffineConstantExpr) else 0
        for each in access.where
    ]
    shape = type_.get_shape()
    sizes = [size if at in dims else 1 for at, size in enumerate(shape)]
    offset = form.offset
    if offset is not None:
        for start, stride in zip(starts, form.strides, strict=True):
            offset += start * (stride or 0)
    kept = StridedLayoutAttr([form.strides[dim] for dim in dims], offset)
    part = MemRefType(type_.element_type, [shape[dim] for dim in dims], kept)
    view = memref.SubviewOp(
        access.value, [], [], [], starts, sizes, [1] * len(shape), part
    )
    views.ops.append(view)
    return view.result


def _op_on_views(op: GenericOp | FillOp, nest: Nest, views: _Views) -> Operation:
    inputs = len(views.values) - nest.outputs
    ins, outs = views.values[:inputs], views.values[inputs:]
    if isinstance(op, FillOp):
        return new_fill(ins[0], outs[0])
    kinds = [
        IteratorType.PARALLEL if loop.is_parallel else IteratorType.REDUCTION
        for loop in nest.loops
    ]
    return GenericOp(
        ins,
        outs,
        op.detach_region(op.body),
        ArrayAttr(AffineMapAttr(each) for each in views.maps),
        ArrayAttr(IteratorTypeAttr(kind) for kind in kinds),
    )

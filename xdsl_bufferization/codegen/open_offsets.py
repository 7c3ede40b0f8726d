"""Loop nests that differ in the places of their buffers alone become equal.

    %p = memref.subview %x[1, 0] [1, 8] [1, 1]       // offset: 8
    linalg.exp ins(%p) outs(%y)
        ->
    %q = memref.cast %p : memref<1x8xf32, strided<[8, 1], offset: 8>>
                       to memref<1x8xf32, strided<[8, 1], offset: ?>>
    linalg.exp ins(%q) outs(%y)

The steps of a recurrent network read one row of a buffer each. After this function,
`outline-loop-nests` makes one function of such nests.
"""

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, StridedLayoutAttr
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.memref.layouts import (
    StridedForm,
    get_strided_form,
    with_layout,
)
from xdsl_bufferization.support.traversal import ops_inside

_VIEWS = (memref.SubviewOp, memref.ExpandShapeOp, memref.CollapseShapeOp)


def open_offsets(op: Operation, values: Sequence[SSAValue]) -> list[SSAValue]:
    """Let a nest take buffers at any offset; returns what it takes instead of `values`.

    `values` are all buffers from outside that it uses. Does nothing if the type of one
    of them matters to an op inside.
    """
    types = {
        value: opened for value in values if (opened := _opened(value.type)) is not None
    }
    if not types:
        return list(values)
    inside = ops_inside(op)
    views = _open_views(inside, types)
    if views is None:
        return list(values)
    for view in views:
        Rewriter.replace_value_with_new_type(view, types[view])
    casts = {each: _cast(op, each, types[each]) for each in values if each in types}
    for inner in inside:
        for number, operand in enumerate(inner.operands):
            if operand in casts:
                inner.operands[number] = casts[operand]
    return [casts.get(each, each) for each in values]


def _open_views(
    inside: Sequence[Operation], types: dict[SSAValue, MemRefType]
) -> list[SSAValue] | None:
    """The views of what is in `types`, and add their types; None if it may not be."""
    views: list[SSAValue] = []
    for inner in inside:
        if types.keys().isdisjoint(inner.operands):
            continue
        if isinstance(inner, _VIEWS):
            opened = _with_any_offset(inner.results[0].type)
            if opened is not None:
                types[inner.results[0]] = opened
                views.append(inner.results[0])
        elif _needs_type(inner):
            return None
    return views


def _opened(type_: Attribute) -> MemRefType | None:
    """The type with an unknown offset; None if that is no other type."""
    if not isa(type_, MemRefType) or not isinstance(type_.layout, StridedLayoutAttr):
        return None
    return _with_any_offset(type_)


def _with_any_offset(type_: Attribute) -> MemRefType | None:
    """The same for a view, which is at an unknown offset if its buffer is."""
    if not isa(type_, MemRefType):
        return None
    form = get_strided_form(type_)
    if form is None or form.offset is None:
        return None
    return with_layout(type_, type_.get_shape(), StridedForm(form.strides, None))


def _needs_type(op: Operation) -> bool:
    """Whether the types of operands are those of something else."""
    return (
        isinstance(op, CallOp)
        or op.has_trait(IsTerminator)
        or (bool(op.regions) and op.dialect_name() != "linalg")
        or any(isinstance(result.type, MemRefType) for result in op.results)
    ) and not isinstance(op, memref.CastOp)


def _cast(op: Operation, value: SSAValue, type_: MemRefType) -> SSAValue:
    """Insert a cast in front of `op`."""
    cast = memref.CastOp.get(value, type_)
    cast.location = op.location
    Rewriter.insert_op(cast, InsertPoint.before(op))
    return cast.dest

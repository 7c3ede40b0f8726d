"""Strides and offsets of buffers, whatever attribute describes them.

memref<4x8xf32>                                   strides (8, 1), offset 0
memref<4x?xf32, strided<[?, 1], offset: ?>>       strides (?, 1), offset ?
memref<4x8xf32, affine_map<(i, j) -> (j * 4 + i)>>    strides (1, 4), offset 0

A number that only the running program knows is `None`. Source:
https://mlir.llvm.org/docs/Dialects/Builtin/#layout
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    NoneAttr,
    ShapedType,
    StridedLayoutAttr,
)
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)


class StridedForm(NamedTuple):
    """Where element `(i, j, ...)` is: `offset + i * strides[0] + j * strides[1]`..."""

    strides: tuple[int | None, ...]
    offset: int | None

    def as_attribute(self) -> StridedLayoutAttr:
        """The layout as an attribute."""
        return StridedLayoutAttr(self.strides, self.offset)


def get_strided_form(type_: MemRefType) -> StridedForm | None:
    """Strides and offset of a buffer type; None if it has another kind of layout."""
    layout = type_.layout
    if isinstance(layout, NoneAttr):
        return StridedForm(ShapedType.strides_for_shape(type_.get_shape()), 0)
    if isinstance(layout, AffineMapAttr):
        return _strided_form_of_map(layout.data)
    strides = layout.get_strides()
    if strides is None or len(strides) != type_.get_num_dims():
        return None
    return StridedForm(tuple(strides), layout.get_offset())


def has_identity_layout(type_: MemRefType) -> bool:
    """Whether index and position in memory are the same, as MLIR's `isIdentity`."""
    layout = type_.layout
    if isinstance(layout, NoneAttr):
        return True
    if isinstance(layout, AffineMapAttr):
        return layout.data.results == AffineMap.identity(layout.data.num_dims).results
    return isinstance(layout, StridedLayoutAttr) and get_strided_form(
        type_
    ) == StridedForm((1,), 0)


def count_layout_symbols(type_: MemRefType) -> int:
    """How many numbers of the layout the running program supplies."""
    if has_identity_layout(type_):
        return 0
    if isinstance(layout := type_.layout, AffineMapAttr):
        return layout.data.num_symbols
    if isinstance(layout, StridedLayoutAttr):
        return [*layout.get_strides(), layout.get_offset()].count(None)
    return 0


def fits(specific: Iterable[int | None], general: Iterable[int | None]) -> bool:
    """Whether each number of `general` is dynamic or the one of `specific`."""
    return all(b is None or a == b for a, b in zip(specific, general, strict=True))


def static_or_none(numbers: Iterable[int]) -> tuple[int | None, ...]:
    """`None` in the place of xDSL's marker for dynamic numbers."""
    return tuple(None if number == DYNAMIC_INDEX else number for number in numbers)


def add(first: int | None, second: int | None) -> int | None:
    """The sum, if it is known."""
    return None if first is None or second is None else first + second


def multiply(first: int | None, second: int | None) -> int | None:
    """The product, if it is known; it is if a factor is zero."""
    if 0 in (first, second):
        return 0
    return None if first is None or second is None else first * second


class _Linear(NamedTuple):
    """A sum of dimensions with factors, and a number."""

    factors: dict[int, int | None]
    number: int | None


def _strided_form_of_map(map_: AffineMap) -> StridedForm | None:
    if len(map_.results) != 1:
        return None
    linear = _linear(map_.results[0])
    if linear is None:
        return None
    strides = tuple(linear.factors.get(dim, 0) for dim in range(map_.num_dims))
    return StridedForm(strides, linear.number)


def _linear(expr: AffineExpr) -> _Linear | None:
    match expr:
        case AffineDimExpr():
            return _Linear({expr.position: 1}, 0)
        case AffineSymExpr():
            return _Linear({}, None)
        case AffineConstantExpr():
            return _Linear({}, expr.value)
        case AffineBinaryOpExpr():
            return _linear_binary(expr)
        case _:
            return None


def _linear_binary(expr: AffineBinaryOpExpr) -> _Linear | None:
    lhs, rhs = _linear(expr.lhs), _linear(expr.rhs)
    if lhs is None or rhs is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        factors = dict(lhs.factors)
        for dim, factor in rhs.factors.items():
            factors[dim] = add(factors.get(dim, 0), factor)
        return _Linear(factors, add(lhs.number, rhs.number))
    if expr.kind is AffineBinaryOpKind.Mul and not (lhs.factors and rhs.factors):
        sum_, factor = (rhs, lhs) if rhs.factors else (lhs, rhs)
        return _Linear(
            {dim: multiply(each, factor.number) for dim, each in sum_.factors.items()},
            multiply(sum_.number, factor.number),
        )
    return None


def with_layout(
    type_: MemRefType, shape: Sequence[int], form: StridedForm | None
) -> MemRefType:
    """A type for elements of `type_` in its memory space; without `form`, dense."""
    layout = NoneAttr() if form is None else form.as_attribute()
    return MemRefType(type_.element_type, shape, layout, type_.memory_space)

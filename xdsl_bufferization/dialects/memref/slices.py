"""Ops that see a part of a buffer, or a buffer with other sizes and strides.

%0 = memref.subview %m[0, %i] [4, 4] [1, 1]
    : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
%1 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1]
    : memref<8xf32> to memref<4x2xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from collections.abc import Iterable, Sequence

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    MemRefType,
    UnrankedMemRefType,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.canonicalized import Canonicalized
from .constraints import BUFFER, RANKED_BUFFER, ranked
from .layouts import (
    StridedForm,
    add,
    get_strided_form,
    multiply,
    static_or_none,
    with_layout,
)

_MIXED = DenseArrayBase.constr(i64)


class SlicingOp(IRDLOperation):
    """Another view of a buffer, by offsets, sizes and strides."""

    offsets = var_operand_def(IndexType())
    sizes = var_operand_def(IndexType())
    strides = var_operand_def(IndexType())
    static_offsets = prop_def(_MIXED)
    static_sizes = prop_def(_MIXED)
    static_strides = prop_def(_MIXED)
    result = result_def(RANKED_BUFFER)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Canonicalized())
    custom_directives = (DynamicIndexList,)


@irdl_op_definition
class SubviewOp(SlicingOp):
    """A part of a buffer: from `offsets`, `sizes` elements, `strides` apart."""

    name = "memref.subview"

    source = operand_def(RANKED_BUFFER)
    assembly_format = (
        "$source ``"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `to` type($result)"
    )

    @override
    def verify_(self) -> None:
        """The result is, up to dropped unit dimensions, the type that is inferred."""
        source, result = ranked(self.source), ranked(self.result)
        _verify_ranges(self, source.get_num_dims())
        offsets, sizes, strides = _static_ranges(self)
        _verify_in_bounds(source.get_shape(), offsets, sizes, strides)
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"different memory spaces specified for base memref type {source} and "
                f"subview memref type {result}"
            )
        form = _infer_subview_form(source, offsets, strides)
        if result.get_shape() == tuple(sizes) and get_strided_form(result) == form:
            _verify_element_type(source, result)
        else:
            _verify_subview_type(with_layout(source, sizes, form), result)


def infer_subview_type(
    source: MemRefType,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> MemRefType:
    """The type of a subview of full rank; `DYNAMIC_INDEX` stands for what is unknown.

    A `VerifyException` if the source is not strided.
    """
    return with_layout(source, sizes, _infer_subview_form(source, offsets, strides))


def _infer_subview_form(
    source: MemRefType, offsets: Sequence[int], strides: Sequence[int]
) -> StridedForm:
    form = get_strided_form(source)
    if form is None:
        raise VerifyException(f"base type {source} is not strided")
    offset = form.offset
    for position, stride in zip(static_or_none(offsets), form.strides, strict=True):
        offset = add(offset, multiply(position, stride))
    new_strides = tuple(
        multiply(a, b)
        for a, b in zip(form.strides, static_or_none(strides), strict=True)
    )
    return StridedForm(new_strides, offset)


def dropped_dims(
    full: MemRefType, reduced: MemRefType, *, sizes_only: bool = False
) -> tuple[int, ...] | None:
    """Which unit dimensions of `full` are missing in `reduced`; None if others differ.

    Dimensions are matched from the right; a unit dimension that does not match the
    last one left of `reduced` is a missing one. So of several that could be missing,
    the first ones are, as in MLIR.
    """
    full_dims, unmatched = _dims(full, sizes_only), list(_dims(reduced, sizes_only))
    dropped: list[int] = []
    for dim in reversed(range(len(full_dims))):
        if unmatched and unmatched[-1] == full_dims[dim]:
            unmatched.pop()
        elif full_dims[dim][0] == 1:
            dropped.append(dim)
        else:
            return None
    return None if unmatched else tuple(reversed(dropped))


def _dims(type_: MemRefType, sizes_only: bool) -> Sequence[tuple[int, int | None]]:
    shape = type_.get_shape()
    form = get_strided_form(type_)
    if sizes_only or form is None:
        return [(size, None) for size in shape]
    return list(zip(shape, form.strides, strict=True))


def _verify_element_type(source: MemRefType, result: MemRefType) -> None:
    if source.element_type != result.element_type:
        raise VerifyException(
            f"expected result element type to be {source.element_type}, but got "
            f"{result}"
        )


def _verify_subview_type(expected: MemRefType, result: MemRefType) -> None:
    _verify_element_type(expected, result)
    if result.get_num_dims() > expected.get_num_dims():
        raise VerifyException(
            "expected result rank to be smaller or equal to the source rank, but got "
            f"{result}"
        )
    if dropped_dims(expected, result, sizes_only=True) is None:
        mismatch = "sizes"
    elif _has_layout_of(expected, result):
        return
    else:
        mismatch = "layout"
    raise VerifyException(
        f"expected result type to be {expected} or a rank-reduced version. (mismatch "
        f"of result {mismatch}), but got {result}"
    )


def _has_layout_of(expected: MemRefType, result: MemRefType) -> bool:
    first, second = get_strided_form(expected), get_strided_form(result)
    if first is None or second is None or first.offset != second.offset:
        return False
    return dropped_dims(expected, result) is not None


def _verify_in_bounds(
    shape: Sequence[int],
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> None:
    for dim, (bound, offset, size, stride) in enumerate(
        zip(shape, offsets, sizes, strides, strict=True)
    ):
        if DYNAMIC_INDEX in (bound, offset):
            continue
        if offset >= bound:
            raise VerifyException(f"offset {dim} is out-of-bounds: {offset} >= {bound}")
        if DYNAMIC_INDEX in (size, stride) or size == 0:
            continue
        last = offset + (size - 1) * stride
        if last >= bound:
            raise VerifyException(
                f"slice along dimension {dim} runs out-of-bounds: {last} >= {bound}"
            )


@irdl_op_definition
class ReinterpretCastOp(SlicingOp):
    """The memory of a buffer with another offset, other sizes and other strides."""

    name = "memref.reinterpret_cast"

    source = operand_def(BUFFER)
    assembly_format = (
        "$source `to` `offset` `` `:`"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "`` `,` `sizes` `` `:`"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "`` `,` `strides` `` `:`"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `to` type($result)"
    )

    @override
    def verify_(self) -> None:
        """The result says nothing else than offset, sizes and strides."""
        result = ranked(self.result)
        _verify_same_memory(self.source.type, result)
        _verify_ranges(self, result.get_num_dims(), offsets=1)
        form = get_strided_form(result)
        if form is None:
            raise VerifyException(
                f"result must be strided memref of any type values, but got {result}"
            )
        offsets, sizes, strides = (
            static_or_none(each) for each in _static_ranges(self)
        )
        shape = static_or_none(result.get_shape())
        for dim, (size, found) in enumerate(zip(sizes, shape, strict=True)):
            _verify_known("size", size, found, f" in dim = {dim}")
        _verify_known("offset", offsets[0], form.offset)
        for dim, (stride, found) in enumerate(zip(strides, form.strides, strict=True)):
            _verify_known("stride", stride, found, f" in dim = {dim}")


def _verify_same_memory(source: Attribute, result: MemRefType) -> None:
    if not isa(source, MemRefType | UnrankedMemRefType):
        return
    if source.memory_space != result.memory_space:
        raise VerifyException(
            f"different memory spaces specified for source type {source} and result "
            f"memref type {result}"
        )
    if source.element_type != result.element_type:
        raise VerifyException(
            f"different element types specified for source type {source} and result "
            f"memref type {result}"
        )


def _verify_known(
    what: str, given: int | None, found: int | None, where: str = ""
) -> None:
    """What the type knows is what the op says."""
    if found is not None and found != given:
        expected = "dynamic" if given is None else given
        raise VerifyException(
            f"expected result type with {what} = {expected} instead of {found}{where}"
        )


def _static_ranges(
    op: SlicingOp,
) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    return (
        op.static_offsets.get_values(),
        op.static_sizes.get_values(),
        op.static_strides.get_values(),
    )


def _verify_ranges(op: SlicingOp, rank: int, offsets: int | None = None) -> None:
    """Offsets, sizes and strides are as many as they should be, and not negative."""
    mixed = _static_ranges(op)
    if len(mixed[1]) != len(mixed[2]):
        raise VerifyException(
            "expected mixed sizes rank to match mixed strides rank "
            f"({len(mixed[1])} vs {len(mixed[2])}) so the rank of the result type is "
            "well-formed."
        )
    counts = (rank if offsets is None else offsets, rank, rank)
    names = ("offset", "size", "stride")
    dynamic = (op.offsets, op.sizes, op.strides)
    for name, count, static, operands in zip(
        names, counts, mixed, dynamic, strict=True
    ):
        if len(static) != count:
            raise VerifyException(f"expected {count} {name} values, got {len(static)}")
        if len(operands) != (markers := static.count(DYNAMIC_INDEX)):
            raise VerifyException(
                f"expected the number of '{name}s' to match the number of dynamic "
                f"entries in 'static_{name}s' ({len(operands)} vs {markers})"
            )
    for name, static in zip(names[:2], mixed[:2], strict=True):
        _verify_not_negative(name, static)


def _verify_not_negative(name: str, static: Iterable[int]) -> None:
    for number in static:
        if number < 0 and number != DYNAMIC_INDEX:
            raise VerifyException(
                f"expected {name}s to be non-negative, but got {number}"
            )

"""Ops that split and merge neighbouring dimensions of a buffer without moving it.

%0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 8]
    : memref<4x8xf32> into memref<2x2x8xf32>
%1 = memref.collapse_shape %0 [[0], [1, 2]]
    : memref<2x2x8xf32> into memref<2x16xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    MemRefType,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList
from xdsl.dialects.utils.reshape_ops_utils import ContiguousArrayOfIntArray
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..common.reassociation import Reassociation
from ..common.reshape_algebra import numbers_of
from .constraints import RANKED_BUFFER, ranked
from .layouts import (
    StridedForm,
    get_strided_form,
    has_identity_layout,
    multiply,
    static_or_none,
    with_layout,
)

Groups = Sequence[Sequence[int]]
"""For each collapsed dimension, the dimensions that it expands to."""


@irdl_op_definition
class ExpandShapeOp(IRDLOperation):
    """The same buffer with dimensions split into several."""

    name = "memref.expand_shape"

    src = operand_def(RANKED_BUFFER)
    reassociation = prop_def(ContiguousArrayOfIntArray())
    output_shape = var_operand_def(IndexType())
    static_output_shape = prop_def(DenseArrayBase.constr(i64))
    result = result_def(RANKED_BUFFER)

    traits = traits_def(Canonicalized())
    custom_directives = (DynamicIndexList, Reassociation)
    assembly_format = (
        "$src custom<Reassociation>($reassociation) `output_shape`"
        "custom<DynamicIndexList>($output_shape, $static_output_shape) attr-dict `:`"
        "type($src) `into` type($result)"
    )

    @override
    def verify_(self) -> None:
        """The result has the shape that is given, and the layout that is implied."""
        source, result = ranked(self.src), ranked(self.result)
        if result.get_num_dims() < source.get_num_dims():
            raise VerifyException(
                f"has source rank {source.get_num_dims()} and result rank "
                f"{result.get_num_dims()}. This is not an expansion "
                f"({source.get_num_dims()} > {result.get_num_dims()})."
            )
        groups = numbers_of(self.reassociation)
        verify_reassociation(groups, source.get_shape(), result.get_shape())
        _verify_output_shape(self, result.get_shape())
        expected = get_expanded_type(source, groups, result.get_shape())
        if result != expected:
            raise VerifyException(
                f"expected expanded type to be {expected} but found {result}"
            )


def _verify_output_shape(op: ExpandShapeOp, shape: Sequence[int]) -> None:
    given = op.static_output_shape.get_values()
    if len(given) != len(shape):
        raise VerifyException(
            "expected number of static shape bounds to be equal to the output rank "
            f"({len(shape)}) but found {len(given)} inputs instead"
        )
    for position, (size, expected) in enumerate(zip(given, shape, strict=True)):
        if size != expected:
            raise VerifyException(f"invalid output shape provided at pos {position}")
    if len(op.output_shape) != (dynamic := list(given).count(DYNAMIC_INDEX)):
        raise VerifyException(
            f"incorrect number of dynamic sizes, has {len(op.output_shape)}, "
            f"expected {dynamic}"
        )


@irdl_op_definition
class CollapseShapeOp(IRDLOperation):
    """The same buffer with dimensions merged that follow each other in memory."""

    name = "memref.collapse_shape"

    src = operand_def(RANKED_BUFFER)
    reassociation = prop_def(ContiguousArrayOfIntArray())
    result = result_def(RANKED_BUFFER)

    traits = traits_def(Canonicalized())
    custom_directives = (Reassociation,)
    assembly_format = (
        "$src custom<Reassociation>($reassociation) attr-dict "
        "`:` type($src) `into` type($result)"
    )

    @override
    def verify_(self) -> None:
        """The result has the shape and the layout that are implied."""
        source, result = ranked(self.src), ranked(self.result)
        if result.get_num_dims() > source.get_num_dims():
            raise VerifyException(
                f"has source rank {source.get_num_dims()} and result rank "
                f"{result.get_num_dims()}. This is not a collapse "
                f"({source.get_num_dims()} < {result.get_num_dims()})."
            )
        groups = numbers_of(self.reassociation)
        verify_reassociation(groups, result.get_shape(), source.get_shape())
        expected = get_collapsed_type(source, groups, result.get_shape())
        if result != expected:
            raise VerifyException(
                f"expected collapsed type to be {expected} but found {result}"
            )


def verify_reassociation(
    groups: Groups, collapsed: Sequence[int], expanded: Sequence[int]
) -> None:
    """Groups partition the expanded dimensions in order, and sizes agree."""
    if not collapsed and any(size != 1 for size in expanded):
        raise VerifyException(
            "rank 0 memrefs can only be extended/collapsed with/from ones"
        )
    if len(groups) != len(collapsed):
        raise VerifyException(
            f"invalid number of reassociation groups: found {len(groups)}, expected "
            f"{len(collapsed)}"
        )
    following = 0
    for position, (group, size) in enumerate(zip(groups, collapsed, strict=True)):
        for dim in group:
            if dim != following:
                raise VerifyException("reassociation indices must be contiguous")
            if dim >= len(expanded):
                raise VerifyException(f"reassociation index {dim} is out of bounds")
            following += 1
        _verify_group(position, size, [expanded[dim] for dim in group])
    if collapsed and following != len(expanded):
        raise VerifyException(
            f"expanded rank ({len(expanded)}) inconsistent with number of "
            f"reassociation indices ({following})"
        )


def _verify_group(position: int, size: int, expanded: Sequence[int]) -> None:
    if (size == DYNAMIC_INDEX) != (DYNAMIC_INDEX in expanded):
        raise VerifyException(
            f"collapsed dim ({position}) must be dynamic if and only if reassociation "
            "group is dynamic"
        )
    if size == DYNAMIC_INDEX:
        return
    product = 1
    for each in expanded:
        product *= each
    if size != product:
        raise VerifyException(
            f"collapsed dim size ({size}) must equal reassociation group size "
            f"({product})"
        )


def get_expanded_type(
    source: MemRefType, groups: Groups, shape: Sequence[int]
) -> MemRefType:
    """The type of an expanded buffer; a `VerifyException` if it has none."""
    if has_identity_layout(source):
        return with_layout(source, shape, None)
    form = _strided_form_or_error(source)
    sizes = static_or_none(shape)
    # Dimensions in no group stem from a rank of 0; all their sizes are 1.
    strides: list[int | None] = [1] * len(shape)
    for stride, group in zip(form.strides, groups, strict=True):
        for dim in reversed(group):
            strides[dim] = stride
            stride = multiply(stride, sizes[dim])
    return with_layout(source, shape, StridedForm(tuple(strides), form.offset))


def get_collapsed_type(
    source: MemRefType, groups: Groups, shape: Sequence[int]
) -> MemRefType:
    """The type of a collapsed buffer; a `VerifyException` if it has none.

    A dimension of size 1 may have any stride, so it neither tells the stride of its
    group nor keeps others from being merged. What is dynamic is assumed to fit.
    """
    if has_identity_layout(source):
        return with_layout(source, shape, None)
    form = _strided_form_or_error(source)
    sizes = static_or_none(source.get_shape())
    strides: list[int | None] = []
    for group in groups:
        strides.append(stride := _stride_of_group(group, sizes, form))
        _verify_contiguous(group, sizes, form, stride)
    return with_layout(source, shape, StridedForm(tuple(strides), form.offset))


def _strided_form_or_error(source: MemRefType) -> StridedForm:
    form = get_strided_form(source)
    if form is None:
        raise VerifyException(
            f"source must be strided memref of any type values, but got {source}"
        )
    return form


def _stride_of_group(
    group: Sequence[int], sizes: Sequence[int | None], form: StridedForm
) -> int | None:
    trailing = [dim for dim in group if sizes[dim] != 1]
    innermost = trailing[-1] if trailing else group[0]
    # A dynamic size may turn out to be 1; then another dimension tells the stride.
    is_certain = sizes[innermost] is not None or innermost == group[0]
    return form.strides[innermost] if is_certain else None


def _verify_contiguous(
    group: Sequence[int],
    sizes: Sequence[int | None],
    form: StridedForm,
    stride: int | None,
) -> None:
    for dim in reversed(group[1:]):
        stride = multiply(stride, sizes[dim])
        outer = form.strides[dim - 1]
        if sizes[dim - 1] == 1 or stride is None or outer is None:
            continue
        if stride != outer:
            raise VerifyException(
                "invalid source layout map or collapsing non-contiguous dims"
            )

"""Ops that see the elements of a tensor in another shape.

xDSL 0.74 does not verify `tensor.collapse_shape`, ties `tensor.reshape` to static
sizes, and writes a type after every number of a reassociation.

    %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x2x?xf32> into tensor<4x?xf32>
    %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 2, %n]
        : tensor<4x?xf32> into tensor<2x2x?xf32>

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorreshape-tensorreshapeop
"""

import math
from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnySignlessIntegerType,
    DenseArrayBase,
    IndexType,
    TensorType,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList
from xdsl.dialects.utils.reshape_ops_utils import (
    ArrayOfIntArrayAttr,
    ContiguousArrayOfIntArray,
    verify_reshape_like_types,
)
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
from ..common.types import have_same_element_type
from .constraints import ANY_TENSOR, RANKED, ranked_type


def _verify_reshape(
    collapsed: TensorType, expanded: TensorType, reassociation: ArrayOfIntArrayAttr
) -> None:
    """Each dimension of `collapsed` is the product of a group of `expanded`."""
    if collapsed.element_type != expanded.element_type:
        raise VerifyException(
            f"expected the element types of {collapsed} and {expanded} to be the same"
        )
    for index, group in enumerate(reassociation):
        if not group.data:
            raise VerifyException(
                f"expected reassociation map #{index} not to be empty"
            )
    if reassociation.data and reassociation.data[0].data[0].value.data:
        raise VerifyException(
            "expected reassociation map #0 to be valid and contiguous"
        )
    if collapsed.get_shape() or reassociation.data:
        verify_reshape_like_types(collapsed, expanded, reassociation)
    elif any(size != 1 for size in expanded.get_shape()):
        raise VerifyException(
            f"expected all sizes of {expanded} to be 1, to be the shape of {collapsed}"
        )


@irdl_op_definition
class CollapseShapeOp(IRDLOperation):
    """The tensor with contiguous groups of dimensions collapsed into one each."""

    name = "tensor.collapse_shape"

    src = operand_def(RANKED)
    result = result_def(RANKED)
    reassociation = prop_def(ContiguousArrayOfIntArray())

    traits = traits_def(Canonicalized())

    assembly_format = (
        "$src custom<Reassociation>($reassociation)"
        "attr-dict `:` type($src) `into` type($result)"
    )
    custom_directives = (Reassociation,)

    @override
    def verify_(self) -> None:
        """The result has the sizes of the collapsed groups."""
        source, result = ranked_type(self.src), ranked_type(self.result)
        _verify_reshape(result, source, self.reassociation)


@irdl_op_definition
class ExpandShapeOp(IRDLOperation):
    """The tensor with each dimension expanded into a group of dimensions."""

    name = "tensor.expand_shape"

    src = operand_def(RANKED)
    dynamic_output_shape = var_operand_def(IndexType())
    reassociation = prop_def(ContiguousArrayOfIntArray())
    static_output_shape = prop_def(DenseArrayBase.constr(i64))
    result = result_def(RANKED)

    traits = traits_def(Canonicalized())

    assembly_format = (
        "$src custom<Reassociation>($reassociation) `output_shape`"
        "custom<DynamicIndexList>($dynamic_output_shape, $static_output_shape)"
        "attr-dict `:` type($src) `into` type($result)"
    )
    custom_directives = (DynamicIndexList, Reassociation)

    @override
    def verify_(self) -> None:
        """The result has the sizes of `output_shape`, and as many elements."""
        source, result = ranked_type(self.src), ranked_type(self.result)
        static = self.static_output_shape.get_values()
        if len(static) != result.get_num_dims():
            raise VerifyException(
                "expected number of static shape dims to be equal to the output rank "
                f"({result.get_num_dims()}) but found {len(static)} inputs instead"
            )
        dynamic = static.count(DYNAMIC_INDEX)
        if dynamic != len(self.dynamic_output_shape):
            raise VerifyException(
                "mismatch in dynamic dims in output_shape and static_output_shape: "
                f"static_output_shape has {dynamic} dynamic dims while output_shape "
                f"has {len(self.dynamic_output_shape)} values"
            )
        _verify_reshape(source, result, self.reassociation)


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The elements of `source` in the shape that a tensor holds."""

    name = "tensor.reshape"

    source = operand_def(ANY_TENSOR)
    shape = operand_def(TensorType[AnySignlessIntegerType | IndexType])
    result = result_def(ANY_TENSOR)

    traits = traits_def(Canonicalized())

    assembly_format = (
        "$source `(` $shape `)` attr-dict"
        "`:` `(` type($source) `,` type($shape) `)` `->` type($result)"
    )

    @override
    def verify_(self) -> None:
        """As many elements, as far as is known, and as many sizes as dimensions."""
        source, result = self.source.type, self.result.type
        if not have_same_element_type(source, result):
            raise VerifyException(
                "element types of source and destination tensor types should be the "
                "same"
            )
        shape = ranked_type(self.shape).get_shape()
        if len(shape) != 1:
            raise VerifyException(f"the shape operand is {len(shape)}D, expected 1D")
        if not isinstance(result, TensorType):
            return
        if isinstance(source, TensorType):
            _verify_same_count(source.get_shape(), result.get_shape())
        if shape[0] == DYNAMIC_INDEX:
            raise VerifyException(
                "cannot use shape operand with dynamic length to reshape to "
                "statically-ranked tensor type"
            )
        if shape[0] != result.get_num_dims():
            raise VerifyException(
                "length of shape operand differs from the result's tensor rank"
            )


def _verify_same_count(source: Sequence[int], result: Sequence[int]) -> None:
    """Static shapes have as many elements as each other."""
    if DYNAMIC_INDEX in source or DYNAMIC_INDEX in result:
        return
    if math.prod(source) != math.prod(result):
        raise VerifyException(
            "source and destination tensor should have the same number of elements"
        )

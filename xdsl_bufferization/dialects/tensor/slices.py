"""Ops on parts of tensors: slices, and concatenation.

xDSL 0.74 lacks `tensor.parallel_insert_slice`, and lets a slice lie outside its tensor
and have any type.

    %0 = tensor.extract_slice %t[%n, 0] [1, 4] [1, 2] : tensor<8x8xf32> to tensor<4xf32>
    %1 = tensor.insert_slice %0 into %t[0, 0] [1, 4] [1, 1]
        : tensor<4xf32> into tensor<8x8xf32>

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorextract_slice-tensorextractsliceop
and, for offsets, sizes and strides, MLIR's OffsetSizeAndStrideOpInterface.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..common.arrays import operand_lists
from ..common.canonicalized import Canonicalized
from ..common.slices import mix, static_slice_of
from ..common.static_values import OpFoldResult, decompose_mixed_values
from .constraints import RANKED, ranked_type
from .slice_types import out_of_bounds, part_type_error

IN_PARALLEL = "scf.forall.in_parallel"
"""The op in which `tensor.parallel_insert_slice` stands."""

_NAMES = ("offset", "size", "stride")


def _verify_slice(
    op: Operation,
    whole: SSAValue,
    part: SSAValue,
    dynamic: Sequence[Sequence[SSAValue]],
) -> None:
    """The slice of `op` is well-formed, inside `whole`, and of the type of `part`.

    Its offsets, sizes and strides that are values are `dynamic`.
    """
    whole_type, part_type = ranked_type(whole), ranked_type(part)
    static = static_slice_of(op)
    for name, numbers, values in zip(_NAMES, static, dynamic, strict=True):
        _verify_numbers(name, numbers, values, whole_type)
    piece = mix(static, dynamic)
    problem = None
    # Making a type takes long, and most parts have the shape of their slice.
    if (
        piece.shape() != part_type.get_shape()
        or whole_type.element_type != part_type.element_type
    ):
        element, encoding = whole_type.element_type, whole_type.encoding
        expected = TensorType(element, piece.shape(), encoding)
        problem = part_type_error(expected, part_type)
    problem = problem or out_of_bounds(piece, whole_type.get_shape())
    if problem is not None:
        raise VerifyException(problem)


def _verify_numbers(
    name: str, static: Sequence[int], dynamic: Sequence[SSAValue], whole: TensorType
) -> None:
    """A number for each dimension, none negative, and a value for each dynamic one."""
    if len(static) != whole.get_num_dims():
        raise VerifyException(
            f"expected {whole.get_num_dims()} {name} values, got {len(static)}"
        )
    if static.count(DYNAMIC_INDEX) != len(dynamic):
        raise VerifyException(
            f"expected the number of '{name}s' to match the number of dynamic entries "
            f"in 'static_{name}s' ({len(dynamic)} vs {static.count(DYNAMIC_INDEX)})"
        )
    if name == "stride":
        return
    for number in static:
        if number < 0 and number != DYNAMIC_INDEX:
            raise VerifyException(
                f"expected {name}s to be non-negative, but got {number}"
            )


class ExtractSliceOp(tensor.ExtractSliceOp):
    """What `tensor.extract_slice` should do differently."""

    traits = traits_def(Canonicalized())

    @override
    def verify_(self) -> None:
        """The slice is inside the source, and the result has its type."""
        (source,), *dynamic = operand_lists(self)
        _verify_slice(self, source, self.result, dynamic)


class InsertSliceOp(tensor.InsertSliceOp):
    """What `tensor.insert_slice` should do differently."""

    traits = traits_def(Canonicalized())

    @override
    def verify_(self) -> None:
        """The slice is inside the destination, and the source has its type."""
        (source,), (dest,), *dynamic = operand_lists(self)
        _verify_slice(self, dest, source, dynamic)


@irdl_op_definition
class ParallelInsertSliceOp(IRDLOperation):
    """Writes `source` into a slice of `dest`, as what one thread of a loop does.

    It stands in the region of `scf.forall.in_parallel`, has no result, and writes to an
    argument of the loop for its shared outputs.
    """

    name = "tensor.parallel_insert_slice"

    source = operand_def(RANKED)
    dest = operand_def(RANKED)
    offsets = var_operand_def(IndexType())
    sizes = var_operand_def(IndexType())
    strides = var_operand_def(IndexType())
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Canonicalized())

    assembly_format = (
        "$source `into` $dest ``"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `into` type($dest)"
    )
    custom_directives = (DynamicIndexList,)

    def __init__(
        self,
        source: SSAValue | Operation,
        dest: SSAValue | Operation,
        offsets: Sequence[OpFoldResult],
        sizes: Sequence[OpFoldResult],
        strides: Sequence[OpFoldResult],
    ):
        dynamic: list[Sequence[SSAValue]] = []
        static: dict[str, DenseArrayBase] = {}
        for name, numbers in zip(_NAMES, (offsets, sizes, strides), strict=True):
            known, values = decompose_mixed_values(numbers)
            static[f"static_{name}s"] = DenseArrayBase.from_list(i64, known)
            dynamic.append(values)
        super().__init__(operands=[source, dest, *dynamic], properties=static)

    @override
    def verify_(self) -> None:
        """It stands where threads meet, inside the destination, and fits the slice."""
        parent = self.parent_op()
        if parent is not None and parent.name != IN_PARALLEL:
            raise VerifyException(
                f"expected the parent to be {IN_PARALLEL}, but it is {parent.name}"
            )
        (source,), (dest,), *dynamic = operand_lists(self)
        _verify_slice(self, dest, source, dynamic)


_verify_concat = tensor.ConcatOp.verify_


class ConcatOp(tensor.ConcatOp):
    """What `tensor.concat` should do differently."""

    traits = traits_def(Canonicalized())

    @override
    def verify_(self) -> None:
        """The sizes along `dim` add up, and the others are the same."""
        if self.dim.value.data < 0:
            raise VerifyException("concatenation dim must not be negative")
        _verify_concat(self)

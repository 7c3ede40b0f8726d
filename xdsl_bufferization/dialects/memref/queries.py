"""Ops that tell about a buffer: its sizes, its rank, its parts.

%0 = memref.dim %m, %i : memref<4x?xf32>
%base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m
    : memref<4x?xf32> -> memref<f32>, index, index, index, index, index

Source of all definitions: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicResultSize,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.canonicalized import Canonicalized
from .constraints import BUFFER, RANKED_BUFFER, ranked
from .layouts import get_strided_form, with_layout


@irdl_op_definition
class DimOp(IRDLOperation):
    """The size of a dimension."""

    name = "memref.dim"

    source = operand_def(BUFFER)
    index = operand_def(IndexType())
    result = result_def(IndexType())

    traits = traits_def(Canonicalized())
    assembly_format = "$source `,` $index attr-dict `:` type($source)"

    @override
    def verify_(self) -> None:
        """The buffer has a dimension, as far as is known."""
        if isa(type_ := self.source.type, MemRefType) and not type_.get_num_dims():
            raise VerifyException(
                "source must be unranked.memref of any type values or "
                f"non-0-ranked.memref of any type values, but got {type_}"
            )


@irdl_op_definition
class RankOp(IRDLOperation):
    """The number of dimensions of a buffer."""

    name = "memref.rank"

    source = operand_def(BUFFER)
    rank = result_def(IndexType())

    traits = traits_def(Canonicalized())
    assembly_format = "$source attr-dict `:` type($source)"


@irdl_op_definition
class ExtractAlignedPointerAsIndexOp(IRDLOperation):
    """The address of the first element, before the offset is added."""

    name = "memref.extract_aligned_pointer_as_index"

    source = operand_def(BUFFER)
    aligned_pointer = result_def(IndexType())

    traits = traits_def(Canonicalized())
    assembly_format = "$source attr-dict `:` type($source) `->` type($aligned_pointer)"


@irdl_op_definition
class ExtractStridedMetaDataOp(IRDLOperation):
    """The parts of a buffer: its memory, its offset, its sizes and its strides."""

    name = "memref.extract_strided_metadata"

    source = operand_def(RANKED_BUFFER)
    base_buffer = result_def(RANKED_BUFFER)
    offset = result_def(IndexType())
    sizes = var_result_def(IndexType())
    strides = var_result_def(IndexType())

    irdl_options = (SameVariadicResultSize(),)
    traits = traits_def(Canonicalized())
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"

    @override
    def verify_(self) -> None:
        """The source is strided, and the results have the types it implies."""
        source = ranked(self.source)
        if get_strided_form(source) is None:
            raise VerifyException(
                f"source must be strided memref of any type values, but got {source}"
            )
        base = with_layout(source, (), None)
        expected = (base, *[IndexType()] * (1 + 2 * source.get_num_dims()))
        if (given := tuple(self.result_types)) != expected:
            raise VerifyException(
                f"inferred type(s) {_list(expected)} are incompatible with return "
                f"type(s) of operation {_list(given)}"
            )


def _list(types: Sequence[Attribute]) -> str:
    return ", ".join(str(type_) for type_ in types)

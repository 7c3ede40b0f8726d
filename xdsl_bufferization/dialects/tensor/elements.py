"""Ops on elements that the program has one by one, or by their indices.

xDSL 0.74 lacks `tensor.gather` and `tensor.scatter`, and counts neither indices nor
elements.

    %0 = tensor.extract %t[%i, %j] : tensor<4x8xf32>
    %1 = tensor.gather %t[%indices] gather_dims([1]) unique
        : (tensor<4x8xf32>, tensor<7x1xindex>) -> tensor<7x4xf32>

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorgather-tensorgatherop
"""

import math
from collections.abc import Sequence
from itertools import pairwise

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    AnySignlessIntegerType,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from .constraints import RANKED, ranked_type


def _verify_indices(indices: Sequence[SSAValue], whole: SSAValue) -> None:
    """One index for each dimension."""
    rank = ranked_type(whole).get_num_dims()
    if len(indices) != rank:
        raise VerifyException(
            f"incorrect number of indices, has {len(indices)}, expected {rank}"
        )


class ExtractOp(tensor.ExtractOp):
    """What `tensor.extract` should do differently."""

    traits = traits_def(Canonicalized())

    @override
    def verify_(self) -> None:
        """One index for each dimension."""
        _verify_indices(self.indices, self.tensor)


class InsertOp(tensor.InsertOp):
    """What `tensor.insert` should do differently."""

    traits = traits_def(Canonicalized())

    @override
    def verify_(self) -> None:
        """One index for each dimension."""
        _verify_indices(self.indices, self.dest)


class FromElementsOp(tensor.FromElementsOp):
    """What `tensor.from_elements` should do differently."""

    traits = traits_def(Canonicalized())

    @override
    def verify_(self) -> None:
        """As many elements as the static shape of the result has."""
        type_ = self.result.type
        if not type_.has_static_shape():
            raise VerifyException(
                f"'result' must be statically shaped tensor, but got '{type_}'"
            )
        if (expected := math.prod(type_.get_shape())) != len(self.elements):
            raise VerifyException(
                "number of operands and types do not match: got "
                f"{len(self.elements)} operands and {expected} types"
            )


@irdl_op_definition
class GatherOp(IRDLOperation):
    """The slices of `source` at `indices`, of size 1 along `gather_dims`.

    The result has the shape of `indices` without its last size, and then that of the
    slices; these may drop the sizes of 1.
    """

    name = "tensor.gather"

    source = operand_def(RANKED)
    indices = operand_def(TensorType[AnySignlessIntegerType | IndexType])
    gather_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(RANKED)

    traits = traits_def(Pure(), Canonicalized())

    assembly_format = (
        "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)`"
        "(`unique` $unique^)? attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        indices: SSAValue | Operation,
        gather_dims: Sequence[int],
        result_type: TensorType[Attribute],
        *,
        unique: bool = False,
    ):
        super().__init__(
            operands=[source, indices],
            result_types=[result_type],
            properties={
                "gather_dims": DenseArrayBase.from_list(i64, gather_dims),
                "unique": UnitAttr() if unique else None,
            },
        )

    @override
    def verify_(self) -> None:
        """The dimensions are some of the source's, and the result has the slices."""
        source, indices = ranked_type(self.source), ranked_type(self.indices)
        dims = self.gather_dims.get_values()
        _verify_dims("gather", dims, indices, source, "source")
        _verify_slices("result", ranked_type(self.result), indices, source, dims)


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """`dest` with the slices at `indices`, as `tensor.gather` has them, overwritten."""

    name = "tensor.scatter"

    source = operand_def(RANKED)
    dest = operand_def(RANKED)
    indices = operand_def(TensorType[AnySignlessIntegerType | IndexType])
    scatter_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(RANKED)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)`"
        "(`unique` $unique^)? attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        dest: SSAValue | Operation,
        indices: SSAValue | Operation,
        scatter_dims: Sequence[int],
        *,
        unique: bool = True,
    ):
        super().__init__(
            operands=[source, dest, indices],
            result_types=[SSAValue.get(dest).type],
            properties={
                "scatter_dims": DenseArrayBase.from_list(i64, scatter_dims),
                "unique": UnitAttr() if unique else None,
            },
        )

    @override
    def verify_(self) -> None:
        """The dimensions are the destination's, and the source has the slices."""
        dest, indices = ranked_type(self.dest), ranked_type(self.indices)
        dims = self.scatter_dims.get_values()
        _verify_dims("scatter", dims, indices, dest, "dest")
        if self.unique is None:
            raise VerifyException("requires 'unique' attribute to be set")
        _verify_slices("source", ranked_type(self.source), indices, dest, dims)
        if self.result.type != dest:
            raise VerifyException(
                f"expected the result to have the type of the destination, {dest}, but "
                f"got {self.result.type}"
            )


def _verify_dims(
    name: str,
    dims: Sequence[int],
    indices: TensorType,
    whole: TensorType,
    whole_name: str,
) -> None:
    """`dims` are increasing dimensions of `whole`, as many as an index has numbers."""
    name = f"{name}_dims"
    if not dims:
        raise VerifyException(f"{name} must be non-empty")
    rank = whole.get_num_dims()
    if len(dims) > rank:
        raise VerifyException(f"{name} overflow {whole_name} rank")
    if not (shape := indices.get_shape()) or shape[-1] != len(dims):
        raise VerifyException(
            f"{name} length must match the size of last dimension of indices"
        )
    if min(dims) < 0:
        raise VerifyException(f"{name} value must be non-negative")
    if max(dims) >= rank:
        raise VerifyException(f"{name} value must be smaller than {whole_name} rank")
    if any(first >= second for first, second in pairwise(dims)):
        raise VerifyException(f"{name} values must be strictly increasing")


def _verify_slices(
    name: str,
    type_: TensorType,
    indices: TensorType,
    whole: TensorType,
    dims: Sequence[int],
) -> None:
    """`type_` holds one slice of `whole`, of size 1 along `dims`, for each index."""
    leading = indices.get_shape()[:-1]
    sizes = list(enumerate(whole.get_shape()))
    full = [1 if index in dims else size for index, size in sizes]
    reduced = [size for index, size in sizes if index not in dims]
    expected = [
        TensorType(whole.element_type, [*leading, *slice_], whole.encoding)
        for slice_ in (full, reduced)
    ]
    if type_ not in expected:
        raise VerifyException(
            f"{name} type mismatch: expected '{expected[0]}' or its rank-reduced "
            f"variant '{expected[1]}' (got: '{type_}')"
        )

"""What ops on tensors demand: that elements and slices are there, and types are true.

    tensor.extract_slice %t[%i] [%n] [1]    0 <= %i, 0 <= %n, %i + %n <= size of %t
    tensor.cast %t : ... to tensor<8xf32>   the size of %t is 8

The same as the ops on buffers demand that they become. Here the ops are as they were
written, before a pass folds or cuts them.
"""

from collections.abc import Sequence

from xdsl.dialects import bufferization, tensor
from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.interfaces.operands import is_ranked_tensor_type
from xdsl_bufferization.dialects.common.reshape_algebra import numbers_of
from xdsl_bufferization.dialects.common.slices import slice_of
from xdsl_bufferization.dialects.tensor.casts import BitcastOp
from xdsl_bufferization.dialects.tensor.regions import GenerateOp
from xdsl_bufferization.dialects.tensor.sizes import RankOp
from xdsl_bufferization.dialects.tensor.slice_types import dropped_dimensions
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

from .accesses import Rules, require_element
from .allocations import check_dim, require_same_sizes, require_size
from .checks import Checks
from .fitting import all_alike, require_fit
from .tensor_sizes import shape_of
from .views import require_expanded, require_reshaped, require_slices


def check_elementwise(op: Operation, checks: Checks) -> None:
    """Demand that the tensors of an op of arith or math have one shape."""
    operands = all_alike(op)
    require_fit(operands, checks)
    for result in op.results:
        _require_type(operands[0][0], result, checks)


def _check_extract(op: tensor.ExtractOp, checks: Checks) -> None:
    require_element(op.tensor, op.indices, checks)


def _check_insert(op: tensor.InsertOp, checks: Checks) -> None:
    require_element(op.dest, op.indices, checks)


# Slices.


def _check_extract_slice(op: tensor.ExtractSliceOp, checks: Checks) -> None:
    require_slices(slice_of(op), op.source, checks)


def _check_insert_slice(
    op: tensor.InsertSliceOp | ParallelInsertSliceOp, checks: Checks
) -> None:
    """The slice is there, and is as large as what is put into it."""
    piece = slice_of(op)
    require_slices(piece, op.dest, checks)
    assert is_ranked_tensor_type(op.source.type)
    dropped = dropped_dimensions(piece.shape(), op.source.type.get_shape()) or ()
    wanted = [size for d, size in enumerate(piece.sizes) if d not in dropped]
    for dimension, size in enumerate(wanted):
        found = checks.size(op.source, dimension)
        reason = f"size {{0}} of dimension {dimension} is not the {{1}} of the slice"
        checks.require_same(found, size, reason, found, size)


# Casts.


def _check_cast(op: tensor.CastOp | BitcastOp, checks: Checks) -> None:
    target, source = op.dest.type, op.source
    if not is_ranked_tensor_type(target):
        return
    if isa(source.type, UnrankedTensorType):
        rank = target.get_num_dims()
        found = checks.value(RankOp.create(operands=[source], result_types=[_INDEX]))
        checks.require_same(found, rank, f"rank {{0}} is not {rank}", found)
        unknown = TensorType(target.element_type, [DYNAMIC_INDEX] * rank)
        cast = tensor.CastOp.create(operands=[source], result_types=[unknown])
        source = checks.value(cast)
    _require_type(source, op.dest, checks)


_INDEX = IndexType()


def _require_type(source: SSAValue, result: SSAValue, checks: Checks) -> None:
    """Demand that the sizes which the type of a result says are those of a source."""
    assert is_ranked_tensor_type(result.type)
    for dimension, wanted in enumerate(result.type.get_shape()):
        if wanted != DYNAMIC_INDEX:
            checks.require_static(checks.size(source, dimension), wanted, dimension)


# Reshapes.


def _check_expand_shape(op: tensor.ExpandShapeOp, checks: Checks) -> None:
    sizes = checks.mixed_values(
        op.static_output_shape.get_values(), op.dynamic_output_shape
    )
    groups = numbers_of(op.reassociation)
    require_expanded(op.src, groups, sizes, checks)


def _check_collapse_shape(op: tensor.CollapseShapeOp, checks: Checks) -> None:
    """Each group has as many elements as the type says."""
    groups, shape = numbers_of(op.reassociation), op.result.type.get_shape()
    for dimension, (group, wanted) in enumerate(zip(groups, shape, strict=True)):
        if wanted != DYNAMIC_INDEX:
            sizes = [checks.size(op.src, each) for each in group]
            checks.require_static(checks.product(sizes), wanted, dimension)


def _check_reshape(op: tensor.ReshapeOp, checks: Checks) -> None:
    result = op.result.type
    if shape_of(op.source) is None or not is_ranked_tensor_type(result):
        return

    def element(place: SSAValue) -> SSAValue:
        assert is_ranked_tensor_type(op.shape.type)
        type_ = op.shape.type.element_type
        extract = tensor.ExtractOp.create(
            operands=[op.shape, place], result_types=[type_]
        )
        size = checks.value(extract)
        if isinstance(type_, IndexType):
            return size
        return checks.value(IndexCastOp(size, IndexType()))

    require_reshaped(op.source, result.get_shape(), element, checks)


def _check_pad(op: tensor.PadOp, checks: Checks) -> None:
    """Padding adds elements, as many as the type says."""
    low = checks.mixed_values(op.static_low.get_values(), op.low)
    high = checks.mixed_values(op.static_high.get_values(), op.high)
    shape = op.result.type.get_shape()
    for dimension, (before, after, wanted) in enumerate(
        zip(low, high, shape, strict=True)
    ):
        for amount in (before, after):
            checks.require(
                checks.holds("sge", amount, 0),
                f"the padding {{0}} of dimension {dimension} is negative",
                amount,
            )
        source = checks.size(op.source, dimension)
        found = checks.add(checks.add(before, source), after)
        checks.require_static(found, wanted, dimension)


# New tensors.


def _sizes_rule(op: Operation, checks: Checks) -> None:
    """The sizes that an op is given are not negative."""
    result = op.results[0].type
    if not is_ranked_tensor_type(result):
        return
    values = iter(_given_sizes(op))
    for dimension, static in enumerate(result.get_shape()):
        if static == DYNAMIC_INDEX and (size := next(values, None)) is not None:
            require_size(size, dimension, checks)


def _given_sizes(op: Operation) -> Sequence[SSAValue]:
    match op:
        case tensor.EmptyOp(dynamic_sizes=sizes) | GenerateOp(dynamic_extents=sizes):
            return sizes
        case tensor.SplatOp(dynamicSizes=sizes):
            return sizes
        case bufferization.AllocTensorOp(dynamic_sizes=sizes):
            return sizes
        case _:
            return ()


def _check_materialize(
    op: bufferization.MaterializeInDestinationOp, checks: Checks
) -> None:
    if shape_of(op.source) is not None and shape_of(op.dest) is not None:
        require_same_sizes(op.source, op.dest, checks)


RULES: Rules = {
    BitcastOp: _check_cast,
    GenerateOp: _sizes_rule,
    ParallelInsertSliceOp: _check_insert_slice,
    bufferization.AllocTensorOp: _sizes_rule,
    bufferization.MaterializeInDestinationOp: _check_materialize,
    tensor.CastOp: _check_cast,
    tensor.CollapseShapeOp: _check_collapse_shape,
    tensor.DimOp: check_dim,
    tensor.EmptyOp: _sizes_rule,
    tensor.ExpandShapeOp: _check_expand_shape,
    tensor.ExtractOp: _check_extract,
    tensor.ExtractSliceOp: _check_extract_slice,
    tensor.InsertOp: _check_insert,
    tensor.InsertSliceOp: _check_insert_slice,
    tensor.PadOp: _check_pad,
    tensor.ReshapeOp: _check_reshape,
    tensor.SplatOp: _sizes_rule,
}

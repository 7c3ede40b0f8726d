"""What allocations, copies and sizes demand.

memref.alloc(%n)            0 <= %n
memref.copy %a, %b          the sizes are the same
memref.dim %m, %d           0 <= %d < rank of %m
"""

from xdsl.dialects import bufferization, memref, tensor
from xdsl.dialects.arith import AddiOp, MuliOp, RemUIOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    UnrankedTensorType,
)
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.dialects.tensor.sizes import RankOp
from xdsl_bufferization.support.errors import op_name

from ..check_ops import CheckStackOp
from .accesses import Rules
from .checks import Checks, is_unranked
from .tensor_sizes import shape_of
from .views import element_bytes


def _require_sizes(op: memref.AllocOp | memref.AllocaOp, checks: Checks) -> None:
    assert isa(op.memref.type, MemRefType)
    values = iter(op.dynamic_sizes)
    for dimension, static in enumerate(op.memref.type.get_shape()):
        if static == DYNAMIC_INDEX:
            require_size(next(values), dimension, checks)


def require_size(size: OpFoldResult, dimension: int, checks: Checks) -> None:
    """Demand that a size is not negative."""
    size = checks.number_of(size)
    checks.require(
        checks.holds("sge", size, 0),
        f"size {{0}} of dimension {dimension} is negative",
        size,
    )


def _check_alloca(op: memref.AllocaOp, checks: Checks) -> None:
    _require_sizes(op, checks)
    type_ = op.memref.type
    assert isa(type_, MemRefType)
    element = element_bytes(type_)
    if element is None or not op.dynamic_sizes or not checks.scope.shows_values:
        return
    sizes = checks.mixed_values(type_.get_shape(), op.dynamic_sizes)
    total: OpFoldResult = element
    for size in sizes:
        # Each is smaller than any stack, so that the product is a number.
        checks.require(
            checks.holds("ult", size, _MORE_THAN_A_STACK),
            "no stack has room for {0} elements",
            size,
        )
        total = checks.multiply(total, size)
    reason = "the stack has no room for {0} bytes more"
    place = op.location
    checks.insert(CheckStackOp(checks.index(total), op_name(op), reason, place))


_MORE_THAN_A_STACK = 1 << 31


def _check_realloc(op: ReallocOp, checks: Checks) -> None:
    if op.dynamic_result_size is not None:
        require_size(op.dynamic_result_size, 0, checks)


def _check_copy(op: memref.CopyOp, checks: Checks) -> None:
    require_same_sizes(op.source, op.destination, checks)


def _check_clone(op: bufferization.CloneOp, checks: Checks) -> None:
    """A clone has the static sizes of its type."""
    source, target = op.input, op.output.type
    if is_unranked(source) or not isa(target, MemRefType):
        return
    for dimension, wanted in enumerate(target.get_shape()):
        if wanted != DYNAMIC_INDEX:
            _require_same(checks.size(source, dimension), wanted, dimension, checks)


def require_same_sizes(one: SSAValue, other: SSAValue, checks: Checks) -> None:
    """Demand that two buffers have the same sizes."""
    if is_unranked(one) and is_unranked(other):
        ranks = [_rank(each, checks) for each in (one, other)]
        checks.require(
            checks.holds("eq", *ranks), "ranks {0} and {1} are not the same", *ranks
        )
        return
    if is_unranked(one) or is_unranked(other):
        ranked, unranked = (other, one) if is_unranked(one) else (one, other)
        assert isa(ranked.type, MemRefType)
        rank, found = ranked.type.get_num_dims(), _rank(unranked, checks)
        checks.require(
            checks.holds("eq", found, rank), f"rank {{0}} is not {rank}", found
        )
        for dimension in range(rank):
            size = checks.value(memref.DimOp(unranked, checks.index(dimension)))
            _require_same(size, checks.size(ranked, dimension), dimension, checks)
        return
    for dimension, sizes in enumerate(
        zip(checks.sizes(one), checks.sizes(other), strict=True)
    ):
        _require_same(*sizes, dimension, checks)


def _require_same(
    one: OpFoldResult, other: OpFoldResult, dimension: int, checks: Checks
) -> None:
    reason = f"sizes {{0}} and {{1}} of dimension {dimension} are not the same"
    checks.require_same(one, other, reason, one, other)


def _rank(shaped: SSAValue, checks: Checks) -> SSAValue:
    rank = RankOp if isinstance(shaped.type, UnrankedTensorType) else memref.RankOp
    return checks.value(rank.create(operands=[shaped], result_types=[IndexType()]))


def check_dim(op: memref.DimOp | tensor.DimOp, checks: Checks) -> None:
    """Demand that a buffer or tensor has the dimension that is asked for."""
    index = checks.number_of(op.index)
    shape = shape_of(op.source)
    rank = _rank(op.source, checks) if shape is None else len(shape)
    checks.require(
        checks.holds("ult", index, rank),
        "there is no dimension {0}: the rank is {1}",
        index,
        rank,
    )


def _check_alignment(op: memref.AssumeAlignmentOp, checks: Checks) -> None:
    type_ = op.memref.type
    if not isa(type_, MemRefType) or (element := element_bytes(type_)) is None:
        return
    _, offset = checks.layout(op.memref)
    address = checks.value(
        memref.ExtractAlignedPointerAsIndexOp.create(
            operands=[op.memref], result_types=[IndexType()]
        )
    )
    if offset != 0:
        distance = checks.value(MuliOp(checks.index(offset), checks.index(element)))
        address = checks.value(AddiOp(address, distance))
    alignment = op.alignment.value.data
    rest = checks.value(RemUIOp(address, checks.index(alignment)))
    checks.require(
        checks.holds("eq", rest, 0),
        f"the address is {{0}} bytes behind a multiple of {alignment}",
        rest,
    )


RULES: Rules = {
    memref.AllocOp: _require_sizes,
    memref.AllocaOp: _check_alloca,
    ReallocOp: _check_realloc,
    memref.CopyOp: _check_copy,
    bufferization.CloneOp: _check_clone,
    memref.DimOp: check_dim,
    memref.AssumeAlignmentOp: _check_alignment,
}

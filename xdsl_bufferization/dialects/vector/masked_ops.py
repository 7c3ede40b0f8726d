"""Which ops `vector.mask` may have inside, and a mask of which type each takes.

    vector.transfer_read %m[%i], %f : memref<?xf32>, vector<4xf32>    vector<4xi1>
    vector.contract {(m, n, k) ...} %a, %b, %c                        vector<MxNxKxi1>

Source: MLIR's `MaskableOpInterface`, and `MaskOp::verify` of `VectorOps.cpp`.
"""

from xdsl.dialects import vector
from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from .checks import (
    make_vector,
    mask_type,
    shape_and_scalability,
    transfer_mask_type,
)
from .contractions import ContractionOp, MultiReductionOp, OuterProductOp
from .memory import GatherOp

Dimension = tuple[int, bool]
"""A size, and whether it is scalable."""


def expected_mask(op: Operation) -> VectorType | None:
    """The type of a mask for an op that verifies; None if it cannot be masked."""
    match op:
        case vector.TransferReadOp():
            return _mask_of_transfer(op, op.result.type)
        case vector.TransferWriteOp():
            return _mask_of_transfer(op, op.vector.type)
        case vector.ReductionOp():
            masked = op.vector.type
        case MultiReductionOp():
            masked = op.source.type
        case ContractionOp():
            return make_vector(i1, _loops_of(op))
        case OuterProductOp() | GatherOp():
            masked = op.result.type
        case _:
            return None
    assert isa(masked, VectorType)
    return mask_type(masked)


def takes_pass_through(op: Operation) -> bool:
    """Whether a masked op may leave elements as they are in another vector."""
    return isinstance(op, vector.TransferReadOp)


def _mask_of_transfer(
    op: vector.TransferReadOp | vector.TransferWriteOp, type_: object
) -> VectorType | None:
    assert isa(type_, VectorType)
    mask = transfer_mask_type(type_, op.permutation_map.data)
    # A mask has one dimension at least.
    return make_vector(i1, [(1, False)]) if mask and not mask.get_shape() else mask


def _loops_of(op: ContractionOp) -> list[Dimension]:
    """The sizes of the loops of a contraction."""
    loops: dict[int, Dimension] = {}
    for map_, operand in zip(op.indexing_maps, (op.lhs, op.rhs), strict=False):
        assert isa(operand.type, VectorType)
        sizes = shape_and_scalability(operand.type)
        for result, size in zip(map_.data.results, sizes, strict=True):
            assert isinstance(result, AffineDimExpr)
            loops[result.position] = size
    return [loops[position] for position in sorted(loops)]

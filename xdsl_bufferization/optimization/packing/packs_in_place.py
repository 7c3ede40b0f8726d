"""Packs that element-wise ops read where they are, through another map.

    %p = linalg.pack %t outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3]
        inner_tiles = [32] : tensor<1x56x56x96xf32> -> tensor<1x3x56x56x32xf32>
    %y = linalg.generic { (d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4), ... } ins(%p)
        ->
    %e = tensor.expand_shape %t : ... into tensor<1x56x56x3x32xf32>
    %y = linalg.generic { (d0, d1, d2, d3, d4) -> (d0, d2, d3, d1, d4), ... } ins(%e)

For `lower-packs-unpacks`, where such a pack would be a loop that copies. The tiles are
of the last dimension, so that each one is a row in memory, before and after.
"""

from xdsl.dialects import tensor
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.pack import PackOp
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.tensor.constraints import ranked_type

from ..common.relayout import Layout, reassociation


def read_in_place(op: PackOp, layout: Layout) -> bool:
    """Let the users of a pack read what is packed, if that is as good."""
    type_ = ranked_type(op.source)
    last = len(type_.get_shape()) - 1
    uses = list(op.result.uses)
    if (
        layout.dimensions != (last,)
        or not type_.has_static_shape()
        or not layout.has_only_full_tiles(type_)
        or not uses
        or not all(map(_reads_elements, uses))
    ):
        return False
    expanded = _expand(op, layout)
    for use in uses:
        _read(use, expanded, layout)
    Rewriter.erase_op(op)
    return True


def _reads_elements(use: Use) -> bool:
    """Whether an op reads the operand in parallel loops, and does not write to it."""
    op = use.operation
    structure = structure_of(op) if isinstance(op, GenericOp) else None
    return (
        structure is not None
        and all(structure.parallel)
        and use.index < len(structure.inputs)
    )


def _expand(op: PackOp, layout: Layout) -> SSAValue:
    """The source with two dimensions in place of its last one."""
    type_ = ranked_type(op.source)
    (tile,) = layout.sizes
    *outer, columns = type_.get_shape()
    rank = len(outer)
    shape = [*outer, columns // tile, tile]
    groups = [*([dimension] for dimension in range(rank)), [rank, rank + 1]]
    expanded = tensor.ExpandShapeOp(
        op.source,
        [],
        reassociation(groups),
        shape,
        type(type_)(type_.element_type, shape, type_.encoding),
    )
    return ArithBuilder.before(op).insert(expanded).result


def _read(use: Use, expanded: SSAValue, layout: Layout) -> None:
    op: Operation = use.operation
    structure = structure_of(op)
    assert structure is not None, "the user is a structured op"
    maps = list(structure.maps)
    map_ = maps[use.index]
    *outer, inner = map_.results
    by_dimension = dict(zip(layout.outer, outer, strict=True))
    results = [by_dimension[dimension] for dimension in range(len(outer))]
    maps[use.index] = AffineMap(map_.num_dims, map_.num_symbols, (*results, inner))
    op.properties["indexing_maps"] = ArrayAttr(map(AffineMapAttr, maps))
    op.operands[use.index] = expanded

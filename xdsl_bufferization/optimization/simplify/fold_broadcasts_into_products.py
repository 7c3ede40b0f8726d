"""fold-broadcasts-into-products: a batch of products reads one matrix where it is.

    %1 = linalg.broadcast ins(%w : 64x128) outs(%0 : 20x64x128) dimensions = [0]
    %2 = linalg.batch_matmul ins(%x, %1 : 20x4x64, 20x64x128) outs(%out : 20x4x128)

    %2 = linalg.generic {(b, m, n, k) -> (b, m, k), (b, m, n, k) -> (k, n),
                         (b, m, n, k) -> (b, m, n)} ins(%x, %w) outs(%out)

PyTorch's product of a batch and a matrix comes like this from torch-mlir. A broadcast
may be a `linalg.generic`, too, and a batch may be several dimensions that were
collapsed. What is broadcast along rows, columns or sums stays a
tensor: without that dimension there would be no product of matrices.
"""

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ModuleOp
from xdsl.dialects.linalg.ops import BroadcastOp, GenericOp, YieldOp
from xdsl.dialects.tensor import CollapseShapeOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.common.reshape_algebra import numbers_of
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import Contraction, contraction_of, positions
from ..common.relayout import erase_dead
from ..linalg_generalize import generalize


def fold_broadcasts_into_products(module: ModuleOp) -> None:
    """Fold what is broadcast along a batch into the products in `module`."""
    for op in ops_inside(module):
        contraction = contraction_of(op) if op.results else None
        if contraction is not None and contraction.is_projected:
            _fold(op, contraction)


def _fold(op: Operation, contraction: Contraction) -> None:
    maps = list(contraction.structure.maps)
    folded: dict[int, SSAValue] = {}
    for number, value in enumerate(contraction.structure.inputs):
        source = _source(value)
        if source is None:
            continue
        map_ = source[1].compose(maps[number])
        left_out = {*positions(maps[number])} - {*positions(map_)}
        batch = {*positions(maps[2])}.intersection(*map(positions, maps[:2]))
        if left_out <= batch:
            folded[number], maps[number] = source[0], map_
    if not folded:
        return
    owners = [contraction.structure.inputs[number].owner for number in folded]
    new_op = generalize(op)
    for number, value in folded.items():
        new_op.operands[number] = value
    new_op.properties["indexing_maps"] = ArrayAttr(map(AffineMapAttr, maps))
    erase_dead([owner for owner in owners if isinstance(owner, Operation)])


def _source(value: SSAValue) -> tuple[SSAValue, AffineMap] | None:
    """What `value` is a broadcast of, and where its elements are."""
    op = value.owner
    if isinstance(op, CollapseShapeOp):
        return _collapsed(op)
    if not isinstance(op, BroadcastOp | GenericOp) or len(op.results) != 1:
        return None
    structure = structure_of(op)
    assert structure is not None
    block = structure.body.block
    last = block.last_op
    is_copy = (
        len(structure.inputs) == 1
        and len(block.ops) == 1
        and isinstance(last, YieldOp)
        and last.operands[0] is block.args[0]
    )
    inner, outer = structure.maps[0], structure.maps[-1]
    if not is_copy or not inner.is_projected_permutation():
        return None
    if outer != AffineMap.identity(outer.num_dims):
        return None
    return structure.inputs[0], inner


def _collapsed(op: CollapseShapeOp) -> tuple[SSAValue, AffineMap] | None:
    """What a collapsed tensor is a broadcast of, if it was broadcast before."""
    source = _source(op.src)
    if source is None:
        return None
    value, map_ = source
    groups = numbers_of(op.reassociation)
    used = {*positions(map_)}
    if any(len(group) > 1 and used.intersection(group) for group in groups):
        return None
    group_of = {each: number for number, group in enumerate(groups) for each in group}
    collapsed = (AffineExpr.dimension(group_of[each]) for each in positions(map_))
    return value, AffineMap(len(groups), 0, tuple(collapsed))


class FoldBroadcastsIntoProductsPass(TensorPass):
    """Let batches of products read one matrix where it is."""

    name = "fold-broadcasts-into-products"
    rewrite = staticmethod(fold_broadcasts_into_products)

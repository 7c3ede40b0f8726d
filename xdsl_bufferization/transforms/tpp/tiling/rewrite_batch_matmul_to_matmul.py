"""rewrite-batch-matmul-to-matmul: a batch of products as a loop over it.

    %1 = linalg.batch_matmul ins(%a, %b) outs(%0)

    %1 = scf.forall (%i) in (8) shared_outs(%o = %0) {
      %2 = linalg.matmul ins(slices of %a and %b) outs(slice of %o)
      tensor.parallel_insert_slice %2 into %o[%i, 0, 0] [1, 64, 64]
    }

The first of the pipeline that makes loops: packing then sees a product of matrices.
What fills the output is computed in the loop. A `linalg.generic` counts as the named op
that it is, and a batch of which the size is not known gets a loop all the same.
"""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.models import attach_all
from xdsl_bufferization.transforms.mlir_pass import TensorPass
from xdsl_bufferization.transforms.tpp.common.contractions import contraction_of
from xdsl_bufferization.transforms.tpp.simplify.linalg_degeneralize_generic_ops import (
    degeneralize,
    product_name,
)
from xdsl_bufferization.transforms.tpp.tiling.drop_unit_loops import drop_unit_loops
from xdsl_bufferization.transforms.tpp.tiling.tile_and_fuse import (
    TilingOptions,
    number_by_block,
    tile_and_fuse,
)
from xdsl_bufferization.traversal import ops_inside


def rewrite_batch_matmuls(module: ModuleOp) -> None:
    """Rewrite every product of batches of matrices in `module`."""
    attach_all()
    ops = ops_inside(module)
    order = number_by_block(ops)
    for op in ops:
        if op.results and _is_batch_matmul(op):
            _rewrite(op, order[op.parent])


def _is_batch_matmul(op: Operation) -> bool:
    contraction = contraction_of(op)
    return (
        contraction is not None
        and contraction.is_projected
        and product_name(contraction.structure.maps) == "linalg.batch_matmul"
    )


def _rewrite(op: Operation, order: dict[Operation, int]) -> None:
    batch = contraction_of(op)
    assert batch is not None
    (loop,) = batch.output.results[0].used_dims()
    tiled = tile_and_fuse(op, order, TilingOptions({loop: 1}))
    if isinstance(tiled, str):  # There are no elements.
        return
    for product in drop_unit_loops(tiled.tiled):
        degeneralize(product)


class RewriteBatchMatmulToMatmulPass(TensorPass):
    """Turn products of batches of matrices into loops over products of matrices."""

    name = "rewrite-batch-matmul-to-matmul"
    rewrite = staticmethod(rewrite_batch_matmuls)

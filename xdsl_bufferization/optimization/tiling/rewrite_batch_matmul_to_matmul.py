"""rewrite-batch-matmul-to-matmul: a batch of products as a loop over it.

    %1 = linalg.batch_matmul ins(%a, %b) outs(%0)

    %1 = scf.forall (%i) in (8) shared_outs(%o = %0) {
      %2 = linalg.matmul ins(slices of %a and %b) outs(slice of %o)
      tensor.parallel_insert_slice %2 into %o[%i, 0, 0] [1, 64, 64]
    }

The first of the pipeline that makes loops: packing then sees a product of matrices.
What fills the output is computed in the loop. A batch of which the size is not known
gets a loop all the same.

So does any other sum of products over one loop that has more loops than a product of
matrices has. There may be batches of batches or of vectors, and dimensions in any
order. Of several loops over rows, or over columns, the last one stays.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of, positions
from ..simplify.linalg_degeneralize_generic_ops import degeneralize
from .drop_unit_loops import drop_unit_loops
from .tile_and_fuse import TilingOptions, number_by_block, tile_and_fuse


def rewrite_batch_matmuls(module: ModuleOp) -> None:
    """Rewrite every product of batches of matrices in `module`."""
    attach_all()
    ops = ops_inside(module)
    order = number_by_block(ops)
    for op in ops:
        loops = _batch_loops(op) if op.results else []
        if loops:
            _rewrite(op, loops, order[op.parent])


def _batch_loops(op: Operation) -> list[int]:
    """The loops of a sum of products that are more than one over matrices has."""
    contraction = contraction_of(op)
    if contraction is None or not contraction.is_projected:
        return []
    lhs, rhs, out = (positions(map_) for map_ in contraction.structure.maps)
    summed = [loop for loop in lhs if loop not in out]
    if len(summed) != 1 or summed != [loop for loop in rhs if loop not in out]:
        return []
    rows = [loop for loop in out if loop not in rhs]
    columns = [loop for loop in out if loop not in lhs]
    kept = {*rows[-1:], *columns[-1:]}
    return [loop for loop in out if loop not in kept]


def _rewrite(op: Operation, loops: Sequence[int], order: dict[Operation, int]) -> None:
    tiled = tile_and_fuse(op, order, TilingOptions(dict.fromkeys(loops, 1)))
    if isinstance(tiled, str):  # There are no elements.
        return
    for product in drop_unit_loops(tiled.tiled):
        degeneralize(product)


class RewriteBatchMatmulToMatmulPass(TensorPass):
    """Turn products of batches of matrices into loops over products of matrices."""

    name = "rewrite-batch-matmul-to-matmul"
    rewrite = staticmethod(rewrite_batch_matmuls)

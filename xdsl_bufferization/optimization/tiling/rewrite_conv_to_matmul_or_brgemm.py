"""rewrite-conv-to-matmul-or-brgemm: convolutions as loops over small products.

    %1 = linalg.conv_2d_nhwc_hwcf ins(%x, %f) outs(%0)
    %2 = linalg.generic { relu } outs(%1)

    %2 = scf.forall (%n, %h) in (N, H) shared_outs(%o = %0) {
      %3 = scf.for %kw {
        linalg.batch_reduce_matmul ins(rows of %x, %f[:, %kw]) outs(a row of %o)
      }
      %4 = linalg.generic { relu } outs(%3)
    }

The last two dimensions of the output are those of a matrix. The last one indexes the
filter and not the input. The one before it indexes the input and not the filter. The
other dimensions become the loops of an `scf.forall`, which also computes what fills the
output, and what works on it element by element. Loops over the window are `scf.for`,
but one of them, or that over the blocks of channels of a packed convolution, is the
batch of a `linalg.batch_reduce_matmul`. A stride is that of a slice. All else stays as
it is, such as `linalg.conv_2d_nchw_fchw`, which has no such dimensions until it is
packed, and gets a remark with `explain`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.dialects.remarks import (
    Report,
    ignore_remark,
    remark,
    write_remark,
)
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import Contraction, contraction_of, positions
from ..common.elementwise_consumers import last_elementwise_consumer
from ..packing.constant_fold_pack import fold_packs_of_fills
from ..packing.pack_convolutions import WINDOW_ATTRIBUTE
from ..simplify.linalg_degeneralize_generic_ops import degeneralize, product_name
from .drop_unit_loops import drop_unit_loops, multiple_of_loop
from .tile_and_fuse import TilingOptions, number_by_block, tile_and_fuse
from .tile_loops import ForLoops

_PRODUCTS = ("linalg.matmul", "linalg.batch_reduce_matmul")

MATRIX_RANK = 2

MAX_DEPTH = 5
"""How many consumers of a convolution are computed with it."""


def rewrite_convs(module: ModuleOp, report: Report[str] = ignore_remark) -> None:
    """Rewrite the convolutions in `module`; `report` hears of those that stay."""
    attach_all()
    fold_packs_of_fills(module)
    ops = ops_inside(module)
    order = number_by_block(ops)
    for op in ops:
        contraction = contraction_of(op)
        # Of several convolutions that are fused, the first one takes the others in.
        if (
            contraction is None
            or op.parent is None
            or WINDOW_ATTRIBUTE in op.attributes
        ):
            continue
        if not contraction.is_convolution or not op.results:
            continue
        outer = _outer_loops(contraction)
        problem = "its last two dimensions are not those of a product of matrices"
        if outer is not None:
            problem = _rewrite(op, outer, order[op.parent])
        if problem is not None:
            report(remark(op, f"is not rewritten: {problem}"))


def _outer_loops(contraction: Contraction) -> list[int] | None:
    """The loops over all but a matrix of the output; None if no product is left."""
    if not contraction.output.is_projected_permutation():
        return None
    outer = positions(contraction.output)[:-MATRIX_RANK]
    return outer if _is_product(contraction, (*outer, *_window(contraction))) else None


def _window(contraction: Contraction) -> list[int]:
    """The summed loops that share an index of the input with others."""
    summed = contraction.output.unused_dims()
    return sorted(
        loop
        for expr in contraction.lhs.results
        if len(expr.used_dims()) > 1
        for loop in expr.used_dims() & summed
    )


def _is_product(contraction: Contraction, left_out: Sequence[int]) -> bool:
    """Whether all loops but `left_out` are those of a small product."""
    dims: list[AffineExpr] = [
        AffineConstantExpr(0) if loop in left_out else AffineDimExpr(loop)
        for loop in range(contraction.output.num_dims)
    ]
    inner: list[AffineMap] = []
    for map_ in contraction.structure.maps:
        exprs = [expr.replace_dims_and_symbols(dims, ()) for expr in map_.results]
        loops = [multiple_of_loop(expr)[0] for expr in exprs if expr.used_dims()]
        known = [loop for loop in loops if loop is not None]
        if len(known) < len(loops):
            return False
        inner.append(AffineMap(map_.num_dims, 0, tuple(known)))
    return product_name(inner) in _PRODUCTS


def _rewrite(
    op: Operation, outer: list[int], order: dict[Operation, int]
) -> str | None:
    """Replace `op`, or say why that cannot be."""
    root = last_elementwise_consumer(op, order, MAX_DEPTH)
    # The loops of an op that works element by element are those of its output.
    loops = outer if root is op else range(len(outer))
    sizes = dict.fromkeys(loops, 1)
    tiled = tile_and_fuse(root, order, TilingOptions(sizes, max_depth=MAX_DEPTH))
    if isinstance(tiled, str):
        return tiled
    for inner in drop_unit_loops(tiled.tiled):
        contraction = contraction_of(inner)
        if contraction is not None:
            _rewrite_row(inner, contraction)
    return None


def _rewrite_row(op: Operation, contraction: Contraction) -> None:
    """The loops over the window, around a product for each point of it."""
    loops = _loops_around_product(contraction)
    if loops:
        options = TilingOptions(dict.fromkeys(loops, 1), ForLoops)
        tiled = tile_and_fuse(op, {}, options)
        assert not isinstance(tiled, str), tiled
        (op,) = drop_unit_loops(tiled.tiled)
    degeneralize(op)


def _loops_around_product(contraction: Contraction) -> list[int]:
    """The fewest summed loops, and those with the fewest iterations, to be left out.

    Without the rows around, one loop over the window may be that over a batch.
    """
    window = _window(contraction)
    others = sorted(contraction.output.unused_dims() - set(window))
    iterations = trip_counts(contraction.structure)
    choices = [
        [*window, *more]
        for count in range(len(others))
        for more in sorted(
            combinations(others, count), key=lambda c: prod(iterations[i] for i in c)
        )
    ]
    return next((c for c in choices if _is_product(contraction, c)), window)


@dataclass(frozen=True)
class RewriteConvToMatmulOrBrgemmPass(TensorPass):
    """Turn convolutions into loops over products of matrices."""

    name = "rewrite-conv-to-matmul-or-brgemm"

    explain: bool = False
    """Whether to say why convolutions are left as they are, on stderr."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        rewrite_convs(op, write_remark if self.explain else ignore_remark)

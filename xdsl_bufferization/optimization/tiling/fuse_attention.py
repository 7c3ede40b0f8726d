"""fuse-attention: the scores of an attention are computed some rows at a time.

    %s = linalg.batch_matmul ins(%q, %k)        12x1024x1024
    %m = linalg.generic { maximum } ins(%s)
    %e = linalg.generic { exp(s - m) } ...
    %y = linalg.batch_matmul ins(%e, %v)        12x1024x64

    %y = scf.forall (%h, %i) = (0, 0) to (12, 1024) step (1, 128) {
      the same ops: 128 rows of one head, scores of 1x128x1024
    }

The scores of all heads are far larger than the caches where there are many tokens. A
block of rows stays in a cache between the ops. Each row is computed as before, so that
the results have the same bits.

What is between the two products may be anything that computes a row of one row, such
as a softmax, a mask or a scale. Small scores stay as they are: they fit the caches.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.common.elementwise import bit_width
from xdsl_bufferization.dialects.linalg.structure import structure_of
from xdsl_bufferization.dialects.linalg.trip_counts import trip_counts
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import Contraction, contraction_of, positions
from .tile_and_fuse import TilingOptions, number_by_block, tile_and_fuse

_LEAST_BYTES: Final = 2 << 20
"""Smaller scores stay in the caches as they are."""

_BLOCK_BYTES: Final = 512 << 10
"""The scores of one block of rows."""

_MOST_ROWS: Final = 128

_LEAST_ROWS: Final = 8

_MOST_OPS: Final = 24
"""So many ops may be between the products."""

_RESHAPES = (tensor.CollapseShapeOp, tensor.ExpandShapeOp)


def fuse_attentions(module: ModuleOp) -> None:
    """Compute the large scores in `module` some rows at a time."""
    attach_all()
    ops = ops_inside(module)
    order = number_by_block(ops)
    for op in ops:
        if op.results and op.parent is not None and _bytes_of(op) >= _LEAST_BYTES:
            found = _attention(op)
            if found is not None:
                tile_and_fuse(found.last, order[op.parent], found.options())


@dataclass(frozen=True)
class _Attention:
    """Two products, and what is between them."""

    last: Operation
    contraction: Contraction
    between: frozenset[Operation]
    """The first product, and all that reads it but for the last product."""

    def options(self) -> TilingOptions:
        """A loop over the batch, and one over blocks of rows."""
        counts = trip_counts(self.contraction.structure)
        batch, (row,) = _loops(self.contraction)
        rows = _block_of_rows(self.contraction)
        several = [loop for loop in batch if counts[loop] > 1]
        return TilingOptions(
            {**dict.fromkeys(several, 1), row: rows},
            max_depth=_MOST_OPS,
            pieces={row: (rows,)},
            fused=self.between,
        )


def _attention(first: Operation) -> _Attention | None:
    """What a product is the scores of; None if there is no second product."""
    contraction = contraction_of(first)
    if contraction is None or not contraction.is_projected:
        return None
    last: Operation | None = None
    between = dict.fromkeys([first])
    todo = [first]
    for op in todo:
        for use in op.results[0].uses:
            user = use.operation
            if contraction_of(user) is not None:
                is_other = last not in (None, user) or user.parent is not first.parent
                if is_other or use.index != 0:
                    return None
                last = user
            elif not _may_be_between(user, first) or len(between) > _MOST_OPS:
                return None
            elif user not in between:
                between[user] = None
                todo.append(user)
    product = None if last is None else contraction_of(last)
    if last is None or product is None or not _fits(product):
        return None
    return _Attention(last, product, frozenset(between))


def _may_be_between(op: Operation, first: Operation) -> bool:
    if op.parent is not first.parent or len(op.results) != 1:
        return False
    return isinstance(op, _RESHAPES) or structure_of(op) is not None


def _fits(product: Contraction) -> bool:
    """Whether a product is of batches of matrices with known sizes, and many rows."""
    counts = trip_counts(product.structure)
    if not product.is_projected or DYNAMIC_INDEX in counts:
        return False
    batch, rows = _loops(product)
    return (
        len(batch) > 0 and len(rows) == 1 and _block_of_rows(product) < counts[rows[0]]
    )


def _loops(product: Contraction) -> tuple[Sequence[int], Sequence[int]]:
    """The loops over a batch, and over rows."""
    lhs, rhs, out = (positions(map_) for map_ in product.structure.maps)
    batch = [loop for loop in out if loop in lhs and loop in rhs]
    return batch, [loop for loop in out if loop in lhs and loop not in rhs]


def _block_of_rows(product: Contraction) -> int:
    """How many rows of scores are a block."""
    counts = trip_counts(product.structure)
    lhs, out = (positions(product.structure.maps[number]) for number in (0, 2))
    sums = prod(counts[loop] for loop in lhs if loop not in out)
    rows = _MOST_ROWS
    while rows > _LEAST_ROWS and rows * sums * 4 > _BLOCK_BYTES:
        rows //= 2
    return rows


def _bytes_of(op: Operation) -> int:
    """The bytes of the first result, if it is a tensor with known sizes."""
    type_ = op.results[0].type
    if not isa(type_, TensorType) or DYNAMIC_INDEX in type_.get_shape():
        return 0
    return prod(type_.get_shape()) * bit_width(type_.element_type) // 8


class FuseAttentionPass(TensorPass):
    """Compute the scores of an attention some rows at a time."""

    name = "fuse-attention"
    rewrite = staticmethod(fuse_attentions)

"""linalg-degeneralize-generic-ops: name a `linalg.generic` that has a name.

    linalg.generic (d0, d1, d2, d3) -> (d0, d1, d3), (d0, d3, d2), (d1, d2)
        { out + lhs * rhs }
    linalg.batch_reduce_matmul

After tiling, and before the conversion to calls, which know ops by name. Of the sums of
products these have one: `dot`, `matvec`, `vecmat`, `matmul`, `batch_matmul`,
`batch_matvec`, `batch_vecmat`, `batch_reduce_matmul`, `mmt4d` and `batch_mmt4d`. The
order of the loops does not matter, as long as the operands are read in one of theirs.
"""

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.linalg.named import make_named
from xdsl_bufferization.dialects.linalg.structure import (
    element_type_of,
)
from xdsl_bufferization.dialects.linalg.table import NAMED_OPS
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of, positions

_NAMES = (
    "linalg.dot",
    "linalg.matvec",
    "linalg.vecmat",
    "linalg.matmul",
    "linalg.batch_matmul",
    "linalg.batch_matvec",
    "linalg.batch_vecmat",
    "linalg.batch_reduce_matmul",
    "linalg.mmt4d",
    "linalg.batch_mmt4d",
)

_Key = tuple[tuple[int, ...], ...]


def degeneralize_ops(module: ModuleOp) -> None:
    """Name every `linalg.generic` of `module` that is a sum of products with a name."""
    for op in ops_inside(module):
        if isinstance(op, GenericOp):
            degeneralize(op)


def degeneralize(op: Operation) -> Operation:
    """Replace `op` by the named op that does the same; `op` itself if there is none."""
    if not isinstance(op, GenericOp):
        return op
    contraction = contraction_of(op)
    if contraction is None or not contraction.is_projected:
        return op
    # The named ops compute `or` and `and` of truth values.
    if element_type_of(op.outputs[0].type) == i1:
        return op
    name = product_name(contraction.structure.maps)
    if name is None:
        return op
    named = make_named(name, op.inputs, op.outputs)
    named.attributes.update(op.attributes)
    named.location = op.location
    Rewriter.replace_op(op, named)
    return named


def _key(maps: Sequence[AffineMap]) -> _Key:
    """The maps with loops numbered as they first occur."""
    loops: dict[int, int] = {}
    return tuple(
        tuple(loops.setdefault(loop, len(loops)) for loop in positions(map_))
        for map_ in maps
    )


def product_name(maps: Sequence[AffineMap]) -> str | None:
    """The named op that is a sum of products indexed like this, whichever the loops."""
    return _names_by_maps().get(_key(maps))


@cache
def _names_by_maps() -> dict[_Key, str]:
    return {
        _key([map_.data for map_ in NAMED_OPS[name].indexing_maps(0)]): name
        for name in _NAMES
    }


class LinalgDegeneralizeGenericOpsPass(TensorPass):
    """Turn each `linalg.generic` that is a product into the op with that name."""

    name = "linalg-degeneralize-generic-ops"
    rewrite = staticmethod(degeneralize_ops)

"""fold-add-into-dest: let a sum of products start with what is added to it.

    %1 = linalg.matmul ins(%a, %b) outs(%zeros)
    %2 = linalg.matmul ins(%c, %d) outs(%zeros)     %1 = linalg.matmul ... outs(%zeros)
    %3 = linalg.add ins(%1, %2) outs(%e)            %3 = linalg.matmul ... outs(%1)

The first in the pipeline. As MLIR's patterns of this name, but what is added must be
the result of a linalg op with no other use. Anything else, such as a constant, would
have to be copied first, as it must not be overwritten.
"""

from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.dialects.linalg.ops import AddOp, BroadcastOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.linalg.structure import element_type_of, structure_of
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of
from ..common.zero_fills import is_zeros


def fold_adds_into_dest(module: ModuleOp) -> None:
    """Fold the additions of `module` whose operands allow it."""
    for op in ops_inside(module):
        if isinstance(op, AddOp) and len(op.inputs) == len(op.results) + 1:
            first, second = op.inputs
            # The later one of two, which need not be moved.
            _ = _fold(op, second, first) or _fold(op, first, second)


def _fold(op: AddOp, product: SSAValue, other: SSAValue) -> bool:
    """Let `product` start with `other`, and say whether that is possible."""
    contraction = product.owner
    if product is other or not isinstance(contraction, Operation):
        return False
    if contraction.parent is not op.parent or not _starts_with_zeros(contraction):
        return False
    if not product.has_one_use() or not _is_overwritable(other):
        return False
    if other.type != product.type or op.results[0].type != product.type:
        return False
    # `linalg.add` of truth values is `or`, and a sum of products is none.
    if element_type_of(product.type) == i1:
        return False
    # Nothing between the two uses the product, but it may come before `other`.
    contraction.detach()
    Rewriter.insert_op(contraction, InsertPoint.before(op))
    contraction.operands[len(contraction.operands) - 1] = other
    Rewriter.replace_op(op, [], [product])
    return True


def _starts_with_zeros(op: Operation) -> bool:
    """Whether `op` is a sum of products, added to zeros in the order of its loops."""
    contraction = contraction_of(op)
    return (
        contraction is not None
        and len(op.results) == 1
        and contraction.output.is_projected_permutation()
        and is_zeros(op.operands[-1])
    )


def _is_overwritable(value: SSAValue) -> bool:
    """Whether `value` is computed for the addition alone."""
    owner = value.owner
    return (
        isinstance(owner, Operation)
        and structure_of(owner) is not None
        and not isinstance(owner, BroadcastOp)
        and value.has_one_use()
    )


class FoldAddIntoDestPass(TensorPass):
    """Let a sum of products start with the tensor that is added to it."""

    name = "fold-add-into-dest"
    rewrite = staticmethod(fold_adds_into_dest)

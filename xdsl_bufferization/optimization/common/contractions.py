"""Sums of products: ops that add the product of their inputs to their output.

linalg.matmul, linalg.conv_2d_nhwc_hwcf, and linalg.generic with the payload
%0 = arith.mulf %lhs, %rhs;  %1 = arith.addf %out, %0;  linalg.yield %1
"""

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xdsl_bufferization.dialects.linalg.structure import Structure, structure_of

_FACTORS = 2
_ADD = (arith.AddfOp, arith.AddiOp)
_MUL = (arith.MulfOp, arith.MuliOp)
_WIDEN = (arith.ExtFOp, arith.ExtSIOp, arith.SIToFPOp)


def reduces_several(op: Operation) -> bool:
    """Whether a structured op reduces two inputs or more, as a product does."""
    structure = structure_of(op)
    return (
        structure is not None
        and len(structure.inputs) >= _FACTORS
        and not all(structure.parallel)
    )


@dataclass(frozen=True)
class Contraction:
    """A sum of products."""

    structure: Structure

    @property
    def lhs(self) -> AffineMap:
        """How the first input is indexed."""
        return self.structure.maps[0]

    @property
    def rhs(self) -> AffineMap:
        """How the second input is indexed."""
        return self.structure.maps[1]

    @property
    def output(self) -> AffineMap:
        """How the output is indexed."""
        return self.structure.maps[2]

    @property
    def is_convolution(self) -> bool:
        """Whether an index depends on several loops: those of a window."""
        exprs = (expr for map_ in self.structure.maps for expr in map_.results)
        return any(len(expr.used_dims()) > 1 for expr in exprs)

    @property
    def is_projected(self) -> bool:
        """Whether every index is a loop."""
        return all(map_.is_projected_permutation() for map_ in self.structure.maps)


def contraction_of(op: Operation) -> Contraction | None:
    """`op` as a sum of products over at least one loop; None if it is none."""
    structure = structure_of(op)
    if structure is None or len(structure.inputs) != 2 or len(structure.outputs) != 1:
        return None
    summed = structure.maps[2].unused_dims()
    if not summed or not _adds_product(structure.body.block):
        return None
    if any(p is (d in summed) for d, p in enumerate(structure.parallel)):
        return None
    return Contraction(structure)


def _adds_product(block: Block) -> bool:
    """Whether the payload is `out + lhs * rhs`, in any order of the operands."""
    lhs, rhs, out = block.args
    terminator = block.last_op
    if not isinstance(terminator, YieldOp):
        return False
    total = terminator.operands[0].owner
    if not isinstance(total, _ADD) or total.parent is not block:
        return False
    terms = [term for term in total.operands if term is not out]
    if len(terms) != 1:
        return False
    product = terms[0].owner
    if not isinstance(product, _MUL) or product.parent is not block:
        return False
    factors = [_unwidened(factor) for factor in product.operands]
    return factors in ([lhs, rhs], [rhs, lhs])


def _unwidened(value: SSAValue) -> SSAValue:
    owner = value.owner
    if isinstance(owner, _WIDEN) and isinstance(owner.operands[0], BlockArgument):
        return owner.operands[0]
    return value


def positions(map_: AffineMap) -> list[int]:
    """The loops that a projected permutation consists of."""
    return [e.position for e in map_.results if isinstance(e, AffineDimExpr)]


def factors_of(expr: AffineExpr) -> dict[int, int] | None:
    """What each loop is multiplied with in a sum of loops; None if it is no sum."""
    match expr:
        case AffineDimExpr():
            return {expr.position: 1}
        case AffineConstantExpr(0):
            return {}
        case AffineBinaryOpExpr(
            AffineBinaryOpKind.Mul, AffineDimExpr() as loop, AffineConstantExpr(factor)
        ) if factor >= 0:
            return {loop.position: factor}
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add, lhs, rhs):
            left, right = factors_of(lhs), factors_of(rhs)
            if left is None or right is None:
                return None
            return {
                loop: left.get(loop, 0) + right.get(loop, 0) for loop in {*left, *right}
            }
        case _:
            return None

"""widen-products: products of small numbers that are summed in f32, for kernels.

    %1 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x6xbf16>)
                       outs(%0 : tensor<4x6xf32>)
        ->
    %2 = arith.extf %a : tensor<4x8xbf16> to tensor<4x8xf32>
    %3 = arith.extf %b : tensor<8x6xbf16> to tensor<8x6xf32>
    %1 = linalg.matmul ins(%2, %3) outs(%0)

Runs once products read what is broadcast: kernels have elements of one type. The
numbers are the same, as the payload converts each element before it multiplies. Sums of
products of f16 and bf16 are taken, convolutions among them.

A product of bf16 that is rounded to bf16 at once is left to the kernels for bf16, which
sum in f32 and round once. They take what `pack-matmul` cuts into whole blocks:

    %2 = arith.truncf %1 : tensor<32x32xf32> to tensor<32x32xbf16>
        ->
    %2 = linalg.matmul ins(%a, %b) outs(%zeros : tensor<32x32xbf16>)
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    FloatAttr,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.linalg.ops import GenericOp, MatmulOp, YieldOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.named import make_named
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    element_type_of,
    structure_of,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of
from ..common.relayout import empty_like
from ..common.zero_fills import insert_fill, is_zeros
from .pack_matmul import has_whole_blocks

_SMALL = (BFloat16Type(), Float16Type())


def widen_products(module: ModuleOp, *, keep_blocks: bool = False) -> None:
    """Let the products in `module` that are summed in f32 have factors of f32.

    With `keep_blocks`, products of bf16 in whole blocks that are rounded at once stay
    products of bf16.
    """
    for op in ops_inside(module):
        contraction = contraction_of(op) if op.results else None
        if contraction is None:
            continue
        structure = contraction.structure
        if element_type_of(structure.outputs[0].type) != Float32Type():
            continue
        rounding = _rounding(op) if keep_blocks else None
        if rounding is not None:
            _multiply_small(op, rounding)
        else:
            _widen(op, structure)


def _widen(op: Operation, structure: Structure) -> None:
    builder = ArithBuilder.before(op)
    arguments = structure.body.block.args
    for number, value in enumerate(structure.inputs):
        conversions = [use.operation for use in arguments[number].uses]
        is_small = element_type_of(value.type) in _SMALL
        # What nobody needs may stand beside the conversion.
        if not is_small or not all(
            isinstance(each, arith.ExtFOp) for each in conversions
        ):
            continue
        type_ = TensorType(Float32Type(), ranked_type(value).get_shape())
        op.operands[number] = builder.insert(arith.ExtFOp(value, type_)).result
        wide = Rewriter.replace_value_with_new_type(arguments[number], Float32Type())
        for each in conversions:
            Rewriter.replace_op(each, [], [wide])


def _rounding(op: Operation) -> Operation | None:
    """The op that narrows the result of a product of blocks, if no other reads it."""
    (result,) = op.results
    if not isinstance(op, MatmulOp) or not has_whole_blocks(op):
        return None
    if any(element_type_of(each.type) != BFloat16Type() for each in op.inputs):
        return None
    if not is_zeros(op.outputs[0]) or not result.has_one_use():
        return None
    (use,) = result.uses
    user = use.operation
    # In a loop, the product would be computed again and again.
    if user.parent is not op.parent:
        return None
    if not (_is_rounding(user) or _only_rounds(user)):
        return None
    is_small = element_type_of(user.results[0].type) == BFloat16Type()
    return user if is_small else None


def _is_rounding(op: Operation) -> bool:
    """Whether `op` rounds to the nearest number, as kernels do."""
    return isinstance(op, arith.TruncFOp) and not op.properties


def _only_rounds(op: Operation) -> bool:
    """Whether a structured op only narrows the elements of its only input."""
    structure = structure_of(op) if isinstance(op, GenericOp) else None
    if structure is None or len(op.operands) != 2 or len(op.results) != 1:
        return False
    rank = len(structure.parallel)
    if any(map_ != AffineMap.identity(rank) for map_ in structure.maps):
        return False
    ops = list(structure.body.block.ops)
    return (
        len(ops) == 2
        and _is_rounding(ops[0])
        and ops[0].operands[0] is structure.body.block.args[0]
        and isinstance(ops[1], YieldOp)
        and ops[1].operands[0] is ops[0].results[0]
    )


def _multiply_small(op: Operation, rounding: Operation) -> None:
    builder = ArithBuilder.before(rounding)
    (result,) = rounding.results
    init = empty_like(builder, op.results[0], ranked_type(result))
    zero = builder.insert(arith.ConstantOp(FloatAttr(0.0, BFloat16Type()))).result
    zeros = insert_fill(zero, init, builder.insert)
    product = make_named(op.name, op.operands[:2], [zeros])
    if "indexing_maps" in op.properties:
        product.properties["indexing_maps"] = op.properties["indexing_maps"]
    _ = builder.insert(product)
    Rewriter.replace_op(rounding, [], product.results)
    Rewriter.erase_op(op)


@dataclass(frozen=True)
class WidenProductsPass(TensorPass):
    """Let products of f16 and bf16 that are summed in f32 have factors of f32."""

    name = "widen-products"

    keep_blocks: bool = False
    """Whether products of bf16 that are rounded to bf16 at once, and that `pack-matmul`
    cuts into whole blocks of 32, become products of bf16."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        widen_products(op, keep_blocks=self.keep_blocks)

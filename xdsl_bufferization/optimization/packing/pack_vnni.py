"""Weights of bf16 with two rows interleaved, as processors multiply them in pairs.

    %0 = linalg.generic ... ins(%a, %b)           // 8x4x32x32xbf16, 16x4x32x32xbf16
        ->
    %1 = tensor.expand_shape %a [[0], [1], [2], [3, 4]] ...         // 8x4x32x16x2xbf16
    %2 = linalg.pack %b inner_dims_pos = [2] inner_tiles = [2] ...  // 16x4x16x32x2xbf16
    %0 = linalg.generic ... ins(%1, %2)           // one more loop, over the two

The loop over a sum is cut into pairs. It runs along the rows of the first operand, so
pairs are neighbours there. It runs along the columns of the second operand, whose pairs
become neighbours.

Runs after `pack-matmul`, and takes any sum of products of matrices of bf16: packed,
`linalg.matmul` and its kin. Sums are added up in the same order as before. A sum is
left as it is if its length is dynamic, or no multiple of the factor; `explain` then
makes a remark. A sum that is packed already is left as it is, too.

The factor is that of the option, or what the module says by dlti, or 2. If the module
says 0 or an odd number, all stays as it is.

Source: `pack-vnni` of tpp-mlir.
"""

from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    element_type_of,
    shape_of,
)
from xdsl_bufferization.dialects.remarks import (
    Report,
    ignore_remark,
    remark,
    write_remark,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of, positions
from ..common.relayout import Layout, pack, reassociation, size_of
from ..common.target_hints import cpu_hint
from .packed_loops import PackedLoops, packed_op

DEFAULT_FACTOR = 2


class _Product(NamedTuple):
    """A sum of products, and the loop over its pairs."""

    structure: Structure
    loop: int
    size: int


def pack_vnni(
    module: ModuleOp, factor: int = DEFAULT_FACTOR, report: Report[str] = ignore_remark
) -> None:
    """Interleave `factor` rows of the second operands of products in `module`.

    `report` is told of products that are left as they are.
    """
    for op in ops_inside(module):
        product = _match(op)
        if product is None:
            continue
        if product.size != DYNAMIC_INDEX and product.size % factor == 0:
            _pack(op, product, factor)
        else:
            size = "dynamic" if product.size == DYNAMIC_INDEX else product.size
            report(
                remark(
                    op,
                    f"is not packed: the number of sums is {size}, not a multiple of "
                    f"{factor}",
                )
            )


def _match(op: Operation) -> _Product | None:
    """`op` as products of rows and columns of bf16, on tensors."""
    if not isinstance(op, LinalgStructuredOperation) or not op.results:
        return None
    if any(element_type_of(v.type) != BFloat16Type() for v in op.inputs):
        return None
    contraction = contraction_of(op)
    if contraction is None or not contraction.is_projected:
        return None
    lhs, rhs = positions(contraction.lhs), positions(contraction.rhs)
    if len(lhs) < 2 or len(rhs) < 2 or lhs[-1] != rhs[-2]:
        return None
    if lhs[-1] in positions(contraction.output):
        return None
    size = shape_of(op.inputs[0].type)[-1]
    return _Product(contraction.structure, lhs[-1], size)


def _pack(op: Operation, product: _Product, factor: int) -> None:
    structure = product.structure
    builder = ArithBuilder.before(op)
    ranks = [len(map_.results) for map_ in structure.maps]
    layouts = [
        _layout(ranks[0], {ranks[0] - 1: factor}),
        _layout(ranks[1], {ranks[1] - 2: factor}),
        _layout(ranks[2], {}),
    ]
    lhs, rhs = structure.inputs
    operands = [
        _split_rows(builder, lhs, layouts[0]),
        pack(builder, rhs, layouts[1]),
        *structure.outputs,
    ]
    outer = range(len(structure.iterator_types))
    loops = PackedLoops.tiles_last(outer, [product.loop])
    packed = builder.insert(packed_op(structure, loops, layouts, operands))
    Rewriter.replace_op(op, [], packed.results)


def _layout(rank: int, tiles: dict[int, int]) -> Layout:
    return Layout(tuple(tiles), tuple(tiles.values()), tuple(range(rank)))


def _split_rows(builder: ArithBuilder, value: SSAValue, layout: Layout) -> SSAValue:
    """The last dimension as two, which is what `layout` says, without a copy."""
    type_ = ranked_type(value)
    rank = type_.get_num_dims()
    shape = layout.packed_type(type_).get_shape()
    sizes = [
        size_of(builder, value, dimension)
        for dimension, size in enumerate(type_.get_shape())
        if size == DYNAMIC_INDEX
    ]
    groups = [*([dimension] for dimension in range(rank - 1)), [rank - 1, rank]]
    result_type = TensorType(type_.element_type, shape)
    return builder.insert(
        tensor.ExpandShapeOp(value, sizes, reassociation(groups), shape, result_type)
    ).result


@dataclass(frozen=True)
class PackVNNIPass(TensorPass):
    """Interleave the rows of matrices of bf16 that are multiplied."""

    name = "pack-vnni"

    factor: int | None = None
    """How many rows. Without the option, what the module says of the processor."""
    explain: bool = False
    """Whether to say why products are left as they are, on stderr."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        factor = _factor_of(op) if self.factor is None else self.factor
        if factor is None:
            return
        if factor < 2:
            raise PassFailedException(f"factor is {factor}, but must be 2 or more")
        pack_vnni(op, factor, write_remark if self.explain else ignore_remark)


def _factor_of(module: ModuleOp) -> int | None:
    """What `module` says; None for a number that cannot be, as in tpp-mlir."""
    hint = cpu_hint(module, "vnni")
    if hint is None:
        return DEFAULT_FACTOR
    return hint if hint > 0 and hint % 2 == 0 else None

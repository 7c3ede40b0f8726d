"""Matrix products in blocks, for kernels that multiply small matrices.

    %0 = linalg.matmul ins(%a, %b : tensor<256x128xf32>, tensor<128x512xf32>) outs(%c)
        ->
    %1 = linalg.pack %a ... : tensor<256x128xf32> -> tensor<8x4x32x32xf32>
    %2 = linalg.pack %b outer_dims_perm = [1, 0] ... -> tensor<16x4x32x32xf32>
    %3 = linalg.pack %c ... -> tensor<8x16x32x32xf32>
    %4 = linalg.generic ... ins(%1, %2) outs(%3)     // [M, K, m, k] x [N, K, k, n]
    %0 = linalg.unpack %4 ...                        //     -> [M, N, m, n]

The second of the passes on tensors, after convolutions. Blocks of the second matrix are
stored column by column, so that both are walked through in order. Sums are added up in
the same order as before. Takes `linalg.matmul`, transposed or not, and each
`linalg.generic` and `linalg.contract` that is a product of matrices.

A size may be dynamic, or not a multiple of its block. Then the product is left as it
is, with a remark if `explain` is set. With `allow-padding` it is packed, with zeros
where blocks are not full. With `by-size`, which `default-tpp-passes` sets, products in
f32 are not cut in blocks: `right_factors.py` says what is packed.

Source: `pack-matmul` of tpp-mlir, and MLIR's `linalg-block-pack-matmul`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    BFloat16Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

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
from xdsl_bufferization.support.traversal import ops_inside

from ..common.contractions import contraction_of, positions
from ..common.relayout import Layout, Padding, pack, unpack
from .block_factors import check_factors
from .packed_loops import PackedLoops, packed_op
from .right_factors import pack_right_factor, product_of_matrix

_NAMES = ("rows", "columns", "sums")


class BlockFactors(NamedTuple):
    """The sizes of blocks."""

    m: int = 32
    """Rows of the first matrix and of the result."""
    n: int = 32
    """Columns of the second matrix and of the result."""
    k: int = 32
    """Columns of the first matrix, which are rows of the second."""


DEFAULT_FACTORS = BlockFactors()


class _Matmul(NamedTuple):
    """A matrix product, and which of its loops is which."""

    structure: Structure
    m: int
    n: int
    k: int

    @property
    def loops(self) -> tuple[int, int, int]:
        return self.m, self.n, self.k

    @property
    def sizes(self) -> list[int]:
        """Of the three loops; dynamic if no operand has a known size."""
        sizes = dict.fromkeys(self.loops, DYNAMIC_INDEX)
        values = (*self.structure.inputs, *self.structure.outputs)
        for value, map_ in zip(values, self.structure.maps, strict=True):
            known = zip(positions(map_), shape_of(value.type), strict=True)
            sizes |= {loop: size for loop, size in known if size != DYNAMIC_INDEX}
        return [sizes[loop] for loop in self.loops]


def pack_matmuls(
    module: ModuleOp,
    factors: BlockFactors | None = DEFAULT_FACTORS,
    *,
    allow_padding: bool = False,
    report: Report[str] = ignore_remark,
) -> None:
    """Pack the operands of all matrix products in `module`.

    `report` is told of products that are left as they are. Without factors, none is
    refused: of products in f32, only right factors are packed.
    """
    for op in ops_inside(module):
        matmul = _match(op)
        if factors is None:
            _pack_by_size(op, matmul)
        elif matmul is not None:
            problem = _problem(matmul, factors, allow_padding=allow_padding)
            if problem is None:
                _pack(op, matmul, factors)
            else:
                report(remark(op, f"is not packed: {problem}"))


def _pack_by_size(op: Operation, matmul: _Matmul | None) -> None:
    """Pack as it suits the sizes: kernels for bf16 need blocks of whole cache lines."""
    if (
        matmul is not None
        and element_type_of(op.operands[0].type) == BFloat16Type()
        and _has_whole_blocks(matmul)
    ):
        _pack(op, matmul, DEFAULT_FACTORS)
    elif (product := product_of_matrix(op)) is not None:
        pack_right_factor(op, product)


def has_whole_blocks(op: Operation) -> bool:
    """Whether `op` is a product of matrices that is cut in whole blocks of 32."""
    matmul = _match(op)
    return matmul is not None and _has_whole_blocks(matmul)


def _has_whole_blocks(matmul: _Matmul) -> bool:
    return _problem(matmul, DEFAULT_FACTORS, allow_padding=False) is None


def _match(op: Operation) -> _Matmul | None:
    """`op` as a product of two matrices on tensors."""
    if not isinstance(op, LinalgStructuredOperation) or not op.results:
        return None
    contraction = contraction_of(op)
    if contraction is None or not contraction.is_projected:
        return None
    lhs, rhs, out = (set(positions(map_)) for map_ in contraction.structure.maps)
    if not len(lhs) == len(rhs) == len(out) == 2:
        return None
    # Each loop is one of two of the operands.
    m, n, k = lhs & out, rhs & out, lhs & rhs
    if not len(m) == len(n) == len(k) == 1:
        return None
    return _Matmul(contraction.structure, m.pop(), n.pop(), k.pop())


def _problem(
    matmul: _Matmul, factors: BlockFactors, *, allow_padding: bool
) -> str | None:
    """Why the product cannot be packed, and what to do."""
    if allow_padding:
        return None
    for name, size, factor in zip(_NAMES, matmul.sizes, factors, strict=True):
        if size == DYNAMIC_INDEX:
            return f"the number of {name} is dynamic; set allow-padding"
        if size % factor:
            return (
                f"the number of {name}, {size}, is not a multiple of the block factor "
                f"{factor}; set block-factors or allow-padding"
            )
    return None


def _pack(op: Operation, matmul: _Matmul, factors: BlockFactors) -> None:
    structure = matmul.structure
    m, n, k = matmul.loops
    tiles = dict(zip(matmul.loops, factors, strict=True))
    lhs, rhs, out = structure.maps
    layouts = [
        _layout(lhs, (m, k), (m, k), tiles),
        _layout(rhs, (n, k), (k, n), tiles),
        _layout(out, (m, n), (m, n), tiles),
    ]
    builder = ArithBuilder.before(op)
    (dest,) = structure.outputs
    operands = [
        pack(builder, value, layout, _zero(value.type))
        for value, layout in zip(op.operands, layouts, strict=True)
    ]
    loops = PackedLoops.tiles_last((m, n, k), (m, n, k))
    packed = builder.insert(packed_op(structure, loops, layouts, operands))
    result = unpack(builder, packed.results[0], layouts[2], dest)
    Rewriter.replace_op(op, [], [result])


def _layout(
    map_: AffineMap, outer: Sequence[int], inner: Sequence[int], tiles: dict[int, int]
) -> Layout:
    """The layout of an operand with its loops over tiles and in tiles in an order."""
    dimension = {loop: at for at, loop in enumerate(positions(map_))}
    return Layout(
        tuple(dimension[loop] for loop in inner),
        tuple(tiles[loop] for loop in inner),
        tuple(dimension[loop] for loop in outer),
    )


def _zero(type_: Attribute) -> Padding:
    """What adds nothing to a sum of products."""
    element = element_type_of(type_)
    if isinstance(element, AnyFloat):
        return FloatAttr(0.0, element)
    assert isa(element, IntegerType | IndexType), "nothing else is multiplied"
    return IntegerAttr(0, element)


@dataclass(frozen=True)
class PackMatmulPass(TensorPass):
    """Pack the operands of matrix products into blocks."""

    name = "pack-matmul"

    block_factors: tuple[int, ...] = DEFAULT_FACTORS
    """Rows, columns and sums of a block."""
    by_size: bool = False
    """Whether products are packed as it suits their sizes, without these factors: only
    the right factor, except that products in bf16 are cut in blocks of 32."""
    allow_padding: bool = False
    """Whether blocks at the ends are filled up with zeros."""
    explain: bool = False
    """Whether to say why products are left as they are, on stderr."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        factors = check_factors(self.block_factors, BlockFactors._fields)
        pack_matmuls(
            op,
            None if self.by_size else BlockFactors(*factors),
            allow_padding=self.allow_padding,
            report=write_remark if self.explain else ignore_remark,
        )

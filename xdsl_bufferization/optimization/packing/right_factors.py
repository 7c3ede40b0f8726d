"""The right factor of a product as kernels read it fast; the other matrices stay.

    %0 = linalg.matmul ins(%a, %weights : tensor<197x384xf32>, tensor<384x1536xf32>)
        ->
    %1 = linalg.pack %weights outer_dims_perm = [1, 0] inner_dims_pos = [1]
        inner_tiles = [64] ... -> tensor<24x384x64xf32>
    %0 = linalg.generic (m, n, k) -> (n floordiv 64, k, n mod 64) ins(%a, %1)

For `pack-matmul` without block factors. A kernel reads rows of the left factor and of
the result at any distance, and adds up all products in one call: a copy of these gains
nothing. Of the right factor, a kernel reads some columns of each row. Where columns
are many, rows are far apart, and reading them is slow.

- Weights are packed, block of columns by block, as that costs nothing in a call.
- Another right factor stays where it is, with its rows apart.
- What has columns for rows is transposed: weights by their pack, others ahead of the
  product. So is a left factor. Sizes must be known for that.
"""

from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.ops import GenericOp, TransposeOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.linalg.moves import new_transpose
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    element_type_of,
    rank_of,
    result_types_for,
    shape_of,
)
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.support.traversal import op_beside

from ..common.contractions import contraction_of, positions
from ..common.relayout import Layout, Padding, pack, size_of
from .block_factors import columns_of_block
from .weights import WEIGHT

_LONGEST_CHAIN = 8
"""Ops between a weight and a product, at most."""

_MATRIX = 2

_MOVES = (
    tensor.CastOp,
    tensor.CollapseShapeOp,
    tensor.ExpandShapeOp,
    tensor.ExtractSliceOp,
    TransposeOp,
)


class Product(NamedTuple):
    """A sum over one loop of products of a row, or of rows, with columns."""

    structure: Structure
    left: int
    """The number of the factor with the rows of the result."""
    rows: int | None
    """The loop over rows; None if the result is one row."""
    columns: int
    sums: int

    @property
    def right(self) -> int:
        """The number of the factor with the columns of the result."""
        return 1 - self.left

    @property
    def sizes(self) -> dict[int, int]:
        """Of the loops, as far as they are known."""
        sizes = dict.fromkeys(range(len(self.structure.parallel)), DYNAMIC_INDEX)
        values = (*self.structure.inputs, *self.structure.outputs)
        for value, map_ in zip(values, self.structure.maps, strict=True):
            known = zip(positions(map_), shape_of(value.type), strict=True)
            sizes |= {loop: size for loop, size in known if size != DYNAMIC_INDEX}
        return sizes


def product_of_matrix(op: Operation) -> Product | None:
    """`op` as the product of a matrix or a row and a matrix, on tensors."""
    contraction = contraction_of(op)
    if contraction is None or not contraction.is_projected or not op.results:
        return None
    structure = contraction.structure
    factors = [positions(map_) for map_ in structure.maps[:2]]
    out = positions(structure.maps[2])
    if not 1 <= len(out) <= 2:
        return None
    columns = out[-1]
    left = 0 if columns in factors[1] else 1
    rows = out[0] if len(out) == 2 else None
    of_left, of_right = factors[left], factors[1 - left]
    sums = [loop for loop in of_left if loop != rows]
    if len(sums) != 1 or {columns, sums[0]} != {*of_right} or columns in of_left:
        return None
    if {*of_left} != {*sums} | ({rows} if rows is not None else set()):
        return None
    return Product(structure, left, rows, columns, sums[0])


def pack_right_factor(op: Operation, product: Product) -> None:
    """Pack or transpose the factors of a product where that makes it faster."""
    structure, sizes = product.structure, product.sizes
    rows = 1 if product.rows is None else sizes[product.rows]
    columns, sums = sizes[product.columns], sizes[product.sums]
    if DYNAMIC_INDEX in (columns, sums):
        return
    values, maps = list(op.operands), list(structure.maps)
    builder = ArithBuilder.before(op)
    left, right = product.left, product.right
    for number in (left, right):
        values[number], maps[number] = _untransposed(values[number], maps[number])
    if positions(maps[left]) == [product.sums, product.rows] and rows != DYNAMIC_INDEX:
        values[left], maps[left] = _transposed(builder, values[left], maps[left])
    known = None if rows == DYNAMIC_INDEX else rows
    block = columns_of_block(columns, known, sums)
    is_transposed = positions(maps[right]) == [product.columns, product.sums]
    value = values[right]
    # Of one row, each element is read once, where it is: it is a column for its kernel.
    is_worth = is_transposed and columns % block == 0 and rows != 1
    is_packed = is_worth or _is_weight(value)
    # A loop over a batch need not do it again.
    outside = ArithBuilder.before(op_beside(value, op))
    if is_packed and block < columns and _is_of_floats(value):
        values[right], maps[right] = _in_blocks(
            outside, value, maps[right], product.columns, block
        )
    elif is_transposed and rows != 1:
        values[right], maps[right] = _transposed(outside, value, maps[right])
    if maps == list(structure.maps):
        return
    outputs = values[2:]
    new_op = GenericOp(
        values[:2],
        outputs,
        structure.body.clone(),
        [AffineMapAttr(map_) for map_ in maps],
        structure.iterator_types,
        result_types_for(outputs),
    )
    new_op.location = op.location
    Rewriter.replace_op(op, new_op)


def _is_of_floats(value: SSAValue) -> bool:
    """Whether the elements are f32 or longer; shorter ones are for `pack-vnni`."""
    element = element_type_of(value.type)
    return isinstance(element, AnyFloat) and element.bitwidth >= 32


def _is_weight(value: SSAValue) -> bool:
    """Whether a tensor is known before a call, up to where its elements are."""
    for _ in range(_LONGEST_CHAIN):
        owner = value.owner
        if isinstance(owner, ConstantOp):
            return True
        if isinstance(value, BlockArgument):
            return _is_marked(value)
        if not isinstance(owner, _MOVES):
            return False
        value = owner.operands[0]
    return False


def _is_marked(argument: BlockArgument) -> bool:
    function = argument.block.parent_op()
    if not isinstance(function, FuncOp) or function.arg_attrs is None:
        return False
    is_first = argument.block is function.body.blocks.first
    return is_first and WEIGHT in function.arg_attrs.data[argument.index].data


def _in_blocks(
    builder: ArithBuilder, value: SSAValue, map_: AffineMap, columns: int, block: int
) -> tuple[SSAValue, AffineMap]:
    """A matrix in blocks of columns, each row by row, and how it is indexed.

    `columns` is the loop over columns.
    """
    loops = positions(map_)
    column = loops.index(columns)
    (sums,) = (loop for loop in loops if loop != columns)
    layout = Layout((column,), (block,), (column, 1 - column))
    packed = pack(builder, value, layout, _zero(value.type))
    loop = AffineDimExpr(columns)
    indices = (loop // block, AffineDimExpr(sums), loop % block)
    return packed, AffineMap(map_.num_dims, 0, indices)


def _zero(type_: Attribute) -> Padding:
    element = element_type_of(type_)
    if isinstance(element, AnyFloat):
        return FloatAttr(0.0, element)
    assert isa(element, IntegerType | IndexType), "nothing else is multiplied"
    return IntegerAttr(0, element)


def _untransposed(value: SSAValue, map_: AffineMap) -> tuple[SSAValue, AffineMap]:
    """The matrix that a factor is the transpose of, and how that is indexed."""
    owner = value.owner
    if not isinstance(owner, TransposeOp) or rank_of(value.type) != _MATRIX:
        return value, map_
    if tuple(owner.permutation.get_values()) != (1, 0):
        return value, map_
    return owner.inputs[0], _swapped(map_)


def _transposed(
    builder: ArithBuilder, value: SSAValue, map_: AffineMap
) -> tuple[SSAValue, AffineMap]:
    """A matrix with rows for columns, and how it is indexed."""
    type_ = ranked_type(value)
    shape = type_.get_shape()
    new_type = TensorType(type_.element_type, (shape[1], shape[0]), type_.encoding)
    # A size that another operand tells may be open here.
    sizes = [
        size_of(builder, value, dimension)
        for dimension in (1, 0)
        if shape[dimension] == DYNAMIC_INDEX
    ]
    init = builder.insert(tensor.EmptyOp(sizes, new_type))
    transpose = builder.insert(new_transpose(value, init.tensor, [1, 0]))
    return transpose.results[0], _swapped(map_)


def _swapped(map_: AffineMap) -> AffineMap:
    first, second = map_.results
    return AffineMap(map_.num_dims, 0, (second, first))

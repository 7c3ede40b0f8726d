"""What slices of tensors simplify to.

    %0 = tensor.extract_slice %t[0] [4] [1] : tensor<4xf32> to tensor<4xf32>  // is %t

    %c2 = arith.constant 2 : index
    %1 = tensor.extract_slice %t[%c2] [%c2] [1] : tensor<4xf32> to tensor<?xf32>
    // becomes
    %2 = tensor.extract_slice %t[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %1 = tensor.cast %2 : tensor<2xf32> to tensor<?xf32>

Source of the rules: the folders and canonicalization patterns of MLIR's ops.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from ...common.slices import Slice, slice_of
from ...common.static_values import (
    OpFoldResult,
    decompose_mixed_values,
)
from ..constraints import ranked_type
from ..slice_types import dropped_dimensions, out_of_bounds
from .values import (
    dense_constant,
    dense_elements,
    is_dim_of,
    keeps_static_sizes,
    replace_and_cast,
    splat_element,
)


def _covers(piece: Slice, whole: SSAValue) -> bool:
    """Whether a slice certainly is all of `whole`, element for element."""
    shape = ranked_type(whole).get_shape()
    return (
        all(offset == 0 for offset in piece.offsets)
        and all(stride == 1 for stride in piece.strides)
        and all(
            size == known if isinstance(size, int) else is_dim_of(size, whole, index)
            for index, (size, known) in enumerate(zip(piece.sizes, shape, strict=True))
        )
    )


def _with_constants(piece: Slice, shape: Sequence[int]) -> Slice | None:
    """`piece` with values that are constants as numbers, if that is new and valid."""
    known = piece.folded()
    if known == piece or out_of_bounds(known, shape) is not None:
        return None
    return known


def _part_type(piece: Slice, known: Slice, part: SSAValue) -> TensorType:
    """The type of the slice `known`, which drops what `part`, of `piece`, drops."""
    type_ = ranked_type(part)
    dropped = dropped_dimensions(piece.shape(), type_.get_shape()) or ()
    shape = [size for index, size in enumerate(known.shape()) if index not in dropped]
    return TensorType(type_.element_type, shape, type_.encoding)


def create_slice_op(
    op: IRDLOperation,
    leading: Sequence[SSAValue],
    piece: Slice,
    result_types: Sequence[Attribute],
) -> IRDLOperation:
    """A new op like `op` with these operands, slice and results."""
    operands: list[SSAValue | Sequence[SSAValue]] = [*leading]
    properties = dict(op.properties)
    for name, numbers in zip(Slice._fields, piece, strict=True):
        static, dynamic = decompose_mixed_values(numbers)
        properties[f"static_{name}"] = DenseArrayBase.from_list(i64, static)
        operands.append(dynamic)
    properties.pop("operandSegmentSizes", None)
    return type(op).build(
        operands=operands,
        result_types=result_types,
        properties=properties,
        attributes=op.attributes,
    )


class ExtractAll(RewritePattern):
    """A slice that is all of its source is the source."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractSliceOp, rewriter: PatternRewriter
    ) -> None:
        if op.source.type == op.result.type and _covers(slice_of(op), op.source):
            rewriter.replace(op, [], [op.source])


class ExtractWhatWasInserted(RewritePattern):
    """The slice that has just been inserted is what was inserted."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractSliceOp, rewriter: PatternRewriter
    ) -> None:
        insert = op.source.owner
        if (
            isinstance(insert, tensor.InsertSliceOp)
            and insert.source.type == op.result.type
            and slice_of(insert) == slice_of(op)
        ):
            rewriter.replace(op, [], [insert.source])


class ExtractConstantSlice(RewritePattern):
    """Numbers that are known go into the op, and its type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractSliceOp, rewriter: PatternRewriter
    ) -> None:
        piece = slice_of(op)
        shape = ranked_type(op.source).get_shape()
        if (known := _with_constants(piece, shape)) is None:
            return
        type_ = _part_type(piece, known, op.result)
        replace_and_cast(op, create_slice_op(op, [op.source], known, [type_]), rewriter)


class ExtractFromEqualElements(RewritePattern):
    """A slice of a constant of equal elements is such a constant.

    Unless the slice is somewhere else in each iteration of a loop: it is a view of the
    constant then, and needs no second one.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractSliceOp, rewriter: PatternRewriter
    ) -> None:
        elements, type_ = dense_constant(op.source), ranked_type(op.result)
        value = None if elements is None else splat_element(elements)
        if value is None or op.offsets or not type_.has_static_shape():
            return
        rewriter.replace(op, arith.ConstantOp(dense_elements(type_, [value])))


class ExtractFromCast(RewritePattern):
    """A slice of a cast is a slice of what is cast, if that is known better."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractSliceOp, rewriter: PatternRewriter
    ) -> None:
        cast = op.source.owner
        if not isinstance(cast, tensor.CastOp) or not keeps_static_sizes(cast):
            return
        shape = ranked_type(cast.source).get_shape()
        if out_of_bounds(slice_of(op), shape) is None:
            new = create_slice_op(op, [cast.source], slice_of(op), op.result_types)
            rewriter.replace(op, new)


class InsertAll(RewritePattern):
    """A tensor all of which is overwritten is what overwrites it."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.InsertSliceOp, rewriter: PatternRewriter
    ) -> None:
        if op.source.type == op.result.type and _covers(slice_of(op), op.dest):
            rewriter.replace(op, [], [op.source])


class InsertWhatIsThere(RewritePattern):
    """Writing a slice back to where it was read changes nothing."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.InsertSliceOp, rewriter: PatternRewriter
    ) -> None:
        extract = op.source.owner
        if (
            isinstance(extract, tensor.ExtractSliceOp)
            and extract.source is op.dest
            and slice_of(extract) == slice_of(op)
        ):
            rewriter.replace(op, [], [op.dest])


class InsertOverInserted(RewritePattern):
    """A slice that is overwritten at once need not be written."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.InsertSliceOp, rewriter: PatternRewriter
    ) -> None:
        first = op.dest.owner
        if (
            isinstance(first, tensor.InsertSliceOp)
            and first.source.type == op.source.type
            and slice_of(first) == slice_of(op)
        ):
            new = create_slice_op(
                op, [op.source, first.dest], slice_of(op), op.result_types
            )
            rewriter.replace(op, new)


class InsertNothing(RewritePattern):
    """A slice without elements changes nothing."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.InsertSliceOp, rewriter: PatternRewriter
    ) -> None:
        if 0 in ranked_type(op.source).get_shape():
            rewriter.replace(op, [], [op.dest])


class InsertCast(RewritePattern):
    """Insertion of a cast is insertion of what is cast, if that is known better."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.InsertSliceOp, rewriter: PatternRewriter
    ) -> None:
        cast, piece = op.source.owner, slice_of(op)
        if not isinstance(cast, tensor.CastOp) or not keeps_static_sizes(cast):
            return
        dropped = dropped_dimensions(piece.shape(), ranked_type(op.source).get_shape())
        if dropped is None:
            return
        said = iter(ranked_type(cast.source).get_shape())
        sizes: list[OpFoldResult] = []
        for index, size in enumerate(piece.sizes):
            known = DYNAMIC_INDEX if index in dropped else next(said)
            sizes.append(size if known == DYNAMIC_INDEX else known)
        known_piece = Slice(piece.offsets, sizes, piece.strides)
        if out_of_bounds(known_piece, ranked_type(op.dest).get_shape()) is None:
            operands = [cast.source, op.dest]
            new = create_slice_op(op, operands, known_piece, op.result_types)
            rewriter.replace(op, new)


class InsertIntoCast(RewritePattern):
    """Insertion into a cast is insertion into what is cast, if that is known better."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.InsertSliceOp, rewriter: PatternRewriter
    ) -> None:
        cast = op.dest.owner
        if not isinstance(cast, tensor.CastOp) or not keeps_static_sizes(cast):
            return
        type_ = ranked_type(cast.source)
        if out_of_bounds(slice_of(op), type_.get_shape()) is None:
            new = create_slice_op(op, [op.source, cast.source], slice_of(op), [type_])
            replace_and_cast(op, new, rewriter)


class InsertConstantSlice(RewritePattern):
    """Numbers that are known go into an insertion, and into the type it inserts.

    A cast that this needs stands before the region of `scf.forall.in_parallel`, in
    which only insertions may stand.
    """

    op_type: type[IRDLOperation]

    def __init__(self, op_type: type[IRDLOperation]):
        self.op_type = op_type

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, self.op_type):
            return
        source, dest = op.operands[:2]
        # Both kinds of insertions have the fields, which pyright cannot know.
        piece = slice_of(op)  # pyright: ignore[reportArgumentType]
        shape = ranked_type(dest).get_shape()
        if (known := _with_constants(piece, shape)) is None:
            return
        type_ = _part_type(piece, known, source)
        if type_ != source.type:
            cast = tensor.CastOp(source, type_)
            rewriter.insert(cast, _where_to_cast(op))
            source = cast.dest
        rewriter.replace(
            op, create_slice_op(op, [source, dest], known, op.result_types)
        )


def _where_to_cast(op: Operation) -> InsertPoint:
    parent = op.parent_op()
    return InsertPoint.before(op if op.results or parent is None else parent)

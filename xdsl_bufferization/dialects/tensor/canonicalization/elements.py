"""What ops on single elements simplify to.

    %0 = tensor.from_elements %a, %b : tensor<2xf32>
    %1 = tensor.extract %0[%c1] : tensor<2xf32>                               // is %b

Source of the rules: the folders and canonicalization patterns of MLIR's ops.
"""

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead
from xdsl.utils.hints import isa

from ...common.static_values import constant_integer
from ...text.splats import has_constants
from ..constraints import ranked_type
from ..elements import GatherOp
from ..regions import GenerateOp
from .values import (
    constant_attribute,
    dense_constant,
    dense_element,
    dense_elements,
    keeps_static_sizes,
    known_sizes,
    replace_and_cast,
    splat_element,
)


def _position(indices: Sequence[SSAValue], shape: Sequence[int]) -> int | None:
    """Where in row-major order constant indices point to, if they are inside."""
    position = 0
    for value, size in zip(indices, shape, strict=True):
        index = constant_integer(value)
        if index is None or not 0 <= index < size:
            return None
        position = position * size + index
    return position


class ExtractFromElements(RewritePattern):
    """The element at constant indices of elements written out."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractOp, rewriter: PatternRewriter
    ) -> None:
        source = op.tensor.owner
        if isinstance(source, tensor.SplatOp):
            rewriter.replace(op, [], [source.input])
        elif isinstance(source, tensor.FromElementsOp):
            shape = source.result.type.get_shape()
            if (position := _position(op.indices, shape)) is not None:
                rewriter.replace(op, [], [source.elements[position]])


class ExtractFromConstant(RewritePattern):
    """The element at constant indices of a constant, or any where all are the same."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractOp, rewriter: PatternRewriter
    ) -> None:
        if (elements := dense_constant(op.tensor)) is None:
            return
        # One value may stand for all elements; longer data are not searched.
        position = 0
        if len(elements) != 1:
            found = _position(op.indices, elements.get_shape())
            if found is None:
                return
            position = found
        value = dense_element(elements, position)
        if value is not None:
            rewriter.replace(op, arith.ConstantOp(value))


class ExtractFromCast(RewritePattern):
    """An element of a cast is one of what is cast."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractOp, rewriter: PatternRewriter
    ) -> None:
        cast = op.tensor.owner
        if isinstance(cast, tensor.CastOp) and isinstance(cast.source.type, TensorType):
            new = tensor.ExtractOp(cast.source, op.indices, op.result.type)
            new.attributes.update(op.attributes)
            rewriter.replace(op, new)


class InsertIntoCast(RewritePattern):
    """Insertion into a cast is insertion into what is cast, if that is known better."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.InsertOp, rewriter: PatternRewriter) -> None:
        cast = op.dest.owner
        if isinstance(cast, tensor.CastOp) and keeps_static_sizes(cast):
            new = tensor.InsertOp(op.scalar, cast.source, op.indices)
            new.attributes.update(op.attributes)
            rewriter.replace(op, [new, tensor.CastOp(new, op.result.type)])


class FromConstantElements(RewritePattern):
    """A tensor of constants is a constant."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.FromElementsOp, rewriter: PatternRewriter
    ) -> None:
        values = [constant_attribute(element) for element in op.elements]
        if not values or not has_constants(op.result.type.element_type):
            return
        if isa(values, list[IntegerAttr | FloatAttr]):
            elements = dense_elements(op.result.type, values)
            rewriter.replace(op, arith.ConstantOp(elements))


class InsertSameElement(RewritePattern):
    """What all elements of a constant are already is not inserted."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.InsertOp, rewriter: PatternRewriter) -> None:
        elements, value = dense_constant(op.dest), constant_attribute(op.scalar)
        if elements is None or value is None:
            return
        if splat_element(elements) == value:
            rewriter.replace(op, [], [op.dest])


class ExtractFromIndexCast(RewritePattern):
    """Only the element that is wanted is cast."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractOp, rewriter: PatternRewriter
    ) -> None:
        cast = op.tensor.owner
        if isinstance(cast, arith.IndexCastOp):
            type_ = ranked_type(cast.input).element_type
            new = tensor.ExtractOp(cast.input, op.indices, type_)
            rewriter.replace(op, [new, arith.IndexCastOp(new.result, op.result.type)])


class GatherEqualElements(RewritePattern):
    """Elements of a constant of equal elements are such a constant."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GatherOp, rewriter: PatternRewriter) -> None:
        elements, type_ = dense_constant(op.source), ranked_type(op.result)
        value = None if elements is None else splat_element(elements)
        if value is not None and type_.has_static_shape():
            rewriter.replace(op, arith.ConstantOp(dense_elements(type_, [value])))


# `tensor.generate`, and an element of it.


_MAX_OPS = 16
"""How many ops are computed once more for each element that is wanted."""


class GenerateOfConstantSizes(RewritePattern):
    """Sizes that are known go into the type."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GenerateOp, rewriter: PatternRewriter) -> None:
        type_, left = known_sizes(op.result.type, op.dynamic_extents)
        if type_ != op.result.type:
            region = rewriter.move_region_contents_to_new_regions(op.body)
            new = GenerateOp(left, region, type_)
            new.attributes.update(op.attributes)
            new.location = op.location
            replace_and_cast(op, new, rewriter)


class ExtractFromGenerate(RewritePattern):
    """One element is computed where it is used, if that does nothing else."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tensor.ExtractOp, rewriter: PatternRewriter
    ) -> None:
        generate = op.tensor.owner
        if not isinstance(generate, GenerateOp):
            return
        block = generate.body.block
        inside = list(block.ops)
        if len(inside) > _MAX_OPS or not all(map(_is_simple, inside[:-1])):
            return
        values: dict[SSAValue, SSAValue] = dict(
            zip(block.args, op.indices, strict=True)
        )
        new_ops = [each.clone(value_mapper=values) for each in inside[:-1]]
        yielded = inside[-1].operands[0]
        rewriter.replace(op, new_ops, [values.get(yielded, yielded)])


def _is_simple(op: Operation) -> bool:
    return not op.regions and would_be_trivially_dead(op)

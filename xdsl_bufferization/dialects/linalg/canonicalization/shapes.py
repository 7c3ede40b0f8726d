"""What casts and sizes say of the operands and results of all structured ops.

    linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<?x?xf32>)
                  outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
    // has a result of type tensor<4x8xf32>

Source of the rules: the canonicalization patterns of MLIR's dialect linalg.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from typing_extensions import override
from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.dialects.linalg import ops
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from ...common.definitions import verifies
from ...common.static_values import index_constant
from ...common.uses import uses_to_replace
from ...memref.canonicalization.values import source_that_says_more
from ...tensor.canonicalization.values import keeps_static_sizes
from ..structure import Structure, outputs_of, structure_of

_MAX_USES = 8
"""How many uses of a result are looked at, to bound the cost."""


class LookThroughBufferCasts(RewritePattern):
    """An op on cast buffers is one on the buffers, if these are known better.

    All buffers change at once, and only where the op stays one that MLIR accepts:
    `linalg.map` and others want equal shapes, also in what they leave open. MLIR never
    folds casts into those ops.
    """

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        # On tensors, only the sizes of results count, which the next pattern knows.
        if op.results or outputs_of(op) is None:
            return
        operands = list(op.operands)
        sources = list(map(_buffer_before_cast, operands))
        if sources == operands:
            return
        op.operands = sources
        if verifies(op):
            rewriter.notify_op_modified(op)
        else:
            op.operands = operands


def _buffer_before_cast(value: SSAValue) -> SSAValue:
    """The buffer that is known better than `value`; `value` itself if there is none."""
    if not isinstance(value.owner, memref.CastOp):
        return value
    return source_that_says_more(value) or value


class SizesOfLoops(RewritePattern):
    """What is known of the size of a loop is known of all operands and results.

    It is known from operands, from what was cast to them, and from what results are
    cast to.
    """

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        structure = structure_of(op) if op.results else None
        if structure is None or len(op.results) != len(structure.outputs):
            return
        operands = [*structure.inputs, *structure.outputs]
        if all(map(_is_static, operands)):
            return
        types = _new_types(op, structure)
        if types is None or list(op.operands) != operands:
            return
        new_operands, casts = _cast_to(operands, types)
        if new_operands == operands:
            return
        rewriter.insert(casts)
        new = type(op).create(
            operands=new_operands,
            result_types=[each.type for each in new_operands[len(structure.inputs) :]],
            properties=op.properties,
            attributes=op.attributes,
            regions=[
                rewriter.move_region_contents_to_new_regions(region)
                for region in list(op.regions)
            ],
        )
        behind: list[Operation] = []
        results = [
            _as_before(old, result, behind)
            for old, result in zip(op.results, new.results, strict=True)
        ]
        rewriter.replace(op, [new, *behind], results)


def _is_static(value: SSAValue) -> bool:
    """Whether all sizes of an operand are known."""
    type_ = value.type
    return not isa(type_, TensorType) or DYNAMIC_INDEX not in type_.get_shape()


def _new_types(
    op: Operation, structure: Structure
) -> Sequence[TensorType | None] | None:
    """All that is known of operands; None if this contradicts itself."""
    if not all(map(_is_projection, structure.maps)):
        return _types_of_casts(op, structure)
    sizes = _sizes_of_loops(op, structure)
    if sizes is None:
        return None
    operands = (*structure.inputs, *structure.outputs)
    return [
        _with_sizes(value, map_, sizes)
        for value, map_ in zip(operands, structure.maps, strict=True)
    ]


def _is_projection(map_: AffineMap) -> bool:
    """Whether each size of the operand is the size of a loop of its own."""
    loops = [e.position for e in map_.results if isinstance(e, AffineDimExpr)]
    return len(set(loops)) == len(map_.results)


def _types_of_casts(op: Operation, structure: Structure) -> Sequence[TensorType | None]:
    """What casts alone say, where sizes are not those of loops."""
    types = [_before_cast(value) for value in structure.inputs]
    outputs = zip(structure.outputs, op.results, strict=True)
    maps = structure.maps[len(structure.inputs) :]
    for (output, result), map_ in zip(outputs, maps, strict=True):
        said = next(_casts_behind(op, result), None)
        known = _before_cast(output)
        is_new = said is not None and known == output.type and _is_projection(map_)
        types.append(said if is_new else known)
    return types


def _before_cast(value: SSAValue) -> TensorType | None:
    cast, type_ = value.owner, value.type
    if isinstance(cast, tensor.CastOp) and keeps_static_sizes(cast):
        type_ = cast.source.type
    return type_ if isa(type_, TensorType) else None


def _casts_behind(op: Operation, result: SSAValue) -> Iterator[TensorType]:
    """The types that a result is cast to, whatever happens.

    What a cast in a branch says holds only where the branch is taken.
    """
    for use in islice(result.uses, _MAX_USES):
        cast = use.operation
        if not isinstance(cast, tensor.CastOp) or cast.parent is not op.parent:
            continue
        type_, before = cast.dest.type, result.type
        if not isa(type_, TensorType) or not isa(before, TensorType):
            continue
        both = zip(before.get_shape(), type_.get_shape(), strict=True)
        if all(a in (DYNAMIC_INDEX, b) for a, b in both) and type_ != before:
            yield type_


def _sizes_of_loops(op: Operation, structure: Structure) -> dict[int, int] | None:
    """The sizes of loops as far as they are known; None if they contradict."""
    sizes: dict[int, int] = {}
    for type_, map_ in _types_known(op, structure):
        for size, expr in zip(type_.get_shape(), map_.results, strict=True):
            if size == DYNAMIC_INDEX or not isinstance(expr, AffineDimExpr):
                continue
            if sizes.setdefault(expr.position, size) != size:
                return None
    return sizes


def _types_known(
    op: Operation, structure: Structure
) -> Iterator[tuple[TensorType, AffineMap]]:
    values = (*structure.inputs, *structure.outputs)
    for value, map_ in zip(values, structure.maps, strict=True):
        type_ = _before_cast(value)
        if type_ is not None:
            yield type_, map_
    maps = structure.maps[len(structure.inputs) :]
    for result, map_ in zip(op.results, maps, strict=True):
        for said in _casts_behind(op, result):
            yield said, map_


def _with_sizes(
    value: SSAValue, map_: AffineMap, sizes: dict[int, int]
) -> TensorType | None:
    """The type of an operand with the sizes of loops; None if it is no tensor."""
    type_ = value.type
    if not isa(type_, TensorType):
        return None
    shape = [
        sizes.get(expr.position, size) if isinstance(expr, AffineDimExpr) else size
        for size, expr in zip(type_.get_shape(), map_.results, strict=True)
    ]
    return TensorType(type_.element_type, shape, type_.encoding)


def _cast_to(
    operands: Sequence[SSAValue], types: Sequence[TensorType | None]
) -> tuple[list[SSAValue], list[Operation]]:
    casts: list[Operation] = []
    values: list[SSAValue] = []
    for operand, type_ in zip(operands, types, strict=True):
        inner = operand.owner
        if type_ is None or type_ == operand.type:
            values.append(operand)
        elif isinstance(inner, tensor.CastOp) and inner.source.type == type_:
            values.append(inner.source)
        else:
            casts.append(cast := tensor.CastOp(operand, type_))
            values.append(cast.dest)
    return values, casts


def _as_before(old: SSAValue, new: SSAValue, behind: list[Operation]) -> SSAValue:
    if old.type == new.type or not isa(old.type, TensorType):
        return new
    behind.append(cast := tensor.CastOp(new, old.type))
    return cast.dest


class DimsOfResults(RewritePattern):
    """A result has the sizes of its output."""

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        outputs = outputs_of(op)
        if outputs is None or len(outputs) != len(op.results):
            return
        for output, result in zip(outputs, op.results, strict=True):
            for use in uses_to_replace(result):
                if isinstance(dim := use.operation, tensor.DimOp):
                    dim.operands[0] = output
                    rewriter.notify_op_modified(dim)


class IndexOfOneIteration(RewritePattern):
    """The index of a loop that runs once is 0."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.IndexOp, rewriter: PatternRewriter) -> None:
        parent = op.parent_op()
        structure = None if parent is None else structure_of(parent)
        if structure is None:
            return
        loop = AffineDimExpr(op.dim.value.data)
        values = (*structure.inputs, *structure.outputs)
        for value, map_ in zip(values, structure.maps, strict=True):
            type_ = value.type
            if not isa(type_, TensorType | MemRefType) or loop not in map_.results:
                continue
            if type_.get_shape()[map_.results.index(loop)] == 1:
                rewriter.replace(op, index_constant(0))
            return

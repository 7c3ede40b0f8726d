"""How `scf.forall` is simplified, by MLIR's patterns of these effects.

    scf.forall (%i) in (%c4)                     ->  scf.forall (%i) in (4)
    scf.forall (%i, %j) in (1, 4)                ->  scf.forall (%j) in (4), 0 for %i
    scf.forall (%i) in (1) shared_outs(%o = %t)
        ->  the body, tensor.insert_slice into %t

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfforall-scfforallop
"""

from collections.abc import Sequence
from typing import NamedTuple

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.ir import Operation, Region, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ..common.static_values import OpFoldResult, index_constant
from .forall import ForallOp, InParallelOp
from .rebuild import Replacement, fill_in, is_unused, keep, move_to_new_block

_DEST = 1
"""Number of the destination among the operands of `tensor.parallel_insert_slice`."""


class _Bounds(NamedTuple):
    lower: list[OpFoldResult]
    upper: list[OpFoldResult]
    step: list[OpFoldResult]


def _bounds_of(op: ForallOp) -> _Bounds:
    return _Bounds(op.lower_bounds, op.upper_bounds, op.steps)


def _is_mapped(op: ForallOp) -> bool:
    return op.mapping is not None and bool(op.mapping.data)


def _rebuild(
    op: ForallOp, bounds: _Bounds, outputs: Sequence[SSAValue], region: Region
) -> ForallOp:
    new_op = ForallOp(*bounds, outputs, region, op.mapping)
    new_op.attributes.update(op.attributes)
    return new_op


class FoldForallBounds(RewritePattern):
    """Write constant bounds as numbers."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ForallOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by a loop with more numbers."""
        dynamic = (
            *op.dynamic_lower_bound,
            *op.dynamic_upper_bound,
            *op.dynamic_step,
        )
        if all(const_evaluate_operand(value) is None for value in dynamic):
            return
        bounds = _Bounds(*([_fold(each) for each in part] for part in _bounds_of(op)))
        region = rewriter.move_region_contents_to_new_regions(op.region)
        rewriter.replace(op, _rebuild(op, bounds, op.outputs, region))


def _fold(bound: OpFoldResult) -> OpFoldResult:
    if isinstance(bound, int):
        return bound
    constant = const_evaluate_operand(bound)
    return bound if constant is None else constant


def _trips(lower: OpFoldResult, upper: OpFoldResult, step: OpFoldResult) -> int:
    """The number of iterations if that is 0 or 1, else 2."""
    if lower is upper:
        return 0
    if not isinstance(lower, int) or not isinstance(upper, int):
        return 2
    if lower >= upper:
        return 0
    return 1 if isinstance(step, int) and 0 < upper - lower <= step else 2


class FoldForallDimensions(RewritePattern):
    """Remove dimensions with one iteration, and a loop that never iterates.

    A dimension that is mapped to processors stays; its index is known all the same.
    """

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ForallOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by its outputs, its body, or a loop of fewer dimensions."""
        bounds = _bounds_of(op)
        trips = [_trips(*each) for each in zip(*bounds, strict=True)]
        if _is_mapped(op):
            _replace_indices(op, bounds, trips, rewriter)
        elif 0 in trips:
            rewriter.replace(op, (), op.outputs)
        elif 1 in trips or not trips:
            replacements = _constants_for(op, bounds, trips, rewriter)
            if None in replacements:
                _drop_dimensions(op, bounds, replacements, rewriter)
            else:
                _inline(op, replacements, rewriter)


def _constant(lower: OpFoldResult, op: ForallOp, rewriter: PatternRewriter) -> SSAValue:
    if isinstance(lower, SSAValue):
        return lower
    constant = index_constant(lower)
    rewriter.insert(constant, InsertPoint.before(op))
    return constant.result


def _constants_for(
    op: ForallOp, bounds: _Bounds, trips: Sequence[int], rewriter: PatternRewriter
) -> list[Replacement]:
    """The only index of each dimension that has one, and None for the others."""
    return [
        _constant(lower, op, rewriter) if count == 1 else None
        for lower, count in zip(bounds.lower, trips, strict=True)
    ]


def _replace_indices(
    op: ForallOp, bounds: _Bounds, trips: Sequence[int], rewriter: PatternRewriter
) -> None:
    indices = zip(op.induction_variables, bounds.lower, trips, strict=True)
    for index, lower, count in indices:
        if count == 1 and not is_unused(index):
            constant = _constant(lower, op, rewriter)
            rewriter.replace_all_uses_with(index, constant)


def _drop_dimensions(
    op: ForallOp,
    bounds: _Bounds,
    replacements: list[Replacement],
    rewriter: PatternRewriter,
) -> None:
    stay: list[Replacement] = [None] * len(op.outputs)
    block = move_to_new_block(rewriter, op.region.block, [*replacements, *stay])
    kept = _Bounds(*(keep(part, replacements) for part in bounds))
    rewriter.replace(op, _rebuild(op, kept, op.outputs, Region(block)))


def _inline(
    op: ForallOp, indices: Sequence[Replacement], rewriter: PatternRewriter
) -> None:
    block = op.region.block
    terminator = block.last_op
    if not isinstance(terminator, InParallelOp):
        return
    results: dict[SSAValue, SSAValue] = dict(
        zip(op.region_outputs, op.outputs, strict=True)
    )
    for insert in tuple(terminator.region.block.ops):
        written = insert.operands[_DEST]
        new_insert = _insert_slice(insert, results[written])
        rewriter.insert(new_insert, InsertPoint.before(terminator))
        results[written] = new_insert.results[0]
    values = list(results.values())
    rewriter.erase(terminator)
    arguments = [*fill_in((), indices), *op.outputs]
    rewriter.inline_block(block, InsertPoint.before(op), arguments)
    rewriter.replace(op, (), values)


def _insert_slice(insert: Operation, dest: SSAValue) -> Operation:
    """The op that does at once what `insert` does at the end of an iteration."""
    operands = list(insert.operands)
    operands[_DEST] = dest
    return tensor.InsertSliceOp.create(
        operands=operands,
        result_types=[dest.type],
        properties=insert.properties,
        attributes=insert.attributes,
    )


class FoldForallOutputs(RewritePattern):
    """Share only outputs that an iteration writes and somebody uses."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ForallOp, rewriter: PatternRewriter, /) -> None:
        """Replace `op` by a loop with fewer outputs."""
        terminator = op.region.block.last_op
        if not op.outputs or not isinstance(terminator, InParallelOp):
            return
        inserts: dict[SSAValue, list[Operation]] = {}
        for insert in terminator.region.block.ops:
            inserts.setdefault(insert.operands[_DEST], []).append(insert)
        outputs = zip(op.outputs, op.region_outputs, op.results, strict=True)
        replacements: list[Replacement] = [
            output if is_unused(result) or argument not in inserts else None
            for output, argument, result in outputs
        ]
        if all(each is None for each in replacements):
            return
        for argument, each in zip(op.region_outputs, replacements, strict=True):
            if each is not None:
                for insert in inserts.get(argument, ()):
                    rewriter.erase(insert)
        stay: list[Replacement] = [None] * op.rank
        block = move_to_new_block(rewriter, op.region.block, [*stay, *replacements])
        kept = keep(op.outputs, replacements)
        new_op = _rebuild(op, _bounds_of(op), kept, Region(block))
        rewriter.replace(op, new_op, fill_in(new_op.results, replacements))

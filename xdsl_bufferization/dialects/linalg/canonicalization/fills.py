"""What of a filled tensor is known where it is used.

    %0 = linalg.fill ins(%x : f32) outs(%t : tensor<2x4xf32>) -> tensor<2x4xf32>
    tensor.extract %0[%i, %j] : tensor<2x4xf32>                               // is %x
    tensor.collapse_shape %0 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
        // is %t collapsed, and filled then

Source of the rules: the canonicalization patterns of MLIR's `linalg.fill`.
"""

from collections.abc import Callable
from typing import Any

from typing_extensions import override
from xdsl.dialects import tensor
from xdsl.dialects.linalg import ops
from xdsl.ir import SSAValue, Use
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...common.uses import uses_to_replace
from ...tensor.canonicalization.values import constant_attribute
from ..fills import new_fill
from ..pack import PackOp, UnPackOp
from ..structure import element_type_of


class UseOfFill(RewritePattern):
    """Ops that use a filled tensor are replaced, if what was filled in is enough."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.FillOp, rewriter: PatternRewriter) -> None:
        if not op.results:
            return
        value, result = op.inputs[0], op.results[0]
        # A fill converts the value to the type of the elements.
        if value.type != element_type_of(result.type):
            return
        for use in uses_to_replace(result):
            replace = _USES.get(type(use.operation))
            if replace is not None and use.operation.parent is not None:
                replace(op, use, rewriter)


def _fill(value: SSAValue, dest: SSAValue) -> ops.FillOp:
    return new_fill(value, dest, [dest.type])


def _reshape(op: ops.FillOp, use: Use, rewriter: PatternRewriter) -> None:
    reshape = use.operation
    if use.index != 0:
        return
    new = reshape.clone()
    new.operands[0] = op.outputs[0]
    rewriter.replace(reshape, [new, _fill(op.inputs[0], new.results[0])])


def _extract(op: ops.FillOp, use: Use, rewriter: PatternRewriter) -> None:
    rewriter.replace(use.operation, [], [op.inputs[0]])


def _pad(op: ops.FillOp, use: Use, rewriter: PatternRewriter) -> None:
    pad = use.operation
    assert isinstance(pad, tensor.PadOp)
    type_ = pad.result.type
    last = pad.region.block.last_op
    if last is None or not type_.has_static_shape():
        return
    if _is_same(last.operands[0], op.inputs[0]):
        empty = tensor.EmptyOp([], type_)
        rewriter.replace(pad, [empty, _fill(op.inputs[0], empty.tensor)])


def _pack(op: ops.FillOp, use: Use, rewriter: PatternRewriter) -> None:
    pack = use.operation
    assert isinstance(pack, PackOp)
    padding = pack.padding_value
    if use.index != 0 or not (padding is None or _is_same(padding, op.inputs[0])):
        return
    rewriter.replace(pack, _fill(op.inputs[0], pack.dest))


def _overwrite(op: ops.FillOp, use: Use, rewriter: PatternRewriter) -> None:
    """What is overwritten as a whole need not be filled; a moved fill is a fill."""
    user = use.operation
    if use.index == 1:
        user.operands[1] = op.outputs[0]
        rewriter.notify_op_modified(user)
        return
    dest = user.operands[1]
    is_same = element_type_of(dest.type) == op.inputs[0].type
    if is_same and user.results and not isinstance(user, UnPackOp):
        rewriter.replace(user, _fill(op.inputs[0], dest))


def _concat(op: ops.FillOp, use: Use, rewriter: PatternRewriter) -> None:
    concat = use.operation
    assert isinstance(concat, tensor.ConcatOp)
    fills = [part.owner for part in concat.inputs]
    dests: list[SSAValue] = []
    for fill in fills:
        if not isinstance(fill, ops.FillOp):
            return
        if not _is_same(fill.inputs[0], op.inputs[0]):
            return
        dests.append(fill.outputs[0])
    new = tensor.ConcatOp.build(
        operands=[dests],
        result_types=concat.result_types,
        properties=concat.properties,
        attributes=concat.attributes,
    )
    rewriter.replace(concat, [new, _fill(op.inputs[0], new.result)])


def _is_same(first: SSAValue, second: SSAValue) -> bool:
    """Whether two values are surely equal."""
    if first is second:
        return True
    constant = constant_attribute(first)
    return constant is not None and constant == constant_attribute(second)


_USES: dict[type[Any], Callable[[ops.FillOp, Use, PatternRewriter], None]] = {
    ops.CopyOp: _overwrite,
    ops.TransposeOp: _overwrite,
    PackOp: _pack,
    UnPackOp: _overwrite,
    tensor.CollapseShapeOp: _reshape,
    tensor.ConcatOp: _concat,
    tensor.ExpandShapeOp: _reshape,
    tensor.ExtractOp: _extract,
    tensor.PadOp: _pad,
}
"""How to replace each op that uses a filled tensor."""

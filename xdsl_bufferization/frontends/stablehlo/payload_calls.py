"""Calls in regions that combine elements: the ops of the function take their place.

    ^bb0(%a: tensor<f16>, %b: tensor<f16>):
      %0 = func.call @logaddexp(%a, %b)      ->      the ops of @logaddexp

JAX writes such calls for `jax.lax.cumlogsumexp`. A region of elements has no tensors
that a call could hand over.
"""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.stablehlo.other_words import MapOp
from xdsl_bufferization.dialects.stablehlo.reductions import (
    ReducingOp,
    SelectAndScatterOp,
    SortOp,
)
from xdsl_bufferization.dialects.stablehlo.slices import ScatterOp
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

_COMBINING = MapOp | ReducingOp | ScatterOp | SelectAndScatterOp | SortOp


def inline_payload_calls(module: ModuleOp) -> None:
    """Replace each call in a region of elements by the ops of its function."""
    calls = [
        op
        for op in ops_inside(module)
        if isinstance(op, CallOp) and isinstance(op.parent_op(), _COMBINING)
    ]
    if not calls:
        return
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
    for call in calls:
        _inline(call, functions, ())


def _inline(
    call: CallOp, functions: Mapping[str, FuncOp], around: Sequence[str]
) -> None:
    """Replace a call, and those in its function; `around` are being written."""
    name = call.callee.root_reference.data
    function = functions.get(name)
    if function is None or len(function.body.blocks) != 1:
        fail_at(call, f"@{name} is called where elements are combined; give it a body")
    if name in around:
        fail_at(
            call, f"@{name} calls itself, and is called where elements are combined"
        )
    block = function.body.clone().block
    ops = [*block.ops]
    Rewriter.inline_block(block, InsertPoint.before(call), call.arguments)
    end = ops[-1]
    assert isinstance(end, ReturnOp)
    Rewriter.replace_op(call, [], [*end.operands])
    Rewriter.erase_op(end)
    for op in ops[:-1]:
        if isinstance(op, CallOp):
            _inline(op, functions, (*around, name))

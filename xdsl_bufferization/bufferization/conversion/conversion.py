"""Apply conversion patterns to a module, and leave nothing half converted.

    converter = BufferizeTypeConverter()
    ...
    patterns = populate_with_bufferize_op_conversion_patterns(converter)
    apply_conversion(module, converter, [*patterns, MyOpPattern()])

Each op is visited once, after the op around it and those before it. What patterns
leave behind between old and new types is removed, or made of ops that need no more
conversion, as far as old types are still in use.
"""

from collections.abc import Sequence

from xdsl.dialects import bufferization
from xdsl.dialects.builtin import FunctionType, ModuleOp, UnrealizedConversionCastOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import ReturnLike

from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from .type_converter import BufferizeTypeConverter
from .value_conversion import ValueConversion


@without_garbage_collection()
def apply_conversion(
    module: ModuleOp,
    converter: BufferizeTypeConverter,
    patterns: Sequence[RewritePattern],
) -> None:
    """Convert `module` by `patterns`, which use `converter`.

    Raises an `OperationError` at an op that cannot be converted; the module is then
    partly converted.
    """
    for op in list(ops_inside(module)):
        _apply(op, patterns)
    _remove_casts(module, converter)
    for op in ops_inside(module):
        _check_returns(op)


def _apply(op: Operation, patterns: Sequence[RewritePattern]) -> None:
    """Let the first pattern that matches rewrite `op`."""
    if op.parent_block() is None:
        return  # Another op's pattern removed it.
    for pattern in patterns:
        rewriter = PatternRewriter(op)
        pattern.match_and_rewrite(op, rewriter)
        if rewriter.has_done_action:
            return


def _remove_casts(module: ModuleOp, converter: BufferizeTypeConverter) -> None:
    """Remove what leads from new types to old ones, or do it part by part."""
    for op in reversed(list(ops_inside(module))):
        if isinstance(op, bufferization.ToTensorOp):
            if op.tensor.first_use is None:
                Rewriter.erase_op(op)
            continue
        if not isinstance(op, UnrealizedConversionCastOp) or len(op.outputs) != 1:
            continue
        (value,) = op.outputs
        if value.first_use is not None:
            if not converter.is_decomposed(value.type, op):
                continue
            ValueConversion(converter, op, InsertPoint.before(op)).legalize(op)
        if value.first_use is None:
            Rewriter.erase_op(op)


def _check_returns(op: Operation) -> None:
    """Stop at a return that no pattern has fitted to the function around it."""
    type_ = op.properties.get("function_type", op.attributes.get("function_type"))
    if not isinstance(type_, FunctionType) or len(op.regions) != 1:
        return
    for block in op.regions[0].blocks:
        last = block.last_op
        if last is None or not last.has_trait(ReturnLike):
            continue
        types = [operand.type for operand in last.operands]
        if types != list(type_.outputs):
            fail_at(
                last,
                f"does not return what its function does after conversion; add a "
                f"BufferizeReturnOpConverter for '{op_name(last)}'",
            )

"""Ops that free buffers, and say who owns them from then on.

    %owned = bufferization.dealloc (%a : memref<2xf32>) if (%c)
        retain (%r : memref<2xf32>)

What is never freed, given twice or retained twice, is dropped when it is simplified:

    bufferization.dealloc (%a, %a, %b : ...) if (%c, %d, %false)
    // becomes
    %e = arith.ori %c, %d : i1
    bufferization.dealloc (%a : ...) if (%e)

Source of the definitions: https://mlir.llvm.org/docs/Dialects/BufferizationOps/ and, of
the simplifications, the canonicalization patterns of MLIR's op.
"""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyInt,
    AttrSizedOperandSegments,
    IntVarConstraint,
    IRDLOperation,
    RangeOf,
    eq,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    var_operand_def,
    var_result_def,
)
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.traits import HasCanonicalizationPatternsTrait, MemoryFreeEffect
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.bufferization.constraints import BUFFER, TENSOR


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """Free the allocations of `memrefs` that nobody needs any more.

    The allocation of a memref is freed if its condition holds and if it is not the
    allocation of any of `retained`; at most once, also if several memrefs share it.
    Result `i` says whether the allocation of `retained[i]` was due, and is now owned
    by whoever holds `retained[i]`.
    """

    name = "bufferization.dealloc"

    _RETAINED: ClassVar = IntVarConstraint("retained memrefs", AnyInt())

    memrefs = var_operand_def(BUFFER)
    conditions = var_operand_def(i1)
    retained = var_operand_def(RangeOf(BUFFER).of_length(_RETAINED))
    updated_conditions = var_result_def(RangeOf(eq(i1)).of_length(_RETAINED))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = lazy_traits_def(lambda: (MemoryFreeEffect(), _DeallocCanonicalization()))

    assembly_format = (
        "(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)?"
        "(`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict"
    )

    def __init__(
        self,
        memrefs: Sequence[SSAValue] = (),
        conditions: Sequence[SSAValue] = (),
        retained: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[memrefs, conditions, retained],
            result_types=[[i1] * len(retained)],
        )

    @override
    def verify_(self) -> None:
        """As many conditions as memrefs."""
        if len(self.memrefs) != len(self.conditions):
            raise VerifyException(
                "must have the same number of conditions as memrefs to deallocate, has "
                f"{len(self.conditions)} and {len(self.memrefs)}"
            )


class _SimplifyDealloc(RewritePattern):
    """What is never freed, or given twice, is dropped."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter) -> None:
        due: dict[SSAValue, SSAValue] = {}
        new_ops: list[Operation] = []
        for value, condition in zip(op.memrefs, op.conditions, strict=True):
            if _constant(condition) is False:
                continue
            value = _allocation(value)
            if value in due:
                condition = _either(due[value], condition, new_ops)
            due[value] = condition
        retained = tuple(dict.fromkeys(op.retained))
        if tuple(due) == tuple(op.memrefs) and len(retained) == len(op.retained):
            return
        rewriter.insert(new_ops, InsertPoint.before(op))
        new = DeallocOp(tuple(due), tuple(due.values()), retained)
        new.attributes.update(op.attributes)
        results = dict(zip(retained, new.updated_conditions, strict=True))
        rewriter.replace(op, new, [results[value] for value in op.retained])


class _DropEmptyDealloc(RewritePattern):
    """Where nothing is freed, nothing was due."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter) -> None:
        if op.memrefs:
            return
        if not op.retained:
            rewriter.erase(op)
            return
        false = arith.ConstantOp(IntegerAttr(0, i1))
        rewriter.replace(op, false, [false.result] * len(op.retained))


class _DropUnusedAlloc(RewritePattern):
    """An allocation that is only freed need not be made."""

    @override
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter) -> None:
        unused = {value for value in op.memrefs if _is_used_once(value)}
        if not unused:
            return
        kept = [
            (value, condition)
            for value, condition in zip(op.memrefs, op.conditions, strict=True)
            if value not in unused
        ]
        memrefs, conditions = [v for v, _ in kept], [c for _, c in kept]
        new = DeallocOp(memrefs, conditions, op.retained)
        new.attributes.update(op.attributes)
        rewriter.replace(op, new)
        for value in unused:
            assert isinstance(value.owner, Operation)
            rewriter.erase(value.owner)


def _is_used_once(value: SSAValue) -> bool:
    return (
        isinstance(value.owner, memref.AllocOp)
        and value.get_user_of_unique_use() is not None
    )


def _allocation(value: SSAValue) -> SSAValue:
    """The allocation whose base buffer `value` is, or `value` itself."""
    owner = value.owner
    if (
        isinstance(owner, memref.ExtractStridedMetaDataOp)
        and value is owner.base_buffer
        and isinstance(owner.source.owner, memref.AllocOp)
    ):
        return owner.source
    return value


def _constant(condition: SSAValue) -> bool | None:
    owner = condition.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return bool(owner.value.value.data)
    return None


def _either(first: SSAValue, second: SSAValue, new_ops: list[Operation]) -> SSAValue:
    """A condition that holds if one of two does."""
    if first is second or _constant(first) is True:
        return first
    if _constant(second) is True:
        return second
    new_ops.append(either := arith.OrIOp(first, second))
    return either.result


class _DeallocCanonicalization(HasCanonicalizationPatternsTrait):
    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (_DropEmptyDealloc(), _SimplifyDealloc(), _DropUnusedAlloc())


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """Release what a tensor holds; its tensor must not be used afterwards."""

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(TENSOR)

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=[tensor])

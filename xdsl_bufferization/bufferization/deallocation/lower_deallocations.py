"""Turn `bufferization.dealloc` into `memref.dealloc` and comparisons of pointers.

Runs after `buffer-deallocation-simplification`. A buffer that is certainly freed gets a
plain `memref.dealloc`. Other buffers are compared: short lists pair by pair in place,
long lists by a function with loops. Its tables are on the stack, and nothing is
allocated on the heap.

    %o = bufferization.dealloc (%a : ...) if (%c) retain (%r : ...)

    %p = memref.extract_aligned_pointer_as_index %a ...    // and %q of %r
    %ne = arith.cmpi ne, %p, %q : index                    // and %eq
    %free = arith.andi %c, %ne : i1                        // and %o from %eq
    scf.if %free { memref.dealloc %a ... }
"""

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import override
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from .conditions import (
    Condition,
    Constants,
    compare,
    conjoin,
    constant_condition,
    disjoin,
    negate,
)
from .dealloc_helper import DeallocHelpers

_MAX_INLINE_PAIRS = 16
"""How many pairs of pointers are compared in place; beyond, a function does it."""


@without_garbage_collection()
def lower_deallocations(module: ModuleOp) -> None:
    """Lower all `bufferization.dealloc` ops inside `module`."""
    helpers = DeallocHelpers(module)
    for op in ops_inside(module):
        if isinstance(op, DeallocOp):
            _Lowering(op, helpers).run()


class _Lowering:
    """Lowers one op."""

    def __init__(self, op: DeallocOp, helpers: DeallocHelpers):
        self.op = op
        self.helpers = helpers
        self.builder = Builder(InsertPoint.before(op))
        self.constants = Constants(op)
        self.conditions = [constant_condition(value) for value in op.conditions]

    def run(self) -> None:
        """Insert what frees the memrefs, and replace the results."""
        op = self.op
        due = [
            (value, condition)
            for value, condition in zip(op.memrefs, self.conditions, strict=True)
            if condition is not False
        ]
        memrefs = [value for value, _ in due]
        conditions = [condition for _, condition in due]
        free, owned = self._decide(memrefs, conditions)
        for value, condition in zip(memrefs, free, strict=True):
            self._free(value, condition)
        for result, condition in zip(op.updated_conditions, owned, strict=True):
            if result.uses:
                result.replace_all_uses_with(self._value(condition))
        constants = {
            value.owner: None
            for value in op.conditions
            if isinstance(value.owner, arith.ConstantOp)
        }
        op.detach()
        op.erase()
        for constant in constants:
            if not constant.result.uses:
                constant.detach()
                constant.erase()

    def _decide(
        self, memrefs: Sequence[SSAValue], conditions: Sequence[Condition]
    ) -> tuple[list[Condition], list[Condition]]:
        """For each memref whether to free it, for each retained whether it was due."""
        retained = self.op.retained
        if not memrefs or (len(memrefs) == 1 and not retained):
            return list(conditions), [False] * len(retained)
        pointers = [self._pointer(value) for value in memrefs]
        kept = [self._pointer(value) for value in retained]
        pairs = len(memrefs) * (len(memrefs) + 2 * len(kept) - 1) // 2
        if pairs > _MAX_INLINE_PAIRS:
            values = [self._value(condition) for condition in conditions]
            free, owned = self.helpers.call(
                self.op, self.builder, pointers, values, kept
            )
            return list(free), list(owned)
        free = [
            self._is_free(number, pointers, conditions, kept)
            for number in range(len(pointers))
        ]
        return free, [
            self._is_owned(number, pointers, conditions, kept)
            for number in range(len(kept))
        ]

    def _is_free(
        self,
        number: int,
        pointers: Sequence[SSAValue],
        conditions: Sequence[Condition],
        kept: Sequence[SSAValue],
    ) -> Condition:
        """Whether memref `number` is due, not retained, and not freed before."""
        builder = self.builder
        result = conditions[number]
        for other in kept:
            differs = compare(builder, "ne", pointers[number], other)
            result = conjoin(builder, result, differs)
        for other, condition in zip(pointers[:number], conditions, strict=False):
            differs = compare(builder, "ne", pointers[number], other)
            if condition is not True:
                is_not_due = negate(builder, self.constants, condition)
                differs = disjoin(builder, differs, is_not_due)
            result = conjoin(builder, result, differs)
        return result

    def _is_owned(
        self,
        number: int,
        pointers: Sequence[SSAValue],
        conditions: Sequence[Condition],
        kept: Sequence[SSAValue],
    ) -> Condition:
        """Whether a memref that is due has the allocation of retained `number`."""
        if not self.op.updated_conditions[number].uses:
            return False
        result: Condition = False
        for pointer, condition in zip(pointers, conditions, strict=True):
            equal = compare(self.builder, "eq", pointer, kept[number])
            is_due = conjoin(self.builder, condition, equal)
            result = disjoin(self.builder, result, is_due)
        return result

    def _pointer(self, value: SSAValue) -> SSAValue:
        pointer = memref.ExtractAlignedPointerAsIndexOp.get(value)
        return self.builder.insert(pointer).aligned_pointer

    def _value(self, condition: Condition) -> SSAValue:
        return self.constants.get(condition)

    def _free(self, value: SSAValue, condition: Condition) -> None:
        dealloc = memref.DeallocOp.get(value)
        if condition is True:
            self.builder.insert(dealloc)
        elif condition is not False:
            self.builder.insert(scf.IfOp(condition, [], [dealloc, scf.YieldOp()]))


@dataclass(frozen=True)
class LowerDeallocationsPass(ModulePass):
    """Turn `bufferization.dealloc` into `memref.dealloc` and comparisons."""

    name = "lower-deallocations"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        lower_deallocations(op)


@dataclass(frozen=True)
class BufferizationLowerDeallocationsPass(LowerDeallocationsPass):
    """The pass `lower-deallocations`, by the name that MLIR has for it today."""

    name = "bufferization-lower-deallocations"

"""Expand `memref.realloc` into an allocation, a copy and a deallocation.

With `emit-deallocs=false` it runs before `ownership-based-buffer-deallocation`, which
then frees the old buffer. With deallocations it may run at any time.

    %r = memref.realloc %a(%n) : ...     %r = scf.if %is_smaller -> (memref<?xf32>) {
                                           // allocate, copy %a, free %a
                                         } else {
                                           // %a, as one of %n elements
                                         }

Source of the expansion: MLIR's pass of this name, which fails where a buffer of static
size shrinks. Here static sizes are compared at compile time, and only the branch that
is taken is built.
"""

from dataclasses import dataclass

from typing_extensions import override
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    ModuleOp,
    StridedLayoutAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    index_constant,
    static_values,
)
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.dialects.memref.constraints import ranked
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from ..mlir_pass import MLIRPass

"""A number of elements: known, or a value of type index."""


@without_garbage_collection()
def expand_reallocs(module: ModuleOp, *, emit_deallocs: bool = True) -> None:
    """Expand all `memref.realloc` ops in `module`.

    Without `emit_deallocs` the old buffer is not freed where it is replaced.
    """
    for op in ops_inside(module):
        if isinstance(op, ReallocOp):
            _Expansion(op, emit_deallocs).run()


class _Expansion:
    """Expands one op."""

    def __init__(self, op: ReallocOp, emit_deallocs: bool):
        self.op = op
        self.emit_deallocs = emit_deallocs
        self.builder = Builder(InsertPoint.before(op))

    def run(self) -> None:
        """Replace the op."""
        op = self.op
        before = op.prev_op
        old, new = self._old_size(), self._new_size()
        if isinstance(old, int) and isinstance(new, int):
            grow = old < new
            result = (self._grow if grow else self._shrink)(self.builder, old, new)
        else:
            result = self._choose(old, new)
        self._locate_behind(before)
        op.result.replace_all_uses_with(result)
        op.detach()
        op.erase()

    def _locate_behind(self, before: Operation | None) -> None:
        """Give the new ops, which are behind `before`, the location of the op."""
        new = self.op.prev_op
        while new is not None and new is not before:
            for each in ops_inside(new):
                each.location = self.op.location
            new = new.prev_op

    def _old_size(self) -> OpFoldResult:
        (size,) = ranked(self.op.source).get_shape()
        if size != DYNAMIC_INDEX:
            return size
        return self.builder.insert(
            memref.DimOp(self.op.source, self._constant(0))
        ).result

    def _new_size(self) -> OpFoldResult:
        if self.op.dynamic_result_size is not None:
            return self.op.dynamic_result_size
        (size,) = ranked(self.op.result).get_shape()
        return size

    def _constant(self, number: int) -> SSAValue:
        constant = index_constant(number)
        return self.builder.insert(constant).result

    def _choose(self, old: OpFoldResult, new: OpFoldResult) -> SSAValue:
        """Grow or shrink, as the running program says."""
        first = self._constant(old) if isinstance(old, int) else old
        second = self._constant(new) if isinstance(new, int) else new
        is_smaller = self.builder.insert(arith.CmpiOp(first, second, "ult")).result
        branches: list[Block] = []
        for make in (self._grow, self._shrink):
            block = Block()
            builder = Builder(InsertPoint.at_end(block))
            builder.insert(scf.YieldOp(make(builder, old, new)))
            branches.append(block)
        grow, shrink = branches
        op = scf.IfOp(is_smaller, [self.op.result.type], [grow], [shrink])
        return self.builder.insert(op).results[0]

    def _grow(self, builder: Builder, old: OpFoldResult, new: OpFoldResult) -> SSAValue:
        """A new buffer that starts with the elements of the old one."""
        op, source = self.op, self.op.source
        alloc = memref.AllocOp.build(
            operands=[[new] if isinstance(new, SSAValue) else [], []],
            result_types=[op.result.type],
            properties={"alignment": op.alignment},
        )
        buffer = builder.insert(alloc).memref
        view = builder.insert(_first_elements(buffer, old))
        builder.insert(memref.CopyOp(source, view.results[0]))
        if self.emit_deallocs:
            builder.insert(memref.DeallocOp.get(source))
        return buffer

    def _shrink(
        self, builder: Builder, old: OpFoldResult, new: OpFoldResult
    ) -> SSAValue:
        """The old buffer, with fewer elements."""
        del old
        if self.op.source.type == self.op.result.type and isinstance(new, int):
            return self.op.source
        return builder.insert(_resized(self.op.source, self.op.result, new)).results[0]


def _first_elements(buffer: SSAValue, size: OpFoldResult) -> Operation:
    """A view of the first `size` elements of a vector."""
    type_ = ranked(buffer)
    static = static_values([size])
    result = MemRefType(
        type_.element_type, static, StridedLayoutAttr([1], 0), type_.memory_space
    )
    return memref.SubviewOp.create(
        operands=[buffer] if isinstance(size, int) else [buffer, size],
        result_types=[result],
        properties=_static_numbers(size),
    )


def _resized(source: SSAValue, result: SSAValue, size: OpFoldResult) -> Operation:
    """The memory of `source` as a vector of `size` elements."""
    return memref.ReinterpretCastOp.create(
        operands=[source] if isinstance(size, int) else [source, size],
        result_types=[result.type],
        properties=_static_numbers(size),
    )


def _static_numbers(size: OpFoldResult) -> dict[str, Attribute]:
    """The properties of a view of `size` elements from the first one on."""
    is_known = isinstance(size, int)
    numbers = {
        "static_offsets": 0,
        "static_sizes": size if is_known else DYNAMIC_INDEX,
        "static_strides": 1,
    }
    segments = [1, 0, int(not is_known), 0]
    return {
        **{name: DenseArrayBase.from_list(i64, [n]) for name, n in numbers.items()},
        AttrSizedOperandSegments.attribute_name: DenseArrayBase.from_list(
            i32, segments
        ),
    }


@dataclass(frozen=True)
class ExpandReallocPass(MLIRPass):
    """Expand `memref.realloc` into an allocation, a copy and a deallocation."""

    name = "expand-realloc"

    emit_deallocs: bool = True
    """Free the old buffer where it is replaced."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        expand_reallocs(op, emit_deallocs=self.emit_deallocs)

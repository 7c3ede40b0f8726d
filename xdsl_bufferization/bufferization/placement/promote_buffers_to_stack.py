"""Put small buffers on the stack that nobody needs after the function has returned.

Runs before deallocation: a buffer that something frees stays on the heap.

    %a = memref.alloc() : memref<4xf32>       %a = memref.alloca() : memref<4xf32>

A buffer is small in two cases:

- It has at most `max-alloc-size-in-bytes`.
- Its size is unknown, its sizes are results of `memref.rank`, and its rank is at most
  `max-rank-of-allocated-memref`.

A buffer that is returned, stored, cloned or made a tensor stays on the heap. So do the
buffers of a parallel loop.

Source of the rules: MLIR's pass of this name. The differences: sizes of 2^29 bytes and
more are computed as they are, with a byte for each i1. The stack does not grow with the
iterations of a loop. The buffer of an iteration is allocated before the loop, if no
iteration passes it to the next one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import bufferization, func, memref
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.dialects.common.data_layout import index_bits
from xdsl_bufferization.dialects.memref.constraints import ranked
from xdsl_bufferization.dialects.memref.sizes import count_buffer_bytes
from xdsl_bufferization.support.garbage import without_garbage_collection

from ..analyses.buffers.buffer_flow import FlowKind
from ..interfaces.region_branch import get_region_branch
from ..mlir_pass import MLIRPass
from .hoisting import Hoisting, find_hoistings, is_loop, is_parallel, only_dealloc


@without_garbage_collection()
def promote_buffers(
    module: ModuleOp,
    *,
    max_alloc_size_in_bytes: int = 1024,
    max_rank_of_allocated_memref: int = 1,
) -> None:
    """Put the small buffers of all functions in `module` on the stack."""
    for hoisting in find_hoistings(module):
        promotion = _Promotion(hoisting)
        for op in hoisting.allocations():
            if _is_small(op, max_alloc_size_in_bytes, max_rank_of_allocated_memref):
                promotion.promote(op)


def _with_index_width(op: memref.AllocOp, type_: MemRefType) -> MemRefType:
    """A buffer type whose elements have the width that a module gives an index."""
    bits = index_bits(op) if isinstance(type_.element_type, IndexType) else None
    if bits is None:
        return type_
    return MemRefType(IntegerType(bits), type_.shape, type_.layout, type_.memory_space)


def _is_small(op: memref.AllocOp, max_bytes: int, max_rank: int) -> bool:
    type_ = ranked(op.memref)
    if type_.has_static_shape():
        size = count_buffer_bytes(_with_index_width(op, type_))
        return size is not None and size <= max_bytes
    return type_.get_num_dims() <= max_rank and all(
        isinstance(operand.owner, memref.RankOp) for operand in op.operands
    )


class _Promotion:
    """Promotes the buffers of one function."""

    def __init__(self, hoisting: Hoisting):
        self.hoisting = hoisting
        self.escaping = hoisting.may_become(_escaping(hoisting))
        flows = hoisting.uses.aliases.flow.flows
        self.branching = hoisting.may_become(
            flow.source for flow in flows if flow.kind is FlowKind.BRANCH
        )

    def promote(self, op: memref.AllocOp) -> None:
        """Put a buffer on the stack, if it may be there."""
        if op.memref in self.escaping or only_dealloc(op) is not None:
            return
        anchor = self._find_anchor(op)
        if anchor is None:
            return
        alloca = memref.AllocaOp.build(
            operands=[op.dynamic_sizes, op.symbol_operands],
            result_types=[op.memref.type],
            properties={"alignment": op.alignment},
            attributes=op.attributes,
        )
        block = anchor.parent
        assert block is not None
        block.insert_op_before(alloca, anchor)
        alloca.memref.name_hint = op.memref.name_hint
        op.memref.replace_all_uses_with(alloca.memref)
        op.detach()
        op.erase()

    def _find_anchor(self, op: memref.AllocOp) -> Operation | None:
        """The op before which the memory is allocated; None if it must not be."""
        anchor: Operation = op
        inner: Operation = op
        while (block := inner.parent) is not None:
            if self.hoisting.dominance.may_repeat(block):
                first = _first_op(block)
                if op.memref in self.branching or first is None:
                    return None
                anchor = first
            parent = block.parent_op()
            if parent is None or isinstance(parent, func.FuncOp):
                break
            if isinstance(parent, memref.AllocaScopeOp):
                if self._leaves(op, parent):
                    return None
                break
            if get_region_branch(parent) is None or is_parallel(parent):
                return None
            if is_loop(parent):
                if self._leaves(op, parent):
                    return None
                anchor = parent
            inner = parent
        return anchor if self._are_sizes_known(op, anchor) else None

    def _leaves(self, op: memref.AllocOp, around: Operation) -> bool:
        """Whether a buffer has names outside of an op, or in two regions of it."""
        common = self.hoisting.common[op.memref]
        block = around.parent
        return block is None or self.hoisting.dominance.is_above(common, block)

    def _are_sizes_known(self, op: memref.AllocOp, anchor: Operation) -> bool:
        lowest = self.hoisting.lowest_operand(op)
        block = anchor.parent
        if anchor is op or lowest is None or block is None:
            return True
        uses = self.hoisting.uses
        if lowest is not block:
            return self.hoisting.dominance.is_strictly_above(lowest, block)
        position = uses.points.of_op(anchor).start
        return all(
            isinstance(operand.owner, Block)
            or uses.points.of_op(operand.owner).start < position
            for operand in op.operands
        )


def _first_op(block: Block) -> Operation | None:
    """The first op of the region that `block` is in."""
    region = block.parent
    first = None if region is None else region.blocks.first
    return None if first is None else first.first_op


def _escaping(hoisting: Hoisting) -> Iterator[SSAValue]:
    """The values that are returned or cloned."""
    for op in hoisting.uses.ops:
        if isinstance(op, func.ReturnOp | bufferization.CloneOp):
            yield from op.operands


@dataclass(frozen=True)
class PromoteBuffersToStackPass(MLIRPass):
    """Put small buffers on the stack that nobody needs after the function."""

    name = "promote-buffers-to-stack"

    max_alloc_size_in_bytes: int = 1024
    """The largest buffer that is promoted."""

    max_rank_of_allocated_memref: int = 1
    """The highest rank of a promoted buffer of unknown size."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all functions of the module."""
        promote_buffers(
            op,
            max_alloc_size_in_bytes=self.max_alloc_size_in_bytes,
            max_rank_of_allocated_memref=self.max_rank_of_allocated_memref,
        )

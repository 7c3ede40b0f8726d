"""An argument whose rows start at cache lines: itself, or a copy.

    %pointer = memref.extract_aligned_pointer_as_index %x
    %rest = arith.remui %pointer, %c64
    %crosses_lines = arith.cmpi ne, %rest, %c0
    %lines = scf.if %crosses_lines -> (memref<256x128xbf16>) {
      %copy = memref.alloc() {alignment = 64}
      scf.forall (%i) in (16) { ... }        // 16 rows of %x are copied to %copy
      scf.yield %copy
    } else {
      scf.yield %x
    }

What starts at a cache line cannot be known before the program runs: that is up to the
caller. Rows stay where they are in the copy, so that what reads it reads either.
"""

from collections.abc import Iterable
from math import gcd

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.affine import ApplyOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    FixedBitwidthType,
    IndexType,
    MemRefType,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.arith.builder import ArithBuilder
from xdsl_bufferization.dialects.common.static_values import (
    OpFoldResult,
    index_constant,
)
from xdsl_bufferization.dialects.memref.slices import infer_subview_type
from xdsl_bufferization.dialects.scf.forall import ForallOp, InParallelOp

CACHE_LINE = 64
"""Bytes."""

_ROWS = 16
"""Of a piece that is copied at once, at most: pieces are shared among threads."""


def fills_lines(element: FixedBitwidthType, lengths: Iterable[int]) -> bool:
    """Whether so many elements, each number of them, fill whole cache lines."""
    return all(length * element.size % CACHE_LINE == 0 for length in lengths)


def at_cache_line(
    source: SSAValue, place: Operation, ends: Iterable[Operation]
) -> SSAValue:
    """`source` or, if it does not start at a cache line, a copy of it.

    The copy is made in front of `place`, and freed in front of each of `ends`. The type
    of `source` has neither a layout nor unknown sizes.
    """
    assert isa(source.type, MemRefType)
    insert = ArithBuilder.before(place).insert
    pointer = insert(memref.ExtractAlignedPointerAsIndexOp.get(source))
    size = insert(index_constant(CACHE_LINE))
    rest = insert(arith.RemUIOp(pointer.aligned_pointer, size.result))
    zero = insert(index_constant(0))
    crosses_lines = insert(arith.CmpiOp(rest.result, zero.result, "ne")).result
    choice = scf.IfOp(
        crosses_lines, [source.type], _copy(source, source.type), [scf.YieldOp(source)]
    )
    result = insert(choice).results[0]
    for each in choice.walk():
        each.location = place.location
    for end in ends:
        free = [memref.DeallocOp.get(result), scf.YieldOp()]
        for each in free:
            each.location = end.location
        ArithBuilder.before(end).insert(scf.IfOp(crosses_lines, [], free))
    return result


def _copy(source: SSAValue, type_: MemRefType) -> list[Operation]:
    """Copy some rows at a time, and yield the copy."""
    shape = type_.get_shape()
    rows = gcd(shape[0], _ROWS)
    target = memref.AllocOp.get(type_.element_type, CACHE_LINE, shape)
    block = Block(arg_types=[IndexType()])
    first_row = AffineMap(1, 0, (AffineExpr.dimension(0) * rows,))
    start = ApplyOp([block.args[0]], AffineMapAttr(first_row))
    offsets: list[OpFoldResult] = [start.result, *(0 for _ in shape[1:])]
    sizes, strides = [rows, *shape[1:]], [1] * len(shape)
    piece = infer_subview_type(
        type_, [DYNAMIC_INDEX, *(0 for _ in shape[1:])], sizes, strides
    )
    pieces = [
        memref.SubviewOp.get(each, offsets, sizes, strides, piece)
        for each in (source, target.memref)
    ]
    copy = memref.CopyOp(*(each.result for each in pieces))
    block.add_ops([start, *pieces, copy, InParallelOp()])
    loop = ForallOp([0], [shape[0] // rows], [1], [], Region(block))
    return [target, loop, scf.YieldOp(target.memref)]
